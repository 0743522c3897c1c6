import type { Call } from "../call.ts";
import type {
  CapturedMemories,
  CreateMemoriesBody,
  CreateMemoryBody,
  EnrichMemoriesBody,
  MemoriesCounted,
  Memory,
  MemorySearchAnswer,
  MemoryWithChunks,
  Operation,
  operations,
  SearchMemoriesBody,
  UpdateMemoryBody,
} from "../generated/schema.ts";
import { type Http, idempotencyHeader, ifMatchHeader } from "../http.ts";
import { List } from "../list.ts";
import type { CallOptions, ConditionalOptions, WriteOptions } from "../options.ts";

type WireListQuery = NonNullable<operations["listMemories"]["parameters"]["query"]>;

/** Which memories to list, and in what order. All filters must hold. */
export interface ListMemoriesQuery extends Omit<WireListQuery, "metadata"> {
  /** Only memories whose metadata has all these values at the top level. */
  metadata?: Record<string, string | number | boolean>;
}

/** Which memories are meant. All conditions must hold. */
export type MemoriesFilter = NonNullable<EnrichMemoriesBody["filter"]>;

/** What was decided to be remembered. */
export class Memories {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Capture a memory, or get the one of its agent that has this very content already, unchanged but for its
   * `updated_at`. Needs the scope `write`.
   *
   * `.withResponse()` tells which: status 201 for a new one, 200 for the other. It can be found by its words at
   * once; by meaning within seconds, or at once with `wait: "indexed"`. Tags and summary that you do not give a
   * text model writes soon after, where one is configured.
   *
   * @example
   * ```ts
   * const { id } = await engram.memories.create({
   *   content: "Maria prefers refunds to her card.",
   *   agent_id: "support-bot",
   *   tags: ["refunds"],
   * });
   * ```
   */
  create(body: CreateMemoryBody, options: WriteOptions = {}): Call<Memory> {
    return this.#http.call(options, (client, init) =>
      client.POST("/v1/memories", { ...init, params: { header: idempotencyHeader(options) }, body }),
    );
  }

  /**
   * Capture up to 1,000 memories, all or none, each as `create` would. Needs the scope `write`.
   *
   * @returns The id of each, in their order, and whether it is new.
   * @throws {ApiError} `payload_too_large` past 2 MiB of memories.
   * @example
   * ```ts
   * const { items } = await engram.memories.createMany({
   *   memories: [{ content: "Refunds take three days." }, { content: "Refunds over 100 euros need a second look." }],
   * });
   * console.log(items.filter(({ created }) => created).length);
   * ```
   */
  createMany(body: CreateMemoriesBody, options: WriteOptions = {}): Call<CapturedMemories> {
    return this.#http.call(options, (client, init) =>
      client.POST("/v1/memories/bulk", { ...init, params: { header: idempotencyHeader(options) }, body }),
    );
  }

  /**
   * List memories, each whole, the last captured first unless `sort` and `order` say otherwise. Needs the scope
   * `read`.
   *
   * One that is captured or changed meanwhile may be missed or met; none that stays as it is is skipped or
   * repeated.
   *
   * @example
   * ```ts
   * const preferences = engram.memories.list({ agent_id: "support-bot", tags_any: ["refunds"] });
   * for await (const { content, created_at } of preferences) console.log(created_at, content);
   * ```
   */
  list(query: ListMemoriesQuery = {}, options: CallOptions = {}): List<Memory> {
    const { metadata, ...rest } = query;
    const filters: WireListQuery = metadata ? { ...rest, metadata: JSON.stringify(metadata) } : rest;
    const fetchPage = (cursor: string | undefined) =>
      this.#http.call(options, (client, init) =>
        client.GET("/v1/memories", { ...init, params: { query: { ...filters, cursor } } }),
      );
    return new List(fetchPage, query.cursor);
  }

  /**
   * Get a memory, byte for byte as it was captured, with the chunks that its meaning is found by. Needs the scope
   * `read`.
   *
   * `.withResponse()` gives its ETag, for `ifMatch`.
   *
   * @throws {ApiError} `not_found` when there is no such memory.
   * @example
   * ```ts
   * const { content, summary, chunks } = await engram.memories.get(memory.id);
   * console.log(content, summary, chunks.every(({ indexed }) => indexed));
   * ```
   */
  get(memoryId: string, options: CallOptions = {}): Call<MemoryWithChunks> {
    return this.#http.call(options, (client, init) =>
      client.GET("/v1/memories/{memory_id}", { ...init, params: { path: { memory_id: memoryId } } }),
    );
  }

  /**
   * Change content, source, tags, summary or metadata; each replaces the old, and what is not named stays. Needs
   * the scope `write`.
   *
   * The new words can be found at once and the old ones no longer; the vectors follow within seconds.
   *
   * @throws {ApiError} `not_found` when there is no such memory; `content_conflict` when another of its agent has
   *   this content; `precondition_failed` when it changed since `ifMatch`, be it by an earlier attempt of this call
   *   (`mayHaveApplied`).
   * @example
   * ```ts
   * const { etag } = await engram.memories.get(memory.id).withResponse();
   * await engram.memories.update(memory.id, { tags: ["refunds", "card"] }, { ifMatch: etag });
   * ```
   */
  update(memoryId: string, body: UpdateMemoryBody, options: ConditionalOptions = {}): Call<Memory> {
    return this.#http.call(options, (client, init) =>
      client.PATCH("/v1/memories/{memory_id}", {
        ...init,
        params: { path: { memory_id: memoryId }, header: ifMatchHeader(options) },
        body,
      }),
    );
  }

  /**
   * Delete a memory: hidden at once, then purged with its vectors. Cannot be undone. Needs the scope `delete`.
   *
   * @returns The receipt, filled in as the purge goes on; `operations.get` reads it again.
   * @throws {ApiError} `not_found` when there is no such memory: with `mayHaveApplied` an earlier attempt whose
   *   answer was lost may have deleted it. `precondition_failed` when it changed since `ifMatch`.
   * @example
   * ```ts
   * await engram.memories.delete(memory.id);
   * ```
   */
  delete(memoryId: string, options: ConditionalOptions = {}): Call<Operation> {
    return this.#http.call(options, (client, init) =>
      client.DELETE("/v1/memories/{memory_id}", {
        ...init,
        params: { path: { memory_id: memoryId }, header: ifMatchHeader(options) },
      }),
    );
  }

  /**
   * Count what `deleteMany` would delete now. Nothing is deleted. Needs the scope `delete`.
   *
   * @example
   * ```ts
   * const { memories } = await engram.memories.countToDelete({ agent_id: "support-bot" });
   * ```
   */
  countToDelete(filter: MemoriesFilter | { all: true }, options: CallOptions = {}): Call<MemoriesCounted> {
    const counted = this.#http.call(
      options,
      (client, init) =>
        client.POST("/v1/memories/delete", { ...init, body: { ...chosenBy(filter), dry_run: true } }),
      true,
    );
    return counted as Call<MemoriesCounted>;
  }

  /**
   * Delete every memory that a filter finds, or all that the key may see: the first 1,000 hidden with the answer,
   * further ones soon after, then purged in steps. Cannot be undone. Needs the scope `delete`.
   *
   * @returns The receipt, filled in as the deletion goes on; `operations.get` reads it again, and
   *   `operations.cancel` calls off what is not hidden yet.
   * @throws {ApiError} `validation_failed` for a filter without a condition, or for `all` beside one.
   * @example
   * ```ts
   * const receipt = await engram.memories.deleteMany({ agent_id: "support-bot" });
   * ```
   */
  deleteMany(filter: MemoriesFilter | { all: true }, options: WriteOptions = {}): Call<Operation> {
    const receipt = this.#http.call(options, (client, init) =>
      client.POST("/v1/memories/delete", {
        ...init,
        params: { header: idempotencyHeader(options) },
        body: chosenBy(filter),
      }),
    );
    return receipt as Call<Operation>;
  }

  /**
   * Have the text model write tags and summaries that nobody gave, for all memories unless a filter says which.
   * What people gave stays. Needs the scope `write`.
   *
   * @returns How far it is, filled in as it goes on; `operations.get` reads it again.
   * @example
   * ```ts
   * const { id } = await engram.memories.enrich({ source: "slack" });
   * ```
   */
  enrich(filter: MemoriesFilter = {}, options: WriteOptions = {}): Call<Operation> {
    return this.#http.call(options, (client, init) =>
      client.POST("/v1/memories/enrich", {
        ...init,
        params: { header: idempotencyHeader(options) },
        body: { filter },
      }),
    );
  }

  /**
   * Find memories by meaning and by words, best first, each whole, with the part that matched. Needs the scope
   * `search`.
   *
   * Filters apply before ranking. `engram.search` finds them beside conversations, in one ranking.
   *
   * @throws {ApiError} `unavailable` when `mode` is `semantic` and meaning cannot be searched.
   * @example
   * ```ts
   * const { results } = await engram.memories.search({ query: "How does Maria want refunds?", limit: 5 });
   * for (const { relevance, memory } of results) console.log(relevance, memory.content);
   * ```
   */
  search(body: SearchMemoriesBody, options: CallOptions = {}): Call<MemorySearchAnswer> {
    const repeatable = true;
    return this.#http.call(
      options,
      (client, init) => client.POST("/v1/memories/search", { ...init, body }),
      repeatable,
    );
  }
}

/** Conditions beside `all` are sent with it, so that the service refuses them instead of deleting everything. */
const chosenBy = (filter: MemoriesFilter | { all: true }) => ("all" in filter ? filter : { filter });
