import { STOP_WORDS } from "../stop-words.ts";

export interface Locale {
  /** The languages other than English that most words of the text belong to. Several, if they share its words. */
  languages: ReadonlySet<string>;
  /** Which comes first in a date such as 3/12. Undefined if the text does not tell, as in English. */
  first: "day" | "month" | undefined;
}

/** The language and the dates of a text are judged by this many first characters. */
const LOOKED_AT_CHARACTERS = 2_000;
const WORD = /[\p{L}\p{M}]+/gu;
/** A day, a month and a year, in the first or the second order. One that is above 12 is the day. */
const NUMERIC = /(?<![\d./-])(\d{1,2})([./-])(\d{1,2})\2(?:19|20)\d\d(?!\d)/g;

/** For each function word, the languages that have it. Those of English outvote the others. */
const LANGUAGES_OF = new Map<string, string[]>();
for (const [language, words] of Object.entries(STOP_WORDS)) {
  for (const word of words.split(/\s+/))
    LANGUAGES_OF.set(word, [...(LANGUAGES_OF.get(word) ?? []), language]);
}

/** Letters of words that are in no list. `other` stands for any language in Latin letters but English. */
const SCRIPTS: readonly [language: string, letters: RegExp][] = [
  ["other", /^[\p{sc=Latn}\p{M}]/u],
  ["russian", /^\p{sc=Cyrl}/u],
  ["arabic", /^\p{sc=Arab}/u],
  ["hindi", /^\p{sc=Deva}/u],
  ["korean", /^\p{sc=Hang}/u],
  ["japanese", /^[\p{sc=Hira}\p{sc=Kana}]/u],
  ["chinese", /^\p{sc=Han}/u],
];
const MONTH_FIRST = new Set(["korean", "japanese", "chinese", "hungarian"]);
// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII includes control characters
const ASCII = /^[\u0000-\u007f]*$/;

/** Judges in which language a text is, and in which order it writes the day and the month. */
export function localeOf(text: string): Locale {
  const start = text.slice(0, LOOKED_AT_CHARACTERS);
  const languages = languagesOf(start.toLowerCase());
  const [language] = languages;
  const ofLanguage = language === undefined ? undefined : MONTH_FIRST.has(language) ? "month" : "day";
  return { languages, first: orderOf(start) ?? ofLanguage };
}

function languagesOf(text: string): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const [word] of text.matchAll(WORD)) {
    for (const language of LANGUAGES_OF.get(word) ?? languageOfLetters(word))
      counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  const english = counts.get("english") ?? 0;
  const most = Math.max(...counts.values(), 0);
  if (most <= english) return new Set();
  return new Set([...counts].filter(([, count]) => count === most).map(([language]) => language));
}

function languageOfLetters(word: string): string[] {
  if (ASCII.test(word)) return [];
  const found = SCRIPTS.find(([, letters]) => letters.test(word));
  return found === undefined ? [] : [found[0]];
}

/** The order of the dates that have only one reading, unless they contradict each other. */
function orderOf(text: string): "day" | "month" | undefined {
  const orders = new Set<"day" | "month">();
  for (const [, first, , second] of text.matchAll(NUMERIC)) {
    if (Number(first) > 12 && Number(second) <= 12) orders.add("day");
    if (Number(second) > 12 && Number(first) <= 12) orders.add("month");
  }
  const [order] = orders;
  return orders.size === 1 ? order : undefined;
}
