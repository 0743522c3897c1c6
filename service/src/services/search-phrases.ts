import type { RequestContext } from "../context.ts";
import { type PhraseMatches, selectPhrases } from "../queries/phrases.ts";
import type { Search } from "./search-input.ts";

/** Which messages match the phrases and exclusions of a query. */
export interface FoundPhrases {
  /**
   * Whether a message may match. In `keyword` mode it must hold every phrase; in any mode it must hold no
   * excluded one.
   */
  allows(number: number): boolean;
  holdsPhrase(number: number): boolean;
  /** Whether a limit was reached: more messages may hold a phrase, or fewer an excluded one. */
  isPartial: boolean;
}

export const NO_PHRASES: FoundPhrases = { allows: () => true, holdsPhrase: () => false, isPartial: false };

/**
 * Finds the phrases and exclusions of a query. In `keyword` mode a match must hold each phrase; in other
 * modes a phrase adds to the score.
 */
export async function findPhrases(ctx: RequestContext, { mode, read, scope }: Search): Promise<FoundPhrases> {
  const asked = [
    ...read.phrases.map((words) => ({ words, isExcluded: false })),
    ...read.excluded.map((words) => ({ words, isExcluded: true })),
  ];
  if (asked.length === 0) return NO_PHRASES;
  const matches = await selectPhrases(ctx.db, scope.marks, asked, ctx.limits);
  const wanted = matches.slice(0, read.phrases.length);
  const excluded = matches.slice(read.phrases.length);
  const mayHold = (one: PhraseMatches, number: number) => number < one.from || holds(one, number);
  return {
    allows: (number) =>
      (mode !== "keyword" || wanted.every((one) => holds(one, number))) &&
      !excluded.some((one) => mayHold(one, number)),
    holdsPhrase: (number) => wanted.some((one) => holds(one, number)),
    isPartial: matches.some(({ isExact }) => !isExact),
  };
}

/** Binary search in a descending list. */
function holds({ numbers }: PhraseMatches, number: number): boolean {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) > number) low = middle + 1;
    else high = middle;
  }
  return numbers[low] === number;
}
