// The process that runs bge-base: inference holds up its thread for up to a second a text, and what goes
// wrong in native code ends a process, which must not be the one that serves.
import { createRequire } from "node:module";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import type { EmbedMessage, ModelMessage, ModelProcessOptions } from "./messages.ts";
import { createModelFetch } from "./model-fetch.ts";

/**
 * The weights as 8-bit integers: on two cores a text of 200 tokens takes 0.09 s where 32-bit floats take
 * 0.29 s, the download is 110 MB instead of 440, and memory stays under 1 GB.
 */
const DTYPE = "q8";
/** Messages about progress are for people. */
const PROGRESS_INTERVAL_MS = 100;
/** Its "error": transformers.js warns of much that is as it should be. */
const LOG_LEVEL_ERROR = 40;

/** What is used of transformers.js, whose own types are installed no earlier than itself. */
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

// Ctrl-C reaches the whole group; whoever started this process ends it in good time.
process.on("SIGINT", () => {});
// An orderly exit would first tear ONNX Runtime down, for nobody.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));

try {
  const embed = await loadModel();
  process.on("message", ({ id, text }: EmbedMessage) => {
    embed(text).then(
      (vector) => tell({ type: "embedded", id, vector }),
      (error: unknown) => tell({ type: "refused", id, reason: reasonOf(error) }),
    );
  });
  // From here on, whoever waits for an answer of the service goes before whoever waits for vectors.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  tell({ type: "ready" });
} catch (error) {
  const { failure } = hub;
  tell({ type: "failed", reason: failure ?? reasonOf(error), fetched: failure === undefined });
}

/** Fetches what is missing and loads it; resolves to what makes a text's vector, of length 1. */
async function loadModel(): Promise<(text: string) => Promise<Float32Array>> {
  const require = createRequire(join(options.packagesPath, "package.json"));
  const { env, AutoModel, AutoTokenizer }: Transformers = require("@huggingface/transformers");
  env.remoteHost = options.hub;
  env.cacheDir = options.modelsPath;
  env.allowLocalModels = false;
  env.logLevel = LOG_LEVEL_ERROR;
  env.fetch = hub.fetch;
  const { repository, dimensions } = specification;
  // One after the other: what is wrong with the small files shows before the large one is fetched.
  const tokenizer = await AutoTokenizer.from_pretrained(repository);
  const model = await AutoModel.from_pretrained(repository, {
    dtype: DTYPE,
    progress_callback: tellProgress(),
  });
  const tokensMax = Math.min(tokenizer.model_max_length, model.config.max_position_embeddings ?? 512);
  const embed = async (text: string): Promise<Float32Array> => {
    const tokens = tokenizer([text], { truncation: true, max_length: tokensMax });
    const ids = tokens.input_ids.data;
    // transformers.js cuts off the closing token, too, that the model was trained to see.
    if (ids.length === tokensMax) ids[tokensMax - 1] = BigInt(tokenizer.sep_token_id ?? 0);
    const { last_hidden_state: states } = await model(tokens);
    // "cls" pooling: what stands at the first token stands for the text.
    return normalize(states?.data.slice(0, model.config.hidden_size) ?? new Float32Array());
  };
  const { length } = await embed("hello");
  if (length === dimensions) return embed;
  throw new Error(`its vectors have ${length} dimensions instead of ${dimensions}`);
}

/** @throws {Error} When it has no direction. */
function normalize(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((total, value) => total + value * value, 0));
  if (!(length > 0 && length < Number.POSITIVE_INFINITY)) throw new Error("the model answered no direction");
  return vector.map((value) => value / length);
}

/** Tells now and then how much of all files together is there. */
function tellProgress(): (progress: Progress) => void {
  let toldAtMs = 0;
  return ({ status, loaded = 0, total = 0 }) => {
    const isDone = loaded === total;
    if (status !== "progress_total" || total === 0) return;
    if (!isDone && Date.now() - toldAtMs < PROGRESS_INTERVAL_MS) return;
    toldAtMs = Date.now();
    tell({ type: "progress", loadedBytes: loaded, totalBytes: total });
  };
}

function tell(message: ModelMessage): void {
  // Nobody to tell any more means that "disconnect" is on its way.
  process.send?.(message, undefined, undefined, () => {});
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
