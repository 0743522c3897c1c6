import type { SearchPrior } from "@engram/spec";
import { type DateRange, readDateRanges } from "./date-ranges.ts";

/**
 * How much each prior (a property that makes a message a more or less likely answer) adds to its score. For comparison,
 * the best score of one ranking method is 1. The values were fitted on one half of LoCoMo's dialogues (Maharana et al.
 * 2024), tested on the other, rounded, and checked on chats with an assistant. proof/bench/README.md has the figures.
 */
export const PRIORS = {
  /** A message after a question that matches the query probably answers it. */
  answer: 1,
  /** A short question contains less information than its answer. */
  question: -0.3,
  time: 0.9,
  number: 0.5,
  /** The query names a day, month or year, and the message was said then or soon after. */
  date: 3,
  /**
   * If the query names a speaker of a conversation of two people, lowers messages of the other. Of a meeting, a query
   * often names somebody of whom others speak.
   */
  speaker: -1.3,
  /**
   * Hidden context, such as the instructions that a chat program adds to every chat, matches almost every query. All
   * retrievers together give at most 4, so it ranks below every other candidate.
   */
  hidden: -5,
} as const satisfies Record<SearchPrior, number>;

/**
 * Added to the score of a memory that does not hold. All that adds to or lowers a score is less than 20 together, so it
 * ranks below every other result.
 */
export const VALIDITY_WEIGHT = -20;

const ASKS_WHEN =
  /^when\b|\bwhen (?:did|do|does|was|were|is|are|will|would|has|have|had|can|should)\b|\bwhat (?:date|day|month|year|time)\b|\bhow long\b|\bsince when\b/;
const ASKS_NUMBER = /\bhow (?:many|much|often|old|long|far)\b|\bwhat number\b/;

/** What a query asks for: a time or a number, which is recognized in English only, or what was said on a date. */
export interface Intent {
  time: boolean;
  number: boolean;
  dates: DateRange[];
}

/**
 * Weights of the priors. 0 if the request did not select the prior, or it does not apply to the query.
 *
 * @param shareOfLong of the messages that are searched (see `KeywordScores`). Where messages are long, people ask in
 *   sentences that hold facts, and the answer after a question is not nearer to it than the rest of its text.
 */
export function priorWeights(
  priors: readonly SearchPrior[],
  intent: Intent,
  shareOfLong: number,
): Record<SearchPrior, number> {
  const weigh = (prior: SearchPrior, asked = true) => (asked && priors.includes(prior) ? PRIORS[prior] : 0);
  return {
    answer: (1 - shareOfLong) * weigh("answer"),
    question: (1 - shareOfLong) * weigh("question"),
    time: weigh("time", intent.time),
    number: weigh("number", intent.number),
    date: weigh("date", intent.dates.length > 0),
    speaker: weigh("speaker"),
    hidden: weigh("hidden"),
  };
}

/** @param nowMs the time to which "last week" refers, and up to which a month without a year is searched */
export function readIntent(query: string, nowMs: number): Intent {
  const text = query.toLowerCase();
  return { time: ASKS_WHEN.test(text), number: ASKS_NUMBER.test(text), dates: readDateRanges(query, nowMs) };
}
