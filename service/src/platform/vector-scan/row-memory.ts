/**
 * Vectors in a block. Small, so that a thousand small namespaces need little memory. A multiple of the rows that a WASM
 * module scores at a time.
 */
export const BLOCK_ROWS = 32;

const FLOAT_BYTES = 4;
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

/** How a vector is written as a row that a WASM module can compare. */
export interface RowFormat<Value> {
  /** Size of a row, a multiple of 16. */
  bytes: number;
  /** Writes all bytes of a row, which may contain an old vector. */
  write(row: Uint8Array, value: Value): void;
}

/**
 * Holds vectors in blocks of rows and compares them with a query. All namespaces share one WASM memory,
 * because JavaScript engines reserve gigabytes of address space for each WASM memory.
 */
export class RowMemory<Value> {
  readonly #scan: ScanExports["scan"];
  readonly #memory: WebAssembly.Memory;
  readonly #format: RowFormat<Value>;
  /** Address of the scores. The query is at address 0. */
  readonly #out: number;
  readonly #free: number[] = [];
  #bytes: Uint8Array;
  #scores: Float32Array;
  #end: number;

  /** @param module exports a memory and a function `scan` that reads rows in this format. */
  constructor(module: WebAssembly.Module, format: RowFormat<Value>) {
    const exports = new WebAssembly.Instance(module).exports as unknown as ScanExports;
    this.#scan = exports.scan;
    this.#memory = exports.memory;
    this.#format = format;
    this.#out = format.bytes;
    this.#end = this.#out + BLOCK_ROWS * FLOAT_BYTES;
    this.#bytes = new Uint8Array(this.#memory.buffer);
    this.#scores = new Float32Array(this.#memory.buffer, this.#out, BLOCK_ROWS);
  }

  /** Returns the address of a block of `BLOCK_ROWS` rows. The block may contain old vectors. */
  allocate(): number {
    const reused = this.#free.pop();
    if (reused !== undefined) return reused;
    const block = this.#end;
    this.#end += BLOCK_ROWS * this.#format.bytes;
    const missing = Math.ceil((this.#end - this.#memory.buffer.byteLength) / PAGE_BYTES);
    if (missing > 0) {
      this.#memory.grow(Math.max(missing, GROWTH_PAGES));
      this.#bytes = new Uint8Array(this.#memory.buffer);
      this.#scores = new Float32Array(this.#memory.buffer, this.#out, BLOCK_ROWS);
    }
    return block;
  }

  release(block: number): void {
    this.#free.push(block);
  }

  write(block: number, row: number, value: Value): void {
    this.#writeAt(this.#rowStart(block, row), value);
  }

  copy(from: { block: number; row: number }, to: { block: number; row: number }): void {
    const start = this.#rowStart(from.block, from.row);
    this.#bytes.copyWithin(this.#rowStart(to.block, to.row), start, start + this.#format.bytes);
  }

  setQuery(value: Value): void {
    this.#writeAt(0, value);
  }

  /** Scores of the first `count` vectors of the block. The next call overwrites the result. */
  scan(block: number, count: number): Float32Array {
    this.#scan(0, block, count, this.#format.bytes, this.#out);
    return this.#scores.subarray(0, count);
  }

  #rowStart(block: number, row: number): number {
    return block + row * this.#format.bytes;
  }

  #writeAt(start: number, value: Value): void {
    this.#format.write(this.#bytes.subarray(start, start + this.#format.bytes), value);
  }
}
