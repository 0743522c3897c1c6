import { PHRASE_WORDS_MAX, QUERY_PHRASES_MAX, QUERY_WORDS_MAX } from "@engram/spec";
import type { Stem } from "./stems.ts";
import { splitWords } from "./words.ts";

const QUOTED_PHRASE = /(?<![^\s(])["“]([^"“”]*)["”]/gu;

const STOP_WORDS = new Set(
  `a about am an and any are as at be been but by can could did do does for from get had has have he her
  hers him his how i if in into is it its just me my of on or our she should so some than that the their
  them then there these they this those to us was we were what when where which who whom whose why will
  with would you your`.split(/\s+/),
);

export interface Query {
  /** The text to embed, without the quotes of phrases. */
  text: string;
  /**
   * Distinct words to search for, including all words of phrases. Other stop words are left out, unless the query has
   * no other words.
   */
  terms: string[];
  /** Quoted phrases, as lists of terms. */
  phrases: string[][];
  /** Whether a phrase has more than `PHRASE_WORDS_MAX` words. Its words are searched as plain words. */
  isPhraseTooLong: boolean;
}

/**
 * Reads a query with quoted phrases. Everything else in it is plain words: a hyphen begins a flag of a command far more
 * often than an exclusion. A text of several lines was probably pasted, so its quotes are not read. Neither are those
 * after the first `QUERY_PHRASES_MAX` phrases.
 *
 * Of a long text, only the longest words are kept, which are usually the rarest: a search reads all postings
 * (occurrences in messages) of each term.
 */
export function readQuery(stem: Stem, query: string): Query {
  const phrases: string[][] = [];
  let isPhraseTooLong = false;
  const text = /\n/.test(query.trim())
    ? query
    : query.replace(QUOTED_PHRASE, (whole: string, phrase: string) => {
        const words = readPhrase(stem, phrase);
        if (words.length === 0 || phrases.length === QUERY_PHRASES_MAX) return whole;
        if (words.length > PHRASE_WORDS_MAX) {
          isPhraseTooLong = true;
          return whole;
        }
        phrases.push(words);
        return phrase;
      });
  // The words of a phrase are searched even if they are stop words.
  return {
    text,
    terms: mostTelling([...phrases.flat(), ...tellingWords(stem, text)]),
    phrases,
    isPhraseTooLong,
  };
}

export function readWords(stem: Stem, query: string): Query {
  const terms = mostTelling(tellingWords(stem, query));
  return { text: query, terms, phrases: [], isPhraseTooLong: false };
}

/** The terms of a phrase, in order. Empty if the text has no letter or digit. */
export const readPhrase = (stem: Stem, phrase: string): string[] => splitWords(stem, phrase).words;

function tellingWords(stem: Stem, text: string): string[] {
  const { words, identifiers } = splitWords(stem, text, STOP_WORDS);
  return words.length > 0 ? [...words, ...identifiers] : splitWords(stem, text).words;
}

function mostTelling(words: string[]): string[] {
  const distinct = [...new Set(words)];
  if (distinct.length <= QUERY_WORDS_MAX) return distinct;
  return distinct.sort((a, b) => b.length - a.length).slice(0, QUERY_WORDS_MAX);
}
