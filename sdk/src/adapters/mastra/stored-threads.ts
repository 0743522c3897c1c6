import type { Engram } from "../../engram.ts";
import type { Conversation, Message } from "../../generated/schema.ts";
import type { List } from "../../list.ts";
import { ExternalConversation, refused } from "../external-conversation.ts";

const THREAD_TAG = "mastra";
const RESOURCE_TAG = "mastra-resource";

/** The conversations in which threads and resources are stored. Tags tell them from all others. */
export class StoredThreads {
  readonly #client: Engram;

  constructor(client: Engram) {
    this.#client = client;
  }

  thread(id: string, user_id?: string): ExternalConversation {
    return new ExternalConversation(this.#client, id, { tags: [THREAD_TAG], user_id });
  }

  /** The conversation with a resource's working memory as its only message. */
  resource(id: string): ExternalConversation {
    const tags = [RESOURCE_TAG];
    return new ExternalConversation(this.#client, `${RESOURCE_TAG}:${id}`, { tags, user_id: id });
  }

  /** Conversations of all threads, or of one resource's, most recently changed first. */
  list(user_id?: string): List<Conversation> {
    return this.#client.conversations.list({ tags_all: [THREAD_TAG], limit: 100, user_id });
  }

  async deleteAll(): Promise<void> {
    await this.#client.conversations.deleteMany({ tags_any: [THREAD_TAG, RESOURCE_TAG] });
  }

  /** The existing messages with these ids, from any thread. */
  async messagesWith(ids: string[]): Promise<Message[]> {
    const stored = (await this.threadsWith(ids)).flat();
    return stored.filter(({ external_id, parts }) => parts && ids.includes(external_id ?? ""));
  }

  /** The messages of each given thread, and of each further thread that contains any of these ids. */
  async threadsWith(ids: string[], threadIds: string[] = []): Promise<Message[][]> {
    const named = new Set(threadIds);
    const found = await Promise.all([...named].map((threadId) => this.thread(threadId).messages()));
    const missing = new Set<string | null>(ids);
    for (const { external_id } of found.flat()) missing.delete(external_id);
    if (missing.size === 0) return found;
    for await (const { external_id: threadId } of this.list()) {
      if (threadId === null || named.has(threadId)) continue;
      const stored = await this.thread(threadId).messages();
      if (stored.filter(({ external_id }) => missing.delete(external_id)).length > 0) found.push(stored);
      if (missing.size === 0) break;
    }
    return found;
  }

  async deleteMessages(messages: Message[]): Promise<void> {
    for (const { conversation_id, id } of messages)
      await this.#client.messages.delete(conversation_id, id).catch(refused("not_found", () => {}));
  }
}
