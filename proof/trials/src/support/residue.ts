import { readFileSync } from "node:fs";
import { listFiles } from "./files.ts";
import { MARK, MARKER_END_CHARACTERS } from "./sentences.ts";

/** Possible encodings of text in a file. */
const ENCODINGS: { width: 1 | 2; encode(text: string): Buffer; decode(bytes: Buffer): string }[] = [
  { width: 1, encode: (text) => Buffer.from(text, "utf8"), decode: (bytes) => bytes.toString("latin1") },
  { width: 2, encode: (text) => Buffer.from(text, "utf16le"), decode: (bytes) => bytes.toString("utf16le") },
];

/** Number of occurrences of each marker end in the files of a directory, in UTF-8 and UTF-16. */
export function countMarkers(directory: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const file of listFiles(directory)) {
    const bytes = readFileSync(file);
    for (const { width, encode, decode } of ENCODINGS) {
      const mark = encode(MARK);
      for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1)) {
        const from = at + mark.length;
        const end = decode(bytes.subarray(from, from + MARKER_END_CHARACTERS * width));
        counts.set(end, (counts.get(end) ?? 0) + 1);
      }
    }
  }
  return counts;
}

/**
 * A hash of the next characters, of this number of bits, excludes nearly every position where no text begins.
 */
const HASH_BITS = 20;
const HASHED_CHARACTERS = 4;

/**
 * The texts that occur in the files of a directory, in UTF-8 or UTF-16. All must be ASCII, of the same
 * length, and longer than `HASHED_CHARACTERS`.
 */
export function findTexts(directory: string, texts: Iterable<string>): Set<string> {
  const wanted = new Set(texts);
  const [{ length } = ""] = wanted;
  const beginnings = new Uint8Array(1 << HASH_BITS);
  for (const text of wanted) beginnings[hashAt(Buffer.from(text, "latin1"), 0, 1)] = 1;
  const found = new Set<string>();
  for (const file of length > 0 ? listFiles(directory) : []) {
    const bytes = readFileSync(file);
    for (const { width, decode } of ENCODINGS) {
      const last = bytes.length - length * width;
      for (let at = 0; at <= last; at++) {
        if (beginnings[hashAt(bytes, at, width)] !== 1) continue;
        const text = decode(bytes.subarray(at, at + length * width));
        if (wanted.has(text)) found.add(text);
      }
    }
  }
  return found;
}

/** Hash of the characters at a byte offset. */
function hashAt(bytes: Buffer, at: number, width: number): number {
  let characters = 0;
  for (let i = 0; i < HASHED_CHARACTERS; i++) characters = (characters << 8) | (bytes[at + i * width] ?? 0);
  return Math.imul(characters, 0x9e3779b1) >>> (32 - HASH_BITS);
}
