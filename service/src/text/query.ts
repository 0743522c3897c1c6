import { PHRASE_WORDS_MAX, QUERY_PHRASES_MAX, QUERY_WORDS_MAX } from "@engram/spec";
import { stopWordsOf } from "./languages.ts";
import type { Stem } from "./stems.ts";
import { type QueryWord, splitQuery, splitWords } from "./words.ts";

const QUOTED_PHRASE = /(?<![^\s(])["“]([^"“”]*)["”]/gu;

export interface Query {
  /** The text to embed, without the quotes of phrases. */
  text: string;
  /**
   * Distinct words to search for, including all words of phrases. Other stop words are left out, unless the query has
   * no other words.
   */
  terms: string[];
  /** Other forms of a term, such as its stem in other languages than English. A message that has one has the term. */
  forms: ReadonlyMap<string, readonly string[]>;
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
  const ofPhrases = phrases.flat().map((term) => ({ term, forms: [] }));
  return {
    text,
    ...mostTelling([...tellingWords(stem, text), ...ofPhrases], ofPhrases),
    phrases,
    isPhraseTooLong,
  };
}

/** The terms and their other forms. */
export const searchedWords = ({ terms, forms }: Pick<Query, "terms" | "forms">): string[] => [
  ...terms,
  ...[...forms.values()].flat(),
];

export function readWords(stem: Stem, query: string): Query {
  return { text: query, ...mostTelling(tellingWords(stem, query)), phrases: [], isPhraseTooLong: false };
}

/** The terms of a phrase, in order. Empty if the text has no letter or digit. */
export const readPhrase = (stem: Stem, phrase: string): string[] => splitWords(stem, phrase).words;

function tellingWords(stem: Stem, text: string): QueryWord[] {
  const words = splitQuery(stem, text);
  const telling = words.filter(({ isStopWord }) => !isStopWord);
  if (telling.length === 0) return words;
  const { identifiers } = splitWords(stem, text, stopWordsOf("english"));
  return [...telling, ...identifiers.map((term) => ({ term, forms: [] }))];
}

/** @param first words whose terms come first. */
function mostTelling(words: QueryWord[], first: QueryWord[] = []): Pick<Query, "terms" | "forms"> {
  const forms = new Map<string, readonly string[]>(first.map(({ term }) => [term, []]));
  for (const word of words) {
    const others = [...new Set([...(forms.get(word.term) ?? []), ...word.forms])];
    forms.set(
      word.term,
      others.filter((form) => form !== word.term),
    );
  }
  const distinct = [...forms.keys()];
  const terms =
    distinct.length <= QUERY_WORDS_MAX
      ? distinct
      : distinct.sort((a, b) => tellingLength(b) - tellingLength(a)).slice(0, QUERY_WORDS_MAX);
  return { terms, forms: new Map(terms.flatMap((term) => toEntry(term, forms.get(term) ?? []))) };
}

const toEntry = (term: string, forms: readonly string[]): [string, readonly string[]][] =>
  forms.length === 0 ? [] : [[term, forms]];

/** A syllable or an ideograph says as much as several letters. */
const SYLLABIC = /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]+$/u;
const tellingLength = (term: string): number => (SYLLABIC.test(term) ? 4 : 1) * term.length;
