import { COUNTED_REPEATS_MAX } from "../../text/index-terms.ts";

/**
 * The row key of a message is the row key of its conversation, shifted by 24 bits, plus the message's sequence
 * number, which starts at 1.
 */
const CONVERSATION = 2 ** 24;
export const rowKeyOf = (conversation: number, sequence: number): number =>
  conversation * CONVERSATION + sequence;
export const sequenceOf = (rowKey: number): number => rowKey % CONVERSATION;
export const conversationOf = (rowKey: number): number => Math.floor(rowKey / CONVERSATION);

export const rowKeyRange = (conversation: number): { windowFirst: number; last: number } => ({
  windowFirst: rowKeyOf(conversation, 1),
  last: rowKeyOf(conversation, CONVERSATION - 1),
});

/** Messages on each side of a message in its window. The keyword ranking also scores such windows as a whole. */
export const WINDOW_REACH = 2;
export const WINDOW_PLACES = 2 * WINDOW_REACH + 1;

/**
 * Messages with a term of the query, in ascending order of `rowKeys`. The terms of message `i`, and how often they
 * occur, are in `terms` and `counts` from `starts[i]` up to `starts[i + 1]`.
 */
export interface Matches {
  rowKeys: Float64Array;
  starts: Uint32Array;
  terms: Uint8Array;
  /** Occurrences of the term in the message, at most `COUNTED_REPEATS_MAX`. */
  counts: Uint32Array;
}

export function mergeMatches(lists: readonly Float64Array[]): Matches {
  const size = lists.reduce((sum, list) => sum + list.length, 0);
  const rowKeys = new Float64Array(size);
  const starts = new Uint32Array(size + 1);
  const terms = new Uint8Array(size);
  const counts = new Uint32Array(size);
  const positions = lists.map(() => 0);
  let found = 0;
  let end = 0;
  for (;;) {
    let rowKey = Number.POSITIVE_INFINITY;
    // Plain loops here and where scores are computed: iterators would take several times as long.
    for (let term = 0; term < lists.length; term++) {
      const next = lists[term]?.[positions[term] ?? 0];
      if (next !== undefined && next < rowKey) rowKey = next;
    }
    if (rowKey === Number.POSITIVE_INFINITY) break;
    rowKeys[found] = rowKey;
    for (let term = 0; term < lists.length; term++) {
      const list = lists[term] as Float64Array;
      const from = positions[term] ?? 0;
      let to = from;
      while (list[to] === rowKey) to++;
      if (to === from) continue;
      terms[end] = term;
      counts[end] = Math.min(to - from, COUNTED_REPEATS_MAX);
      positions[term] = to;
      end++;
    }
    found++;
    starts[found] = end;
  }
  return {
    rowKeys: rowKeys.subarray(0, found),
    starts: starts.subarray(0, found + 1),
    terms: terms.subarray(0, end),
    counts: counts.subarray(0, end),
  };
}

export function indexAtOrAfter({ rowKeys }: Matches, rowKey: number): number {
  let [low, high] = [0, rowKeys.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rowKeys[middle] ?? 0) < rowKey) low = middle + 1;
    else high = middle;
  }
  return low;
}
