import { basename } from "node:path";
import type { MessageRole } from "@engram/sdk";
import { type Entry, leftOut, type Source } from "./importer.ts";
import { readTextLines } from "./text-lines.ts";
import { type SourceMessage, type Thread, toEntries } from "./threads.ts";
import { type Fields, fieldsOf, firstPrompt, joinTexts, listOf, present, textOf, timeOf } from "./values.ts";

const ROLES = new Map<unknown, MessageRole>([
  ["user", "user"],
  ["assistant", "assistant"],
  ["system", "system"],
  ["developer", "system"],
]);

/**
 * Reads a log of Codex. The first line is the session's metadata. The others are items (messages, tool calls
 * and results) and events. In logs of 2025, a line is an item; in later logs, a line has the item in
 * `payload`, and a time.
 */
export async function* importCodex(source: Source): AsyncGenerator<Entry, void, undefined> {
  const thread = toThread(source);
  for await (const { number, value } of readTextLines(source)) {
    const place = `${source.name}:${number}`;
    const line = fieldsOf(value);
    const item = "payload" in line ? fieldsOf(line.payload) : line;
    if (isSession(line)) {
      // If a session resumes another, its log may also have the other's metadata. Only that of the first line
      // is used.
      if (number === 1) describe(thread, item, line);
      continue;
    }
    const message =
      value === undefined ? "line that is not JSON" : toSourceMessage(line, item, number, place);
    if (typeof message === "string") yield leftOut(message, place);
    else thread.messages.push({ ...message, sequence: thread.messages.length + 1 });
  }
  thread.title = firstPrompt(thread.messages);
  if (Number.isNaN(thread.createdAtMs)) thread.createdAtMs = thread.messages[0]?.atMs ?? Number.NaN;
  yield* toEntries(thread);
}

function toThread(source: Source): Thread {
  const id = basename(source.name, ".jsonl");
  return {
    externalId: `codex:${id}`,
    title: null,
    createdAtMs: Number.NaN,
    tags: ["codex"],
    metadata: { source: "codex", source_id: id },
    place: source.name,
    messages: [],
  };
}

const isSession = (line: Fields): boolean =>
  line.type === "session_meta" ||
  (line.type === undefined && textOf(line.id) !== undefined && "timestamp" in line);

function describe(thread: Thread, session: Fields, line: Fields): void {
  thread.createdAtMs = timeOf(session.timestamp ?? line.timestamp);
  Object.assign(
    thread.metadata,
    present({
      session_id: session.id,
      directory: session.cwd,
      git_branch: fieldsOf(session.git).branch,
      originator: session.originator,
    }),
  );
}

/** A returned string is the reason why the line is left out. */
function toSourceMessage(
  line: Fields,
  item: Fields,
  number: number,
  place: string,
): Omit<SourceMessage, "sequence"> | string {
  if ("payload" in line && line.type !== "response_item") return `note of the program (${String(line.type)})`;
  const message = toMessage(item) ?? toAction(item);
  if (message === undefined) return `item of the type "${String(item.type ?? item.record_type)}"`;
  if (message.content === "" && message.parts === undefined) return "empty message";
  // Not every item has an id. Lines are only appended, so the number identifies the item.
  return { id: `line ${number}`, atMs: timeOf(line.timestamp), place, ...message };
}

type ItemMessage = Pick<SourceMessage, "role" | "content" | "parts" | "toolCallId" | "toolName">;

function toMessage({ type, role, content }: Fields): ItemMessage | undefined {
  const speaker = ROLES.get(role);
  if (type !== "message" || speaker === undefined) return undefined;
  const blocks = listOf(content).map(fieldsOf);
  const isPlain = blocks.every((block) => typeof block.text === "string");
  return {
    role: speaker,
    content: textOf(content) ?? joinTexts(blocks.map(({ text }) => text)),
    parts: isPlain ? undefined : (content as object),
  };
}

/**
 * Converts a tool call, its result or reasoning: `parts` is the whole item, `content` its text. Undefined for
 * other items.
 */
function toAction(item: Fields): ItemMessage | undefined {
  const { type, call_id, name } = item;
  if (typeof type !== "string") return undefined;
  if (type === "reasoning") {
    const texts = [...listOf(item.summary), ...listOf(item.content)].map((block) => fieldsOf(block).text);
    const content = joinTexts(texts);
    // Encrypted reasoning has no readable text, so its item is not stored.
    return { role: "assistant", content, parts: content === "" ? undefined : item };
  }
  if (type.endsWith("_call_output")) {
    const content = outputText(item.output);
    return { role: "tool", content, toolCallId: call_id, parts: item };
  }
  if (!type.endsWith("_call")) return undefined;
  return { role: "assistant", content: "", toolCallId: call_id, toolName: name, parts: item };
}

function outputText(output: unknown): string {
  if (typeof output === "string") return output;
  if (Array.isArray(output)) return joinTexts(output.map((block) => fieldsOf(block).text));
  return textOf(fieldsOf(output).content) ?? "";
}
