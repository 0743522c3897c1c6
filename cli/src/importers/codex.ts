import type { MessageRole } from "@engram/sdk";
import { whyLeftOut } from "./codex-lines.ts";
import { derivedId } from "./ids.ts";
import { type Entry, leftOut, type Missing, notStored, type Source, unknownBlocks } from "./importer.ts";
import { digestOf, entriesOfLog, type Said, type Session, type SessionLog, Sessions } from "./sessions.ts";
import { sessionIdOf } from "./text-lines.ts";
import {
  type Fields,
  fieldsOf,
  firstPrompt,
  joinTexts,
  listOf,
  present,
  runsOf,
  textOf,
  timeOf,
} from "./values.ts";

const SOURCE = "codex";
const ROLES = new Map<unknown, MessageRole>([
  ["user", "user"],
  ["assistant", "assistant"],
  ["system", "system"],
  ["developer", "system"],
]);

const BLOCKS: ReadonlySet<unknown> = new Set([
  ...["input_text", "output_text", "text", "refusal"],
  ...["input_image", "input_audio", "input_file"],
]);

/** How context begins that Codex writes as the user, in every session. */
const CONTEXT =
  /^\s*(<(environment_context|user_instructions|INSTRUCTIONS|permissions instructions|skill|skills_instructions|turn_aborted|subagent_notification|collaboration_mode|apps_instructions|personality_spec|model_switch)\b|# AGENTS\.md instructions)/;

/**
 * Reads a log of Codex. The first line is the session's metadata. The others are items (messages, tool calls
 * and results) and events. In logs of 2025, a line is an item; in later logs, a line has the item in
 * `payload`, and a time.
 */
export async function* importCodex(
  source: Source,
  sessions: Sessions = new Sessions(),
): AsyncGenerator<Entry, void, undefined> {
  const id = await sessionIdOf(source, (line) => (isSession(line) ? idOf(itemOf(line)) : undefined));
  yield* entriesOfLog(source, new Log(id, source.name), sessions);
}

class Log implements SessionLog {
  readonly #session: Session;
  #title: string | undefined;
  /** Id and time of the session from which the log begins. A fork copies the log of its parent, metadata included. */
  #root: { id: string; atMs: number };
  #isDescribed = false;
  /**
   * Digest of the items so far. With it, equal items of different sessions have different keys, and copies of a log
   * the same ones. Times are not part of it, because forks have new ones.
   */
  #history = "";

  constructor(id: string, place: string) {
    this.#session = {
      source: SOURCE,
      sessionId: id,
      externalId: `${SOURCE}:${id}`,
      createdAtMs: Number.NaN,
      tags: [SOURCE],
      metadata: { source: SOURCE, source_id: id },
      place,
      messages: [],
    };
    this.#root = { id, atMs: Number.NaN };
  }

  *read(line: Fields, number: number, place: string): Generator<Missing, void, undefined> {
    const whole = itemOf(line);
    if (isSession(line)) return this.#describe(whole, line);
    if (line.type === "event_msg" && whole.type === "thread_name_updated") {
      this.#title = textOf(whole.thread_name) ?? textOf(whole.name) ?? this.#title;
      return;
    }
    for (const [index, item] of bySpeaker(whole).entries()) {
      const read = toRead(line, item, place);
      if ("reason" in read) {
        yield read;
        continue;
      }
      if (item.type === "message") yield* unknownBlocks(item.content, BLOCKS, place);
      // Not every item has an id. Lines are only appended, so the number identifies the item.
      this.#add(item, read, { id: `line ${number}${index > 0 ? `:${index}` : ""}`, line, place });
    }
  }

  #add(item: Fields, read: Said, { id, line, place }: { id: string; line: Fields; place: string }): void {
    const { messages } = this.#session;
    if (this.#history === "") this.#history = this.#root.id;
    // The id of a tool call is unique, so a log that repeats the call is a copy, even if it does not say so.
    this.#history = textOf(item.call_id) ? digestOf(item) : digestOf([this.#history, item]);
    messages.push({
      ...read,
      id,
      storedId: derivedId("msg", this.#root.atMs || 0, SOURCE, this.#history),
      copyKey: this.#history,
      sequence: (messages.at(-1)?.sequence ?? 0) + 1,
      atMs: timeOf(line.timestamp),
      place,
    });
  }

  *sessions(): Generator<Session, void, undefined> {
    const { messages, createdAtMs } = this.#session;
    yield {
      ...this.#session,
      title: this.#title ?? firstPrompt(messages),
      createdAtMs: Number.isNaN(createdAtMs) ? (messages[0]?.atMs ?? Number.NaN) : createdAtMs,
    };
  }

  /** The first metadata are the session's own. Those before the first item belong to the sessions that it copies. */
  #describe(meta: Fields, line: Fields): void {
    const atMs = timeOf(meta.timestamp ?? line.timestamp);
    const id = idOf(meta);
    const forkedFrom = textOf(meta.forked_from_id);
    const base = textOf(fieldsOf(meta.history_base).thread_id);
    const spawn = fieldsOf(fieldsOf(fieldsOf(meta.source).subagent).thread_spawn);
    if (this.#session.messages.length === 0 && id !== undefined) {
      // A fork with `history_base` only refers to the items of its parent.
      this.#root = { id: base === undefined ? (forkedFrom ?? id) : id, atMs };
    }
    if (this.#isDescribed) return;
    this.#isDescribed = true;
    this.#session.createdAtMs = atMs;
    this.#session.sessionId = id ?? this.#session.sessionId;
    this.#session.parentSessionId =
      forkedFrom ?? base ?? textOf(meta.parent_thread_id) ?? textOf(spawn.parent_thread_id);
    Object.assign(
      this.#session.metadata,
      present({
        session_id: id,
        forked_from: forkedFrom ?? base,
        directory: meta.cwd,
        git_branch: fieldsOf(meta.git).branch,
        originator: meta.originator,
      }),
    );
  }
}

const itemOf = (line: Fields): Fields => ("payload" in line ? fieldsOf(line.payload) : line);

const idOf = (meta: Fields): string | undefined => textOf(meta.id) ?? textOf(meta.session_id);

const isSession = (line: Fields): boolean =>
  line.type === "session_meta" ||
  (line.type === undefined && textOf(line.id) !== undefined && "timestamp" in line);

/** Divides an item of the user that has both context of the program and what the user said. */
function bySpeaker(item: Fields): Fields[] {
  const blocks = listOf(item.content);
  if (item.type !== "message" || item.role !== "user" || blocks.length === 0) return [item];
  return runsOf(blocks, (block) => CONTEXT.test(textOf(fieldsOf(block).text) ?? "")).map((content) => ({
    ...item,
    content,
  }));
}

function toRead(line: Fields, item: Fields, place: string): Said | Missing {
  const isItem = !("payload" in line) || line.type === "response_item";
  const read = isItem ? (toMessage(item) ?? toAction(item)) : toSaid(String(line.type), item);
  const type = String(item.type ?? item.record_type);
  const what = isItem ? type : line.type === "event_msg" ? `event_msg/${type}` : String(line.type);
  if (read !== undefined)
    return read.content === "" && read.parts === undefined ? leftOut(what, emptyReason(type), place) : read;
  return notStored(what, whyLeftOut(what), place);
}

const emptyReason = (type: string): string => (type === "reasoning" ? "encrypted" : "empty");

function toMessage({ type, role, content }: Fields): Said | undefined {
  const speaker = ROLES.get(role);
  if (type !== "message" || speaker === undefined) return undefined;
  const blocks = listOf(content).map(fieldsOf);
  const isPlain = blocks.every((block) => typeof block.text === "string");
  const text = textOf(content) ?? joinTexts(blocks.map(({ text: part }) => part));
  const isContext = speaker === "system" || (speaker === "user" && CONTEXT.test(text));
  return {
    role: isContext ? "system" : speaker,
    content: text,
    metadata: present({ hidden: isContext || undefined, author_role: isContext ? role : undefined }),
    parts: isPlain ? undefined : (content as object),
  };
}

/** What a model said in a line that has no item: a plan, a summary of the session, or a message to another agent. */
function toSaid(type: string, payload: Fields): Said | undefined {
  const { author, recipient } = payload;
  if (type === "inter_agent_communication")
    return {
      role: "assistant",
      content: textOf(payload.content) ?? "",
      metadata: present({ author, recipient }),
    };
  if (type === "compacted")
    return {
      role: "system",
      content: textOf(payload.message) ?? "",
      metadata: { hidden: true, subtype: "compacted" },
    };
  const item = fieldsOf(payload.item);
  if (type === "event_msg" && payload.type === "item_completed" && /^plan$/i.test(String(item.type)))
    return { role: "assistant", content: textOf(item.text) ?? "", metadata: { subtype: "plan" } };
  return undefined;
}

/**
 * Converts a tool call, its result or reasoning: `parts` is the whole item, `content` its text. Undefined for
 * other items.
 */
function toAction(item: Fields): Said | undefined {
  const { type, call_id, name, author, recipient } = item;
  if (typeof type !== "string") return undefined;
  if (type === "reasoning") {
    const texts = [...listOf(item.summary), ...listOf(item.content)].map((block) => fieldsOf(block).text);
    const content = joinTexts(texts);
    // Encrypted reasoning has no readable text, so its item is not stored.
    return { role: "assistant", content, parts: content === "" ? undefined : item };
  }
  if (type === "agent_message") {
    const content = joinTexts(listOf(item.content).map((block) => fieldsOf(block).text));
    return { role: "assistant", content, metadata: present({ author, recipient }), parts: item };
  }
  if (type.endsWith("_output")) {
    const content = outputText(item.output);
    return { role: "tool", content, toolCallId: call_id, parts: item };
  }
  if (!type.endsWith("_call")) return undefined;
  // The prompt of an image that a model made is what it said.
  const content = textOf(item.revised_prompt) ?? "";
  return { role: "assistant", content, toolCallId: call_id, toolName: name, parts: item };
}

function outputText(output: unknown): string {
  if (typeof output === "string") return output;
  if (Array.isArray(output)) return joinTexts(output.map((block) => fieldsOf(block).text));
  return textOf(fieldsOf(output).content) ?? "";
}
