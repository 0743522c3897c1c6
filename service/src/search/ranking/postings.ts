export interface Postings {
  /** Number of all conversations and memories that are searched, before filters are applied. */
  conversations: number;
  messages: number;
  tokens: number;
  /** For each word of the query, the row numbers of messages with it, ascending, repeated for each occurrence. */
  terms: Float64Array[];
  isPartial: boolean;
}

export interface MessageLength {
  tokens: number;
  isQuestion: boolean;
  eligible: boolean;
}

/** Messages and conversations that do not exist, or do not match the filter, are absent. */
export interface Lengths {
  messages: Map<number, MessageLength>;
  conversations: Map<number, number>;
}
