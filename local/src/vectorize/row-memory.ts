/** Vectors in a block. Small, so that a thousand small namespaces need little memory. */
export const BLOCK_ROWS = 32;

const FLOAT_BYTES = 4;
/** Numbers that one SIMD instruction processes. */
const LANES = 4;
const PAGE_BYTES = 65_536;
/**
 * The memory grows by at least this number of pages, because each growth needs a new typed array over the
 * memory.
 */
const GROWTH_PAGES = 64;

interface ScanExports {
  memory: WebAssembly.Memory;
  scan(query: number, rows: number, count: number, stride: number, out: number): void;
}

/**
 * Holds vectors in blocks of rows and compares them with a query. All namespaces share one WASM memory,
 * because JavaScript engines reserve gigabytes of address space for each WASM memory.
 */
export class RowMemory {
  readonly #scan: ScanExports["scan"];
  readonly #memory: WebAssembly.Memory;
  readonly #stride: number;
  /** Address of the scores. The query is at address 0. */
  readonly #out: number;
  readonly #free: number[] = [];
  #floats: Float32Array;
  #end: number;

  constructor(module: WebAssembly.Module, dimensions: number) {
    // scan.wasm is compiled from scan.wat. A test compiles it again and compares.
    const exports = new WebAssembly.Instance(module).exports as unknown as ScanExports;
    this.#scan = exports.scan;
    this.#memory = exports.memory;
    this.#stride = Math.ceil(dimensions / LANES) * LANES;
    this.#out = this.#stride * FLOAT_BYTES;
    this.#end = this.#out + BLOCK_ROWS * FLOAT_BYTES;
    this.#floats = new Float32Array(this.#memory.buffer);
  }

  /** Returns the address of a block of `BLOCK_ROWS` rows. The block may contain old vectors. */
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

  release(block: number): void {
    this.#free.push(block);
  }

  /** Stores a vector, scaled to length 1. A zero vector stays zero. */
  write(block: number, row: number, values: Float32Array): void {
    this.#writeAt(this.#rowStart(block, row), values);
  }

  copy(from: { block: number; row: number }, to: { block: number; row: number }): void {
    const start = this.#rowStart(from.block, from.row);
    this.#floats.copyWithin(this.#rowStart(to.block, to.row), start, start + this.#stride);
  }

  setQuery(values: Float32Array): void {
    this.#writeAt(0, values);
  }

  /**
   * Cosine similarities of the query and the first `count` vectors of the block. The next call overwrites the
   * result.
   */
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
