/**
 * A searchable context block for Cloudflare Agents.
 *
 * @example
 * ```ts
 * import { Engram } from "@engram/sdk";
 * import { EngramSearchProvider } from "@engram/sdk/cloudflare-agents";
 * import { ContextBlocks } from "agents/context";
 *
 * const engram = new Engram({ apiKey: "engram_sk_live_…", baseUrl: "http://127.0.0.1:26366" });
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
 * A context provider through which a model searches earlier conversations and stores texts.
 *
 * Needs the scopes `read` and `search`, and `write` for storing texts.
 */
export class EngramSearchProvider implements SearchProvider {
  readonly #client: Engram;
  readonly #options: RecallOptions;
  #memories: ExternalConversation;

  /**
   * Create a provider. Nothing is sent before the first call.
   *
   * @param options What to search, as in `engram.search`. `user_id` restricts it to conversations with one
   *   user. Default: at most five results, 2,000 tokens in all.
   * @example
   * ```ts
   * import { ContextBlocks } from "agents/context";
   *
   * const provider = new EngramSearchProvider(engram, { user_id: "maria", limit: 3, max_tokens: 1_000 });
   * const description = "What the guest said in earlier stays";
   * const context = new ContextBlocks([{ label: "stays", description, provider }]);
   * console.log(Object.keys(await context.tools()).length); // 2
   * ```
   */
  constructor(client: Engram, options: RecallOptions) {
    this.#client = client;
    this.#options = options;
    this.#memories = memoriesOf(client, options);
  }

  /**
   * Set the label of the context block. Texts that the model stores are kept separately for each label.
   *
   * @example
   * ```ts
   * provider.init("stays"); // as `ContextBlocks` does with the label of the block
   * await provider.set("room", "Wants a quiet room.");
   * const [kept] = await engram.conversations.list({ sort: "created_at" }).toArray({ max: 1 });
   * console.log(kept?.title); // Memories: stays
   * ```
   */
  init(label: string): void {
    this.#memories = memoriesOf(this.#client, this.#options, label);
  }

  /**
   * Get the text for the system prompt: the number of conversations that can be searched. Null if there are none.
   *
   * @example
   * ```ts
   * console.log(await provider.get()); // Conversations to search: 1.
   * ```
   */
  async get(): Promise<string | null> {
    const { user_id, agent_id, tags_any, tags_all, metadata } = this.#options;
    const filter = { user_id, agent_id, tags_any, tags_all, metadata };
    const { total = 0 } = await this.#client.conversations
      .list({ ...filter, limit: 1, include_total: true })
      .page();
    return total === 0 ? null : `Conversations to search: ${total ?? "many"}.`;
  }

  /**
   * Find passages of earlier conversations that match a query, labelled as data for the model. Null if none match.
   *
   * @example
   * ```ts
   * const found = await provider.search("What is the guest allergic to?");
   * console.log(found ?? "No results.");
   * ```
   */
  search(query: string): Promise<string | null> {
    return recall(this.#client, query, this.#options);
  }

  /**
   * Store a text under a key, replacing any text that is stored under that key.
   *
   * @example
   * ```ts
   * await provider.set("diet", "Allergic to walnuts.");
   * await provider.set("diet", "Allergic to walnuts and peanuts.");
   * const { results } = await engram.search({ query: "peanuts", user_id: "maria" });
   * console.log(results[0]?.messages[0]?.content); // Allergic to walnuts and peanuts.
   * ```
   */
  async set(key: string, content: string): Promise<void> {
    for (;;) {
      const kept = (await this.#memories.messages()).find(({ external_id }) => external_id === key);
      try {
        if (kept !== undefined)
          await this.#client.messages.update(kept.conversation_id, kept.id, { content });
        else await this.#memories.append([{ role: "assistant", content, external_id: key }]);
        return;
      } catch (error) {
        // A concurrent call stored a text under this key first: replace that text instead.
        if (!hasCode(error, "external_id_conflict")) throw error;
      }
    }
  }
}
