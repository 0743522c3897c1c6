import type { Corpus } from "@engram/spec";
import { STEP_CHARACTERS, type Steps } from "./pace.ts";
import { splitInSteps, splitWords } from "./words.ts";

/** D1 ends a string at 2,000,000 bytes, and the words of one message travel as one. */
const WORDS_BYTES_MAX = 1_400_000;
const IDENTIFIERS_BYTES_MAX = 300_000;
/** Of no organization: no phrase reaches from one side of it to the other. */
const BREAK = "~";

/** Words that cost about as much to measure as a step's characters to read. */
const STEP_WORDS = 2_048;

/** How often a word of one message counts. Saying it more often makes a message hardly more about it. */
export const COUNTED_REPEATS_MAX = 32;

/**
 * What stands before each word in the keyword index, so that a search meets and counts no word of another
 * organization, nor of another corpus.
 */
export const toMark = (organizationNumber: number, corpus: Corpus): string =>
  corpus === "memories" ? `${organizationNumber}m~` : `${organizationNumber}~`;

/** The words of a text as the keyword index stores them. */
export interface IndexedWords {
  words: string;
  token_count: number;
}

/**
 * The words of a text, each with its mark, in order, and after them the words of its identifiers.
 *
 * Of a text with more words than fit, every distinct word comes before any repeat: it is found by each
 * of them and only counts as less often said. In real writing all of a million bytes fit this way.
 */
export function* toIndexedWords(mark: string, text: string): Steps<IndexedWords> {
  const { words, identifiers } = yield* splitInSteps(text);
  const kept = yield* fit(mark, words);
  const further = yield* take(mark, identifiers, IDENTIFIERS_BYTES_MAX);
  const body = further.length === 0 ? kept : [...kept, BREAK, ...further];
  return { words: body.join(" "), token_count: kept.length };
}

/**
 * The words of a speaker's name as the keyword index takes them, so that what somebody said is found by
 * who said it; null without a name.
 */
export function toNameWords(mark: string, name: string | null): string | null {
  const words = name === null ? [] : splitWords(name).words;
  return words.length === 0 ? null : words.map((word) => mark + word).join(" ");
}

/** Bytes of a text as UTF-8. */
function bytesOf(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x80) continue;
    // Half of a pair has two of its four bytes.
    bytes += code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 1 : 2;
  }
  return bytes;
}

/** The words with their mark; repeats that do not fit are left out. */
function* fit(mark: string, words: string[]): Steps<string[]> {
  const all = yield* take(mark, words, WORDS_BYTES_MAX);
  if (all.length === words.length) return all;
  const distinct = new Set<string>();
  const repeats: string[] = [];
  for (const [i, word] of words.entries()) {
    if (distinct.has(word)) repeats.push(word);
    else distinct.add(word);
    if (i % STEP_WORDS === 0) yield STEP_CHARACTERS;
  }
  return yield* take(mark, [...distinct, ...repeats], WORDS_BYTES_MAX);
}

/** The first words with their mark, as many as fit into some bytes. */
function* take(mark: string, words: string[], bytesMax: number): Steps<string[]> {
  const taken: string[] = [];
  // A blank stands between two.
  let room = bytesMax + 1;
  for (const word of words) {
    room -= mark.length + bytesOf(word) + 1;
    if (room < 0) break;
    if (taken.push(mark + word) % STEP_WORDS === 0) yield STEP_CHARACTERS;
  }
  return taken;
}
