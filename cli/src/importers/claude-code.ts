import { CLAUDE_BLOCKS, readClaudeContent } from "./claude-blocks.ts";
import { whyAttachmentLeftOut, whyLeftOut } from "./claude-code-lines.ts";
import { derivedId } from "./ids.ts";
import { type Entry, leftOut, type Missing, notStored, type Source, unknownBlocks } from "./importer.ts";
import {
  digestOf,
  entriesOfLog,
  type Said,
  type Session,
  type SessionLog,
  type SessionMessage,
  Sessions,
} from "./sessions.ts";
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

const SOURCE = "claude-code";

/**
 * A title of a session. In older logs it names the last message of its session, `leaf`, and that session may
 * be in another file.
 */
interface Title {
  text: string;
  leaf: string | undefined;
  isByUser: boolean;
}

/**
 * Reads a log of Claude Code, the file of a session. Messages keep the order of the log. Each also names its
 * parent, but parallel tool calls have the same parent without being branches, so parents are not used. The
 * messages of each subagent become a separate conversation.
 */
export async function* importClaudeCode(
  source: Source,
  sessions: Sessions = new Sessions(),
): AsyncGenerator<Entry, void, undefined> {
  const id = await sessionIdOf(source, (line) => textOf(line.sessionId));
  yield* entriesOfLog(source, new Log(id), sessions);
}

/** A message that the user typed while the model was working. */
interface Queued {
  message: SessionMessage;
  text: string;
  isSent: boolean;
}

class Log implements SessionLog {
  readonly #file: string;
  readonly #sessions = new Map<string, Session>();
  readonly #titles: Title[] = [];
  readonly #queued: Queued[] = [];
  /** Texts of the user's messages, to recognize those that were in the queue before. */
  readonly #texts = new Set<string>();
  #continuedIn: unknown;

  constructor(file: string) {
    this.#file = file;
  }

  *read(line: Fields, number: number, place: string): Generator<Missing, void, undefined> {
    const type = String(line.type);
    const title = toTitle(line);
    if (title !== undefined) {
      this.#titles.push(title);
      return;
    }
    if (type === "continued-in") this.#continuedIn = line.continuedInSessionId;
    if (type === "queue-operation") return yield* this.#readQueue(line, number, place);
    const uuid = textOf(line.uuid) ?? `${this.#file}:${number}`;
    for (const [index, part] of bySpeaker(line).entries()) {
      const read = toRead(part, type, place);
      if ("reason" in read) {
        yield read;
        continue;
      }
      yield* unknownBlocks(fieldsOf(part.message).content, CLAUDE_BLOCKS, place);
      this.#add(this.#sessionOf(line, place), { line: part, read, uuid, index, type, place });
      if (read.role === "user") this.#texts.add(read.content.trim());
    }
  }

  #add(
    session: Session,
    {
      line,
      read,
      uuid,
      index = 0,
      type,
      place,
    }: { line: Fields; read: Said; uuid: string; index?: number; type: string; place: string },
  ): SessionMessage {
    // A forked log has new ids for the messages that it copies, and names the old ones.
    const origin = textOf(fieldsOf(line.forkedFrom).messageUuid) ?? uuid;
    const copyKey = digestOf([
      origin,
      type,
      fieldsOf(line.message).content ?? line.attachment ?? line.content,
      ...(index > 0 ? [index] : []),
    ]);
    const atMs = timeOf(line.timestamp);
    const message = {
      ...read,
      id: index > 0 ? `${uuid}:${index}` : uuid,
      storedId: derivedId("msg", atMs || session.createdAtMs || 0, SOURCE, copyKey),
      copyKey,
      sequence: (session.messages.at(-1)?.sequence ?? 0) + 1,
      atMs,
      place,
    };
    session.messages.push(message);
    return message;
  }

  /**
   * A queued message that was sent is usually a message of the log too. Its place is reserved, so that the numbers of
   * later messages do not depend on whether it is.
   */
  *#readQueue(line: Fields, number: number, place: string): Generator<Missing, void, undefined> {
    const text = textOf(line.content);
    if (line.operation === "enqueue" && text !== undefined) {
      const read: Said = { role: "user", content: text, metadata: { is_queued: true } };
      const uuid = `${this.#file}:${number}`;
      const message = this.#add(this.#sessionOf(line, place), { line, read, uuid, type: "queue", place });
      this.#queued.push({ message, text, isSent: false });
      return;
    }
    const next =
      this.#queued.find((queued) => !queued.isSent && queued.text === text) ??
      this.#queued.find((queued) => !queued.isSent);
    if (next !== undefined && (line.operation === "dequeue" || line.operation === "remove"))
      next.isSent = true;
    yield leftOut("queue-operation", "state of the queue", place);
  }

  /** Queued messages that are not stored on their own. */
  *#leftInQueue(): Generator<Missing, void, undefined> {
    for (const { message, text, isSent } of this.#queued) {
      const isMessage = this.#texts.has(text.trim());
      if (isSent && !isMessage) continue;
      for (const session of this.#sessions.values()) {
        const at = session.messages.indexOf(message);
        if (at >= 0) session.messages.splice(at, 1);
      }
      const reason = isMessage ? "repeats a message" : "was not sent";
      yield leftOut("queue-operation/enqueue", reason, message.place);
    }
  }

  /** The session of the file first, then its subagents. */
  *sessions(): Generator<Session | Missing, void, undefined> {
    yield* this.#leftInQueue();
    for (const session of this.#sessions.values()) {
      const { messages, metadata } = session;
      if (messages.length === 0) continue;
      const isMain = session.parentSessionId === undefined;
      const title = (isMain && titleOf(messages, this.#titles)) || firstPrompt(messages);
      const continued = isMain ? present({ continued_in: this.#continuedIn }) : {};
      yield { ...session, title, metadata: { ...metadata, ...continued } };
    }
  }

  #sessionOf(line: Fields, place: string): Session {
    const isSubagent = line.isSidechain === true;
    const agent = textOf(line.agentId) ?? "sidechain";
    // A subagent's log may be a file of its own, whose lines name the session that it belongs to.
    const parent = textOf(line.sessionId) ?? this.#file;
    const id = isSubagent ? `${this.#file.startsWith("agent-") ? parent : this.#file}:${agent}` : this.#file;
    const known = this.#sessions.get(id);
    if (known !== undefined) {
      // The first line may be one of the queue, which names no directory.
      Object.assign(known.metadata, { ...placeOf(line), ...known.metadata });
      return known;
    }
    const session: Session = {
      source: SOURCE,
      sessionId: id,
      parentSessionId: isSubagent
        ? id.slice(0, id.lastIndexOf(":"))
        : textOf(fieldsOf(line.forkedFrom).sessionId),
      externalId: `${SOURCE}:${id}`,
      createdAtMs: timeOf(line.timestamp),
      tags: [SOURCE],
      metadata: present({
        source: SOURCE,
        source_id: id,
        session_id: isSubagent ? id : (line.sessionId ?? this.#file),
        ...placeOf(line),
      }),
      place,
      messages: [],
    };
    this.#sessions.set(id, session);
    return session;
  }
}

const placeOf = (line: Fields): Fields => present({ directory: line.cwd, git_branch: line.gitBranch });

function toTitle(line: Fields): Title | undefined {
  const text = textOf(line.summary) ?? textOf(line.aiTitle) ?? textOf(line.customTitle);
  const isTitle = line.type === "summary" || line.type === "ai-title" || line.type === "custom-title";
  if (!isTitle || text === undefined) return undefined;
  return { text, leaf: textOf(line.leafUuid), isByUser: line.type === "custom-title" };
}

/** The last title that the user gave, or else the last one of the program. */
function titleOf(messages: SessionMessage[], titles: Title[]): string | undefined {
  const ids = new Set(messages.map(({ id }) => id));
  const own = titles.filter(({ leaf }) => leaf === undefined || ids.has(leaf));
  return (own.findLast(({ isByUser }) => isByUser) ?? own.at(-1))?.text;
}

/** Divides a line of the user that has both results of tools and what the user said. */
function bySpeaker(line: Fields): Fields[] {
  const message = fieldsOf(line.message);
  if (line.type !== "user" || listOf(message.content).length === 0) return [line];
  return runsOf(listOf(message.content), (block) => fieldsOf(block).type === "tool_result").map(
    (content) => ({ ...line, message: { ...message, content } }),
  );
}

function toRead(line: Fields, type: string, place: string): Said | Missing {
  if (type === "attachment") return toQueuedPrompt(fieldsOf(line.attachment), place);
  if (type === "system") return toSystemMessage(line, place);
  if (type !== "user" && type !== "assistant") return notStored(type, whyLeftOut(type), place);
  const message = fieldsOf(line.message);
  const { text, isPlain, isToolResult, toolCallId, toolName } = readClaudeContent(message.content);
  if (text === "" && isPlain) return leftOut(type, "empty", place);
  // Written by Claude Code for the model; the user did not type it.
  const isMeta = line.isMeta === true || line.isCompactSummary === true;
  const role = isToolResult ? "tool" : isMeta && type === "user" ? "system" : type;
  return {
    role,
    content: text,
    toolCallId,
    toolName,
    metadata: present({
      model: message.model,
      parent_id: line.parentUuid,
      is_meta: isMeta || undefined,
      hidden: role === "system" || undefined,
    }),
    parts: isPlain ? undefined : (message.content as object),
  };
}

/** What the program said, such as the output of a command that the user typed, or a summary that a model wrote. */
function toSystemMessage(line: Fields, place: string): Said | Missing {
  const what = ["system", textOf(line.subtype)].filter(Boolean).join("/");
  const content = textOf(line.content);
  if (content === undefined) return leftOut(what, "no text", place);
  return {
    role: line.subtype === "away_summary" ? "assistant" : "system",
    content,
    metadata: present({ parent_id: line.parentUuid, subtype: line.subtype }),
  };
}

/**
 * A message that came while the model was working, from the user, or from another program or agent. It has no line of
 * the type `user`.
 */
function toQueuedPrompt(attachment: Fields, place: string): Said | Missing {
  const { type, prompt, commandMode } = attachment;
  if (type !== "queued_command")
    return notStored(`attachment/${String(type)}`, whyAttachmentLeftOut(String(type)), place);
  const content = textOf(prompt) ?? joinTexts(listOf(prompt).map((block) => fieldsOf(block).text));
  const isPlain =
    typeof prompt === "string" || listOf(prompt).every((block) => fieldsOf(block).type === "text");
  if (content === "" && isPlain) return leftOut("attachment/queued_command", "empty", place);
  const origin = textOf(fieldsOf(attachment.origin).kind);
  const isByUser = (origin ?? "human") === "human" && commandMode !== "task-notification";
  return {
    role: isByUser ? "user" : "system",
    content,
    metadata: present({ origin, command_mode: commandMode, is_meta: isByUser ? undefined : true }),
    parts: isPlain ? undefined : (prompt as object),
  };
}
