import { PHRASE_WORDS_MAX, QUERY_OPERATORS_MAX, QUERY_WORDS_MAX } from "@engram/spec";
import type { Stem } from "./stems.ts";
import { splitWords } from "./words.ts";

/** A quoted phrase, or an exclusion: a hyphen before a quoted phrase or before a word of two letters or more. */
const OPERATOR = /(?<![^\s(])(-?)["“]([^"“”]*)["”]|(?<!\S)-(?=\p{L}[\p{L}\p{N}\p{M}])(\S+)/gu;

const STOP_WORDS = new Set(
  `a about am an and any are as at be been but by can could did do does for from get had has have he her
  hers him his how i if in into is it its just me my of on or our she should so some than that the their
  them then there these they this those to us was we were what when where which who whom whose why will
  with would you your`.split(/\s+/),
);

export interface Query {
  /** The text to embed, without exclusions. */
  text: string;
  /**
   * Distinct words to search for, including all words of phrases. Other stop words are left out, unless the query has
   * no other words.
   */
  terms: string[];
  /** Quoted phrases, as lists of terms. */
  phrases: string[][];
  /** Words or phrases that must not match, as lists of terms. */
  excluded: string[][];
  /** Whether a phrase has more than `PHRASE_WORDS_MAX` words. Its words are searched as plain words. */
  isPhraseTooLong: boolean;
}

/**
 * Reads a query with quoted phrases and exclusions, which are called operators. A text of several lines was probably
 * pasted, so it is read as plain words only. So is a query with nothing but exclusions, and so are operators after the
 * first `QUERY_OPERATORS_MAX`.
 *
 * Of a long text, only the longest words are kept, which are usually the rarest: a search reads all postings
 * (occurrences in messages) of each term.
 */
export function readQuery(stem: Stem, query: string): Query {
  const phrases: string[][] = [];
  const excluded: string[][] = [];
  let isPhraseTooLong = false;
  const text = /\n/.test(query.trim())
    ? query
    : query.replace(OPERATOR, (whole: string, hyphen: string, phrase: string, word: string) => {
        const isExclusion = word !== undefined || hyphen !== "";
        const { words } = splitWords(stem, phrase ?? word);
        if (words.length === 0 || phrases.length + excluded.length === QUERY_OPERATORS_MAX) return whole;
        if (words.length > PHRASE_WORDS_MAX) {
          isPhraseTooLong = true;
          return whole;
        }
        (isExclusion ? excluded : phrases).push(words);
        return isExclusion ? " " : phrase;
      });
  const words = tellingWords(stem, text);
  if (words.length === 0 && excluded.length > 0) return { ...readWords(stem, query), isPhraseTooLong };
  // The words of a phrase are searched even if they are stop words.
  return { text, terms: mostTelling([...phrases.flat(), ...words]), phrases, excluded, isPhraseTooLong };
}

export function readWords(stem: Stem, query: string): Query {
  const terms = mostTelling(tellingWords(stem, query));
  return { text: query, terms, phrases: [], excluded: [], isPhraseTooLong: false };
}

function tellingWords(stem: Stem, text: string): string[] {
  const { words, identifiers } = splitWords(stem, text, STOP_WORDS);
  return words.length > 0 ? [...words, ...identifiers] : splitWords(stem, text).words;
}

function mostTelling(words: string[]): string[] {
  const distinct = [...new Set(words)];
  if (distinct.length <= QUERY_WORDS_MAX) return distinct;
  return distinct.sort((a, b) => b.length - a.length).slice(0, QUERY_WORDS_MAX);
}
