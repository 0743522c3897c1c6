/** What a word-vector file says of itself. */
export interface EmbeddingModel {
  /** Id to name in `env.AI.run`. */
  model: string;
  dimensions: number;
}

interface Header extends EmbeddingModel {
  count: number;
  wordBytes: number;
  /** Where the words start, in bytes. */
  wordsAt: number;
}

/** Word pieces by falling frequency, each with its vector. */
export interface Vocabulary extends EmbeddingModel {
  /** Place of a piece, 0 being the most frequent, or undefined when it is not known. */
  find(word: string): number | undefined;
  /** Adds a piece's vector, times `weight`, to `sum`. */
  addTo(sum: Float64Array, row: number, weight: number): void;
}

const MAGIC = "EGWV";
const FORMAT_VERSION = 1;
const HEADER_AT = 12;

/**
 * Read which model a word-vector file holds, without reading its words.
 *
 * The file: "EGWV", the format's version and the header's length (both uint32, little-endian), the
 * header as JSON, the words joined by line feeds, one float32 scale a word, one int8 row a word.
 *
 * @throws {Error} when it is no such file, or of another version.
 */
export function readEmbeddingModel(file: ArrayBuffer): EmbeddingModel {
  const { model, dimensions } = readHeader(file);
  return { model, dimensions };
}

/**
 * Open a word-vector file for looking words up.
 *
 * @throws {Error} when it is no such file, or of another version.
 */
export function openVocabulary(file: ArrayBuffer): Vocabulary {
  const { model, dimensions, count, wordBytes, wordsAt } = readHeader(file);
  const text = new TextDecoder().decode(new Uint8Array(file, wordsAt, wordBytes));
  const rows = new Map(text.split("\n").map((word, row) => [word, row]));
  const scalesAt = wordsAt + wordBytes;
  // Copied, because a view of float32 must start at a multiple of four.
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
