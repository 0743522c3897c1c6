import type { Call } from "../call.ts";
import type { Operation, operations } from "../generated/schema.ts";
import type { Http } from "../http.ts";
import { List } from "../list.ts";
import type { CallOptions } from "../options.ts";

/** Which operations to list. */
export type ListOperationsQuery = NonNullable<operations["listOperations"]["parameters"]["query"]>;

/**
 * Follow and cancel long-running work: deletions, imports, index repairs, and enrichments, in which a model writes
 * missing tags and summaries of memories.
 */
export class Operations {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * List operations, newest first. Needs the scope `read`.
   *
   * @example
   * ```ts
   * for await (const { type, status } of engram.operations.list({ status: "running" })) console.log(type, status);
   * ```
   */
  list(query: ListOperationsQuery = {}, options: CallOptions = {}): List<Operation> {
    const fetchPage = (cursor: string | undefined) =>
      this.#http.call(options, (client, init) =>
        client.GET("/v1/operations", { ...init, params: { query: { ...query, cursor } } }),
      );
    return new List(fetchPage, query.cursor);
  }

  /**
   * Get an operation with its status and progress. For a deletion, it also says when the database rows and the vectors
   * of semantic search were removed for good. Each `type` has its own counts: compare `type` to read them. Needs the
   * scope `read`, or the admin token, a secret that the person who runs the service holds.
   *
   * @throws {ApiError} `not_found` when there is no such operation.
   * @example
   * ```ts
   * const { id } = await engram.index.repair();
   * const operation = await engram.operations.get(id);
   * if (operation.type === "repair_index") console.log(operation.status, operation.reindexed, operation.problem);
   * ```
   */
  get(operationId: string, options: CallOptions = {}): Call<Operation> {
    return this.#http.call(options, (client, init) =>
      client.GET("/v1/operations/{operation_id}", {
        ...init,
        params: { path: { operation_id: operationId } },
      }),
    );
  }

  /**
   * Cancel the rest of a deletion by filter, a repair, an enrichment or an import: no further step starts.
   * Deleted items stay deleted and imported items stay stored. Needs the scope `write`, or the admin token (a secret
   * that the person who runs the service holds), which can cancel operations of every organization.
   *
   * The admin token can also cancel the deletion of an organization until its last database row is removed. All data
   * whose removal has not begun is restored at once, with the keys that the deletion revoked.
   *
   * @throws {ApiError} `not_found` when there is no such operation; `not_cancelable` when it has ended,
   *   or is of a type that cannot be canceled.
   * @example
   * ```ts
   * const repair = await engram.index.repair();
   * await engram.operations.cancel(repair.id);
   *
   * const receipt = await operator.organizations.delete(organization.id);
   * await operator.operations.cancel(receipt.id);
   * ```
   */
  cancel(operationId: string, options: CallOptions = {}): Call<Operation> {
    return this.#http.call(
      options,
      (client, init) =>
        client.POST("/v1/operations/{operation_id}/cancel", {
          ...init,
          params: { path: { operation_id: operationId } },
        }),
      true,
    );
  }
}
