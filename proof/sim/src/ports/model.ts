import { toUnit } from "../../../../service/src/platform/cell-vectors/codes.ts";

/** Small, because the simulator does not depend on the vectors' quality. */
export const DIMENSIONS = 32;
/** The last dimensions identify the text; the others represent its words. */
const TEXT_PLACES = 4;

/** Moves of one organization in a run, at most. */
const MOVES_MAX = 6;

const WORD = /[\p{L}\p{N}]+/gu;

const words = new Map<string, number[]>();

/** A deterministic vector of a text: similar for texts with the same words, equal only for the same text. */
function embed(text: string): number[] {
  const vector = new Array<number>(DIMENSIONS).fill(0);
  for (const [word] of text.toLowerCase().matchAll(WORD)) {
    const known = words.get(word) ?? noise(word, DIMENSIONS - TEXT_PLACES);
    words.set(word, known);
    for (const [place, value] of known.entries()) vector[place] = (vector[place] ?? 0) + value;
  }
  for (const [place, value] of noise(text, TEXT_PLACES).entries()) {
    vector[DIMENSIONS - TEXT_PLACES + place] = value / 10;
  }
  const length = Math.hypot(...vector);
  return [...Float32Array.from(vector, (value) => value / length)];
}

/** Deterministic numbers between −½ and ½ from a text (FNV-1a, then mulberry32). */
function noise(text: string, count: number): number[] {
  let state = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) state = Math.imul(state ^ text.charCodeAt(i), 0x01000193);
  return Array.from({ length: count }, () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32 - 0.5;
  });
}

/** Embeds texts, and remembers the text of each vector if `isKept`. */
export class EmbeddedTexts {
  readonly #texts = new Map<string, string>();
  readonly #isKept: boolean;

  constructor(isKept: boolean) {
    this.#isKept = isKept;
  }

  embed(text: string): number[] {
    const vector = embed(text);
    // As the index has it, and as a cell has it, also after moves from one to the other.
    let kept: ArrayLike<number> & { join(): string } = vector;
    for (let moves = 0; this.#isKept && moves <= MOVES_MAX; moves++) {
      this.#texts.set(kept.join(), text);
      kept = toUnit(Array.from(kept));
    }
    return vector;
  }

  textOf(vector: Float32Array): string {
    return this.#texts.get(vector.join()) ?? "";
  }
}
