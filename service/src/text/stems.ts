import porter2 from "wink-porter2-stemmer";
import { IRREGULAR_WORDS } from "./irregular-words.ts";

const ENGLISH = /^[a-z]+$/;
const STEMS_MAX = 20_000;

/**
 * The stem of a word in lower case without accents ("went" is "go"). Words with characters other than a to z are
 * returned unchanged.
 */
export type Stem = (word: string) => string;

/**
 * Creates a stemmer with a cache: stemming takes most of the time of splitting a text into words, and texts repeat
 * words.
 */
export function createStemmer(): Stem {
  const stems = new Map<string, string>();
  return (word) => {
    if (!ENGLISH.test(word)) return word;
    const known = stems.get(word);
    if (known !== undefined) return known;
    if (stems.size === STEMS_MAX) stems.clear();
    const stem = porter2(IRREGULAR_WORDS.get(word) ?? word);
    stems.set(word, stem);
    return stem;
  };
}
