import { type Corpus, PHRASE_WORDS_MAX } from "@engram/spec";
import { STEP_CHARACTERS, type Steps } from "./pace.ts";
import { splitInSteps, splitWords } from "./words.ts";

/** D1 ends a string at 2,000,000 bytes, and the words of one message travel as one. */
const WORDS_BYTES_MAX = 1_400_000;
const IDENTIFIERS_BYTES_MAX = 300_000;
/** Of no organization: no phrase reaches from one side of it to the other. */
const BREAK = "~";

/** Words on each side of a word that a phrase with it may reach. */
const PHRASE_REACH = PHRASE_WORDS_MAX - 1;
/** Words of one piece. No text of a million bytes has more than 512 pieces. */
export const PIECE_WORDS = 4_096;
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
  /** Pieces of the text around words that are left out of `words`; none of most texts. */
  phrases: string[];
  /** Words of the text in `words`. */
  token_count: number;
}

/**
 * The words of a text, each with its mark, in order, and after them the words of its identifiers.
 *
 * A word is kept 32 times at most, and fewer times if the words do not fit otherwise: then every distinct word is
 * found, and only counts as less often said. A phrase that has a word left out stands in one of `phrases`.
 */
export function* toIndexedWords(mark: string, text: string): Steps<IndexedWords> {
  const { words, identifiers } = yield* splitInSteps(text);
  const marked = createMarker(mark);
  const { kept, body, isLeftOut } = yield* fit(marked, words);
  const phrases = kept === words.length ? [] : yield* toPieces(marked, words, isLeftOut);
  const further = yield* take(marked, identifiers, IDENTIFIERS_BYTES_MAX);
  if (further.length > 0) body.push(BREAK, ...further);
  return { words: body.join(" "), phrases, token_count: kept };
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

type Marker = (word: string) => string;

/** Puts the mark in front of words. Each distinct word is one string in memory, however often it is used. */
function createMarker(mark: string): Marker {
  const known = new Map<string, string>();
  return (word) => {
    const before = known.get(word);
    if (before !== undefined) return before;
    const marked = mark + word;
    known.set(word, marked);
    return marked;
  };
}

/** Words with their mark, and a break for each run of words that is left out. */
interface Fitted {
  body: string[];
  /** Words in the body. */
  kept: number;
  /** By place in the text: 1 for a word that is left out. */
  isLeftOut: Uint8Array;
}

/** As many repeats of each word as fit, the first ones. */
function* fit(marked: Marker, words: string[]): Steps<Fitted> {
  for (let repeats = COUNTED_REPEATS_MAX; ; repeats >>= 1) {
    const fitted = yield* repeatWords(marked, words, repeats);
    if (fitted !== null) return fitted;
  }
}

/** Each word so many times at most; null when they do not fit, unless each comes only once. */
function* repeatWords(marked: Marker, words: string[], repeatsMax: number): Steps<Fitted | null> {
  const counts = new Map<string, number>();
  const isLeftOut = new Uint8Array(words.length);
  const body: string[] = [];
  let kept = 0;
  let room = WORDS_BYTES_MAX;
  for (let place = 0; place < words.length; place++) {
    if (place % STEP_WORDS === 0) yield STEP_CHARACTERS;
    const word = words[place] ?? "";
    const count = counts.get(word) ?? 0;
    const own = marked(word);
    const bytes = bytesOf(own) + 1;
    if (count < repeatsMax && room >= bytes) {
      counts.set(word, count + 1);
      body.push(own);
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

/** The words within a phrase's reach of what is left out, in order, in pieces of which each repeats the end of the last. */
function* toPieces(marked: Marker, words: string[], isLeftOut: Uint8Array): Steps<string[]> {
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
    // A run as long as the longest phrase holds every phrase that a longer one does.
    run = words[place] === words[place - 1] ? run + 1 : 1;
    if (run <= PHRASE_WORDS_MAX) around.push(marked(words[place] ?? ""));
  }
  const pieces: string[] = [];
  for (let from = 0; from === 0 || from + PHRASE_REACH < around.length; from += PIECE_WORDS - PHRASE_REACH)
    pieces.push(around.slice(from, from + PIECE_WORDS).join(" "));
  return pieces;
}

/** The first words with their mark, as many as fit into some bytes. */
function* take(marked: Marker, words: string[], bytesMax: number): Steps<string[]> {
  const taken: string[] = [];
  // A blank stands between two.
  let room = bytesMax + 1;
  for (const word of words) {
    const own = marked(word);
    room -= bytesOf(own) + 1;
    if (room < 0) break;
    if (taken.push(own) % STEP_WORDS === 0) yield STEP_CHARACTERS;
  }
  return taken;
}
