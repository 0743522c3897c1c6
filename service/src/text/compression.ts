import { constants, gunzipSync, gzipSync } from "node:zlib";
import type { Pace } from "./pace.ts";

/** Up to this size, no text is compressed: the gzip header and trailer would outweigh the gain. */
const RAW_BYTES_MAX = 128;
/** Up to this size, only repetitive texts are compressed: compression takes longer than all other work on them. */
const SHORT_BYTES_MAX = 512;
/**
 * A text is repetitive if at least this share of its trigrams (three bytes in a row) repeat. Otherwise base64 adds more
 * than gzip saves.
 */
const REPEATED_MIN = 0.15;

const COMPRESSED_AT_ONCE_BYTES = 32_768;
/** Compressing this number of bytes takes as long as splitting one character of text into words. */
const BYTES_PER_CHARACTER = 4;

export type ContentEncoding = "raw" | "gzip+base64";

export interface StoredText {
  content: string;
  encoding: ContentEncoding;
  /** Length of the original text in bytes of UTF-8. */
  bytes: number;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Compresses the text if that makes its JSON form shorter. */
export async function encodeText(text: string, pace: Pace): Promise<StoredText> {
  const bytes = encoder.encode(text);
  const raw: StoredText = { content: text, encoding: "raw", bytes: bytes.byteLength };
  if (bytes.byteLength <= RAW_BYTES_MAX) return raw;
  if (bytes.byteLength <= SHORT_BYTES_MAX && repeatedShare(bytes) < REPEATED_MIN) return raw;
  const compressed =
    bytes.byteLength <= COMPRESSED_AT_ONCE_BYTES ? gzipSync(bytes) : await gzip([bytes], pace);
  const packed = compressed.toBase64();
  // Rows are sent to D1 as JSON, where a control character takes six bytes.
  const rawBytes = encoder.encode(JSON.stringify(text)).byteLength;
  return packed.length < rawBytes
    ? { content: packed, encoding: "gzip+base64", bytes: bytes.byteLength }
    : raw;
}

function repeatedShare(bytes: Uint8Array): number {
  const count = bytes.length - 2;
  const distinct = new Set<number>();
  let trigram = 0;
  for (const [i, byte] of bytes.entries()) {
    trigram = ((trigram << 8) | byte) & 0xffffff;
    if (i >= 2) distinct.add(trigram);
  }
  return 1 - distinct.size / count;
}

/** From this compressed size on, texts are decompressed with a stream, during which other requests run. */
const STREAMED_FROM_BYTES = 32_768;

/** @throws {Error} if the stored text is damaged. */
export async function decodeText(content: string, encoding: ContentEncoding | null): Promise<string> {
  if (encoding !== "gzip+base64") return content;
  const packed = Uint8Array.fromBase64(content);
  return decoder.decode(
    packed.byteLength < STREAMED_FROM_BYTES ? gunzipSync(packed) : await decompress(packed),
  );
}

/**
 * The first `charactersMax` characters of a text whose stored form may be cut. Fewer if what is left of the stored form has
 * no more.
 */
export function excerptOf(content: string, encoding: ContentEncoding | null, charactersMax: number): string {
  const text = encoding === "gzip+base64" ? decompressedStart(content) : content;
  return text.slice(0, charactersMax).replace(HALF_CHARACTER, "");
}

/** The first half of a surrogate pair at the end. */
const HALF_CHARACTER = /[\ud800-\udbff]$/;
const BASE64_CHARACTERS = 4;

function decompressedStart(base64: string): string {
  const packed = Uint8Array.fromBase64(base64.slice(0, base64.length - (base64.length % BASE64_CHARACTERS)));
  // Decompresses what there is, where `Z_FINISH` would fail at a missing end.
  const bytes = gunzipSync(packed, { finishFlush: constants.Z_SYNC_FLUSH });
  // With `stream`, an incomplete character at the end is left out.
  return new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(bytes, { stream: true });
}

/** Compresses in slices with pauses between them, because a stream compresses each write without a pause. */
export async function gzip(
  texts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  pace: Pace,
): Promise<Uint8Array> {
  const stream = new CompressionStream("gzip");
  const packed = new Response(stream.readable).arrayBuffer();
  const writer: WritableStreamDefaultWriter<BufferSource> = stream.writable.getWriter();
  for await (const bytes of texts) {
    for (let i = 0; i < bytes.length; i += COMPRESSED_AT_ONCE_BYTES) {
      await writer.write(bytes.subarray(i, i + COMPRESSED_AT_ONCE_BYTES) as Uint8Array<ArrayBuffer>);
      await pace.count(COMPRESSED_AT_ONCE_BYTES / BYTES_PER_CHARACTER);
    }
  }
  await writer.close();
  return new Uint8Array(await packed);
}

async function decompress(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
