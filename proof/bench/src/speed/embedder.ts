import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createEmbedder, type Embedder } from "../../../../local/src/embedder/embedder.ts";

const FILE = join(import.meta.dirname, "../../../../local/assets/use-pieces-256d-int8.bin");

/** Engram's built-in embedder, which all other systems use too. */
export function openEmbedder(): Embedder {
  const { buffer, byteOffset, byteLength } = readFileSync(FILE);
  return createEmbedder(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer);
}
