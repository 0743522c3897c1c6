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
import { wellFormed } from "../well-formed.ts";
import { checkOwner, ownerOf } from "./owner.ts";
import { type RecallOptions, recall } from "./recall.ts";

export type { RecallOptions };

/**
 * A context provider through which a model searches earlier conversations and memories, and stores memories.
 *
 * Needs the scopes `read` and `search`, and `write` for storing memories.
 */
export class EngramSearchProvider implements SearchProvider {
  readonly #client: Engram;
  readonly #options: RecallOptions;
  #label = "";

  /**
   * Create a provider. Nothing is sent before the first call.
   *
   * @param options What to search, as in `engram.search`. `user_id` restricts it to one
   *   user. Default: at most five results, 2,000 tokens in all.
   * @throws {TypeError} when `user_id` or `agent_id` is given but undefined, which would search the data of all users.
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
    this.#options = checkOwner(options, "search");
  }

  /**
   * Set the label of the context block. Memories that the model stores are kept separately for each label.
   *
   * @example
   * ```ts
   * provider.init("stays"); // as `ContextBlocks` does with the label of the block
   * await provider.set("room", "Wants a quiet room.");
   * const [kept] = await engram.memories.list({ user_id: "maria" }).toArray({ max: 1 });
   * console.log(kept?.external_id, kept?.content); // stays/room Wants a quiet room.
   * ```
   */
  init(label: string): void {
    this.#label = label;
  }

  /**
   * Get the text for the system prompt: the number of conversations and memories that can be searched. Null if there
   * are none.
   *
   * @example
   * ```ts
   * console.log(await provider.get()); // Conversations to search: 1. Memories to search: 0.
   * ```
   */
  async get(): Promise<string | null> {
    const { user_id, agent_id, tags_any, tags_all, metadata } = this.#options;
    const filter = { user_id, agent_id, tags_any, tags_all, metadata };
    const query = { ...filter, limit: 1, include_total: true };
    const [conversations, memories] = await Promise.all(
      [this.#client.conversations.list(query), this.#client.memories.list(query)].map(async (list) => {
        const { total = 0 } = await list.page();
        return total ?? "many";
      }),
    );
    if (conversations === 0 && memories === 0) return null;
    return `Conversations to search: ${conversations}. Memories to search: ${memories}.`;
  }

  /**
   * Find passages of earlier conversations, and memories, that match a query, labelled as data for the model. Null if none match.
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
   * Store a memory under a key, replacing the one that is stored under that key.
   *
   * @example
   * ```ts
   * await provider.set("diet", "Allergic to walnuts.");
   * await provider.set("diet", "Allergic to walnuts and peanuts.");
   * const { results } = await engram.memories.search({ query: "peanuts", user_id: "maria" });
   * console.log(results[0]?.memory.content); // Allergic to walnuts and peanuts.
   * ```
   */
  async set(key: string, content: string): Promise<void> {
    const external_id = wellFormed(`${this.#label}/${key}`);
    await this.#client.memories.put({ external_id, content: wellFormed(content), ...ownerOf(this.#options) });
  }
}
