import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { Tokenizer } from "@huggingface/tokenizers";
import { env, InferenceSession, Tensor } from "onnxruntime-web/wasm";

/** The model was trained on at most this number of tokens, including the two that mark the start and the end. */
const TOKENS_MAX = 256;

const ASSETS = new URL("../assets/", import.meta.url);
const RUNTIME = "ort-wasm-simd-threaded.wasm";

/** all-MiniLM-L6-v2 in onnxruntime's WebAssembly. It works in the thread that calls it. */
export class SentenceModel {
  readonly #tokenizer: Tokenizer;
  readonly #session: InferenceSession;

  private constructor(tokenizer: Tokenizer, session: InferenceSession) {
    this.#tokenizer = tokenizer;
    this.#session = session;
  }

  static async load(): Promise<SentenceModel> {
    env.wasm.numThreads = 1;
    env.wasm.wasmBinary = new Uint8Array(readFileSync(runtimePath())).buffer;
    const tokenizer = new Tokenizer(JSON.parse(readFileSync(new URL("tokenizer.json", ASSETS), "utf8")), {});
    const session = await InferenceSession.create(readFileSync(new URL("all-minilm-l6-v2-u8.onnx", ASSETS)), {
      executionProviders: ["wasm"],
    });
    return new SentenceModel(tokenizer, session);
  }

  /** The vector has the length 1. It does not depend on the end of a text of more than 256 tokens. */
  async embed(text: string): Promise<Float32Array> {
    const { ids } = this.#tokenizer.encode(text);
    // The last token marks the end.
    if (ids.length > TOKENS_MAX) ids.splice(TOKENS_MAX - 1, ids.length - TOKENS_MAX);
    const { embedding } = await this.#session.run({
      input_ids: toTensor(ids),
      attention_mask: toTensor(ids.map(() => 1)),
    });
    return Float32Array.from(embedding?.data as Float32Array);
  }
}

function toTensor(values: number[]): Tensor {
  return new Tensor("int64", BigInt64Array.from(values, BigInt), [1, values.length]);
}

/** The published package has a copy of the file beside its program. */
function runtimePath(): string {
  const own = fileURLToPath(new URL(RUNTIME, import.meta.url));
  return existsSync(own) ? own : createRequire(import.meta.url).resolve(`onnxruntime-web/${RUNTIME}`);
}
