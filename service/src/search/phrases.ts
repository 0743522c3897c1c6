import type { KeyCaller } from "../invocation.ts";
import type { SearchRequest } from "./input.ts";
import { type PhraseMatches, selectPhrases } from "./phrases-queries.ts";

export interface PhraseOutcome {
  /** Whether the message passes: in `keyword` mode it must have every phrase of the query, and in any mode no excluded phrase. */
  allows(rowKey: number): boolean;
  holdsPhrase(rowKey: number): boolean;
  /**
   * Whether a limit was reached. If so, matches with a phrase may be missing, and an exclusion may have excluded too
   * much.
   */
  isPartial: boolean;
}

const NO_PHRASES: PhraseOutcome = { allows: () => true, holdsPhrase: () => false, isPartial: false };

/**
 * Finds the messages with the phrases of the query. In modes other than `keyword`, a phrase that is not excluded only
 * adds to the score.
 */
export async function findPhrases(
  caller: KeyCaller,
  { mode, query: { read }, excluded, scope }: SearchRequest,
): Promise<PhraseOutcome> {
  const phrases = [
    ...read.phrases.map((terms) => ({ terms, isExcluded: false })),
    ...excluded.map((terms) => ({ terms, isExcluded: true })),
  ];
  if (phrases.length === 0) return NO_PHRASES;
  const matches = await selectPhrases(caller.db, scope.termPrefixes, phrases, caller.limits);
  const wanted = matches.slice(0, read.phrases.length);
  const unwanted = matches.slice(read.phrases.length);
  const mayHold = (phraseMatch: PhraseMatches, rowKey: number) =>
    rowKey < phraseMatch.from || includes(phraseMatch, rowKey);
  return {
    allows: (rowKey) =>
      (mode !== "keyword" || wanted.every((phraseMatch) => includes(phraseMatch, rowKey))) &&
      !unwanted.some((phraseMatch) => mayHold(phraseMatch, rowKey)),
    holdsPhrase: (rowKey) => wanted.some((phraseMatch) => includes(phraseMatch, rowKey)),
    isPartial: matches.some(({ isExact }) => !isExact),
  };
}

function includes({ rowKeys }: PhraseMatches, rowKey: number): boolean {
  let [low, high] = [0, rowKeys.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rowKeys[middle] ?? 0) > rowKey) low = middle + 1;
    else high = middle;
  }
  return rowKeys[low] === rowKey;
}
