import type { Call } from "../call.ts";
import type { MessagesResult, SearchAnswer, SearchBody } from "../generated/schema.ts";
import type { Http } from "../http.ts";
import type { CallOptions } from "../options.ts";
import { wellFormed } from "../well-formed.ts";

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
export function search(http: Http, request: SearchBody, options: CallOptions): Call<SearchAnswer> {
  const repeatable = true;
  const body = withValidQuery(request);
  return http.call(options, (client, init) => client.POST("/v1/search", { ...init, body }), repeatable);
}

/** The body with a query that is valid Unicode: a user's text may have been cut in the middle of an emoji. */
export const withValidQuery = <Body extends { query?: string }>(body: Body): Body =>
  typeof body?.query === "string" ? { ...body, query: wellFormed(body.query) } : body;
