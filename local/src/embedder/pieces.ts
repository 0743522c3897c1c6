import type { Vocabulary } from "./vocabulary.ts";

/** Marks the first piece of a word in the vocabulary. */
const WORD_START = "▁";
/** Maximum length of a piece in UTF-16 code units, including `WORD_START`. */
const PIECE_LENGTH_MAX = 20;

export interface Pieces {
  rows: number[];
  /** True if the pieces cover every letter of the word. */
  whole: boolean;
}

/**
 * Words whose pieces are cached. Finding the pieces takes most of the embedder's time, and texts repeat
 * words.
 */
const REMEMBERED_MAX = 20_000;

/**
 * Splits a word: takes the longest piece of the vocabulary at its start, then the longest piece at the start
 * of the rest, and so on.
 */
export function createPieceSplitter(vocabulary: Vocabulary): (word: string) => Pieces {
  const remembered = new Map<string, Pieces>();
  return (word) => {
    const known = remembered.get(word);
    if (known !== undefined) return known;
    if (remembered.size === REMEMBERED_MAX) remembered.clear();
    const pieces = splitPieces(word, vocabulary);
    remembered.set(word, pieces);
    return pieces;
  };
}

function splitPieces(word: string, vocabulary: Vocabulary): Pieces {
  const text = WORD_START + word;
  const rows: number[] = [];
  let whole = true;
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + PIECE_LENGTH_MAX);
    let row = vocabulary.find(text.slice(start, end));
    while (row === undefined && end > start + 1) row = vocabulary.find(text.slice(start, --end));
    if (row !== undefined) rows.push(row);
    // If nothing is found at the start, `WORD_START` is skipped: no piece begins with it and the first
    // letter.
    else if (start > 0) whole = false;
    start = end;
  }
  return { rows, whole };
}
