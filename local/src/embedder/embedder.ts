import { createPieceSplitter, type Pieces } from "./pieces.ts";
import { type EmbeddingModel, openVocabulary } from "./vocabulary.ts";
import { splitWords } from "./words.ts";

export interface Embedder extends EmbeddingModel {
  /** Vector of length 1. Never NaN. Deterministic on every machine. */
  embed(text: string): Float32Array;
}

/**
 * Upper bound on the words read from a text: bge's 512 tokens less its two special tokens, at one token per
 * word. The rest is ignored.
 */
export const TEXT_WORDS_MAX = 510;

/** A word of this many pieces or more is not in the vocabulary: a name, an id or a word of another language. */
const UNKNOWN_PIECES_MIN = 4;
/** Length of the hashed vector of an unknown word. A rare piece's vector has a length of about 1. */
const OWN_LENGTH = 1.5;

/**
 * The built-in embedder, which reads a file of word-piece vectors.
 *
 * The vector of a text is the sum of its pieces' vectors. The file weights them by rarity, because an
 * embedder has no corpus to count in. Each word counts half as written and half in lower case, so that "may"
 * and "May" are similar but not equal. A word that is not in the vocabulary also gets a vector hashed from
 * its letters, so that it still matches itself.
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
      // Words repeat, so a piece's vector is added once with its total weight.
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
      // A text of only punctuation or single letters still gets a vector, always the same one.
      if (sum.every((value) => value === 0)) addHashed(sum, text.trim(), 1);
      return normalize(sum);
    },
  };
}

function addPieces(weights: Map<number, number>, { rows, whole }: Pieces, weight: number): void {
  // The known letters of a partly known word carry no meaning.
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

/** FNV-1a over UTF-16 units. */
function hash(word: string): number {
  let state = 0x811c9dc5;
  for (let i = 0; i < word.length; i++) state = Math.imul(state ^ word.charCodeAt(i), 0x01000193);
  return state;
}

/** Finalizer of MurmurHash3: spreads each input bit over all 32 bits. */
function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

function normalize(sum: Float64Array): Float32Array {
  const norm = Math.sqrt(sum.reduce((total, value) => total + value * value, 0));
  return Float32Array.from(sum, (value) => value / norm);
}
