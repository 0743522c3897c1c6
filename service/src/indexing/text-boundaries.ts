import { runAtOnce, STEP_CHARACTERS, type Steps } from "../text/pace.ts";
import { countTokens, fitsTokens } from "../text/tokens.ts";

/** Maximum overlap of two parts of a text, in tokens. */
export const OVERLAP_TOKENS_MAX = 64;

// biome-ignore lint/suspicious/noControlCharactersInRegex: texts can contain control characters
const ONE_UNIT_EACH = /^[\u0000-\u000c\u000e-\u007f]*$/;
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
/**
 * A character (grapheme cluster) with more UTF-16 code units than this is split. Characters of real texts have
 * at most half as many.
 */
const CHARACTER_UNITS_MAX = 21;

const BLANK_LINE = /(?<=\n[^\S\n]*\n)/;
const LINE = /(?<=\n|\r(?!\n))/;
// The end of a sentence, after the whitespace. Not between CR and LF, and not before a combining mark.
const SENTENCE = /(?<=[.!?…]["')\]]*\s)(?<!\r(?=\n))(?!\p{M})|(?<=[。！？])(?!\p{M})/u;
const WORD = /(?<=\s)(?<!\r(?=\n))(?!\p{M})/u;

/** Boundaries for text whose line breaks have meaning, best first. */
export const LINES_FIRST = [BLANK_LINE, LINE, SENTENCE, WORD];
/** Boundaries for prose, best first. Its line breaks may come from hard wrapping. */
export const SENTENCES_FIRST = [BLANK_LINE, SENTENCE, LINE, WORD];

/**
 * Splits a text into pieces of at most `room` tokens. A piece that is too long is split at the first kind of
 * `boundaries` that makes it short enough, or between characters if none does. Put together, the pieces are the text.
 */
export function* splitAtBoundaries(text: string, room: number, boundaries: RegExp[]): Steps<string[]> {
  if (text.length === 1 || fitsTokens(text, room)) return [text];
  const [boundary, ...finer] = boundaries;
  if (boundary === undefined) return yield* splitBetweenCharacters(text, room);
  const pieces: string[] = [];
  let read = 0;
  for (const piece of text.split(boundary)) {
    // Most pieces are small, and a generator for each would cost more than its work.
    if (piece.length === 1 || fitsTokens(piece, room)) pieces.push(piece);
    else for (const part of yield* splitAtBoundaries(piece, room, finer)) pieces.push(part);
    read += piece.length;
    if (read < STEP_CHARACTERS) continue;
    yield read;
    read = 0;
  }
  return yield* merge(pieces, room);
}

export const lastPiece = (text: string, room: number, boundaries: RegExp[]): string =>
  runAtOnce(splitAtBoundaries(text, room, boundaries)).at(-1) ?? "";

/** Joins neighboring pieces while they fit, so that small cuts do not produce many pieces. */
function* merge(pieces: string[], room: number): Steps<string[]> {
  const merged: string[] = [];
  let tokens = 0;
  let read = 0;
  for (const piece of pieces) {
    read += piece.length;
    if (read >= STEP_CHARACTERS) {
      yield read;
      read = 0;
    }
    const size = (piece.length === 1 ? tokensMaxOf(piece) : countTokens(piece)) + 1;
    const last = merged.at(-1);
    if (last !== undefined && tokens + size <= room && !joinsWord(last, piece)) {
      merged[merged.length - 1] = last + piece;
      tokens += size;
    } else {
      merged.push(piece);
      tokens = size;
    }
  }
  return merged;
}

/** Whether two texts put together form one word, which can have more tokens than both separately. */
export const joinsWord = (before: string, after: string): boolean =>
  /^[A-Za-z]/.test(after) && /[A-Za-z]/.test(before.charAt(before.length - 1));

/** Splits a very long word between characters. */
function* splitBetweenCharacters(text: string, room: number): Steps<string[]> {
  const pieces: string[] = [];
  let piece = "";
  let tokens = 0;
  for (const character of charactersOf(text)) {
    const size = tokensMaxOf(character);
    if (tokens + size > room && piece !== "") {
      yield piece.length;
      pieces.push(piece);
      piece = "";
      tokens = 0;
    }
    piece += character;
    tokens += size;
  }
  return [...pieces, piece];
}

/**
 * Yields characters as readers see them (grapheme clusters), such as an emoji of several code points. One that is
 * too long is split into code points.
 */
function* charactersOf(text: string): Generator<string> {
  if (ONE_UNIT_EACH.test(text)) {
    yield* text;
    return;
  }
  for (const { segment } of graphemes.segment(text)) {
    if (segment.length <= CHARACTER_UNITS_MAX) yield segment;
    else yield* segment;
  }
}

/** Upper bound on the tokens that a character adds to a text: its bytes as UTF-8. */
function tokensMaxOf(character: string): number {
  let bytes = 0;
  for (const part of character) {
    const code = part.codePointAt(0) ?? 0;
    if (code < 0x80) bytes += 1;
    else if (code < 0x800) bytes += 2;
    else bytes += code < 0x10000 ? 3 : 4;
  }
  return bytes;
}
