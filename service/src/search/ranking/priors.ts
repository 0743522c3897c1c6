import type { SearchPrior } from "@engram/spec";

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
 * A range of time derived from a date in the query. `fit`, from 0 to 1, is how well a message from that time matches.
 */
export interface DateRange {
  fromMs: number;
  toMs: number;
  fit: number;
}

const DAY_MS = 86_400_000;
/** Days after a named day. People talk about a day on that day or soon after. */
const SOON_DAYS = [
  { from: 0, to: 2, fit: 1 },
  { from: 2, to: 8, fit: 0.7 },
  { from: 8, to: 20, fit: 0.3 },
];
const MONTH_FIT = 0.7;
const MONTH_AFTER_FIT = 0.3;
const MONTH_AFTER_DAYS = 10;
const YEAR_FIT = 0.3;
/** A month without a year is searched in this number of years, up to the current one. */
const YEARS_BACK = 20;

const MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december".split(
  "|",
);
const MONTH = new RegExp(
  `\\b(?:${MONTHS.filter((name) => name !== "march" && name !== "may").join("|")})\\b`,
);
/** "March" and "may" are also ordinary words. They count as months only next to a number or a preposition. */
const MARCH_OR_MAY =
  /\b(?:in|on|of|since|until|by|before|after|during|late|early|mid|last|next) (march|may)\b|\b(march|may) \d|\d(?:st|nd|rd|th)? (?:of )?(march|may)\b/;
const ISO_DAY = /\b((?:19|20)\d\d)-(\d\d)-(\d\d)\b/;
const YEAR = /\b(?:19|20)\d\d\b/;

const ASKS_WHEN =
  /^when\b|\bwhen (?:did|do|does|was|were|is|are|will|would|has|have|had|can|should)\b|\bwhat (?:date|day|month|year|time)\b|\bhow long\b|\bsince when\b/;
const ASKS_NUMBER = /\bhow (?:many|much|often|old|long|far)\b|\bwhat number\b/;

/** What a query asks for: a time, a number, or what was said on a date. Recognized in English only. */
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

/** @param nowMs decides which years a month without a year may refer to. */
export function readIntent(query: string, nowMs: number): Intent {
  const text = query.toLowerCase();
  return { time: ASKS_WHEN.test(text), number: ASKS_NUMBER.test(text), dates: readDates(text, nowMs) };
}

function readDates(text: string, nowMs: number): DateRange[] {
  const iso = ISO_DAY.exec(text);
  if (iso !== null) return aroundDay(Number(iso[1]), Number(iso[2]) - 1, Number(iso[3]));
  const year = YEAR.exec(text)?.[0];
  const name =
    MONTH.exec(text)?.[0] ??
    MARCH_OR_MAY.exec(text)
      ?.slice(1)
      .find((found) => found !== undefined);
  if (name === undefined) return year === undefined ? [] : wholeYear(Number(year));
  const day = readDay(text, name);
  const month = MONTHS.indexOf(name);
  const thisYear = new Date(nowMs).getUTCFullYear();
  const years =
    year === undefined ? Array.from({ length: YEARS_BACK }, (_, i) => thisYear - i) : [Number(year)];
  return years.flatMap((one) => (day === undefined ? aroundMonth(one, month) : aroundDay(one, month, day)));
}

function readDay(text: string, month: string): number | undefined {
  const after = new RegExp(`\\b${month} (\\d{1,2})(?:st|nd|rd|th)?\\b`).exec(text);
  const before = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)? (?:of )?${month}\\b`).exec(text);
  const day = Number((after ?? before)?.[1]);
  return day >= 1 && day <= 31 ? day : undefined;
}

function aroundDay(year: number, month: number, day: number): DateRange[] {
  const startMs = Date.UTC(year, month, day);
  return SOON_DAYS.map(({ from, to, fit }) => ({
    fromMs: startMs + from * DAY_MS,
    toMs: startMs + to * DAY_MS,
    fit,
  }));
}

function aroundMonth(year: number, month: number): DateRange[] {
  const [fromMs, toMs] = [Date.UTC(year, month), Date.UTC(year, month + 1)];
  return [
    { fromMs, toMs, fit: MONTH_FIT },
    { fromMs: toMs, toMs: toMs + MONTH_AFTER_DAYS * DAY_MS, fit: MONTH_AFTER_FIT },
  ];
}

const wholeYear = (year: number): DateRange[] => [
  { fromMs: Date.UTC(year, 0), toMs: Date.UTC(year + 1, 0), fit: YEAR_FIT },
];
