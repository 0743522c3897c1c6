import type { Call } from "../call.ts";
import type { Operation, operations } from "../generated/schema.ts";
import type { Http } from "../http.ts";
import { List } from "../list.ts";
import type { CallOptions } from "../options.ts";

/** Which operations to list. */
export type ListOperationsQuery = NonNullable<operations["listOperations"]["parameters"]["query"]>;

/** Work that goes on after its answer. Of a deletion it is the receipt. */
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
   * Tell how far an operation is; of a deletion, when each part was gone. Needs the scope `read`, or the admin
   * token.
   *
   * @throws {ApiError} `not_found` when there is no such operation.
   * @example
   * ```ts
   * const { status, completed_at } = await engram.operations.get(operation.id);
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
   * Call off what is left of a deletion by filter, a repair, an enrichment or an import: nothing further is begun.
   * What was deleted stays deleted, what was imported stays. Needs the scope `write`, or the admin token, which
   * reaches the operations of every organization.
   *
   * With the admin token also an organization's deletion, until the organization's last row is gone: what the purge
   * has not come to is back at once, with the keys that the deletion took away.
   *
   * @throws {ApiError} `not_found` when there is no such operation; `not_cancelable` when nothing of it is left to
   *   be called off.
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
