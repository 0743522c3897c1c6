/**
 * A transcript store for the Claude Agent SDK.
 *
 * @example
 * ```ts
 * import { query } from "@anthropic-ai/claude-agent-sdk";
 * import { Engram } from "@engram/sdk";
 * import { EngramSessionStore } from "@engram/sdk/claude-agent";
 *
 * const engram = new Engram({ apiKey: "engram_sk_live_…", baseUrl: "http://127.0.0.1:26366" });
 * const sessionStore = new EngramSessionStore(engram, { user_id: "maria" });
 *
 * for await (const message of query({ prompt: "Fix the failing test.", options: { sessionStore } })) {
 *   if (message.type === "result") console.log(message.session_id); // `resume` takes it, on any machine
 * }
 * ```
 *
 * @module
 */
import type { SessionKey, SessionStore, SessionStoreEntry } from "@anthropic-ai/claude-agent-sdk";
import type { Engram } from "../engram.ts";
import type { Conversation, NewMessage } from "../generated/schema.ts";
import { sha256Hex } from "./digest.ts";
import { ALL, type ConversationInit, ExternalConversation, hasCode } from "./external-conversation.ts";
import { firstUnits, readableText } from "./json.ts";
import { checkOwner } from "./owner.ts";
import { toExactParts } from "./parts.ts";
import { valuesIn } from "./pieces.ts";

export type { ConversationInit };

/** Maximum length of the text of a message in UTF-16 code units. As UTF-8 these are at most 900,000 bytes. */
const TEXT_UNITS_MAX = 300_000;

/** Metadata of a transcript's conversation. `subpath` is empty for the main transcript. */
type Place = Required<SessionKey>;

/**
 * A session store that keeps each transcript (of a session or of a subagent) as a conversation and each entry as a
 * message, with the entry in `parts`.
 *
 * Entries of any size and content are returned equal to what was stored. An entry that is too large for one message
 * is stored in several. Needs the scopes `read` and `write`; the method `delete` also needs `delete`.
 */
export class EngramSessionStore implements SessionStore {
  readonly #client: Engram;
  readonly #init: ConversationInit;
  /** The latest append in progress for each transcript. The next append waits for it, so that entries stay in order. */
  readonly #appends = new Map<string, Promise<void>>();

  /**
   * Create a store. Nothing is sent before the first call.
   *
   * @param init Fields for new conversations: `user_id`, `agent_id`, `title`, `tags`. The transcripts of
   *   each user and agent are separate, even with the same ids.
   * @throws {TypeError} when `user_id` or `agent_id` is given but undefined.
   * @example
   * ```ts
   * import { listSessions } from "@anthropic-ai/claude-agent-sdk";
   *
   * const sessionStore = new EngramSessionStore(engram, { user_id: "maria", tags: ["shop"] });
   * const sessions = await listSessions({ dir: "/home/maria/shop", sessionStore });
   * for (const { sessionId, summary } of sessions) console.log(sessionId, summary);
   * ```
   */
  constructor(client: Engram, init: Omit<ConversationInit, "metadata"> = {}) {
    this.#client = client;
    this.#init = checkOwner(init, "open the conversations of");
  }

  /**
   * Add entries in the order of the calls. An entry whose `uuid` is stored already is not added again.
   *
   * @example
   * ```ts
   * const key = { projectKey: "-home-maria-shop", sessionId };
   * const message = { role: "user", content: "And run all tests again." };
   * const entry = { type: "user", uuid: crypto.randomUUID(), timestamp: new Date().toISOString(), message };
   * await sessionStore.append(key, [entry]);
   * await sessionStore.append(key, [entry]); // sent again, as after a lost answer
   * console.log((await sessionStore.load(key))?.length); // 3
   * ```
   */
  async append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void> {
    const name = nameOf(key);
    const earlier = this.#appends.get(name) ?? Promise.resolve();
    const messages = entries.flatMap(toMessages);
    const append = earlier.catch(() => {}).then(() => this.#append(key, messages));
    this.#appends.set(name, append);
    try {
      await append;
    } finally {
      if (this.#appends.get(name) === append) this.#appends.delete(name);
    }
  }

  async #append(key: SessionKey, messages: NewMessage[]): Promise<void> {
    const conversation = await this.#conversation(key);
    try {
      await conversation.append(messages);
    } catch (error) {
      if (!hasCode(error, "external_id_conflict")) throw error;
      // An entry with one of these ids is stored already, with different content. Keep it and append the others.
      const known = new Set((await conversation.messages()).map(({ external_id: id }) => id));
      await conversation.append(
        messages.filter(({ external_id: id }) => id === undefined || (!known.has(id) && known.add(id))),
      );
    }
  }

  /**
   * The entries of a transcript, in order; null if it has none.
   *
   * @example
   * ```ts
   * const entries = await sessionStore.load({ projectKey: "-home-maria-shop", sessionId });
   * if (entries === null) console.log("No such session.");
   * else console.log(entries.map(({ type }) => type).join(", ")); // user, assistant
   * ```
   */
  async load(key: SessionKey): Promise<SessionStoreEntry[] | null> {
    const messages = await (await this.#conversation(key)).messages();
    return messages.length === 0 ? null : valuesIn<SessionStoreEntry>(messages);
  }

  /**
   * The sessions of a project, with the time of the last write to each.
   *
   * @example
   * ```ts
   * const sessions = await sessionStore.listSessions("-home-maria-shop");
   * const [latest] = sessions.sort((a, b) => b.mtime - a.mtime);
   * if (latest !== undefined) console.log(latest.sessionId, new Date(latest.mtime).toISOString());
   * ```
   */
  async listSessions(projectKey: string): Promise<{ sessionId: string; mtime: number }[]> {
    const found = await this.#list({ projectKey, subpath: "" });
    return found.map(({ metadata, updated_at }) => ({
      sessionId: (metadata as Place).sessionId,
      mtime: Date.parse(updated_at),
    }));
  }

  /**
   * The subpaths of a session's transcripts, except the main transcript, which has none.
   *
   * @example
   * ```ts
   * const key = { projectKey: "-home-maria-shop", sessionId };
   * for (const subpath of await sessionStore.listSubkeys(key)) {
   *   const entries = await sessionStore.load({ ...key, subpath });
   *   console.log(subpath, entries?.length); // subagents/agent-a1 1
   * }
   * ```
   */
  async listSubkeys({ projectKey, sessionId }: SessionKey): Promise<string[]> {
    const found = await this.#list({ projectKey, sessionId });
    return found.map(({ metadata }) => (metadata as Place).subpath).filter((subpath) => subpath !== "");
  }

  /**
   * Delete a transcript. Without a `subpath` in the key, deletes all transcripts of the session.
   *
   * @example
   * ```ts
   * const key = { projectKey: "-home-maria-shop", sessionId };
   * await sessionStore.delete({ ...key, subpath: "subagents/agent-a1" }); // of one subagent alone
   * console.log((await sessionStore.load(key))?.length); // 2
   * await sessionStore.delete(key);
   * console.log(await sessionStore.load(key)); // null
   * ```
   */
  async delete({ projectKey, sessionId, subpath }: SessionKey): Promise<void> {
    const place = { projectKey, sessionId, ...(subpath !== undefined && { subpath }) };
    for (const { id } of await this.#list(place)) {
      await this.#client.conversations.delete(id).catch((error) => {
        if (!hasCode(error, "not_found")) throw error;
      });
    }
  }

  async #list(metadata: Partial<Place>): Promise<Conversation[]> {
    const { user_id, agent_id } = this.#init;
    const owner = { user_id, agent_id, exact_owner: true };
    // A write to a transcript does not change its place in this order, so that none is skipped between pages.
    const order = { sort: "created_at", order: "asc" } as const;
    const list = this.#client.conversations.list({ metadata, limit: 100, ...owner, ...order });
    return list.toArray(ALL);
  }

  async #conversation(key: SessionKey): Promise<ExternalConversation> {
    const metadata: Place = { ...key, subpath: key.subpath ?? "" };
    const externalId = `claude-agent:${await sha256Hex(nameOf(key))}`;
    return new ExternalConversation(this.#client, externalId, { ...this.#init, metadata });
  }
}

const nameOf = ({ projectKey, sessionId, subpath = "" }: SessionKey) =>
  JSON.stringify([projectKey, sessionId, subpath]);

/**
 * An entry is one message, or several if it has texts of a tool and of the user. The first of them has the entry in
 * `parts`, and the others have their text only.
 */
function toMessages(entry: SessionStoreEntry): NewMessage[] {
  const { uuid, timestamp = "" } = entry;
  const created = Date.parse(timestamp) > 0 && { created_at: new Date(timestamp).toISOString() };
  const [first, ...others] = turnsOf(entry);
  return [
    { ...first, ...created, parts: toExactParts(entry), ...(uuid && { external_id: uuid }) },
    ...others.map((turn, i) => ({ ...turn, ...created, ...(uuid && { external_id: `${uuid}:text:${i}` }) })),
  ];
}

type Turn = Pick<NewMessage, "role" | "content">;

/** What an entry says, by role. Only an entry with results of tools and text of the user has more than one turn. */
function turnsOf({ type, message, summary }: SessionStoreEntry): [Turn, ...Turn[]] {
  const content = (message as { content?: unknown } | undefined)?.content ?? summary;
  if (type !== "user" || !Array.isArray(content))
    return [toTurn(type === "user" || type === "assistant" ? type : "system", content)];
  const runs: { role: Turn["role"]; blocks: unknown[] }[] = [];
  for (const block of content) {
    const role = block?.type === "tool_result" ? "tool" : "user";
    const last = runs.at(-1);
    if (last?.role === role) last.blocks.push(block);
    else runs.push({ role, blocks: [block] });
  }
  const [first = toTurn("user", content), ...others] = runs.map(({ role, blocks }) => toTurn(role, blocks));
  return [first, ...others];
}

/** The text by which search finds an entry is cut: the service accepts 1,000,000 bytes. */
const toTurn = (role: Turn["role"], content: unknown): Turn => ({
  role,
  content: firstUnits(readableText(content), TEXT_UNITS_MAX),
});
