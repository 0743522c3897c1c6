import type { Call } from "../call.ts";
import type { SearchAnswer, SearchBody } from "../generated/schema.ts";
import type { Http } from "../http.ts";
import type { CallOptions } from "../options.ts";

/** Search all conversations. A POST that only reads, so it is repeated without an idempotency key. */
export function search(http: Http, body: SearchBody, options: CallOptions): Call<SearchAnswer> {
  const repeatable = true;
  return http.call(options, (client, init) => client.POST("/v1/search", { ...init, body }), repeatable);
}
