import type { DATE_NAMES } from "../generated/date-names.ts";

/** Languages whose names of months are read, as codes of ISO 639-1. */
export type Language = keyof typeof DATE_NAMES | "en";

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

/** The most frequent words of each language. Those of English outvote the others. */
const FREQUENT: Record<string, string> = {
  en: "the and of to in is was were are we you i it on at for with that this what when did do does have has not a an my by from",
  de: "der die das und ist nicht wir ich am vom den dem mit auf für ein eine einen zum zur bis wann was wer hat haben war im von zu bei nach wie",
  es: "el la los las de y que en un una por con del es se al no lo para cuándo qué como día reunión",
  fr: "le la les des et du est une un que pour dans au aux je pas quand sur avec ce qui de en il elle on se nous réunion",
  it: "il lo la gli le di che e un una per con del della è si non quando cosa sono in da al dal nel riunione",
  pt: "o os a as de e que um uma para com do da dos das em no na não quando se por dia reunião",
  nl: "de het een en van ik je niet op met voor is wij we wanneer wat was er dat zijn aan te bij",
  tr: "ve bir bu için ile da ne mi mı ben biz ve çok toplantı tarihinde günü",
  pl: "i w na nie się do z jest to że od kiedy co dnia o dla po jak",
};

const LANGUAGES_OF = new Map<string, string[]>();
for (const [language, words] of Object.entries(FREQUENT)) {
  for (const word of words.split(" ")) LANGUAGES_OF.set(word, [...(LANGUAGES_OF.get(word) ?? []), language]);
}

/** Letters of words that are in no list. `other` stands for any language in Latin letters but English. */
const SCRIPTS: readonly [language: string, letters: RegExp][] = [
  ["other", /^[\p{sc=Latn}\p{M}]/u],
  ["ru", /^\p{sc=Cyrl}/u],
  ["ar", /^\p{sc=Arab}/u],
  ["hi", /^\p{sc=Deva}/u],
  ["ko", /^\p{sc=Hang}/u],
  ["ja", /^[\p{sc=Hira}\p{sc=Kana}]/u],
  ["zh", /^\p{sc=Han}/u],
];
const MONTH_FIRST = new Set(["ko", "ja", "zh"]);
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
  const english = counts.get("en") ?? 0;
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
