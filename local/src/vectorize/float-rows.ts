import type { RowFormat } from "../../../service/src/platform/vector-scan/row-memory.ts";

const FLOAT_BYTES = 4;
/** Numbers that one SIMD instruction processes. */
const LANES = 4;

/** Rows of float32 for scan.wasm. Vectors are scaled to length 1, so that scores are cosine similarities. A zero vector stays zero. */
export function floatRows(dimensions: number): RowFormat<Float32Array> {
  const stride = Math.ceil(dimensions / LANES) * LANES;
  return {
    bytes: stride * FLOAT_BYTES,
    write(row, values) {
      const floats = new Float32Array(row.buffer, row.byteOffset, stride);
      let squares = 0;
      for (const value of values) squares += value * value;
      const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0;
      for (let i = 0; i < stride; i++) floats[i] = (values[i] ?? 0) * scale;
    },
  };
}
