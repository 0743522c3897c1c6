import { readFile, stat } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { CONTENT_BYTES_MAX } from "@engram/sdk/limits";

const TOO_LARGE = `is larger than ${CONTENT_BYTES_MAX.toLocaleString("en")} bytes`;

/**
 * `text` is the file's text, byte for byte. `flaw` is what keeps it from being stored, such as "is empty".
 */
export type TextFile = { text: string } | { flaw: string };

/** Reads a file to store. The path `-` is standard input. */
export async function readText(path: string): Promise<TextFile> {
  try {
    if (path === "-") return toText(await buffer(process.stdin));
    const { size } = await stat(path);
    // The file may be very large, so its size is checked first.
    return size > CONTENT_BYTES_MAX ? { flaw: TOO_LARGE } : toText(await readFile(path));
  } catch (error) {
    return { flaw: `cannot be read (${(error as NodeJS.ErrnoException).code})` };
  }
}

function toText(bytes: Buffer): TextFile {
  if (bytes.byteLength > CONTENT_BYTES_MAX) return { flaw: TOO_LARGE };
  if (bytes.includes(0)) return { flaw: "is binary" };
  try {
    // `ignoreBOM: true` keeps a byte order mark, so that the content equals the file byte for byte.
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.trim() === "" ? { flaw: "is empty" } : { text };
  } catch {
    return { flaw: "is not valid UTF-8" };
  }
}
