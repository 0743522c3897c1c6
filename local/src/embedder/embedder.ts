import { createPieceSplitter, type Pieces } from "./pieces.ts";
import { type EmbeddingModel, openVocabulary } from "./vocabulary.ts";
import { splitWords } from "./words.ts";

export interface Embedder extends EmbeddingModel {
  /** Computes the vector of a text. It has length 1 and is the same on every machine. */
  embed(text: string): Float32Array;
}

/**
 * Number of words that are read of a text; the rest is ignored. It corresponds to the 512 tokens of bge, the model in
 * production: two are special tokens, and a word counts as one.
 */
export const TEXT_WORDS_MAX = 510;

/**
 * A word that is split into at least this number of pieces counts as unknown: a name, an id, or a word of another
 * language.
 */
const UNKNOWN_PIECES_MIN = 4;
/** Length of the vector that an unknown word gets from a hash. The vector of a rare piece has a length of about 1. */
const OWN_LENGTH = 1.5;

/**
 * Creates the built-in embedder from a file that has a vector for each word piece (part of a word).
 *
 * The vector of a text is the sum of the vectors of its pieces. Rare pieces have longer vectors in the file, and so
 * count more. Each word counts half as written and half in lower case, so that "may" and "May" are similar but not
 * equal. An unknown word also gets a vector computed from a hash of its letters, so that it matches itself.
 *
 * @throws {Error} When the file is not a word-vector file.
 */
export function createEmbedder(file: ArrayBuffer): Embedder {
  const vocabulary = openVocabulary(file);
  const { model, dimensions } = vocabulary;
  const splitPieces = createPieceSplitter(vocabulary);
  return {
    model,
    dimensions,
    embed(text) {
      const sum = new Float64Array(dimensions);
      // Words repeat. The weights of a piece are added first, so that its vector is added once.
      const weights = new Map<number, number>();
      for (const word of splitWords(text, TEXT_WORDS_MAX)) {
        const small = word.toLowerCase();
        const pieces = splitPieces(small);
        addPieces(weights, pieces, 0.5);
        addPieces(weights, word === small ? pieces : splitPieces(word), 0.5);
        const unknown = !pieces.whole || pieces.rows.length >= UNKNOWN_PIECES_MIN;
        if (unknown) addHashed(sum, small, OWN_LENGTH);
      }
      for (const [row, weight] of weights) vocabulary.addTo(sum, row, weight);
      // A text of only punctuation or single letters has no pieces. It gets a vector from a hash of the text.
      if (sum.every((value) => value === 0)) addHashed(sum, text.trim(), 1);
      return normalize(sum);
    },
  };
}

function addPieces(weights: Map<number, number>, { rows, whole }: Pieces, weight: number): void {
  // If some letters of a word are in no piece, its other pieces say nothing about its meaning.
  if (whole) for (const row of rows) weights.set(row, (weights.get(row) ?? 0) + weight);
}

/** Adds a pseudo-random vector that depends only on the word: one sign per dimension. */
function addHashed(sum: Float64Array, word: string, weight: number): void {
  const size = weight / Math.sqrt(sum.length);
  let state = hash(word);
  let bits = 0;
  for (let i = 0; i < sum.length; i++) {
    if (i % 32 === 0) {
      state = (state + 0x9e3779b9) | 0;
      bits = mix(state);
    }
    sum[i] = (sum[i] ?? 0) + ((bits >>> (i % 32)) & 1 ? size : -size);
  }
}

/** The hash function FNV-1a over the UTF-16 code units of a text. */
function hash(word: string): number {
  let state = 0x811c9dc5;
  for (let i = 0; i < word.length; i++) state = Math.imul(state ^ word.charCodeAt(i), 0x01000193);
  return state;
}

/** The last step of MurmurHash3, which makes every bit of the result depend on every bit of the value. */
function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

function normalize(sum: Float64Array): Float32Array {
  const norm = Math.sqrt(sum.reduce((total, value) => total + value * value, 0));
  return Float32Array.from(sum, (value) => value / norm);
}
