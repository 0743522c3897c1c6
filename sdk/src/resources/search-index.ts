import type { Call } from "../call.ts";
import type { IndexStatus, Operation, operations, RepairIndexBody } from "../generated/schema.ts";
import { type Http, idempotencyHeader } from "../http.ts";
import type { CallOptions, WriteOptions } from "../options.ts";

/** Of what to tell the state of the index. */
export type IndexStatusQuery = NonNullable<operations["getIndexStatus"]["parameters"]["query"]>;

/** What can be found by meaning, and mending it. */
export class SearchIndex {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Tell how much of the organization, memories too, or of one conversation can be found by meaning now. Needs
   * the scope `read`.
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
   * Queue every conversation and memory, or one conversation, to be indexed anew from what is stored. Needs the
   * scope `write`.
   *
   * What was given up is tried again. Searching goes on meanwhile; nothing stored is touched.
   *
   * @returns The operation: `operations.get` tells how far it is, `operations.cancel` calls it off.
   * @throws {ApiError} `not_found` when there is no such conversation.
   * @example
   * ```ts
   * const operation = await engram.index.repair({ conversation_id: conversation.id });
   * ```
   */
  repair(body: RepairIndexBody = {}, options: WriteOptions = {}): Call<Operation> {
    return this.#http.call(options, (client, init) =>
      client.POST("/v1/index/repair", { ...init, params: { header: idempotencyHeader(options) }, body }),
    );
  }
}
