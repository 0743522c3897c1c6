import { EMBED_TOKENS_MAX } from "../platform/embedder.ts";
import { type Block, blocksOf } from "../text/markdown.ts";
import type { Steps } from "../text/pace.ts";
import { countTokens, fitsTokens } from "../text/tokens.ts";
import {
  joinsWord,
  LINES_FIRST,
  lastPiece,
  OVERLAP_TOKENS_MAX,
  SENTENCES_FIRST,
  splitAtBoundaries,
} from "./text-boundaries.ts";

/**
 * A part of a note (the text of a memory), as offsets in UTF-16 code units. The text from `overlapStart` to
 * `end` is embedded.
 */
export interface NoteChunk {
  start: number;
  end: number;
  /** Where the embedded text begins: before `start` if it overlaps the previous chunk, else at `start`. */
  overlapStart: number;
}

/** A text that is not split further. A heading stays in the same chunk as the text after it. */
interface Piece {
  text: string;
  tokens: number;
  isHeading: boolean;
}

/** Maximum number of tokens in a chunk without its overlap. The model's limit includes the overlap. */
const FILL_TOKENS_MAX = EMBED_TOKENS_MAX - OVERLAP_TOKENS_MAX - 1;

/**
 * Splits a Markdown note into chunks that are short enough for the embedding model. Put together, they are the
 * note. An empty note has none.
 *
 * A block that fits into a chunk is not split, even if no room is left for the overlap. A heading stays with the text
 * after it. Longer lists are split between items, tables and code blocks between lines, and other text between
 * sentences. If a piece is still too long, it is split between words, and finally between characters.
 */
export function* chunkNote(content: string): Steps<NoteChunk[]> {
  const note: Block = { kind: "prose", start: 0, blocks: blocksOf(content) };
  yield content.length;
  const pieces = (yield* piecesOf(content, note, content.length)).filter(({ text }) => text !== "");
  const chunks: NoteChunk[] = [];
  let start = 0;
  let before = "";
  for (const text of pack(pieces)) {
    const overlap = lastPiece(before, OVERLAP_TOKENS_MAX, SENTENCES_FIRST);
    const fits = fitsTokens(overlap + text, EMBED_TOKENS_MAX);
    const end = start + text.length;
    chunks.push({ start, end, overlapStart: fits ? start - overlap.length : start });
    start = end;
    before = text;
    yield text.length;
  }
  return chunks;
}

/**
 * Splits a block into pieces that each fit into a chunk. It is kept whole if possible. Otherwise it is split
 * between its child blocks, or at the boundaries for its kind of block.
 */
function* piecesOf(content: string, { kind, start, blocks }: Block, end: number): Steps<Piece[]> {
  const text = content.slice(start, end);
  const body = text.trimEnd();
  const isHeading = kind === "heading";
  if (fitsTokens(body, EMBED_TOKENS_MAX)) {
    yield text.length;
    if (fitsTokens(text, EMBED_TOKENS_MAX)) return [toPiece(text, isHeading)];
    return [toPiece(body, isHeading), ...(yield* splitAtSentences(text.slice(body.length), SENTENCES_FIRST))];
  }
  const first = blocks[0]?.start ?? end;
  const boundaries = kind === "lines" ? LINES_FIRST : SENTENCES_FIRST;
  const pieces = yield* splitAtSentences(content.slice(start, first), boundaries);
  for (const [i, block] of blocks.entries()) {
    for (const piece of yield* piecesOf(content, block, blocks[i + 1]?.start ?? end)) pieces.push(piece);
  }
  return pieces;
}

function* splitAtSentences(text: string, boundaries: RegExp[]): Steps<Piece[]> {
  return (yield* splitAtBoundaries(text, FILL_TOKENS_MAX, boundaries)).map((piece) => toPiece(piece, false));
}

/** Counts one token more than the text has: two texts put together can have one more than both separately. */
const toPiece = (text: string, isHeading: boolean): Piece => ({
  text,
  tokens: countTokens(text) + 1,
  isHeading,
});

/** Puts pieces together, in order, as long as they fit into a chunk. Keeps headings with the text after them. */
function pack(pieces: Piece[]): string[] {
  const chunks: Piece[][] = [];
  let chunk: Piece[] = [];
  for (const piece of pieces) {
    if (!joins(chunk, piece)) {
      const headingsStart = chunk.findLastIndex(({ isHeading }) => !isHeading) + 1;
      const headings = chunk.slice(headingsStart);
      const move = headingsStart > 0 && joins(headings, piece);
      chunks.push(move ? chunk.slice(0, headingsStart) : chunk);
      chunk = move ? headings : [];
    }
    chunk.push(piece);
  }
  return (chunk.length > 0 ? [...chunks, chunk] : chunks).map(textOf);
}

/**
 * Whether a chunk has room for one more piece and for the overlap. If the chunk has only headings so far, the piece
 * is added even if no room is left for the overlap.
 */
function joins(chunk: Piece[], piece: Piece): boolean {
  const last = chunk.at(-1);
  if (last === undefined) return true;
  if (joinsWord(last.text, piece.text)) return false;
  const tokens = chunk.reduce((sum, each) => sum + each.tokens, piece.tokens);
  if (tokens <= FILL_TOKENS_MAX) return true;
  return chunk.every(({ isHeading }) => isHeading) && fitsTokens(textOf([...chunk, piece]), EMBED_TOKENS_MAX);
}

const textOf = (pieces: Piece[]): string => pieces.map(({ text }) => text).join("");
