import type { Call } from "../call.ts";
import type { MessagesResult, SearchAnswer, SearchBody } from "../generated/schema.ts";
import type { Http } from "../http.ts";
import type { CallOptions } from "../options.ts";

/** A search that covers only conversations. */
export interface ConversationSearchBody extends SearchBody {
  /** Where to search: `conversations`, which is the default. */
  in?: "conversations"[];
}

/** Results of a search of conversations only. */
export interface ConversationSearchAnswer extends SearchAnswer {
  /** Best first. No message appears in two results. */
  results: MessagesResult[];
}

/** Searches. The request is a POST that only reads, so it is retried without an idempotency key. */
export function search(http: Http, body: SearchBody, options: CallOptions): Call<SearchAnswer> {
  const repeatable = true;
  return http.call(options, (client, init) => client.POST("/v1/search", { ...init, body }), repeatable);
}
