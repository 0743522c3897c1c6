import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The built-in embedder's file, as a bundle's Data module gives it. */
export function readWordVectors(): ArrayBuffer {
  return Uint8Array.from(readFileSync(join(import.meta.dirname, "../../assets/use-pieces-256d-int8.bin")))
    .buffer;
}
