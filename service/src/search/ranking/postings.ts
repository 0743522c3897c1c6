/** How often, and in which messages, the words of a query occur in an organization. */
export interface Postings {
  /** In the searched corpora, before any filter. */
  conversations: number;
  messages: number;
  tokens: number;
  /**
   * For each query word, the numbers of the messages with it, ascending. A number is repeated for each
   * occurrence.
   */
  terms: Float64Array[];
  /** Whether some word has more postings than were read. */
  isPartial: boolean;
}

/** Facts about a message that scoring needs besides its postings. */
export interface MessageLength {
  /** Number of words. */
  tokens: number;
  isQuestion: boolean;
  /** Whether it passes all filters of the search. */
  eligible: boolean;
}

/**
 * Messages and conversations by number. Those that do not exist, or that the conversation filter excludes,
 * are absent.
 */
export interface Lengths {
  messages: Map<number, MessageLength>;
  conversations: Map<number, number>;
}
