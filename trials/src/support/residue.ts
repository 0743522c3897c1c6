import { readFileSync } from "node:fs";
import { listFiles } from "./files.ts";
import { MARK, MARKER_END_CHARACTERS } from "./sentences.ts";

/** How text may lie in a file. */
const ENCODINGS: { width: 1 | 2; encode(text: string): Buffer; decode(bytes: Buffer): string }[] = [
  { width: 1, encode: (text) => Buffer.from(text, "utf8"), decode: (bytes) => bytes.toString("latin1") },
  { width: 2, encode: (text) => Buffer.from(text, "utf16le"), decode: (bytes) => bytes.toString("utf16le") },
];

/** How often the end of a marker stands in the files of a directory, by that end; UTF-8 and UTF-16. */
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
