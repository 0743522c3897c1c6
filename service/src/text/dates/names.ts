import { NUMBER_WORDS } from "../entities/number-words.ts";
import { DATE_NAMES } from "../generated/date-names.ts";

export interface MonthName {
  /** From 1. */
  month: number;
  languages: Set<string>;
  /** Whether the name alone tells the month: no abbreviation, and no other word. */
  isSure: boolean;
}

/** A day, week, month or year, counted from that of the message. */
export interface Relative {
  unit: "day" | "week" | "month" | "year";
  count: number;
}

const numbered = (words: string, first: number): [string, number][] =>
  words.split(" ").map((word, i) => [word, first + i]);

const ENGLISH_MONTHS = new Map([
  ...numbered("january february march april may june july august september october november december", 1),
  ...numbered("jan feb mar apr may jun jul aug sep oct nov dec", 1),
  ["sept", 9] as const,
]);

/**
 * Names of months that are also other words, in their own language or in another: the planet Mars, the French "hier" in
 * a German text. They count only in a text of their language, or as part of a whole date with its year.
 */
const OTHER_WORDS = new Set("mars mai mayo mart maj maja marca maart mei juli juni hier مارس ماي".split(" "));
/** They also mean "in the morning". */
const MORNINGS = new Set(["morgen", "mañana"]);

/** Names of weekdays in all languages, with their numbers from 0 for Sunday. */
export const WEEKDAYS: ReadonlyMap<string, number> = new Map([
  ...Object.values(DATE_NAMES).flatMap(({ weekdays }) => weekdays.flatMap(spread)),
  ...numbered("sunday monday tuesday wednesday thursday friday saturday", 0),
  ...numbered("sun mon tue wed thu fri sat", 0),
  ["tues", 2],
  ["thur", 4],
  ["thurs", 4],
]);

const MONTHS = new Map<string, MonthName>();
for (const [name, month] of ENGLISH_MONTHS) {
  MONTHS.set(name, { month, languages: new Set(["english"]), isSure: false });
}
for (const [language, { months, short }] of Object.entries(DATE_NAMES)) {
  for (const [name, i] of months.flatMap(spread)) addMonth(language, name, i + 1, !OTHER_WORDS.has(name));
  for (const [name, i] of short.flatMap(spread)) addMonth(language, name, i + 1, false);
}

function spread(names: string, i: number): [string, number][] {
  return names.split(" ").map((name) => [name, i]);
}

function addMonth(language: string, name: string, month: number, isSure: boolean): void {
  const known = MONTHS.get(name);
  if (known === undefined) MONTHS.set(name, { month, languages: new Set([language]), isSure });
  else known.languages.add(language);
}

export interface Phrase extends Relative {
  language: string;
  /** The words after the first. */
  rest: readonly string[];
  isSure: boolean;
}

/** `gestern`, `semana pasada`, by their first words. */
export const PHRASES = new Map<string, Phrase[]>();
for (const [language, { relative }] of Object.entries(DATE_NAMES)) {
  for (const [text, unit, count] of relative) {
    const [first = "", ...rest] = text.split(" ");
    if (MORNINGS.has(text)) continue;
    const phrase = { language, rest, unit, count, isSure: !OTHER_WORDS.has(text) };
    PHRASES.set(first, [...(PHRASES.get(first) ?? []), phrase]);
  }
}

/** The month of a word in small letters. */
export const monthOfName = (word: string): MonthName | undefined => MONTHS.get(word);

export const isEnglish = ({ languages }: MonthName): boolean => languages.has("english");

/** Words in small letters with which a date of English may begin, and that do not name a weekday, month or number. */
const BEGINNINGS =
  "yesterday today tonight tomorrow last previous past this coming next the day in a on".split(" ");

const isShown = ({ unit }: Phrase) => unit === "day" || unit === "month";

/** Words in small letters with which a date may begin. */
export const FIRST_DATE_WORDS: ReadonlySet<string> = new Set([
  ...WEEKDAYS.keys(),
  ...MONTHS.keys(),
  ...BEGINNINGS,
  ...NUMBER_WORDS.keys(),
  ...PHRASES.keys(),
]);

/** Those with which a date may begin that is a day or a month, without abbreviations in languages other than English. */
export const DATE_WORDS: readonly string[] = [
  ...WEEKDAYS.keys(),
  ...[...MONTHS].filter(([, name]) => isEnglish(name) || name.isSure).map(([word]) => word),
  ...BEGINNINGS.filter((word) => word !== "on"),
  ...[...PHRASES].filter(([, phrases]) => phrases.some(isShown)).map(([word]) => word),
];
