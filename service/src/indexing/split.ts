import { countTokens } from "../text/tokens.ts";

/** A run of text that stays together, and the message that it comes from. */
export interface Unit {
  sequence: number;
  text: string;
  tokens: number;
}

/** Text repeated from one part to the next, at most, in tokens. */
const OVERLAP_TOKENS_MAX = 64;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are ASCII too
const ASCII = /^[\u0000-\u007f]*$/;
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
/** Longest character kept whole, in UTF-16 units; real ones are half as long. */
const CHARACTER_UNITS_MAX = 21;

/** Where a text may be cut, best first: behind a blank line, a line, a sentence, a word. */
const CUTS = [/(?<=\n[^\S\n]*\n)/, /(?<=\n)/, /(?<=[.!?…]["')\]]*\s)|(?<=[。！？])/, /(?<=\s)/];

/**
 * A message as units that each fit into `tokensMax` behind their label. A short message is one unit;
 * a long one is cut at the best places that make small enough pieces, each behind the short end of the
 * one before. Nothing is left out.
 */
export function splitText(
  label: string,
  message: { sequence: number; content: string },
  tokensMax: number,
): Unit[] {
  const { sequence, content } = message;
  const room = tokensMax - countTokens(label) - 1;
  const pieces = countTokens(content) <= room ? [content] : cut(content, room - OVERLAP_TOKENS_MAX - 1, 0);
  return pieces.map((piece, i) => {
    const before = pieces[i - 1];
    const overlap = before === undefined ? "" : cut(before, OVERLAP_TOKENS_MAX, 0).at(-1);
    const text = `${label}${overlap}${piece}`;
    const tokens = countTokens(text);
    if (tokens <= tokensMax) return { sequence, text, tokens };
    // Letters that meet in the middle of a word can cost more together than apart.
    return { sequence, text: label + piece, tokens: countTokens(label + piece) };
  });
}

function cut(text: string, room: number, level: number): string[] {
  if (text.length === 1 || countTokens(text) <= room) return [text];
  const boundary = CUTS[level];
  if (boundary === undefined) return cutAnywhere(text, room);
  return merge(
    text.split(boundary).flatMap((piece) => cut(piece, room, level + 1)),
    room,
  );
}

/** Neighbouring pieces joined while they fit, so that cutting small does not mean many pieces. */
function merge(pieces: string[], room: number): string[] {
  const merged: string[] = [];
  let tokens = 0;
  for (const piece of pieces) {
    const size = (piece.length === 1 ? tokensMaxOf(piece) : countTokens(piece)) + 1;
    const last = merged.at(-1);
    if (last !== undefined && tokens + size <= room && !meetInWord(last, piece)) {
      merged[merged.length - 1] = last + piece;
      tokens += size;
    } else {
      merged.push(piece);
      tokens = size;
    }
  }
  return merged;
}

/** Whether two texts would make one word: its letters can cost more than theirs. */
const meetInWord = (before: string, after: string): boolean =>
  /^[A-Za-z]/.test(after) && /[A-Za-z]/.test(before.charAt(before.length - 1));

/** One endless word: cut by characters, never inside of one. */
function cutAnywhere(text: string, room: number): string[] {
  const pieces: string[] = [];
  let piece = "";
  let tokens = 0;
  for (const character of charactersOf(text)) {
    const size = tokensMaxOf(character);
    if (tokens + size > room && piece !== "") {
      pieces.push(piece);
      piece = "";
      tokens = 0;
    }
    piece += character;
    tokens += size;
  }
  return [...pieces, piece];
}

/** Characters as readers see them, an emoji of several code points among them; one without end by code points. */
function* charactersOf(text: string): Generator<string> {
  if (ASCII.test(text)) {
    yield* text;
    return;
  }
  for (const { segment } of graphemes.segment(text)) {
    if (segment.length <= CHARACTER_UNITS_MAX) yield segment;
    else yield* segment;
  }
}

/** Most tokens that a character can add to a text: its bytes as UTF-8. */
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

/** Units packed into parts of at most `tokensMax`, each part beginning with the short end of the one before. */
export function packUnits(units: Unit[], tokensMax: number): Unit[][] {
  const parts: Unit[][] = [];
  let part: Unit[] = [];
  let tokens = 0;
  for (const unit of units) {
    if (tokens + unit.tokens + 1 > tokensMax && part.length > 0) {
      parts.push(part);
      const last = part.at(-1);
      const repeated =
        last && last.tokens <= OVERLAP_TOKENS_MAX && last.tokens + unit.tokens + 2 <= tokensMax;
      part = last && repeated ? [last] : [];
      tokens = last && repeated ? last.tokens + 1 : 0;
    }
    part.push(unit);
    tokens += unit.tokens + 1;
  }
  return part.length > 0 ? [...parts, part] : parts;
}
