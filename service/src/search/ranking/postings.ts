export interface Postings {
  /**
   * Number of all conversations and memories that are searched, before filters are applied. `messages` and `tokens` are
   * also totals.
   */
  conversations: number;
  messages: number;
  tokens: number;
  /** Words of the query. */
  words: readonly string[];
  /** For each of the words, the row keys of messages with it, ascending, repeated for each occurrence. */
  terms: Float64Array[];
  isPartial: boolean;
}

export interface MessageLength {
  tokens: number;
  isQuestion: boolean;
  eligible: boolean;
}

/**
 * Messages by row key, and the term counts of conversations by theirs. A message or conversation is absent
 * if it does not exist, or if the conversation does not match the filter.
 */
export interface Lengths {
  messages: Map<number, MessageLength>;
  conversations: Map<number, number>;
}
