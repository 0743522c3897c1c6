import { createPieceSplitter, type Pieces } from "./pieces.ts";
import { type EmbeddingModel, openVocabulary } from "./vocabulary.ts";
import { splitWords } from "./words.ts";

/** Turns texts into vectors of one model. */
export interface Embedder extends EmbeddingModel {
  /** A text's vector, of length 1. Never NaN; the same text gives the same numbers everywhere. */
  embed(text: string): Float32Array;
}

/** Words that the model reads of a text: bge's 512 tokens less the two around it, were each word one. The rest is cut off. */
export const TEXT_WORDS_MAX = 510;

/** A word of so many pieces is none that the vocabulary means: a name, an id, another language. */
const UNKNOWN_PIECES_MIN = 4;
/** Length of such a word's own direction; a rare piece's is about 1. */
const OWN_LENGTH = 1.5;

/**
 * The built-in embedder over a file of vectors of word pieces.
 *
 * A text is the sum of its pieces, which the file weighs by how rare they are, because an embedder has no
 * corpus to count in. Each word counts half as it is written and half in small letters, so that "may" and
 * "May" meet and yet differ. A word that the vocabulary does not know has a direction of its own from its
 * letters, too, so that it still meets itself.
 *
 * @throws {Error} when it is no such file.
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
      // Texts repeat their words: a piece's vector is added once.
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
      // Nothing but marks or single letters: still a vector, and the same one each time.
      if (sum.every((value) => value === 0)) addHashed(sum, text.trim(), 1);
      return normalize(sum);
    },
  };
}

function addPieces(weights: Map<number, number>, { rows, whole }: Pieces, weight: number): void {
  // Of a word that is only half known the known letters say nothing.
  if (whole) for (const row of rows) weights.set(row, (weights.get(row) ?? 0) + weight);
}

/** Adds a pseudo-random direction that depends on the word alone: a sign for each dimension. */
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

/** Spreads each bit of a number over all 32 (the end of MurmurHash3). */
function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

function normalize(sum: Float64Array): Float32Array {
  const norm = Math.sqrt(sum.reduce((total, value) => total + value * value, 0));
  return Float32Array.from(sum, (value) => value / norm);
}
