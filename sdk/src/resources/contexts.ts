import type { Call } from "../call.ts";
import type { ContextAnswer, ContextBody } from "../generated/schema.ts";
import type { Http } from "../http.ts";
import type { CallOptions } from "../options.ts";
import { withValidQuery } from "./search.ts";

/** Gets a context. The request is a POST that only reads, so it is retried without an idempotency key. */
export function getContext(http: Http, request: ContextBody, options: CallOptions): Call<ContextAnswer> {
  const repeatable = true;
  const body = withValidQuery(request);
  return http.call(options, (client, init) => client.POST("/v1/context", { ...init, body }), repeatable);
}
