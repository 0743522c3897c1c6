import type { Call } from "../call.ts";
import type {
  CapturedMemories,
  CreateMemoriesBody,
  CreateMemoryBody,
  DeleteMemoriesOperation,
  DeleteMemoryOperation,
  EnrichMemoriesBody,
  EnrichMemoriesOperation,
  MemoriesCounted,
  Memory,
  MemorySearchAnswer,
  MemoryWithChunks,
  operations,
  PutMemoryBody,
  SearchMemoriesBody,
  UpdateMemoryBody,
} from "../generated/schema.ts";
import { type Http, idempotencyHeader, ifMatchHeader } from "../http.ts";
import { List } from "../list.ts";
import type { CallOptions, ConditionalOptions, WriteOptions } from "../options.ts";
import { withValidQuery } from "./search.ts";

type WireListQuery = NonNullable<operations["listMemories"]["parameters"]["query"]>;

/** Which memories to list, and in what order. All filters must match. */
export interface ListMemoriesQuery extends Omit<WireListQuery, "metadata"> {
  /** Only memories whose metadata has all of these keys with these values at its top level. */
  metadata?: Record<string, string | number | boolean>;
}

/** Which memories to select. All conditions must match. */
export type MemoriesFilter = NonNullable<EnrichMemoriesBody["filter"]>;

/** Capture (store), search, update and delete memories: notes that agents decide to remember. */
export class Memories {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Capture a memory. If the same agent and user already have a memory with exactly this content, return that one,
   * unchanged except for its `updated_at`. Needs the scope `write`.
   *
   * The status in `.withResponse()` distinguishes the two: 201 for a new memory, 200 for an existing one. Keyword
   * search finds the memory at once. Semantic search finds it within seconds. With `wait: "indexed"`, this
   * resolves when the vector store has accepted its vectors, or after 25 seconds. If you omit tags or summary, and the service has a text model, the model writes them soon
   * after.
   *
   * @example
   * ```ts
   * const { id } = await engram.memories.create({
   *   content: "Maria prefers refunds to her card.",
   *   user_id: "maria",
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
   * Store a memory under your own id: create it, or replace all its fields. Needs the scope `write`.
   *
   * The `external_id` is unique among the memories of an agent and a user. With `ifMatch`, nothing is stored if there is
   * no such memory, or it has changed since (`precondition_failed`). The status in `.withResponse()` is 201 for a
   * new memory, 200 for a replaced one.
   *
   * @example
   * ```ts
   * const diet = { external_id: "diet", user_id: "maria" };
   * await engram.memories.put({ ...diet, content: "Allergic to walnuts." });
   * const { content } = await engram.memories.put({ ...diet, content: "Allergic to walnuts and peanuts." });
   * console.log(content); // Allergic to walnuts and peanuts.
   * ```
   */
  put(body: PutMemoryBody, options: ConditionalOptions = {}): Call<Memory> {
    return this.#http.call(options, (client, init) =>
      client.PUT("/v1/memories", { ...init, params: { header: ifMatchHeader(options) }, body }),
    );
  }

  /**
   * Capture up to 1,000 memories, all or none, with the same rules as `create`. Needs the scope `write`.
   *
   * @returns The id of each memory, in request order, and whether it is new.
   * @throws {ApiError} `payload_too_large` for more than 2 MiB of memories.
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
   * List memories in full, most recently captured first unless `sort` and `order` say otherwise. Needs the
   * scope `read`.
   *
   * Memories captured or changed while paging may be skipped or repeated. Unchanged ones are listed exactly
   * once.
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
   * Get a memory, byte for byte as it was captured, with its chunks: the parts by which semantic search finds it.
   * Needs the scope `read`.
   *
   * `.withResponse()` also returns the ETag of the memory, to pass as `ifMatch`.
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
   * Change the content, source, tags, summary or metadata, or give a memory without a user its user. Each given field replaces the old value; omitted
   * fields stay. Needs the scope `write`.
   *
   * Keyword search finds the memory by its new text, and no longer by the old one, at once. Semantic search follows
   * within seconds.
   *
   * @throws {ApiError} `not_found` when there is no such memory; `content_conflict` when another memory of the
   *   same agent has this content; `precondition_failed` when the memory's ETag is no longer `ifMatch`. If the error's
   *   `mayHaveApplied` is true, an earlier attempt of this call may have changed the memory.
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
   * Delete a memory. It is excluded from every response at once, and then removed for good in the background.
   * Cannot be undone. Needs the scope `delete`.
   *
   * @returns The operation that tracks the deletion. `operations.get` shows when the memory's database row, and the
   *   vectors by which semantic search finds it, are removed.
   * @throws {ApiError} `not_found` when there is no such memory. If the error's `mayHaveApplied` is true, an
   *   earlier attempt of this call may have deleted it. `precondition_failed` when its ETag is no longer
   *   `ifMatch`.
   * @example
   * ```ts
   * await engram.memories.delete(memory.id);
   * ```
   */
  delete(memoryId: string, options: ConditionalOptions = {}): Call<DeleteMemoryOperation> {
    return this.#http.call(options, (client, init) =>
      client.DELETE("/v1/memories/{memory_id}", {
        ...init,
        params: { path: { memory_id: memoryId }, header: ifMatchHeader(options) },
      }),
    );
  }

  /**
   * Count the memories that `deleteMany` would delete now, without deleting them. Needs the scope `delete`.
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
   * Delete every memory that matches a filter, or all memories that the key can access. The first 1,000 are excluded
   * from every response before this resolves, the others soon after. All are then removed for good in the background.
   * Cannot be undone. Needs the scope `delete`.
   *
   * @returns The operation that tracks the deletion. `operations.get` shows its progress. `operations.cancel` stops
   *   it; memories that are already excluded stay deleted.
   * @throws {ApiError} `validation_failed` for a filter without a condition, or for `all` combined with a
   *   condition.
   * @example
   * ```ts
   * const receipt = await engram.memories.deleteMany({ agent_id: "support-bot" });
   * ```
   */
  deleteMany(
    filter: MemoriesFilter | { all: true },
    options: WriteOptions = {},
  ): Call<DeleteMemoriesOperation> {
    const receipt = this.#http.call(options, (client, init) =>
      client.POST("/v1/memories/delete", {
        ...init,
        params: { header: idempotencyHeader(options) },
        body: chosenBy(filter),
      }),
    );
    return receipt as Call<DeleteMemoriesOperation>;
  }

  /**
   * Have the service's text model write the tags and summaries that memories lack, for all memories or those that
   * match a filter. Tags and summaries that callers gave are kept. Needs the scope `write`.
   *
   * @returns The operation that tracks the work. `operations.get` shows its progress.
   * @example
   * ```ts
   * const { id } = await engram.memories.enrich({ source: "slack" });
   * ```
   */
  enrich(filter: MemoriesFilter = {}, options: WriteOptions = {}): Call<EnrichMemoriesOperation> {
    return this.#http.call(options, (client, init) =>
      client.POST("/v1/memories/enrich", {
        ...init,
        params: { header: idempotencyHeader(options) },
        body: { filter },
      }),
    );
  }

  /**
   * Find memories by meaning and by keywords, best first, each in full, with the chunk (part) that matched. Needs
   * the scope `search`.
   *
   * Filters apply before ranking. `engram.search` searches memories and conversations together, in one
   * ranking.
   *
   * @throws {ApiError} `unavailable` when `mode` is `semantic` and semantic search is unavailable.
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
      (client, init) => client.POST("/v1/memories/search", { ...init, body: withValidQuery(body) }),
      repeatable,
    );
  }
}

/** Body of a request. If `all` is combined with conditions, it has both: the service rejects it and deletes nothing. */
const chosenBy = (filter: MemoriesFilter | { all: true }) => ("all" in filter ? filter : { filter });
