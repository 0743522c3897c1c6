import type { Call } from "../call.ts";
import type { Operation } from "../generated/schema.ts";
import type { Http } from "../http.ts";
import type { CallOptions } from "../options.ts";

/** Work that goes on after its answer. Of a deletion it is the receipt. */
export class Operations {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Tell how far an operation is; of a deletion, when each part was gone. Needs the scope `read`, or the admin
   * token.
   *
   * @throws {ApiError} `not_found` when there is no such operation.
   */
  get(operationId: string, options: CallOptions = {}): Call<Operation> {
    return this.#http.call(options, (client, init) =>
      client.GET("/v1/operations/{operation_id}", {
        ...init,
        params: { path: { operation_id: operationId } },
      }),
    );
  }
}
