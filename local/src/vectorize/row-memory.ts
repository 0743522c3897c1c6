/** Rows that one block holds: few enough that a thousand small namespaces stay small. */
export const BLOCK_ROWS = 32;

const FLOAT_BYTES = 4;
/** Numbers that the scan takes at a time. */
const LANES = 4;
const PAGE_BYTES = 65_536;
/** Memory grows by at least this much, because each growth makes a new view. */
const GROWTH_PAGES = 64;

interface ScanExports {
  memory: WebAssembly.Memory;
  scan(query: number, rows: number, count: number, stride: number, out: number): void;
}

/**
 * Blocks of vectors of length 1 in one WASM memory, and their dot products with a query.
 *
 * One memory for all namespaces, because an engine reserves gigabytes of addresses for each.
 */
export class RowMemory {
  readonly #scan: ScanExports["scan"];
  readonly #memory: WebAssembly.Memory;
  /** Numbers of a row in memory, padded to whole lanes. */
  readonly #stride: number;
  /** Address of the scores; the query stands at 0. */
  readonly #out: number;
  readonly #free: number[] = [];
  #floats: Float32Array;
  #end: number;

  constructor(module: WebAssembly.Module, dimensions: number) {
    // The exports are those of scan.wat, which a test compiles anew.
    const exports = new WebAssembly.Instance(module).exports as unknown as ScanExports;
    this.#scan = exports.scan;
    this.#memory = exports.memory;
    this.#stride = Math.ceil(dimensions / LANES) * LANES;
    this.#out = this.#stride * FLOAT_BYTES;
    this.#end = this.#out + BLOCK_ROWS * FLOAT_BYTES;
    this.#floats = new Float32Array(this.#memory.buffer);
  }

  /** Takes a block for `BLOCK_ROWS` rows; what it holds is left over from before. */
  allocate(): number {
    const reused = this.#free.pop();
    if (reused !== undefined) return reused;
    const block = this.#end;
    this.#end += BLOCK_ROWS * this.#stride * FLOAT_BYTES;
    const missing = Math.ceil((this.#end - this.#memory.buffer.byteLength) / PAGE_BYTES);
    if (missing > 0) {
      this.#memory.grow(Math.max(missing, GROWTH_PAGES));
      this.#floats = new Float32Array(this.#memory.buffer);
    }
    return block;
  }

  /** Gives a block back. */
  release(block: number): void {
    this.#free.push(block);
  }

  /** Writes a vector, scaled to length 1, into a row of a block. A vector of zeros stays one. */
  write(block: number, row: number, values: Float32Array): void {
    this.#writeAt(this.#rowStart(block, row), values);
  }

  /** Copies a row over another. */
  copy(from: { block: number; row: number }, to: { block: number; row: number }): void {
    const start = this.#rowStart(from.block, from.row);
    this.#floats.copyWithin(this.#rowStart(to.block, to.row), start, start + this.#stride);
  }

  /** Sets what the next scans compare with. */
  setQuery(values: Float32Array): void {
    this.#writeAt(0, values);
  }

  /** Cosine of the query with each of a block's first `count` rows; overwritten by the next call. */
  scan(block: number, count: number): Float32Array {
    this.#scan(0, block, count, this.#stride * FLOAT_BYTES, this.#out);
    const start = this.#out / FLOAT_BYTES;
    return this.#floats.subarray(start, start + count);
  }

  #rowStart(block: number, row: number): number {
    return block / FLOAT_BYTES + row * this.#stride;
  }

  #writeAt(start: number, values: Float32Array): void {
    let squares = 0;
    for (const value of values) squares += value * value;
    const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0;
    for (let i = 0; i < this.#stride; i++) this.#floats[start + i] = (values[i] ?? 0) * scale;
  }
}
