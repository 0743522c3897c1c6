import { type Corpus, PHRASE_WORDS_MAX } from "@engram/spec";
import { STEP_CHARACTERS, type Steps } from "./pace.ts";
import type { Stem } from "./stems.ts";
import { splitInSteps, splitWords } from "./words.ts";

/** D1 limits a string to 2,000,000 bytes. The terms of one message are one string. */
const WORDS_BYTES_MAX = 1_400_000;
const IDENTIFIERS_BYTES_MAX = 300_000;
/** Belongs to no organization, so no phrase matches across it. */
const BREAK = "~";

const PHRASE_REACH = PHRASE_WORDS_MAX - 1;
/** At most 512 pieces for a million bytes: a row id in `message_phrases` has nine bits for the piece. */
export const PIECE_WORDS = 4_096;
/** Terms that take about as long to measure as the characters of a step take to read. */
const STEP_WORDS = 2_048;

/** More repeats hardly make a message more relevant. */
export const COUNTED_REPEATS_MAX = 32;

/** Keeps a search from matching or counting terms of another organization or corpus. */
export const toTermPrefix = (organizationNumber: number, corpus: Corpus): string =>
  corpus === "memories" ? `${organizationNumber}m~` : `${organizationNumber}~`;

export interface IndexedTerms {
  terms: string;
  /** Pieces of the text around terms that are left out of `words`; empty for most texts. */
  phrases: string[];
  term_count: number;
}

/**
 * Every distinct term can still be found, even when some of its occurrences are left out. A phrase with such
 * an occurrence is in one of `phrases`.
 */
export function* toIndexedTerms(stem: Stem, termPrefix: string, text: string): Steps<IndexedTerms> {
  const { words, identifiers } = yield* splitInSteps(stem, text);
  const toTerm = createPrefixer(termPrefix);
  const { kept, body, isLeftOut } = yield* fit(toTerm, words);
  const phrases = kept === words.length ? [] : yield* toPieces(toTerm, words, isLeftOut);
  const further = yield* take(toTerm, identifiers, IDENTIFIERS_BYTES_MAX);
  if (further.length > 0) body.push(BREAK, ...further);
  return { terms: body.join(" "), phrases, term_count: kept };
}

/** Lets a search for a speaker's name find the speaker's messages. */
export function toNameTerms(stem: Stem, termPrefix: string, name: string | null): string | null {
  const words = name === null ? [] : splitWords(stem, name).words;
  return words.length === 0 ? null : words.map((word) => termPrefix + word).join(" ");
}

function bytesOf(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x80) continue;
    // Half of a surrogate pair accounts for two of its four bytes.
    bytes += code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 1 : 2;
  }
  return bytes;
}

type Prefixer = (word: string) => string;

/** Each distinct term is a single string in memory, however often it is used. */
function createPrefixer(termPrefix: string): Prefixer {
  const known = new Map<string, string>();
  return (word) => {
    const previous = known.get(word);
    if (previous !== undefined) return previous;
    const term = termPrefix + word;
    known.set(word, term);
    return term;
  };
}

/** `body` has a separator for each run of terms that is left out. */
interface Fitted {
  body: string[];
  kept: number;
  /** By position in the text: 1 for a term that is left out. */
  isLeftOut: Uint8Array;
}

function* fit(toTerm: Prefixer, words: string[]): Steps<Fitted> {
  for (let repeats = COUNTED_REPEATS_MAX; ; repeats >>= 1) {
    const fitted = yield* repeatWords(toTerm, words, repeats);
    if (fitted !== null) return fitted;
  }
}

/** Null when the terms do not fit, unless each is already kept only once. */
function* repeatWords(toTerm: Prefixer, words: string[], repeatsMax: number): Steps<Fitted | null> {
  const counts = new Map<string, number>();
  const isLeftOut = new Uint8Array(words.length);
  const body: string[] = [];
  let kept = 0;
  let room = WORDS_BYTES_MAX;
  for (let place = 0; place < words.length; place++) {
    if (place % STEP_WORDS === 0) yield STEP_CHARACTERS;
    const word = words[place] ?? "";
    const count = counts.get(word) ?? 0;
    const term = toTerm(word);
    const bytes = bytesOf(term) + 1;
    if (count < repeatsMax && room >= bytes) {
      counts.set(word, count + 1);
      body.push(term);
      room -= bytes;
      kept++;
      continue;
    }
    if (count < repeatsMax && repeatsMax > 1) return null;
    isLeftOut[place] = 1;
    if (body.at(-1) !== BREAK) {
      body.push(BREAK);
      room -= BREAK.length + 1;
    }
  }
  return { body, kept, isLeftOut };
}

/** The terms within `PHRASE_REACH` of those left out. Each piece repeats the end of the previous one. */
function* toPieces(toTerm: Prefixer, words: string[], isLeftOut: Uint8Array): Steps<string[]> {
  const around: string[] = [];
  let reach = -1;
  let run = 0;
  let next = isLeftOut.indexOf(1);
  for (let place = Math.max(0, next - PHRASE_REACH); place < words.length; place++) {
    if (place % STEP_WORDS === 0) yield STEP_CHARACTERS;
    if (place === next) {
      reach = place + PHRASE_REACH;
      next = isLeftOut.indexOf(1, place + 1);
    }
    if (place > reach && (next < 0 || place < next - PHRASE_REACH)) {
      if (next < 0) break;
      around.push(BREAK);
      run = 0;
      place = next - PHRASE_REACH - 1;
      continue;
    }
    // A run of one term as long as the longest phrase contains every phrase that a longer run does.
    run = words[place] === words[place - 1] ? run + 1 : 1;
    if (run <= PHRASE_WORDS_MAX) around.push(toTerm(words[place] ?? ""));
  }
  const pieces: string[] = [];
  for (let from = 0; from === 0 || from + PHRASE_REACH < around.length; from += PIECE_WORDS - PHRASE_REACH)
    pieces.push(around.slice(from, from + PIECE_WORDS).join(" "));
  return pieces;
}

function* take(toTerm: Prefixer, words: string[], bytesMax: number): Steps<string[]> {
  const taken: string[] = [];
  let room = bytesMax + 1;
  for (const word of words) {
    const term = toTerm(word);
    room -= bytesOf(term) + 1;
    if (room < 0) break;
    if (taken.push(term) % STEP_WORDS === 0) yield STEP_CHARACTERS;
  }
  return taken;
}
