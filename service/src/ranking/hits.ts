import { COUNTED_REPEATS_MAX } from "../text/index-words.ts";

/** A message number holds the sequence number in its low 24 bits, from 1. */
const CONVERSATION = 2 ** 24;
export const toNumber = (conversation: number, sequence: number): number =>
  conversation * CONVERSATION + sequence;
export const sequenceOf = (number: number): number => number % CONVERSATION;
export const conversationOf = (number: number): number => Math.floor(number / CONVERSATION);

/** Numbers of the first and the last message that a conversation can have. */
export const placesOf = (conversation: number): { first: number; last: number } => ({
  first: toNumber(conversation, 1),
  last: toNumber(conversation, CONVERSATION - 1),
});

/**
 * Every message with a query term, ascending by number. The terms of message `i` are at `starts[i]` up to
 * `starts[i + 1]` in `words` and `counts`.
 */
export interface Hits {
  numbers: Float64Array;
  starts: Uint32Array;
  /** Index of the term. */
  words: Uint8Array;
  /** Occurrences, up to `COUNTED_REPEATS_MAX`. */
  counts: Uint32Array;
}

/** Merges one ascending list of messages per term, with repeats, into one list of messages. */
export function mergeHits(lists: readonly Float64Array[]): Hits {
  const size = lists.reduce((sum, list) => sum + list.length, 0);
  const numbers = new Float64Array(size);
  const starts = new Uint32Array(size + 1);
  const words = new Uint8Array(size);
  const counts = new Uint32Array(size);
  const places = lists.map(() => 0);
  let found = 0;
  let end = 0;
  for (;;) {
    let number = Number.POSITIVE_INFINITY;
    // Plain loops here and where scores are computed: iterators would take several times as long.
    for (let word = 0; word < lists.length; word++) {
      const next = lists[word]?.[places[word] ?? 0];
      if (next !== undefined && next < number) number = next;
    }
    if (number === Number.POSITIVE_INFINITY) break;
    numbers[found] = number;
    for (let word = 0; word < lists.length; word++) {
      const list = lists[word] as Float64Array;
      const from = places[word] ?? 0;
      let to = from;
      while (list[to] === number) to++;
      if (to === from) continue;
      words[end] = word;
      counts[end] = Math.min(to - from, COUNTED_REPEATS_MAX);
      places[word] = to;
      end++;
    }
    found++;
    starts[found] = end;
  }
  return {
    numbers: numbers.subarray(0, found),
    starts: starts.subarray(0, found + 1),
    words: words.subarray(0, end),
    counts: counts.subarray(0, end),
  };
}

/** The index of the first message whose number is not below this one. */
export function placeOf({ numbers }: Hits, number: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
