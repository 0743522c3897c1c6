import type { MessagesResult, SearchAnswer, SearchBody } from "../generated/schema.ts";

/** A search that covers only conversations. */
export interface ConversationSearchBody extends SearchBody {
  /** Where to search: `conversations`, which is the default, also with their `summaries`. */
  in?: ("conversations" | "summaries")[];
}

/** Results of a search of conversations only. */
export interface ConversationSearchAnswer extends SearchAnswer {
  /** Best first. No message appears in two results. */
  results: MessagesResult[];
}
