/** Shares of the nearest vectors that a search finds, 0 to 1. */
export interface Recall {
  /** Of all vectors as int8, and the best of these as float32, as a cell searches. */
  rescored: { at10: number; at100: number };
  /** Of all vectors as int8 alone. */
  codes: { at10: number; at100: number };
}

/** Compares the search of a cell with an exact one. The vectors have length 1. */
export function measureRecall(vectors: readonly Float32Array[], queries: readonly Float32Array[]): Recall;
