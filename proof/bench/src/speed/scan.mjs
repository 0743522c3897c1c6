// In JavaScript, because the types of WebAssembly come with those of Workers, which conflict with Node's.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { floatRows } from "../../../../local/src/vectorize/float-rows.ts";
import { BLOCK_ROWS, RowMemory } from "../../../../service/src/platform/vector-scan/row-memory.ts";
import { bestRows } from "./vectors.ts";

const FILE = join(import.meta.dirname, "../../../../local/src/vectorize/scan.wasm");

export function createScan({ dimensions, rows, values }, found) {
  const memory = new RowMemory(new WebAssembly.Module(readFileSync(FILE)), floatRows(dimensions));
  const blocks = [];
  for (let from = 0; from < rows; from += BLOCK_ROWS) {
    const block = { at: memory.allocate(), from, count: Math.min(BLOCK_ROWS, rows - from) };
    for (let row = 0; row < block.count; row++) {
      const start = (from + row) * dimensions;
      memory.write(block.at, row, values.subarray(start, start + dimensions));
    }
    blocks.push(block);
  }
  return (query) => {
    const scores = new Float32Array(rows);
    memory.setQuery(query);
    for (const { at, from, count } of blocks) scores.set(memory.scan(at, count), from);
    return bestRows(scores, found);
  };
}
