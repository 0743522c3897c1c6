import { WorkerEntrypoint } from "cloudflare:workers";
import embeddings from "../assets/use-pieces-256d-int8.bin";
import { createEmbedder, type Embedder } from "./embedder/embedder.ts";
import type { LocalEnv } from "./env.ts";
import { countCall, switches } from "./switches.ts";

/** What Workers AI answers for embeddings: `shape` is [texts, dimensions]. */
export interface EmbeddingOutput {
  shape: [number, number];
  data: number[][];
  pooling: Pooling;
}

type Pooling = "mean" | "cls";

/** Texts that one call may carry. */
const TEXTS_MAX = 100;

/** How often a hanging call looks whether the fault is gone. */
const HANG_POLL_MS = 20;

const FAULTS = {
  "3040": "Capacity temporarily exceeded, please try again.",
  "3036": "You have used up your daily free allocation of 10,000 neurons.",
  "3007": "Request timeout",
} as const;

// Opened by the first call: reading 50,000 words takes longer than a Worker's start should.
let embedder: Embedder | undefined;

/**
 * Stands where `env.AI` stands, for text embeddings by the built-in model, or by the one that
 * `EMBEDDINGS` is bound to.
 *
 * Like bge the built-in one reads the beginning of a text, 510 words, and silently cuts off the rest. Both
 * poolings give the same vectors here, but the answer says which was asked for.
 */
export class LocalAI extends WorkerEntrypoint<LocalEnv> {
  /**
   * One vector per text, in the order of the texts.
   *
   * @throws {Error} "5007: …" for a model that is not the one it has, "5006: …" for input that does not
   *   fit its schema, whatever fault is switched on, and what the bound embedder answers.
   */
  async run(model: string, input: unknown, _options?: unknown): Promise<EmbeddingOutput> {
    countCall("ai.run");
    while (switches.ai === "hang") await scheduler.wait(HANG_POLL_MS);
    if (switches.ai !== null) throw aiError(Number(switches.ai), FAULTS[switches.ai]);
    const { EMBEDDINGS: bound, EMBEDDING_MODEL: boundModel } = this.env;
    if (model !== (bound === undefined ? builtIn().model : boundModel)) {
      throw aiError(5007, `No such model ${model} or task`);
    }
    const { texts, pooling } = checkInput(input);
    const data =
      bound === undefined ? texts.map((text) => [...builtIn().embed(text)]) : await embedBy(bound, texts);
    return { shape: [texts.length, data[0]?.length ?? 0], data, pooling };
  }
}

function builtIn(): Embedder {
  embedder ??= createEmbedder(embeddings);
  return embedder;
}

/** Vectors of an embedder outside the Workers. @throws {Error} in its words, which are those of Workers AI. */
async function embedBy(bound: Fetcher, texts: string[]): Promise<number[][]> {
  const response = await bound.fetch("http://embeddings/", { method: "POST", body: JSON.stringify(texts) });
  if (!response.ok) throw namedAiError(await response.text());
  const values = [...new Float32Array(await response.arrayBuffer())];
  const dimensions = values.length / texts.length;
  return texts.map((_, i) => values.slice(i * dimensions, (i + 1) * dimensions));
}

/** An error as the AI binding throws it: "<internal code>: <description>". */
function aiError(internalCode: number, description: string): Error {
  return namedAiError(`${internalCode}: ${description}`);
}

function namedAiError(message: string): Error {
  const error = new Error(message);
  error.name = "AiError";
  return error;
}

/** A violation of the model's input schema. */
function schemaError(description: string): Error {
  return aiError(5006, `Error: ${description}`);
}

function checkInput(input: unknown): { texts: string[]; pooling: Pooling } {
  if (typeof input !== "object" || input === null || !("text" in input)) {
    throw schemaError("required properties at '/' are 'text'");
  }
  const texts = Array.isArray(input.text) ? input.text : [input.text];
  if (texts.length === 0) throw schemaError("'/text' must have at least 1 items");
  if (texts.length > TEXTS_MAX) throw schemaError(`'/text' must have at most ${TEXTS_MAX} items`);
  if (!texts.every((text) => typeof text === "string")) throw schemaError("Type mismatch of '/text'");
  if (texts.includes("")) throw schemaError("Length of '/text' must be >= 1");
  const pooling = "pooling" in input ? input.pooling : undefined;
  if (pooling !== undefined && pooling !== "mean" && pooling !== "cls") {
    throw schemaError("'/pooling' must be one of 'mean', 'cls'");
  }
  return { texts, pooling: pooling ?? "mean" };
}
