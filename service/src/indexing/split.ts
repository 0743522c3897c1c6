import { countTokens } from "../text/tokens.ts";
import { cut, LINES_FIRST, OVERLAP_TOKENS_MAX } from "./cut.ts";

/** A run of text that stays together, and the message that it comes from. */
export interface Unit {
  sequence: number;
  text: string;
  tokens: number;
}

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
  const pieces =
    countTokens(content) <= room ? [content] : cut(content, room - OVERLAP_TOKENS_MAX - 1, LINES_FIRST);
  return pieces.map((piece, i) => {
    const before = pieces[i - 1];
    const overlap = before === undefined ? "" : cut(before, OVERLAP_TOKENS_MAX, LINES_FIRST).at(-1);
    const text = `${label}${overlap}${piece}`;
    const tokens = countTokens(text);
    if (tokens <= tokensMax) return { sequence, text, tokens };
    // Letters that meet in the middle of a word can cost more together than apart.
    return { sequence, text: label + piece, tokens: countTokens(label + piece) };
  });
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
