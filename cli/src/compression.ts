import type { Transform } from "node:stream";
import zlib from "node:zlib";

export type Compression = "deflate" | "gzip" | "zstd";

const SUFFIX = /\.(gz|zst)$/i;

/** The compression that a file's name ends with, and the name without that ending. */
export function compressionOfName(name: string): { plainName: string; compression?: Compression } {
  const [suffix] = SUFFIX.exec(name) ?? [];
  if (suffix === undefined) return { plainName: name };
  return {
    plainName: name.slice(0, -suffix.length),
    compression: suffix.toLowerCase() === ".gz" ? "gzip" : "zstd",
  };
}

const STARTS: readonly [number[], Compression | "zip"][] = [
  [[0x50, 0x4b, 0x03, 0x04], "zip"],
  [[0x1f, 0x8b], "gzip"],
  [[0x28, 0xb5, 0x2f, 0xfd], "zstd"],
];

/** What a file is by its first bytes. Undefined if it is not compressed. */
export const compressionOfStart = (start: Buffer): Compression | "zip" | undefined =>
  STARTS.find(([bytes]) => bytes.every((byte, i) => start[i] === byte))?.[1];

/** A function that creates a stream which decompresses, or why this version of Node has none. */
export function decompressorOf(
  compression: Compression,
  library: Partial<Pick<typeof zlib, "createZstdDecompress">> = zlib,
): (() => Transform) | { flaw: string } {
  if (compression === "deflate") return () => zlib.createInflateRaw();
  if (compression === "gzip") return () => zlib.createGunzip();
  const { createZstdDecompress } = library;
  return createZstdDecompress === undefined
    ? { flaw: "compressed with zstd, which Node before 22.15 cannot read" }
    : () => createZstdDecompress();
}

/** Whether an error says that compressed data is damaged or ends too early. */
export function isDamage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("code" in error && /^(Z_|ZSTD_)/.test(String(error.code))) || isDamage(error.cause);
}
