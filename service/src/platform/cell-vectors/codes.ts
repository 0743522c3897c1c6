import type { RowFormat } from "../vector-scan/row-memory.ts";

/** Bytes of the scale at the start of a row, padded, so that the codes have the alignment of SIMD instructions. */
const HEAD_BYTES = 16;
/** Codes that one SIMD instruction processes. */
const LANES = 16;
const CODE_MAX = 127;

/** Size of a row of codes. */
export const codeBytes = (dimensions: number): number => HEAD_BYTES + Math.ceil(dimensions / LANES) * LANES;

/** Rows for scan-int8.wasm, as {@link toCodes} makes them. */
export const codeRows = (dimensions: number): RowFormat<Uint8Array> => ({
  bytes: codeBytes(dimensions),
  write: (row, codes) => row.set(codes),
});

/** The vector as float32, scaled to length 1. A zero vector stays zero. */
export function toUnit(values: readonly number[]): Float32Array {
  let squares = 0;
  for (const value of values) squares += value * value;
  const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0;
  return Float32Array.from(values, (value) => value * scale);
}

/**
 * Quantizes a vector to int8, symmetrically, with one scale a vector: its largest absolute value becomes 127. The result
 * is a row: the scale as float32, then the codes, and zeros to the next multiple of 16.
 *
 * Scores of codes only choose candidates. Rescoring them with the vectors themselves gives nearly the recall of an
 * exact search; four candidates for each match are enough (Shakir, Aarsen and Lee, "Binary and Scalar Embedding
 * Quantization", Hugging Face, 2024).
 */
export function toCodes(unit: Float32Array): Uint8Array {
  let largest = 0;
  for (const value of unit) largest = Math.max(largest, Math.abs(value));
  const row = new Uint8Array(codeBytes(unit.length));
  new Float32Array(row.buffer, 0, 1)[0] = largest / CODE_MAX;
  const factor = largest > 0 ? CODE_MAX / largest : 0;
  const codes = new Int8Array(row.buffer, HEAD_BYTES);
  unit.forEach((value, i) => {
    codes[i] = Math.round(value * factor);
  });
  return row;
}

/** Cosine similarity of two vectors of length 1. */
export function dot(left: Float32Array, right: Float32Array): number {
  // Four independent sums are twice as fast as one.
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let i = 0; i < left.length; i += 4) {
    a += (left[i] ?? 0) * (right[i] ?? 0);
    b += (left[i + 1] ?? 0) * (right[i + 1] ?? 0);
    c += (left[i + 2] ?? 0) * (right[i + 2] ?? 0);
    d += (left[i + 3] ?? 0) * (right[i + 3] ?? 0);
  }
  return a + b + c + d;
}
