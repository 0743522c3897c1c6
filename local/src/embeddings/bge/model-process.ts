// This program runs the model bge in a separate process, because computing a vector blocks a thread for up to
// a second, and because a crash in native code must not end the service.
import { createRequire } from "node:module";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import type { EmbedMessage, ModelMessage, ModelProcessOptions } from "./messages.ts";
import { createModelFetch } from "./model-fetch.ts";

/**
 * Weights of the model as 8-bit integers. On two cores, a text of 200 tokens takes 0.09 s; with 32-bit
 * floats, it takes 0.29 s. The download is 110 MB instead of 440, and memory stays under 1 GB.
 */
const DTYPE = "q8";
const PROGRESS_INTERVAL_MS = 100;
/** Only errors are logged: the warnings of transformers.js are about harmless conditions. */
const LOG_LEVEL_ERROR = 40;

/**
 * The parts of transformers.js that are used. Its own types are not available, because the package is
 * installed only when the model is used.
 */
interface Transformers {
  env: {
    remoteHost: string;
    cacheDir: string;
    allowLocalModels: boolean;
    logLevel: number;
    fetch: typeof fetch;
  };
  AutoTokenizer: { from_pretrained(repository: string): Promise<Tokenizer> };
  AutoModel: {
    from_pretrained(
      repository: string,
      options: { dtype: string; progress_callback: (progress: Progress) => void },
    ): Promise<Model>;
  };
}

interface Tokens {
  input_ids: { dims: number[]; data: BigInt64Array };
}

interface Tokenizer {
  (texts: string[], options: { truncation: true; max_length: number }): Tokens;
  model_max_length: number;
  sep_token_id: number | undefined;
}

interface Model {
  (tokens: Tokens): Promise<{ last_hidden_state?: { data: Float32Array } }>;
  config: { hidden_size?: number; max_position_embeddings?: number };
}

interface Progress {
  status: string;
  loaded?: number;
  total?: number;
}

const options: ModelProcessOptions = JSON.parse(process.argv[2] ?? "");
const { specification } = options;
const hub = createModelFetch();

// Ctrl-C also reaches this process, but is ignored: the parent process ends this one.
process.on("SIGINT", () => {});
// SIGKILL and not `process.exit`, which would first take time to shut ONNX Runtime down.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));

try {
  const embed = await loadModel();
  process.on("message", ({ id, text }: EmbedMessage) => {
    embed(text).then(
      (vector) => tell({ type: "embedded", id, vector }),
      (error: unknown) => tell({ type: "refused", id, reason: reasonOf(error) }),
    );
  });
  // The model is loaded. From now on, the service has a higher priority than this process.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  tell({ type: "ready" });
} catch (error) {
  const { failure } = hub;
  tell({ type: "failed", reason: failure ?? reasonOf(error), fetched: failure === undefined });
}

async function loadModel(): Promise<(text: string) => Promise<Float32Array>> {
  const require = createRequire(join(options.packagesPath, "package.json"));
  const { env, AutoModel, AutoTokenizer }: Transformers = require("@huggingface/transformers");
  env.remoteHost = options.hub;
  env.cacheDir = options.modelsPath;
  env.allowLocalModels = false;
  env.logLevel = LOG_LEVEL_ERROR;
  env.fetch = hub.fetch;
  const { repository, dimensions } = specification;
  // The tokenizer is loaded before the model, so that a problem with its small files is found before the
  // large download.
  const tokenizer = await AutoTokenizer.from_pretrained(repository);
  const model = await AutoModel.from_pretrained(repository, {
    dtype: DTYPE,
    progress_callback: tellProgress(),
  });
  const tokensMax = Math.min(tokenizer.model_max_length, model.config.max_position_embeddings ?? 512);
  const embed = async (text: string): Promise<Float32Array> => {
    const tokens = tokenizer([text], { truncation: true, max_length: tokensMax });
    const ids = tokens.input_ids.data;
    // Truncating a long text removes its last token, the end mark that the model expects, so it is set again.
    if (ids.length === tokensMax) ids[tokensMax - 1] = BigInt(tokenizer.sep_token_id ?? 0);
    const { last_hidden_state: states } = await model(tokens);
    // "cls" pooling: the output for the first token.
    return normalize(states?.data.slice(0, model.config.hidden_size) ?? new Float32Array());
  };
  const { length } = await embed("hello");
  if (length === dimensions) return embed;
  throw new Error(`its vectors have ${length} dimensions instead of ${dimensions}`);
}

function normalize(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((total, value) => total + value * value, 0));
  if (!(length > 0 && length < Number.POSITIVE_INFINITY)) throw new Error("the model answered no direction");
  return vector.map((value) => value / length);
}

function tellProgress(): (progress: Progress) => void {
  let sentAtMs = 0;
  return ({ status, loaded = 0, total = 0 }) => {
    const isDone = loaded === total;
    if (status !== "progress_total" || total === 0) return;
    if (!isDone && Date.now() - sentAtMs < PROGRESS_INTERVAL_MS) return;
    sentAtMs = Date.now();
    tell({ type: "progress", loadedBytes: loaded, totalBytes: total });
  };
}

function tell(message: ModelMessage): void {
  process.send?.(message, undefined, undefined, () => {});
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
