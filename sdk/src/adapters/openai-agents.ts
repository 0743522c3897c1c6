/**
 * A session for the OpenAI Agents SDK, and a model that gets memories.
 *
 * @example
 * ```ts
 * import { Engram } from "@engram/sdk";
 * import { EngramSession, engramMemory } from "@engram/sdk/openai-agents";
 * import { Agent, type Model, run } from "@openai/agents-core";
 *
 * const engram = new Engram({ apiKey: "engram_sk_live_…", baseUrl: "http://127.0.0.1:26366" });
 * const session = new EngramSession(engram, "chat-17", { user_id: "maria" });
 *
 * const agent = new Agent({ name: "Concierge" });
 * await run(agent, "I'm allergic to walnuts.", { session });
 * await run(agent, "Book me a table.", { session }); // knows of the walnuts
 *
 * // Adds memories, and what was said in other sessions.
 * const remember = engramMemory(engram, { user_id: "maria", exceptThreadId: "chat-17" });
 * export const withMemory = (model: Model) => new Agent({ name: "Concierge", model: remember(model) });
 * ```
 *
 * @module
 */

import type {
  AgentInputItem,
  SessionHistoryTransactionArgs,
  SessionHistoryTransactionAwareSession,
} from "@openai/agents-core";
import type { Engram } from "../engram.ts";
import { MESSAGE_PAGE_MAX, SEQUENCE_MAX } from "../generated/limits.ts";
import type { Message, NewMessage } from "../generated/schema.ts";
import { wellFormed } from "../well-formed.ts";
import { sha256Hex } from "./digest.ts";
import { type ConversationInit, ExternalConversation, hasCode, repeater } from "./external-conversation.ts";
import { canonicalJson, readableText, shortName } from "./json.ts";
import { checkOwner } from "./owner.ts";
import { fromParts, toParts } from "./parts.ts";
import { inPieces, itemsIn, type StoredItem, toSameMessage, valuesIn } from "./pieces.ts";

export { engramMemory } from "./openai-agents/memory.ts";
export type { MemoryOptions } from "./prompt-context.ts";
export type { ConversationInit };

/** A request to replace messages that changes nothing, because it expects a last sequence that no session reaches. */
const NOWHERE = { expected_last_sequence: SEQUENCE_MAX, from_sequence: SEQUENCE_MAX, messages: [] };

/**
 * The history of one session. Each item of the history is stored as a message, with the original in `parts`.
 *
 * Needs the scopes `read` and `write`; `popItem`, `clearSession` and transactions that replace items also need
 * `delete`.
 */
export class EngramSession implements SessionHistoryTransactionAwareSession {
  readonly #client: Engram;
  readonly #sessionId: string;
  readonly #conversation: ExternalConversation;

  /**
   * Open a new or existing session. Nothing is sent before the first call.
   *
   * @param sessionId The conversation's `external_id`. The conversation is created with the first item.
   * @param init Fields of the conversation if it is created: `user_id`, `agent_id`, `title`, `tags`, `metadata`.
   *   The sessions of each user and agent are separate, even with the same id.
   * @throws {TypeError} when `user_id` or `agent_id` is given but undefined.
   * @example
   * ```ts
   * import { Agent, run } from "@openai/agents-core";
   *
   * const agent = new Agent({ name: "Concierge", model });
   * const session = new EngramSession(engram, "chat-18", { user_id: "maria", title: "Dinner" });
   * const { finalOutput } = await run(agent, "What is there without walnuts?", { session });
   * console.log(finalOutput); // The soup: it has no walnuts.
   * ```
   */
  constructor(client: Engram, sessionId: string, init: ConversationInit = {}) {
    this.#client = client;
    this.#sessionId = sessionId;
    this.#conversation = new ExternalConversation(
      client,
      sessionId,
      checkOwner(init, "open the conversations of"),
    );
  }

  /**
   * Get the id that the session was opened with.
   *
   * @example
   * ```ts
   * const external_id = await session.getSessionId();
   * const [conversation] = await engram.conversations.list({ external_id }).toArray({ max: 1 });
   * console.log(conversation?.message_count); // 2
   * ```
   */
  async getSessionId(): Promise<string> {
    return this.#sessionId;
  }

  /**
   * Get the items, oldest first; with `limit`, only the latest ones. Empty for a session without items.
   *
   * @example
   * ```ts
   * const [latest] = await session.getItems(1);
   * if (latest?.type === "message") console.log(latest.role); // assistant
   * console.log((await session.getItems()).length); // 2
   * ```
   */
  async getItems(limit?: number): Promise<AgentInputItem[]> {
    if (limit === undefined) return valuesIn(await this.#conversation.messages());
    return limit <= 0 ? [] : valuesIn<AgentInputItem>(await this.#newest(limit)).slice(-limit);
  }

  /**
   * Append items, oldest first. Many items are stored in several requests; each request stores all of its items or
   * none. An item may have any size: one of more than 500,000 bytes, such as one with an image, is stored in several
   * messages.
   *
   * Values that JSON does not have are converted: a date becomes ISO text, and all others, such as bytes or a bigint,
   * become text, whose path and original type are in `metadata.converted` of the stored message.
   *
   * @example
   * ```ts
   * import { system, user } from "@openai/agents-core";
   *
   * // Items that the runner does not add by itself, such as those of a phone call.
   * await session.addItems([system("The guest called the reception."), user("And a table by the window.")]);
   * ```
   */
  async addItems(items: AgentInputItem[]): Promise<void> {
    await this.#conversation.append(items.map(toMessage));
  }

  /**
   * Remove and return the latest item. Safe when other callers add or remove items at the same time.
   *
   * @example
   * ```ts
   * import { Agent, run } from "@openai/agents-core";
   *
   * // The user withdraws the last question: remove the answer to it, then the question.
   * await session.popItem();
   * await session.popItem();
   * const agent = new Agent({ name: "Concierge", model });
   * const { finalOutput } = await run(agent, "What is for dinner?", { session });
   * console.log(finalOutput); // Anything you like.
   * ```
   */
  async popItem(): Promise<AgentInputItem | undefined> {
    const mayRepeat = repeater("sequence_conflict");
    for (;;) {
      const stored = await this.#newest(1);
      const last = itemsIn<AgentInputItem>(stored).at(-1);
      if (last === undefined) return undefined;
      const { kept, others } = without(stored, [last]);
      try {
        await this.#conversation.replace(stored, kept, others);
        return last.value;
      } catch (error) {
        mayRepeat(error, stored.at(-1)?.sequence);
      }
    }
  }

  /**
   * Delete the conversation. The next item creates a new one with the same `external_id`.
   *
   * @example
   * ```ts
   * await session.clearSession();
   * console.log((await session.getItems()).length); // 0
   * ```
   */
  async clearSession(): Promise<void> {
    await this.#conversation.delete();
  }

  /**
   * Append items, or replace the last ones if they match `expectedSuffix`. The transaction is applied completely or
   * not at all. If it is sent again with the same `operationId`, it is not applied again.
   *
   * The operation id is stored with the items that the transaction adds. If those items are removed later, or if there
   * were none, a repetition is still recognized for 24 hours, if it is sent with the same API key. In this case, a
   * different replacement with the same operation id is applied as a new one.
   *
   * @throws {Error} when the history does not end with `expectedSuffix`, or when a replacement has the operation id of
   *   another transaction. {ApiError} `idempotency_mismatch` or `external_id_conflict` when `append_items` has the
   *   operation id of another transaction, `sequence_conflict` when an item was added or removed concurrently,
   *   `payload_too_large` for more than 2 MiB of items, which are not split.
   * @example
   * ```ts
   * import { system, user } from "@openai/agents-core";
   *
   * // The second attempt has the same operation id, so it adds nothing.
   * const append = { type: "append_items" as const, items: [user("And my room number is 12.")] };
   * for (let attempt = 1; attempt <= 2; attempt += 1)
   *   await session.applyHistoryTransaction({ operationId: "job-1", transaction: append });
   * console.log((await session.getItems()).length); // 3
   *
   * const redact = {
   *   type: "replace_suffix" as const,
   *   expectedSuffix: append.items,
   *   replacement: [system("The guest gave the room number.")],
   * };
   * await session.applyHistoryTransaction({ operationId: "job-2", transaction: redact });
   * ```
   */
  async applyHistoryTransaction(args: SessionHistoryTransactionArgs): Promise<void> {
    const transaction = fromParts<typeof args.transaction>(toParts(args.transaction).parts);
    const text = canonicalJson(transaction);
    const name = await sha256Hex(args.operationId);
    const operation = { id: wellFormed(args.operationId), transaction: await sha256Hex(text) };
    const toOwn = (item: AgentInputItem, i: number): NewMessage => ({
      ...withMetadata(toMessage(item), { operation }),
      external_id: `${name}:${i}`,
    });
    if (transaction.type === "append_items") {
      const messages = await inPieces(transaction.items.map(toOwn));
      if (messages.length === 0) return;
      await this.#conversation.write((id) =>
        this.#client.messages.append(id, { messages }, { idempotencyKey: `${id}:${name}` }),
      );
      return;
    }
    const stored = await this.#conversation.messages();
    const own = stored.find(({ external_id }) => external_id === `${name}:0`);
    if (own !== undefined) {
      if (canonicalJson(own.metadata.operation) === canonicalJson(operation)) return;
      throw new Error(`The history operation ${args.operationId} was another transaction.`);
    }
    const items = itemsIn<AgentInputItem>(stored);
    const suffix = items.slice(Math.max(0, items.length - transaction.expectedSuffix.length));
    const fits =
      canonicalJson(suffix.map(({ value }) => value)) === canonicalJson(transaction.expectedSuffix);
    const { kept, others } = without(stored, suffix);
    const once = (id: string) => ({ idempotencyKey: `${id}:${name}:${operation.transaction}` });
    try {
      if (fits) {
        const replacement = await inPieces([...others, ...transaction.replacement.map(toOwn)]);
        return await this.#conversation.replace(stored, kept, replacement, once);
      }
      // This request always fails, and its error says whether the transaction was applied: `idempotency_mismatch` if
      // its idempotency key was used before, otherwise `sequence_conflict`.
      await this.#conversation.read((id) => this.#client.messages.replace(id, NOWHERE, once(id)));
    } catch (error) {
      // Only this transaction uses that idempotency key, so it was applied before.
      if (hasCode(error, "idempotency_mismatch")) return;
      if (fits || !hasCode(error, "sequence_conflict")) throw error;
    }
    throw new Error("The session's history does not end as the transaction expects.");
  }

  /** The newest messages, oldest first: as many as contain `count` items, or all. */
  async #newest(count: number): Promise<Message[]> {
    for (let newest = count; newest <= MESSAGE_PAGE_MAX; newest *= 4) {
      const pages: Message[][] = [];
      await this.#conversation.read(async (id) => {
        // Pages arrive from newest to oldest.
        for await (const { items } of this.#client.messages.list(id, { newest }).pages())
          pages.unshift(items);
      });
      const messages = pages.flat();
      if (messages.length < newest || itemsIn(messages).length >= count) return messages;
    }
    return this.#conversation.messages();
  }
}

/** Where the first of these items begins in the stored messages, and the messages from there on that are not theirs. */
function without(
  stored: Message[],
  items: StoredItem<AgentInputItem>[],
): { kept: number; others: NewMessage[] } {
  const theirs = new Set(items.flatMap(({ pieces }) => pieces));
  const first = stored.findIndex((message) => theirs.has(message));
  const kept = first < 0 ? stored.length : first;
  return {
    kept,
    others: stored
      .slice(kept)
      .filter((message) => !theirs.has(message))
      .map(toSameMessage),
  };
}

function toMessage(item: AgentInputItem): NewMessage {
  const message = { ...toParts(item), content: "", role: "assistant" as const };
  switch (item.type) {
    case undefined:
    case "message":
      return { ...message, role: item.role, content: readableText(item.content) };
    case "function_call":
      return {
        ...message,
        content: wellFormed(item.arguments),
        ...toolOf(item),
      };
    case "function_call_result":
      return {
        ...message,
        role: "tool",
        content: readableText(item.output),
        ...toolOf(item),
      };
    case "reasoning":
      return { ...message, content: readableText(item.content) };
    default:
      return message;
  }
}

function toolOf({ callId, name }: { callId: string; name: string }): Partial<NewMessage> {
  const [tool_call_id, tool_name] = [shortName(callId), shortName(name)];
  return { ...(tool_call_id && { tool_call_id }), ...(tool_name && { tool_name }) };
}

const withMetadata = (message: NewMessage, metadata: object): NewMessage => ({
  ...message,
  metadata: { ...message.metadata, ...metadata },
});
