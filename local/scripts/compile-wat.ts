// Compiles the WAT sources of the vector scans to the committed WASM files: node local/scripts/compile-wat.ts
// A test fails when the two differ.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import openWabt from "wabt";

const ROOT = join(import.meta.dirname, "../..");

/** The WASM files. Each has its source beside it. */
export const SCANS = [
  "local/src/vectorize/scan.wasm",
  "service/src/platform/cell-vectors/scan-int8.wasm",
].map((path) => join(ROOT, path));

/** The bytes that the WAT source of a WASM file compiles to. */
export async function compileScan(file: string): Promise<Uint8Array> {
  const wabt = await openWabt();
  const source = file.replace(/\.wasm$/, ".wat");
  return wabt.parseWat(source, readFileSync(source, "utf8"), { simd: true }).toBinary({}).buffer;
}

if (process.argv[1] === import.meta.filename) {
  for (const file of SCANS) {
    const bytes = await compileScan(file);
    writeFileSync(file, bytes);
    console.log(`${file}: ${bytes.length} bytes`);
  }
}
