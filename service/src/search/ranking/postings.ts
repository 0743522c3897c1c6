export interface Postings {
  /** In the searched corpora, before any filter. */
  conversations: number;
  messages: number;
  tokens: number;
  /** Per query word, message numbers, ascending, repeated for each occurrence. */
  terms: Float64Array[];
  isPartial: boolean;
}

export interface MessageLength {
  tokens: number;
  isQuestion: boolean;
  eligible: boolean;
}

/** By number. Those that do not exist, or that the conversation filter excludes, are absent. */
export interface Lengths {
  messages: Map<number, MessageLength>;
  conversations: Map<number, number>;
}
