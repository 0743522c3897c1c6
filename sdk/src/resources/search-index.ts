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
   * Report how much of the organization, including memories, or of one conversation semantic search can find
   * now. Needs the scope `read`.
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
   * Queue every conversation and memory, or one conversation, to be indexed again from the stored data. Needs
   * the scope `write`.
   *
   * Items whose indexing failed for good are tried again. A repair fails if parts of it are given up after 10
   * attempts: its `problem` says why, and `failed` counts the conversations and memories. Search keeps working during the repair, and stored
   * data is not changed.
   *
   * @returns The operation. `operations.get` reports its progress; `operations.cancel` cancels it.
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
