import type { Call } from "../call.ts";
import type { IndexStatus, operations, RepairIndexBody, RepairIndexOperation } from "../generated/schema.ts";
import { type Http, idempotencyHeader } from "../http.ts";
import type { CallOptions, WriteOptions } from "../options.ts";

/** Which part of the index to report on. */
export type IndexStatusQuery = NonNullable<operations["getIndexStatus"]["parameters"]["query"]>;

/** Read the status of the search index and repair it. */
export class SearchIndex {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Get the number of messages and memories that are indexed for semantic search, wait to be indexed, or failed: of
   * the whole organization, or of one conversation. Needs the scope `read`.
   *
   * @throws {ApiError} `not_found` when there is no such conversation.
   * @example
   * ```ts
   * const { messages, pending, failed } = await engram.index.status();
   * ```
   */
  status(query: IndexStatusQuery = {}, options: CallOptions = {}): Call<IndexStatus> {
    return this.#http.call(options, (client, init) =>
      client.GET("/v1/index", { ...init, params: { query } }),
    );
  }

  /**
   * Index every conversation and memory, or one conversation, again from the stored content, in the background. Needs
   * the scope `write`.
   *
   * Texts whose indexing failed for good before are tried again. If some cannot be indexed in 10 attempts, the repair
   * fails: the operation's `problem` says why, and its `failed` counts the conversations and memories with such texts.
   * Search works during the repair, and stored content is not changed.
   *
   * @returns The operation that tracks the repair. `operations.get` reports its progress; `operations.cancel`
   *   cancels it.
   * @throws {ApiError} `not_found` when there is no such conversation.
   * @example
   * ```ts
   * const operation = await engram.index.repair({ conversation_id: conversation.id });
   * ```
   */
  repair(body: RepairIndexBody = {}, options: WriteOptions = {}): Call<RepairIndexOperation> {
    return this.#http.call(options, (client, init) =>
      client.POST("/v1/index/repair", { ...init, params: { header: idempotencyHeader(options) }, body }),
    );
  }
}
