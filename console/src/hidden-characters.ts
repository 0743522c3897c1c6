/** A piece of a text: characters to show as they are, or one that a reader would not see. */
export type Piece = { text: string } | { hidden: string };

// Controls but tab and line feed; format characters, such as bidi overrides and zero-width ones; other line separators;
// what Unicode says to ignore, such as fillers, variation selectors and tags; and the empty braille pattern.
const HIDDEN = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

const PICTOGRAPH_BEFORE = /(\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)$/u;
const PICTOGRAPH_AFTER = /^\p{Extended_Pictographic}/u;

/** Splits a text into pieces, so that each hidden character can be shown by its code. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let shown = 0;
  for (const match of text.matchAll(HIDDEN)) {
    const [character] = match;
    if (isPartOfEmoji(text, match.index, character)) continue;
    if (match.index > shown) pieces.push({ text: text.slice(shown, match.index) });
    pieces.push({ hidden: character });
    shown = match.index + character.length;
  }
  if (shown < text.length) pieces.push({ text: text.slice(shown) });
  return pieces;
}

/** A joiner between two pictographs, or the selector after one, makes a single emoji. */
function isPartOfEmoji(text: string, at: number, character: string): boolean {
  if (character !== "\u200d" && character !== "\ufe0f") return false;
  const isAfterOne = PICTOGRAPH_BEFORE.test(text.slice(Math.max(0, at - 2), at));
  return isAfterOne && (character === "\ufe0f" || PICTOGRAPH_AFTER.test(text.slice(at + 1, at + 3)));
}

/** The code point as Unicode writes it, such as `U+202E`. */
export const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
