import { fold } from "./fold.ts";
import { IRREGULAR_WORDS } from "./irregular-words.ts";
import { type Language, STOP_WORDS } from "./stop-words.ts";
import { isFrequentWord } from "./word-frequencies.ts";

const LANGUAGES = Object.keys(STOP_WORDS) as Language[];
const BITS = new Map(LANGUAGES.map((language, i) => [language, 1 << i]));
const bitOf = (language: Language): number => BITS.get(language) ?? 0;
const ENGLISH_BIT = bitOf("english");

/** Languages in Latin letters that inflect words. A short text in an unknown language may be in any of them. */
const LATIN: readonly Language[] = [
  ...(["german", "spanish", "french", "italian", "portuguese", "dutch", "swedish", "norwegian"] as const),
  ...(["danish", "finnish", "hungarian", "turkish", "romanian", "polish", "czech"] as const),
];
/** For scripts that show which languages a word can be in, those that stem it unless the text shows another one. */
const OF_SCRIPT: readonly (readonly [script: RegExp, languages: readonly Language[]])[] = [
  [/\p{sc=Cyrl}/u, ["russian", "ukrainian"]],
  [/\p{sc=Grek}/u, ["greek"]],
  [/\p{sc=Deva}/u, ["hindi"]],
];
/** A text of more words is not called unknown: it is code, data or a language that has no list. */
const UNKNOWN_WORDS_MAX = 12;
/** A text in two languages has this share of stop words of the second, compared with the first. */
const SECOND_SHARE = 0.5;

const lists = new Map<Language, ReadonlySet<string>>();

/** The function words of a language, folded, as `splitWords` compares them. */
export function stopWordsOf(language: Language): ReadonlySet<string> {
  const known = lists.get(language);
  if (known !== undefined) return known;
  const list = new Set(STOP_WORDS[language].split(/\s+/).map((word) => fold(word)));
  lists.set(language, list);
  return list;
}

/** For each function word, the languages that have it, as bits. */
let masks: ReadonlyMap<string, number> | undefined;

function masksOfWords(): ReadonlyMap<string, number> {
  masks ??= toMasks();
  return masks;
}

function toMasks(): ReadonlyMap<string, number> {
  const all = new Map<string, number>();
  for (const language of LANGUAGES)
    for (const word of stopWordsOf(language)) all.set(word, (all.get(word) ?? 0) | bitOf(language));
  // A single letter, or a word that English often uses in another meaning ("die"), shows no language.
  for (const [word, mask] of all)
    if (
      (mask & ENGLISH_BIT) === 0 &&
      /^[a-z]+$/.test(word) &&
      (word.length === 1 || isFrequentWord(IRREGULAR_WORDS.get(word) ?? word))
    )
      all.delete(word);
  return all;
}

export interface Inflected {
  languages: readonly Language[];
  /** Whether no language was recognized, so that these are all that a word may be in. */
  isUnknown: boolean;
}

/** Counts the function words of a text, by which its languages are recognized. */
export class LanguageCounter {
  /** Whether a word has an apostrophe that may divide it. */
  hasDivided = false;
  /** Whether a word has letters of another script than Latin. */
  hasOtherScript = false;
  readonly #masks = masksOfWords();
  /** For each combination of languages without English, how many words are function words of just these. */
  #counts: Map<number, number> | null = null;
  /** Function words of English only. */
  #english = 0;
  #words = 0;

  /** @param word folded, without an apostrophe. "I'm" is not "im". */
  add(word: string): void {
    this.#words++;
    const mask = this.#masks.get(word);
    if (mask === undefined) return;
    if (mask === ENGLISH_BIT) this.#english++;
    else if ((mask & ENGLISH_BIT) === 0) {
      this.#counts ??= new Map();
      this.#counts.set(mask, (this.#counts.get(mask) ?? 0) + 1);
    }
  }

  /** Adds "don't" or "it's". */
  addContraction(): void {
    this.#words++;
    this.#english++;
  }

  /** The languages besides English, most likely first. Empty for a text in English or without enough evidence. */
  recognized(): Language[] {
    const counts = this.#counts;
    if (counts === null) return [];
    const scores = LANGUAGES.map((language) => {
      let score = 0;
      for (const [mask, count] of counts) if ((mask & bitOf(language)) !== 0) score += count;
      return { language, score };
    });
    // Among words of English, a single other one is a name or a misspelling.
    const least = this.#english === 0 ? 1 : 2;
    const most = Math.max(this.#english, ...scores.map(({ score }) => score));
    return scores
      .filter(({ score }) => score >= least && score >= SECOND_SHARE * most)
      .sort((a, b) => b.score - a.score)
      .map(({ language }) => language);
  }

  /** The languages whose rules for endings apply to the words of the text. */
  inflected(): Inflected {
    const languages = this.recognized();
    const isUnknown = languages.length === 0 && this.#english === 0 && this.#words <= UNKNOWN_WORDS_MAX;
    return { languages: isUnknown ? LATIN : languages, isUnknown };
  }
}

/**
 * The languages whose rules apply to a word.
 *
 * @param languages of its text.
 */
export function languagesOfWord(word: string, languages: readonly Language[]): readonly Language[] {
  for (const [script, ofScript] of OF_SCRIPT) {
    if (!script.test(word)) continue;
    const shown = languages.filter((language) => script.test(STOP_WORDS[language]));
    return shown.length > 0 ? shown : ofScript;
  }
  return languages;
}
