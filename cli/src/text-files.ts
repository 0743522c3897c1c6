import { readFile, stat } from "node:fs/promises";
import { buffer } from "node:stream/consumers";

/** What the service takes of one memory. */
const BYTES_MAX = 1_000_000;
const TOO_LARGE = "is larger than 1,000,000 bytes";

/** A file's text, byte for byte, or what is wrong with the file: "is empty". */
export type TextFile = { text: string } | { flaw: string };

/** Read a file that should be text; `-` is standard input. */
export async function readText(path: string): Promise<TextFile> {
  try {
    if (path === "-") return toText(await buffer(process.stdin));
    const { size } = await stat(path);
    // Not even read: it may be a film.
    return size > BYTES_MAX ? { flaw: TOO_LARGE } : toText(await readFile(path));
  } catch (error) {
    return { flaw: `cannot be read (${(error as NodeJS.ErrnoException).code})` };
  }
}

function toText(bytes: Buffer): TextFile {
  if (bytes.byteLength > BYTES_MAX) return { flaw: TOO_LARGE };
  if (bytes.includes(0)) return { flaw: "is binary" };
  try {
    // A byte order mark is part of the text.
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.trim() === "" ? { flaw: "is empty" } : { text };
  } catch {
    return { flaw: "is not valid UTF-8" };
  }
}
