import { basename } from "node:path";
import { readClaudeContent } from "./claude-blocks.ts";
import { type Entry, leftOut, type Source } from "./importer.ts";
import { readTextLines } from "./text-lines.ts";
import { conversationId, type SourceMessage, type Thread, toEntries } from "./threads.ts";
import { type Fields, fieldsOf, firstPrompt, present, textOf, timeOf } from "./values.ts";

/**
 * A title of a session. In older logs it names the last message of its session, `leaf`, and that session may
 * be in another file.
 */
interface Title {
  text: string;
  leaf: string | undefined;
}

/**
 * Reads a log of Claude Code, the file of a session. Messages keep the order of the log. Each also names its
 * parent, but parallel tool calls have the same parent without being branches, so parents are not used. The
 * messages of each subagent become a separate conversation.
 */
export async function* importClaudeCode(source: Source): AsyncGenerator<Entry, void, undefined> {
  const session = basename(source.name, ".jsonl");
  const threads = new Map<string, Thread>();
  const titles: Title[] = [];
  for await (const { number, value } of readTextLines(source)) {
    const place = `${source.name}:${number}`;
    const line = fieldsOf(value);
    const title = toTitle(line);
    if (title !== undefined) {
      titles.push(title);
      continue;
    }
    const message = value === undefined ? "line that is not JSON" : toSourceMessage(line, place);
    if (typeof message === "string") {
      yield leftOut(message, place);
      continue;
    }
    const id = line.isSidechain === true ? `${session}:${textOf(line.agentId) ?? "sidechain"}` : session;
    const thread = threads.get(id) ?? toThread(id, line, place);
    threads.set(id, thread);
    thread.messages.push({ ...message, sequence: thread.messages.length + 1 });
  }
  const main = threads.get(session);
  for (const thread of threads.values()) {
    if (thread === main) thread.title = titleOf(thread, titles);
    else if (main !== undefined) thread.metadata.branch_of = conversationId(main);
    thread.title ??= firstPrompt(thread.messages);
    yield* toEntries(thread);
  }
}

function toThread(id: string, line: Fields, place: string): Thread {
  return {
    externalId: `claude-code:${id}`,
    title: null,
    createdAtMs: timeOf(line.timestamp),
    tags: ["claude-code"],
    metadata: present({
      source: "claude-code",
      source_id: id,
      session_id: line.sessionId,
      directory: line.cwd,
      git_branch: line.gitBranch,
    }),
    place,
    messages: [],
  };
}

function toTitle(line: Fields): Title | undefined {
  const text = textOf(line.summary) ?? textOf(line.aiTitle) ?? textOf(line.customTitle);
  const isTitle = line.type === "summary" || line.type === "ai-title" || line.type === "custom-title";
  return isTitle && text !== undefined ? { text, leaf: textOf(line.leafUuid) } : undefined;
}

function titleOf({ messages }: Thread, titles: Title[]): string | null {
  const ids = new Set(messages.map(({ id }) => id));
  return titles.findLast(({ leaf }) => leaf === undefined || ids.has(leaf))?.text ?? null;
}

/** A returned string is the reason why the line is left out. */
function toSourceMessage(line: Fields, place: string): Omit<SourceMessage, "sequence"> | string {
  const message = line.type === "system" ? line : fieldsOf(line.message);
  if (line.type !== "user" && line.type !== "assistant" && line.type !== "system") {
    return `line of the type "${String(line.type)}"`;
  }
  const { text, isPlain, isToolResult, toolCallId, toolName } = readClaudeContent(message.content);
  if (text === "" && isPlain) return "empty message";
  return {
    id: textOf(line.uuid) ?? place,
    atMs: timeOf(line.timestamp),
    role: isToolResult ? "tool" : line.type,
    content: text,
    toolCallId,
    toolName,
    metadata: present({
      model: message.model,
      parent_id: line.parentUuid,
      // Written by Claude Code for the model; the user did not type it.
      is_meta: line.isMeta === true || line.isCompactSummary === true || undefined,
    }),
    parts: isPlain ? undefined : (message.content as object),
    place,
  };
}
