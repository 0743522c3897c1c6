import { readFileSync } from "node:fs";
import { Tokenizer } from "@huggingface/tokenizers";
import { Encoder, VECTOR_SIZE } from "./encoder.ts";

/** Tokens of a part, including the two that mark its start and end. The model was trained on texts of this length. */
const PART_TOKENS_MAX = 128;
/** Enough for the longest texts that Engram embeds. */
const PARTS_MAX = 5;
/** A text is read if at least this share of its letters is Latin. The model knows few words in other scripts. */
const LATIN_SHARE_MIN = 0.5;

const ASSETS = new URL("../assets/", import.meta.url);
const PROGRAMS = ["encoder.wasm", "encoder-plain.wasm"].map((name) => new URL(name, ASSETS));

/** all-MiniLM-L6-v2. It works in the thread that calls it. */
export class SentenceModel {
  readonly #tokenizer = new Tokenizer(
    JSON.parse(readFileSync(new URL("tokenizer.json", ASSETS), "utf8")),
    {},
  );
  readonly #encoder: Encoder;

  constructor(programs: readonly URL[] = PROGRAMS) {
    this.#encoder = new Encoder(programs, new URL("all-minilm-l6-v2.bin", ASSETS));
  }

  /**
   * The vector has the length 1. That of a long text is the mean of those of its parts. It is zero for a text in a
   * script that the model does not read.
   */
  embed(text: string): Float32Array {
    const vector = new Float32Array(VECTOR_SIZE);
    if (!isRead(text)) return vector;
    for (const part of toParts(this.#tokenizer.encode(text).ids)) {
      this.#encoder.encode(part).forEach((value, i) => {
        vector[i] = (vector[i] ?? 0) + part.length * value;
      });
    }
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  }
}

/** Parts of about the same length, each with the tokens that mark the start and the end of a text. */
function toParts(ids: readonly number[]): number[][] {
  const [start = 0] = ids;
  const end = ids.at(-1) ?? 0;
  const room = PART_TOKENS_MAX - 2;
  const content = ids.slice(1, -1).slice(0, PARTS_MAX * room);
  const count = Math.max(1, Math.ceil(content.length / room));
  const size = Math.ceil(content.length / count);
  return Array.from({ length: count }, (_, i) => [start, ...content.slice(i * size, (i + 1) * size), end]);
}

function isRead(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  return latin >= LATIN_SHARE_MIN * letters;
}
