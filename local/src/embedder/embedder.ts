import { createPieceSplitter, type Pieces } from "./pieces.ts";
import { type EmbeddingModel, openVocabulary } from "./vocabulary.ts";
import { splitWords } from "./words.ts";

export interface Embedder extends EmbeddingModel {
  /** The vector has length 1 and is the same on every machine. */
  embed(text: string): Float32Array;
}

/**
 * Words of a text that are embedded; the rest is ignored. Corresponds to bge's limit of 512 tokens: two of
 * these mark the start and the end, and each word is counted as one token.
 */
export const TEXT_WORDS_MAX = 510;

/**
 * A word with at least this number of pieces counts as unknown: it is probably a name, an id, or a word of
 * another language.
 */
const UNKNOWN_PIECES_MIN = 4;
/**
 * Length of the vector that is computed from the hash of an unknown word. The vector of a rare piece has a
 * length of about 1.
 */
const OWN_LENGTH = 1.5;

/**
 * Splits words into pieces of the vocabulary. The vector of a text is the sum of the vectors of these pieces.
 * Rare pieces have longer vectors in the file, and so count more. Each word counts half as written and half
 * in lower case, so that "may" and "May" are similar but not equal. An unknown word also gets a vector
 * computed from a hash of its letters, so that it matches itself.
 *
 * @throws {Error} If `file` is not a file of word vectors.
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
      // Words repeat, so the weights of each piece are added up first and its vector is added only once.
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
      // A text of only punctuation or single letters has no pieces, so its vector is computed from a hash.
      if (sum.every((value) => value === 0)) addHashed(sum, text.trim(), 1);
      return normalize(sum);
    },
  };
}

function addPieces(weights: Map<number, number>, { rows, whole }: Pieces, weight: number): void {
  // If some letters of a word are in no piece, its other pieces say nothing about its meaning.
  if (whole) for (const row of rows) weights.set(row, (weights.get(row) ?? 0) + weight);
}

/**
 * Adds a vector of length `weight`. Each dimension has a pseudo-random sign that depends only on the word.
 */
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

/** The FNV-1a hash, over UTF-16 code units. */
function hash(word: string): number {
  let state = 0x811c9dc5;
  for (let i = 0; i < word.length; i++) state = Math.imul(state ^ word.charCodeAt(i), 0x01000193);
  return state;
}

/** The last step of MurmurHash3. */
function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

function normalize(sum: Float64Array): Float32Array {
  const norm = Math.sqrt(sum.reduce((total, value) => total + value * value, 0));
  return Float32Array.from(sum, (value) => value / norm);
}
