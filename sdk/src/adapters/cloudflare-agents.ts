/**
 * A searchable context block for Cloudflare Agents.
 *
 * @example
 * ```ts
 * import { Engram } from "@engram/sdk";
 * import { EngramSearchProvider } from "@engram/sdk/cloudflare-agents";
 * import { ContextBlocks } from "agents/context";
 *
 * const engram = new Engram({ apiKey: "engram_sk_live_…", baseUrl: "http://127.0.0.1:8787" });
 *
 * const context = new ContextBlocks([
 *   {
 *     label: "memory",
 *     description: "Everything said in earlier conversations",
 *     provider: new EngramSearchProvider(engram, { user_id: "maria" }),
 *   },
 * ]);
 * const system = await context.freezeSystemPrompt();
 * const tools = await context.tools(); // `search_context` and `set_context`
 * console.log(system, Object.keys(tools));
 * ```
 *
 * @module
 */
import type { SearchProvider } from "agents/context";
import type { Engram } from "../engram.ts";
import { type ExternalConversation, hasCode } from "./external-conversation.ts";
import { memoriesOf, type RecallOptions, recall } from "./recall.ts";

export type { RecallOptions };

/**
 * What was said in earlier conversations, and what the model keeps of its own.
 *
 * Its key needs the scopes `read` and `search`, and `write` for what the model keeps.
 */
export class EngramSearchProvider implements SearchProvider {
  readonly #client: Engram;
  readonly #options: RecallOptions;
  #memories: ExternalConversation;

  /**
   * Make a provider. Nothing is sent before its first call.
   *
   * @param options Whose memories, as `user_id`; at most five results of 2,000 tokens unless it says otherwise.
   */
  constructor(client: Engram, options: RecallOptions) {
    this.#client = client;
    this.#options = options;
    this.#memories = memoriesOf(client, options);
  }

  /** The label of the block, under which is kept what the model keeps. */
  init(label: string): void {
    this.#memories = memoriesOf(this.#client, this.#options, label);
  }

  /** For the system prompt: how much there is to search; null when there is nothing. */
  async get(): Promise<string | null> {
    const { user_id, agent_id, tags_any, tags_all, metadata } = this.#options;
    const filter = { user_id, agent_id, tags_any, tags_all, metadata };
    const { total = 0 } = await this.#client.conversations
      .list({ ...filter, limit: 1, include_total: true })
      .page();
    return total === 0 ? null : `Conversations to search: ${total}.`;
  }

  /** What was said that has to do with a text, marked as data; null when nothing was. */
  search(query: string): Promise<string | null> {
    return recall(this.#client, query, this.#options);
  }

  /** Keep a text under a key, in the place of what is there. */
  async set(key: string, content: string): Promise<void> {
    for (;;) {
      const kept = (await this.#memories.messages()).find(({ external_id }) => external_id === key);
      try {
        if (kept !== undefined)
          await this.#client.messages.update(kept.conversation_id, kept.id, { content });
        else await this.#memories.append([{ role: "assistant", content, external_id: key }]);
        return;
      } catch (error) {
        // Another put it there meanwhile.
        if (!hasCode(error, "external_id_conflict")) throw error;
      }
    }
  }
}
