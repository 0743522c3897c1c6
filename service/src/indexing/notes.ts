import { EMBED_TOKENS_MAX } from "../ports/embedder.ts";
import { type Block, blocksOf } from "../text/markdown.ts";
import type { Steps } from "../text/pace.ts";
import { countTokens, fitsTokens } from "../text/tokens.ts";
import { cut, LINES_FIRST, lastPiece, meetInWord, OVERLAP_TOKENS_MAX, SENTENCES_FIRST } from "./cut.ts";

/** A part of a note, in UTF-16 units; what is embedded is the text from `overlapStart` to `end`. */
export interface NoteChunk {
  start: number;
  end: number;
  /** At `start`, or before it by the end of the chunk before. */
  overlapStart: number;
}

/** Text that is never cut, and whether it is the heading of what follows. */
interface Piece {
  text: string;
  tokens: number;
  isHeading: boolean;
}

/** What a chunk is filled up to, so that the overlap fits in front of it. */
const FILL_TOKENS_MAX = EMBED_TOKENS_MAX - OVERLAP_TOKENS_MAX - 1;

/**
 * A note in Markdown as chunks that each fit into the embedder, in order and without gaps: their texts put
 * together are the note; an empty note has none.
 *
 * A block that fits into a chunk is not cut, even if no room is left for the overlap, and a heading goes
 * with what follows it. A longer list is cut between items, a table or a fence between lines, prose
 * between sentences; then between words, and at last between characters.
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

/** A block as pieces that fit into a chunk each: whole, or cut between its blocks, or as its kind has it. */
function* piecesOf(content: string, { kind, start, blocks }: Block, end: number): Steps<Piece[]> {
  const text = content.slice(start, end);
  const body = text.trimEnd();
  const isHeading = kind === "heading";
  if (fitsTokens(body, EMBED_TOKENS_MAX)) {
    yield text.length;
    if (fitsTokens(text, EMBED_TOKENS_MAX)) return [toPiece(text, isHeading)];
    return [toPiece(body, isHeading), ...(yield* cutText(text.slice(body.length), SENTENCES_FIRST))];
  }
  const first = blocks[0]?.start ?? end;
  const boundaries = kind === "lines" ? LINES_FIRST : SENTENCES_FIRST;
  const pieces = yield* cutText(content.slice(start, first), boundaries);
  for (const [i, block] of blocks.entries()) {
    for (const piece of yield* piecesOf(content, block, blocks[i + 1]?.start ?? end)) pieces.push(piece);
  }
  return pieces;
}

function* cutText(text: string, boundaries: RegExp[]): Steps<Piece[]> {
  return (yield* cut(text, FILL_TOKENS_MAX, boundaries)).map((piece) => toPiece(piece, false));
}

/** With one token more than the text has: two texts put together can cost that. */
const toPiece = (text: string, isHeading: boolean): Piece => ({
  text,
  tokens: countTokens(text) + 1,
  isHeading,
});

/** Pieces put together in order while they fit, headings with what follows them. */
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

/** Whether a chunk takes one more piece: within the room beside the overlap, behind headings alone within all of it. */
function joins(chunk: Piece[], piece: Piece): boolean {
  const last = chunk.at(-1);
  if (last === undefined) return true;
  if (meetInWord(last.text, piece.text)) return false;
  const tokens = chunk.reduce((sum, each) => sum + each.tokens, piece.tokens);
  if (tokens <= FILL_TOKENS_MAX) return true;
  return chunk.every(({ isHeading }) => isHeading) && fitsTokens(textOf([...chunk, piece]), EMBED_TOKENS_MAX);
}

const textOf = (pieces: Piece[]): string => pieces.map(({ text }) => text).join("");
