import type { Steps } from "../text/pace.ts";
import { countTokens, fitsTokens } from "../text/tokens.ts";
import type { NoteChunk } from "./note-chunks.ts";
import { LINES_FIRST, lastPiece, OVERLAP_TOKENS_MAX, splitAtBoundaries } from "./text-boundaries.ts";

/** A text that is not split further: a message or a part of one, with the number of the message. */
export interface Unit {
  sequence: number;
  text: string;
  tokens: number;
  /** Position in a memory; absent for messages. */
  position?: NoteChunk;
}

/**
 * Splits a message into units. Each has at most `tokensMax` tokens, including its label, the name of the speaker. A
 * short message is one unit. A long one is split at the best boundaries that make the parts short enough, and each
 * part begins with the end of the one before it. No text is left out.
 */
export function* splitText(
  label: string,
  message: { sequence: number; content: string },
  tokensMax: number,
): Steps<Unit[]> {
  const { sequence, content } = message;
  const room = tokensMax - countTokens(label) - 1;
  const pieces = fitsTokens(content, room)
    ? [content]
    : yield* splitAtBoundaries(content, room - OVERLAP_TOKENS_MAX - 1, LINES_FIRST);
  const units: Unit[] = [];
  for (const [i, piece] of pieces.entries()) {
    const before = pieces[i - 1];
    const overlap = before === undefined ? "" : lastPiece(before, OVERLAP_TOKENS_MAX, LINES_FIRST);
    const text = `${label}${overlap}${piece}`;
    const tokens = countTokens(text);
    // Concatenation inside a word can cost more tokens than the two parts apart.
    const unit = tokens <= tokensMax ? { text, tokens } : toUnit(label + piece);
    units.push({ sequence, ...unit });
    yield text.length;
  }
  return units;
}

const toUnit = (text: string) => ({ text, tokens: countTokens(text) });

/**
 * Puts units together into parts of at most `tokensMax` tokens. A part begins with the last unit of the one before
 * it, if that unit is short.
 */
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
