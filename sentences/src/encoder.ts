import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";

const PAGE_BYTES = 65_536;
export const VECTOR_SIZE = 384;

/** What assembly/encoder.ts exports. */
interface Exports {
  memory: WebAssembly.Memory;
  /** Address of the tokens of the text. */
  ids: WebAssembly.Global<"i32">;
  /** Address of the vector. */
  vector: WebAssembly.Global<"i32">;
  /** Address of the weights, to which the memory must be extended. */
  weights: WebAssembly.Global<"i32">;
  tokensMax: WebAssembly.Global<"i32">;
  encode(count: number): void;
}

/** The encoder in WebAssembly. It works in the thread that calls it. */
export class Encoder {
  readonly #exports: Exports;

  /**
   * @param programs In the order of preference. Takes the first one that this version of Node.js can run.
   * @param weights The path of the file that scripts/export.py writes.
   */
  constructor(programs: readonly URL[], weights: URL) {
    const program = programs.map((url) => readFileSync(url)).find((bytes) => WebAssembly.validate(bytes));
    if (program === undefined) throw new Error("This version of Node.js cannot run the sentence model.");
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(program));
    this.#exports = exports as unknown as Exports;
    this.#read(weights);
  }

  get tokensMax(): number {
    return this.#exports.tokensMax.value;
  }

  /** The vector of at most `tokensMax` tokens, of length 1. */
  encode(tokens: readonly number[]): Float32Array {
    const { memory, ids, vector, encode } = this.#exports;
    if (tokens.length > this.tokensMax) throw new RangeError(`${tokens.length} tokens are too many.`);
    new Int32Array(memory.buffer, ids.value, tokens.length).set(tokens);
    encode(tokens.length);
    return new Float32Array(memory.buffer, vector.value, VECTOR_SIZE).slice();
  }

  /** Reads the file into the encoder's memory, without a copy elsewhere. */
  #read(path: URL): void {
    const { memory, weights } = this.#exports;
    const file = openSync(path, "r");
    try {
      const { size } = fstatSync(file);
      memory.grow(Math.ceil((weights.value + size - memory.buffer.byteLength) / PAGE_BYTES));
      const bytes = new Uint8Array(memory.buffer, weights.value, size);
      for (let at = 0; at < size; ) {
        const count = readSync(file, bytes, at, size - at, null);
        if (count === 0) throw new Error("The weights of the sentence model are incomplete.");
        at += count;
      }
    } finally {
      closeSync(file);
    }
  }
}
