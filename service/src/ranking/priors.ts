import type { SearchPrior } from "@engram/spec";

/**
 * What speaks for a message beside its words and its meaning, as weights in units of one leg's best.
 *
 * Each is small, has a reason, and can be switched off. Fitted on LoCoMo's dialogues (Maharana et al.
 * 2024) by halves, rounded, and held against chats with an assistant: bench/README.md has the figures.
 */
export const PRIORS = {
  /** What follows a question that fits the query answers it. */
  answer: 1,
  /** A short question tells less than what it asks for. */
  question: -0.3,
  /** Asked when: a message that names a time. */
  time: 0.9,
  /** Asked how many: a message that names a number. */
  number: 0.5,
  /** A day, month or year in the query: what was said then or soon after. */
  date: 3,
  /** A speaker's name in the query: what others said. What has no speaker may still be the answer. */
  speaker: -1.3,
} as const satisfies Record<SearchPrior, number>;

/** A span of time that a query names, with how well what was said in it fits. */
export interface DateRange {
  fromMs: number;
  toMs: number;
  /** 0 to 1. */
  fit: number;
}

const DAY_MS = 86_400_000;
/** What is told about a day is told on it or soon after. */
const SOON_DAYS = [
  { from: 0, to: 2, fit: 1 },
  { from: 2, to: 8, fit: 0.7 },
  { from: 8, to: 20, fit: 0.3 },
];
const MONTH_FIT = 0.7;
const MONTH_AFTER_FIT = 0.3;
const MONTH_AFTER_DAYS = 10;
const YEAR_FIT = 0.3;
/** Years that a month without a year may mean, up to the present one. */
const YEARS_BACK = 20;

const MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december".split(
  "|",
);
const MONTH = new RegExp(
  `\\b(?:${MONTHS.filter((name) => name !== "march" && name !== "may").join("|")})\\b`,
);
/** Words, too: months where a number or a preposition says so. */
const MARCH_OR_MAY =
  /\b(?:in|on|of|since|until|by|before|after|during|late|early|mid|last|next) (march|may)\b|\b(march|may) \d|\d(?:st|nd|rd|th)? (?:of )?(march|may)\b/;
const ISO_DAY = /\b((?:19|20)\d\d)-(\d\d)-(\d\d)\b/;
const YEAR = /\b(?:19|20)\d\d\b/;

const ASKS_WHEN =
  /^when\b|\bwhen (?:did|do|does|was|were|is|are|will|would|has|have|had|can|should)\b|\bwhat (?:date|day|month|year|time)\b|\bhow long\b|\bsince when\b/;
const ASKS_NUMBER = /\bhow (?:many|much|often|old|long|far)\b|\bwhat number\b/;

/** What a query asks for beside its words. English. */
export interface Intent {
  time: boolean;
  number: boolean;
  dates: DateRange[];
}

/** What each prior weighs in one search: nothing when it is switched off or the query does not ask for it. */
export function priorWeights(priors: readonly SearchPrior[], intent: Intent): Record<SearchPrior, number> {
  const weigh = (prior: SearchPrior, asked = true) => (asked && priors.includes(prior) ? PRIORS[prior] : 0);
  return {
    answer: weigh("answer"),
    question: weigh("question"),
    time: weigh("time", intent.time),
    number: weigh("number", intent.number),
    date: weigh("date", intent.dates.length > 0),
    speaker: weigh("speaker"),
  };
}

/** Read what a query asks for. @param nowMs tells which years a month without one may mean. */
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
