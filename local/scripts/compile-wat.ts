// Compiles src/vectorize/scan.wat to the committed scan.wasm: node local/scripts/compile-wat.ts
// A test fails when the two differ.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import openWabt from "wabt";

const DIRECTORY = join(import.meta.dirname, "../src/vectorize");

/** The bytes that the WAT source compiles to. */
export async function compileScan(): Promise<Uint8Array> {
  const wabt = await openWabt();
  const source = readFileSync(join(DIRECTORY, "scan.wat"), "utf8");
  return wabt.parseWat("scan.wat", source, { simd: true }).toBinary({}).buffer;
}

if (process.argv[1] === import.meta.filename) {
  const bytes = await compileScan();
  writeFileSync(join(DIRECTORY, "scan.wasm"), bytes);
  console.log(`scan.wasm: ${bytes.length} bytes`);
}
