import { type Corpus, PHRASE_WORDS_MAX } from "@engram/spec";
import { STEP_CHARACTERS, type Steps } from "./pace.ts";
import type { Stem } from "./stems.ts";
import { splitInSteps, splitWords } from "./words.ts";

/**
 * The terms of a message are stored as one string, and D1 limits a string to 2,000,000 bytes. These are the shares of
 * words, of identifiers, and of other forms of words.
 */
const WORDS_BYTES_MAX = 1_400_000;
const IDENTIFIERS_BYTES_MAX = 300_000;
const FORMS_BYTES_MAX = 200_000;
/** Separates terms that do not follow one another in the text. No query contains it, so no phrase matches across it. */
const BREAK = "~";

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII includes control characters
const ASCII = /^[\u0000-\u007f]*$/;

const PHRASE_REACH = PHRASE_WORDS_MAX - 1;
/**
 * Maximum words in one piece of `phrases`. A million bytes then have at most 512 pieces: a row id in `message_phrases`
 * has nine bits for the piece.
 */
export const PIECE_WORDS = 4_096;
/** Processing this number of words takes about as long as processing `STEP_CHARACTERS` characters. */
const STEP_WORDS = 2_048;

/** Maximum occurrences of a term that are indexed for one message. Further ones hardly change its score. */
export const COUNTED_REPEATS_MAX = 32;

/**
 * Text before each term in the index. It keeps a search from matching terms of another organization, or of memories
 * instead of conversations.
 */
export const toTermPrefix = (organizationNumber: number, corpus: Corpus): string =>
  corpus === "memories" ? `${organizationNumber}m~` : `${organizationNumber}~`;

export interface IndexedTerms {
  terms: string;
  /**
   * Pieces of the text around occurrences that `terms` leaves out, because a term repeats too often. Empty for most
   * texts.
   */
  phrases: string[];
  term_count: number;
}

/**
 * Converts a text into the terms that are indexed. Each distinct term can be found, even if some of its occurrences are
 * left out. Phrases that include such an occurrence are found in `phrases`.
 */
export function* toIndexedTerms(stem: Stem, termPrefix: string, text: string): Steps<IndexedTerms> {
  const { words, identifiers, forms } = yield* splitInSteps(stem, text);
  const toTerm = createPrefixer(termPrefix);
  const { kept, body, isLeftOut } = yield* fit(toTerm, words);
  const phrases = kept === words.length ? [] : yield* toPieces(toTerm, words, isLeftOut);
  const further = yield* take(toTerm, identifiers, IDENTIFIERS_BYTES_MAX);
  further.push(...(yield* take(toTerm, forms, FORMS_BYTES_MAX)));
  if (further.length > 0) body.push(BREAK, ...further);
  return { terms: body.join(" "), phrases, term_count: kept };
}

/**
 * Terms of a speaker's name, so that a search for the name finds the speaker's messages. Null if there is no name or it
 * has no words.
 */
export function toNameTerms(stem: Stem, termPrefix: string, name: string | null): string | null {
  if (name === null) return null;
  const { words, forms } = splitWords(stem, name);
  if (words.length === 0) return null;
  const toTerms = (some: string[]) => some.map((word) => termPrefix + word).join(" ");
  // A name in Latin letters is not inflected.
  return ASCII.test(name) || forms.length === 0
    ? toTerms(words)
    : `${toTerms(words)} ${BREAK} ${toTerms(forms)}`;
}

function bytesOf(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x80) continue;
    // A surrogate pair has four bytes as UTF-8, so each half counts two.
    bytes += code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 1 : 2;
  }
  return bytes;
}

type Prefixer = (word: string) => string;

/** Equal terms share one string, which saves memory. */
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

/** The terms that are kept, in `body`. `BREAK` stands for each run of terms that is left out. */
interface Fitted {
  body: string[];
  kept: number;
  /** For each position in the text, 1 if the term there is left out. */
  isLeftOut: Uint8Array;
}

function* fit(toTerm: Prefixer, words: string[]): Steps<Fitted> {
  for (let repeats = COUNTED_REPEATS_MAX; ; repeats >>= 1) {
    const fitted = yield* repeatWords(toTerm, words, repeats);
    if (fitted !== null) return fitted;
  }
}

/** Keeps up to `repeatsMax` occurrences of each term. Null if these exceed the size limit, unless `repeatsMax` is 1. */
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

/**
 * Pieces that contain the terms that are left out, and the terms within `PHRASE_REACH` of them. A piece begins with the
 * end of the piece before it, so that each phrase is completely in one piece.
 */
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
    // If one term repeats more often in a row than the longest phrase has words, further repeats add no phrase.
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
