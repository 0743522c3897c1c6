export interface EmbeddingModel {
  model: string;
  dimensions: number;
}

interface Header extends EmbeddingModel {
  count: number;
  wordBytes: number;
  wordsAt: number;
}

export interface Vocabulary extends EmbeddingModel {
  find(word: string): number | undefined;
  addTo(sum: Float64Array, row: number, weight: number): void;
}

const MAGIC = "EGWV";
const FORMAT_VERSION = 1;
const HEADER_AT = 12;

/**
 * Reads only the header of a file of word vectors.
 *
 * File format: "EGWV", the format version and the header's length (both uint32, little-endian), the header as
 * JSON, the words joined by line feeds, one float32 scale per word, one int8 vector per word.
 *
 * @throws {Error} If `file` is not a file of word vectors, or has another format version.
 */
export function readEmbeddingModel(file: ArrayBuffer): EmbeddingModel {
  const { model, dimensions } = readHeader(file);
  return { model, dimensions };
}

/** @throws {Error} When the file is not a word-vector file, or has another version. */
export function openVocabulary(file: ArrayBuffer): Vocabulary {
  const { model, dimensions, count, wordBytes, wordsAt } = readHeader(file);
  const text = new TextDecoder().decode(new Uint8Array(file, wordsAt, wordBytes));
  const rows = new Map(text.split("\n").map((word, row) => [word, row]));
  const scalesAt = wordsAt + wordBytes;
  // `slice` copies: a Float32Array must begin at a multiple of four bytes of its buffer.
  const scales = new Float32Array(file.slice(scalesAt, scalesAt + 4 * count));
  const values = new Int8Array(file, scalesAt + 4 * count, count * dimensions);
  return {
    model,
    dimensions,
    find: (word) => rows.get(word),
    addTo(sum, row, weight) {
      const factor = weight * (scales[row] ?? 0);
      const start = row * dimensions;
      for (let i = 0; i < dimensions; i++) sum[i] = (sum[i] ?? 0) + factor * (values[start + i] ?? 0);
    },
  };
}

function readHeader(file: ArrayBuffer): Header {
  const view = new DataView(file);
  const decoder = new TextDecoder();
  const magic = file.byteLength > HEADER_AT ? decoder.decode(new Uint8Array(file, 0, MAGIC.length)) : "";
  if (magic !== MAGIC) throw new Error("not a file of word vectors");
  const version = view.getUint32(4, true);
  if (version !== FORMAT_VERSION)
    throw new Error(`word vectors of version ${version}, not ${FORMAT_VERSION}`);
  const headerBytes = view.getUint32(8, true);
  const header: { model: string; dimensions: number; count: number; word_bytes: number } = JSON.parse(
    decoder.decode(new Uint8Array(file, HEADER_AT, headerBytes)),
  );
  const { model, dimensions, count } = header;
  return { model, dimensions, count, wordBytes: header.word_bytes, wordsAt: HEADER_AT + headerBytes };
}
