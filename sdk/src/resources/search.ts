import type { Call } from "../call.ts";
import type { MessagesResult, SearchAnswer, SearchBody } from "../generated/schema.ts";
import type { Http } from "../http.ts";
import type { CallOptions } from "../options.ts";

/** What to look for in conversations alone. */
export interface ConversationSearchBody extends SearchBody {
  /** Where to look: `conversations`, as by default. */
  in?: "conversations"[];
}

/** What was found in conversations alone. */
export interface ConversationSearchAnswer extends SearchAnswer {
  /** Best first. No message stands in two results. */
  results: MessagesResult[];
}

/** Search conversations and memories. A POST that only reads, so it is repeated without an idempotency key. */
export function search(http: Http, body: SearchBody, options: CallOptions): Call<SearchAnswer> {
  const repeatable = true;
  return http.call(options, (client, init) => client.POST("/v1/search", { ...init, body }), repeatable);
}
