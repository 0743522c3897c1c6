/** Length of the vectors: short, since nothing here depends on how good they are. */
export const DIMENSIONS = 32;
/** The last places say which text it was; the others say its words. */
const TEXT_PLACES = 4;

const WORD = /[\p{L}\p{N}]+/gu;

const words = new Map<string, number[]>();

/**
 * A vector that follows from the text alone: near that of a text with the same words, equal for no other
 * text.
 */
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

/** Numbers between −½ and ½ that follow from a text (FNV-1a, then mulberry32). */
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

/** Embeds, and remembers of each vector which text it stands for. */
export class EmbeddedTexts {
  readonly #texts = new Map<string, string>();

  embed(text: string): number[] {
    const vector = embed(text);
    this.#texts.set(vector.join(), text);
    return vector;
  }

  /** The text of a vector that was given out. */
  textOf(vector: Float32Array): string {
    return this.#texts.get(vector.join()) ?? "";
  }
}
