import type { Corpus } from "@engram/spec";
import { splitWords } from "./words.ts";

/** D1 ends a string at 2,000,000 bytes, and the words of one message travel as one. */
const WORDS_BYTES_MAX = 1_400_000;
const IDENTIFIERS_BYTES_MAX = 300_000;
/** Of no organization: no phrase reaches from one side of it to the other. */
const BREAK = "~";

const encoder = new TextEncoder();

/**
 * What stands before each word in the keyword index, so that a search meets and counts no word of another
 * organization, nor of another corpus.
 */
export const toMark = (organizationNumber: number, corpus: Corpus): string =>
  corpus === "memories" ? `${organizationNumber}m~` : `${organizationNumber}~`;

/**
 * The words of texts as the keyword index takes them: each behind its mark, in order, and behind them what
 * identifiers are found by.
 *
 * Of a text with more words than fit, every distinct word comes before any repeat: it is found by each
 * of them and only counts as less often said. In real writing all of a million bytes fit this way.
 */
export function toIndexedWords(mark: string, texts: string[]): { words: string; token_count: number }[] {
  return texts.map((text) => {
    const { words, identifiers } = splitWords(text);
    const marked = (word: string) => mark + word;
    const kept = fit(words.map(marked));
    const further = take(identifiers.map(marked), IDENTIFIERS_BYTES_MAX);
    const body = further.length === 0 ? kept : [...kept, BREAK, ...further];
    return { words: body.join(" "), token_count: kept.length };
  });
}

/**
 * The words of a speaker's name as the keyword index takes them, so that what somebody said is found by
 * who said it; null without a name.
 */
export function toNameWords(mark: string, name: string | null): string | null {
  const words = name === null ? [] : splitWords(name).words;
  return words.length === 0 ? null : words.map((word) => mark + word).join(" ");
}

const bytesOf = (text: string): number => encoder.encode(text).byteLength;

function fit(words: string[]): string[] {
  const characters = words.reduce((sum, word) => sum + word.length + 1, 0);
  // No character takes more than three bytes, so that most texts need not be measured.
  if (characters * 3 <= WORDS_BYTES_MAX || bytesOf(words.join(" ")) <= WORDS_BYTES_MAX) return words;
  const distinct = new Set(words);
  const met = new Set<string>();
  const repeats = words.filter((word) => met.size === met.add(word).size);
  return take([...distinct, ...repeats], WORDS_BYTES_MAX);
}

/** The first words, as many as fit into so many bytes. */
function take(words: string[], bytesMax: number): string[] {
  let room = bytesMax;
  const end = words.findIndex((word) => {
    room -= bytesOf(word) + 1;
    return room < 0;
  });
  return end < 0 ? words : words.slice(0, end);
}
