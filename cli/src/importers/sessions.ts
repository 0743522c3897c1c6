import { createHash } from "node:crypto";
import { type Entry, leftOut, type Missing, notUnderstood, type Source } from "./importer.ts";
import { readTextLines } from "./text-lines.ts";
import { conversationId, type SourceMessage, type Thread, toEntries } from "./threads.ts";
import { type Fields, fieldsOf } from "./values.ts";

/** A message of a log, which other logs may contain as a copy. */
export interface SessionMessage extends SourceMessage {
  storedId: string;
  /** The same for all copies of the message, and for no other message. */
  copyKey: string;
}

/** What a line of a log says. */
export type Said = Pick<SourceMessage, "role" | "content" | "parts" | "toolCallId" | "toolName" | "metadata">;

/** The log of a coding agent, which is read line by line. */
export interface SessionLog {
  /** Reads a line. Yields what of it is not stored. */
  read(line: Fields, number: number, place: string): Iterable<Missing>;
  /** The sessions, once all lines are read, and what is not stored. */
  sessions(): Iterable<Session | Missing>;
}

/** Reads the lines of a log, and stores its sessions after those of the other logs. */
export async function* entriesOfLog(
  source: Source,
  log: SessionLog,
  sessions: Sessions,
): AsyncGenerator<Entry, void, undefined> {
  for await (const { number, value } of readTextLines(source)) {
    const place = `${source.name}:${number}`;
    if (value === undefined) yield notUnderstood("line", "not JSON", place);
    else yield* log.read(fieldsOf(value), number, place);
  }
  for (const session of log.sessions()) {
    if ("reason" in session) yield session;
    else yield* sessions.entriesOf(session);
  }
}

/** The conversation of a log, before the parts that other logs contain too are removed. */
export interface Session extends Thread {
  /** The product that the log is from, such as "codex". */
  source: string;
  sessionId: string;
  /** The session that this one was forked from, or whose subagent it is. */
  parentSessionId?: string | undefined;
  messages: SessionMessage[];
}

/** What the service has stored of earlier imports. */
export interface StoredSessions {
  /** The last message of a conversation. Undefined if it has none, or cannot be read. */
  last(conversationId: string, source: string): Promise<{ id: string; sequence: number } | undefined>;
  messageIdAt(conversationId: string, sequence: number): Promise<string | undefined>;
  /** The conversation that contains a message. */
  conversationWith(messageId: string, source: string): Promise<string | undefined>;
  /** The conversation of a session. */
  conversationOf(source: string, sessionId: string): Promise<string | undefined>;
}

const NOTHING_STORED: StoredSessions = {
  last: async () => undefined,
  messageIdAt: async () => undefined,
  conversationWith: async () => undefined,
  conversationOf: async () => undefined,
};

interface Owner {
  conversationId: string;
  storedId: string;
  /** Whether an earlier import has stored the message. */
  isStored?: boolean;
}

/** How a message is named that is left out because another conversation has it. */
export const COPIED_MESSAGE = "copied message";

export const digestOf = (value: unknown): string =>
  createHash("sha256").update(JSON.stringify(value)).digest("base64url").slice(0, 22);

/**
 * The sessions of an import. Resumed and forked sessions copy the history of another one into their own log. Each
 * message is stored once, in the conversation of the first log that contains it. The conversation of a later log has
 * only its own messages, and names the one that it continues (`branch_of`, `branch_after`).
 */
export class Sessions {
  readonly #stored: StoredSessions;
  readonly #owners = new Map<string, Owner>();
  /** The stored id of the last message, by conversation. */
  readonly #lasts = new Map<string, string>();
  readonly #conversations = new Map<string, string>();

  constructor(stored: StoredSessions = NOTHING_STORED) {
    this.#stored = stored;
  }

  async *entriesOf(session: Session): AsyncGenerator<Entry, void, undefined> {
    const seen = new Set<string>();
    const messages: SessionMessage[] = [];
    for (const message of session.messages) {
      if (seen.has(message.copyKey)) yield leftOut("repeated message", "stored once", message.place);
      else messages.push(message);
      seen.add(message.copyKey);
    }
    yield* this.#entriesOf({ ...session, messages });
    this.#conversations.set(
      sessionKey(session.source, session.sessionId),
      this.#conversations.get(sessionKey(session.source, session.sessionId)) ?? conversationId(session),
    );
  }

  async *#entriesOf(session: Session): AsyncGenerator<Entry, void, undefined> {
    const { messages } = session;
    const id = conversationId(session);
    await this.#findStored(session, id);
    const isOwn = ({ copyKey }: SessionMessage) => {
      const owner = this.#owners.get(copyKey);
      return owner === undefined || (owner.isStored === true && owner.conversationId === id);
    };
    const own = messages.filter(isOwn);
    for (const message of messages) {
      if (!isOwn(message)) yield leftOut(COPIED_MESSAGE, "stored with the log of its origin", message.place);
    }
    if (own.length === 0 && messages.length > 0) return;
    const known = this.#lasts.get(id);
    if (known !== undefined) {
      const common = messages.findLastIndex(
        ({ copyKey }) => this.#owners.get(copyKey)?.conversationId === id,
      );
      if (messages[common]?.storedId === known) yield* this.#store(session, own);
      else yield* this.#storeEnd(session, own, messages[common]);
      return;
    }
    const last = own.length === 0 ? undefined : await this.#stored.last(id, session.source);
    if (last === undefined || messages.some(({ storedId }) => storedId === last.id)) {
      yield* this.#store(await this.#linked(session, own[0]), own);
      return;
    }
    const common = await this.#commonWithStored(id, own);
    if (common > 0) yield* this.#store(session, own.slice(0, common));
    if (common < own.length) yield* this.#storeEnd(session, own.slice(common), own[common - 1]);
  }

  /** Notes which messages of a new session earlier imports have stored in other conversations. */
  async #findStored(session: Session, id: string): Promise<void> {
    if (this.#lasts.has(id) || (await this.#stored.last(id, session.source)) !== undefined) return;
    for (;;) {
      const unknown = session.messages.filter(({ copyKey }) => !this.#owners.has(copyKey));
      const [first] = unknown;
      const owner = first && (await this.#stored.conversationWith(first.storedId, session.source));
      if (owner === undefined) return;
      const count = await this.#commonWithStored(owner, unknown);
      if (count === 0) return;
      for (const { copyKey, storedId } of unknown.slice(0, count))
        this.#owners.set(copyKey, { conversationId: owner, storedId, isStored: true });
    }
  }

  /** Names the conversation that a session continues, if it is known. */
  async #linked(session: Session, first: SessionMessage | undefined): Promise<Session> {
    const before = first && session.messages[session.messages.indexOf(first) - 1];
    const owner = before && this.#owners.get(before.copyKey);
    const { source, parentSessionId } = session;
    const parent =
      owner?.conversationId ??
      (parentSessionId &&
        (this.#conversations.get(sessionKey(source, parentSessionId)) ??
          (await this.#stored.conversationOf(source, parentSessionId))));
    if (parent === undefined || parent === "" || parent === conversationId(session)) return session;
    return {
      ...session,
      tags: owner === undefined ? session.tags : [...session.tags, "branch"],
      metadata: {
        ...session.metadata,
        branch_of: parent,
        ...(owner !== undefined && { branch_after: owner.storedId }),
      },
    };
  }

  /** Stores the end of a session that already has another end. */
  async *#storeEnd(
    session: Session,
    own: SessionMessage[],
    before: SessionMessage | undefined,
  ): AsyncGenerator<Entry, void, undefined> {
    const [first] = own;
    if (first === undefined) return;
    const end = {
      ...session,
      externalId: `${session.externalId}:${first.storedId}`,
      title: session.title && `${session.title} (branch)`,
      tags: [...session.tags, "branch"],
      metadata: {
        ...session.metadata,
        branch_of: conversationId(session),
        ...(before !== undefined && { branch_after: before.storedId }),
      },
      messages: own,
    };
    yield* this.#entriesOf(end);
  }

  *#store(session: Session, own: SessionMessage[]): Generator<Entry, void, undefined> {
    const id = conversationId(session);
    for (const { copyKey, storedId } of own) this.#owners.set(copyKey, { conversationId: id, storedId });
    const last = own.at(-1);
    if (last !== undefined) this.#lasts.set(id, last.storedId);
    yield* toEntries({ ...session, messages: own });
  }

  /** Number of first messages that the conversation has in the same places. */
  async #commonWithStored(id: string, messages: SessionMessage[]): Promise<number> {
    let [low, high] = [0, messages.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const message = messages[middle];
      const isCommon =
        message !== undefined && (await this.#stored.messageIdAt(id, message.sequence)) === message.storedId;
      if (isCommon) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const sessionKey = (source: string, sessionId: string): string => `${source}:${sessionId}`;
