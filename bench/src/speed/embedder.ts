import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createEmbedder, type Embedder } from "../../../local/src/embedder/embedder.ts";

const FILE = join(import.meta.dirname, "../../../local/assets/use-pieces-256d-int8.bin");

/** The embedder that Engram has built in, for every other system to use, too. */
export function openEmbedder(): Embedder {
  const { buffer, byteOffset, byteLength } = readFileSync(FILE);
  return createEmbedder(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer);
}
