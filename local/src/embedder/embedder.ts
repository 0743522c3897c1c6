import { type EmbeddingModel, openVocabulary, type Vocabulary } from "./vocabulary.ts";
import { splitWords } from "./words.ts";

/** Turns texts into vectors of one model. */
export interface Embedder extends EmbeddingModel {
  /** A text's vector, of length 1. Never NaN; the same text gives the same numbers everywhere. */
  embed(text: string): Float32Array;
}

/** What the model reads of a text: 512 tokens less the two that bge puts around it. The rest is cut off. */
export const TEXT_TOKENS_MAX = 510;

/** Words more frequent than this lose weight (the "a" of smooth inverse frequency). */
const FREQUENCY_PIVOT = 5e-4;
/** Σ 1/rank over GloVe's 400,000 words: by Zipf, the word at a rank has the frequency 1 / (rank × this). */
const ZIPF_SUM = Math.log(400_000) + 0.5772;
/** Weight of a word without a vector: that of a rare word, whose row is somewhat shorter than 1. */
const UNKNOWN_WEIGHT = 0.7;
/** Endings to try without, when a word is not known. */
const ENDINGS = [
  ["ies", "y"],
  ["es", ""],
  ["s", ""],
  ["ing", ""],
  ["ing", "e"],
  ["ed", ""],
] as const;
/** Shortest word, in UTF-16 units, that endings are taken from. */
const ENDING_WORD_LENGTH_MIN = 5;

/**
 * The built-in embedder over a file of word vectors.
 *
 * A text is the sum of its words, each weighted by how rare its rank makes it, because an embedder has
 * no corpus to count in. A word without a vector (a name, an id, another language) gets a direction
 * of its own from its letters, so that it still meets itself.
 *
 * @throws {Error} when it is no such file.
 */
export function createEmbedder(file: ArrayBuffer): Embedder {
  const vocabulary = openVocabulary(file);
  const { model, dimensions } = vocabulary;
  return {
    model,
    dimensions,
    embed(text) {
      const sum = new Float64Array(dimensions);
      for (const word of splitWords(text, TEXT_TOKENS_MAX, (known) => vocabulary.find(known) !== undefined)) {
        addWord(sum, word, vocabulary);
      }
      // Nothing but marks or single letters: still a vector, and the same one each time.
      if (sum.every((value) => value === 0)) addHashed(sum, text.trim(), 1);
      return normalize(sum);
    },
  };
}

function addWord(sum: Float64Array, word: string, vocabulary: Vocabulary): void {
  const plain = withoutAccents(word);
  const row = vocabulary.find(word) ?? findPlain(plain, vocabulary);
  if (row !== undefined) vocabulary.addTo(sum, row, wordWeight(row));
  else addHashed(sum, hasEnding(plain, "s") ? plain.slice(0, -1) : plain, UNKNOWN_WEIGHT);
}

/** From 0.02 for "the" to nearly 1 for a rare word. */
function wordWeight(row: number): number {
  const frequency = 1 / ((row + 1) * ZIPF_SUM);
  return FREQUENCY_PIVOT / (FREQUENCY_PIVOT + frequency);
}

/** Latin letters without their accents; marks of other scripts are part of the word. */
function withoutAccents(word: string): string {
  return word
    .normalize("NFKD")
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, "")
    .normalize("NFC");
}

/** A word without accents as it stands, else without its ending. */
function findPlain(word: string, vocabulary: Vocabulary): number | undefined {
  const found = vocabulary.find(word);
  if (found !== undefined) return found;
  for (const [ending, replacement] of ENDINGS) {
    if (!hasEnding(word, ending)) continue;
    const stem = vocabulary.find(word.slice(0, -ending.length) + replacement);
    if (stem !== undefined) return stem;
  }
  return undefined;
}

function hasEnding(word: string, ending: string): boolean {
  return word.length >= ENDING_WORD_LENGTH_MIN && word.endsWith(ending);
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
