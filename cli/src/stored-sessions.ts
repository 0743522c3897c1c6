import { type Conversation, type Engram, isEngramError } from "@engram/sdk";
import { PAGE_ITEMS_MAX } from "@engram/sdk/limits";
import type { StoredSessions } from "./importers/sessions.ts";

/**
 * Reads what earlier imports have stored. Without the scope `read`, nothing is known to be stored.
 */
export class ServiceSessions implements StoredSessions {
  readonly #engram: Engram;
  readonly #signal: AbortSignal;
  readonly #bySource = new Map<string, Promise<Map<string, Conversation>>>();

  constructor(engram: Engram, signal: AbortSignal) {
    this.#engram = engram;
    this.#signal = signal;
  }

  async last(conversationId: string, source: string): Promise<{ id: string; sequence: number } | undefined> {
    if (!(await this.#conversations(source)).has(conversationId)) return undefined;
    return this.#firstMessage(conversationId, { newest: 1 });
  }

  async messageIdAt(conversationId: string, sequence: number): Promise<string | undefined> {
    const message = await this.#firstMessage(conversationId, {
      from_sequence: sequence,
      to_sequence: sequence,
    });
    return message?.id;
  }

  async conversationWith(messageId: string, source: string): Promise<string | undefined> {
    if ((await this.#conversations(source)).size === 0) return undefined;
    const query = { message_id: messageId, limit: 1 };
    const page = await readable(() =>
      this.#engram.conversations.list(query, { signal: this.#signal }).page(),
    );
    return page?.items[0]?.id;
  }

  async conversationOf(source: string, sessionId: string): Promise<string | undefined> {
    for (const { id, metadata, tags } of (await this.#conversations(source)).values())
      if (metadata.session_id === sessionId && !tags.includes("branch")) return id;
    return undefined;
  }

  /** When a conversation was created. */
  async createdAt(conversationId: string): Promise<string | undefined> {
    return readable(async () => {
      const { created_at } = await this.#engram.conversations.get(
        conversationId,
        { message_limit: 0 },
        { signal: this.#signal },
      );
      return created_at;
    });
  }

  /** The conversations that were imported from a product, by id. Listed once. */
  #conversations(source: string): Promise<Map<string, Conversation>> {
    const known = this.#bySource.get(source) ?? this.#list(source);
    this.#bySource.set(source, known);
    return known;
  }

  async #list(source: string): Promise<Map<string, Conversation>> {
    const found = await readable(() =>
      this.#engram.conversations
        .list({ tags_all: [source], limit: PAGE_ITEMS_MAX }, { signal: this.#signal })
        .toArray({ max: Number.MAX_SAFE_INTEGER }),
    );
    return new Map((found ?? []).map((conversation) => [conversation.id, conversation]));
  }

  #firstMessage(
    conversationId: string,
    query: { newest: number } | { from_sequence: number; to_sequence: number },
  ): Promise<{ id: string; sequence: number } | undefined> {
    return readable(async () => {
      const [message] = await this.#engram.messages
        .list(conversationId, query, { signal: this.#signal })
        .toArray({ max: 1 });
      return message;
    });
  }
}

/** Undefined if the item does not exist, or the key lacks the scope `read`. */
async function readable<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isEngramError(error) && (error.code === "not_found" || error.code === "forbidden")) return undefined;
    throw error;
  }
}
