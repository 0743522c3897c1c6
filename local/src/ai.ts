import { WorkerEntrypoint } from "cloudflare:workers";
import embeddings from "../assets/use-pieces-256d-int8.bin";
import { createEmbedder, type Embedder } from "./embedder/embedder.ts";
import { EXTRACTIVE_MODEL } from "./enricher/model.ts";
import type { LocalEnv } from "./env.ts";
import { switches } from "./switches.ts";
import { answerBy, extractAnswer, readMessages, type TextOutput } from "./text-models.ts";

/** `shape` is [number of texts, number of dimensions of each vector]. */
export interface EmbeddingOutput {
  shape: [number, number];
  data: number[][];
  pooling: Pooling;
}

type Pooling = "mean" | "cls";

const TEXTS_MAX = 100;

/** How long the built-in models work before they pause for other requests. */
const SLICE_MS = 10;
/** After this time, another call continues even if the call before it has not ended its slice. */
const TURN_MS_MAX = 200;

const HANG_POLL_MS = 20;

const FAULTS = {
  "3040": "Capacity temporarily exceeded, please try again.",
  "3036": "You have used up your daily free allocation of 10,000 neurons.",
  "3007": "Request timeout",
} as const;

// The first call creates the embedder, because reading its file of 50,000 words would delay the start of the
// Worker.
let embedder: Embedder | undefined;

/**
 * Replaces `env.AI` (Workers AI). Uses the built-in models, unless the bindings `EMBEDDINGS` and `ENRICHMENT`
 * provide others.
 *
 * Like bge, the model in production, the built-in embedder ignores the end of a long text: it reads the first
 * 510 words. The option `pooling` does not change its vectors, but the output names the pooling that was
 * requested.
 */
export class LocalAI extends WorkerEntrypoint<LocalEnv> {
  async run(model: string, input: { messages: unknown }, options?: unknown): Promise<TextOutput>;
  /**
   * @throws {Error} "5007: …" for an unknown model, "5006: …" for invalid input, the error that a test has
   * set with `switches.ai`, or the model's own error.
   */
  async run(model: string, input: unknown, options?: unknown): Promise<EmbeddingOutput>;
  async run(model: string, input: unknown): Promise<EmbeddingOutput | TextOutput> {
    while (switches.ai === "hang") await scheduler.wait(HANG_POLL_MS);
    if (switches.ai !== null) throw aiError(Number(switches.ai), FAULTS[switches.ai]);
    const { EMBEDDINGS: bound, EMBEDDING_MODEL: boundModel, ENRICHMENT, ENRICHMENT_MODEL } = this.env;
    if (model === (ENRICHMENT === undefined ? EXTRACTIVE_MODEL : ENRICHMENT_MODEL)) {
      return await answer(ENRICHMENT, input);
    }
    if (model !== (bound === undefined ? builtIn().model : boundModel)) {
      throw aiError(5007, `No such model ${model} or task`);
    }
    const { texts, pooling } = checkInput(input);
    const data = bound === undefined ? await embedInSlices(texts) : await embedBy(bound, texts);
    return { shape: [texts.length, data[0]?.length ?? 0], data, pooling };
  }
}

/** Until this time, one call works and the others wait. Not a flag, because a canceled call could not reset it. */
let busyUntilMs = 0;

/** Takes all steps. Pauses after each slice of them, because all Workers of the runtime share one thread. */
async function runInSlices<Result>(steps: Generator<void, Result, void>): Promise<Result> {
  for (;;) {
    for (let ms = 1; Date.now() < busyUntilMs; ms = Math.min(2 * ms, 16)) await scheduler.wait(ms);
    const startMs = Date.now();
    busyUntilMs = startMs + TURN_MS_MAX;
    let step = steps.next();
    while (!step.done && Date.now() - startMs < SLICE_MS) step = steps.next();
    if (step.done) {
      busyUntilMs = 0;
      return step.value;
    }
    await scheduler.wait(1);
    busyUntilMs = 0;
    await scheduler.wait(1);
  }
}

async function embedInSlices(texts: string[]): Promise<number[][]> {
  // A call with a single text comes from a search, so it does not wait for other calls.
  if (texts.length === 1) return texts.map((text) => [...builtIn().embed(text)]);
  return runInSlices(embedAll(texts));
}

function* embedAll(texts: string[]): Generator<void, number[][], void> {
  const data: number[][] = [];
  for (const text of texts) {
    data.push([...builtIn().embed(text)]);
    yield;
  }
  return data;
}

function builtIn(): Embedder {
  embedder ??= createEmbedder(embeddings);
  return embedder;
}

/** @throws {Error} With the message in the form of Workers AI, such as "3040: …". */
async function embedBy(bound: Fetcher, texts: string[]): Promise<number[][]> {
  const response = await bound.fetch("http://embeddings/", { method: "POST", body: JSON.stringify(texts) });
  if (!response.ok) throw namedAiError(await response.text());
  const values = [...new Float32Array(await response.arrayBuffer())];
  const dimensions = values.length / texts.length;
  return texts.map((_, i) => values.slice(i * dimensions, (i + 1) * dimensions));
}

async function answer(bound: Fetcher | undefined, input: unknown): Promise<TextOutput> {
  const read = readMessages(input);
  if (typeof read === "string") throw schemaError(read);
  if (bound !== undefined) {
    return await answerBy(bound, read).catch((error: Error) => Promise.reject(namedAiError(error.message)));
  }
  const steps = await extractAnswer(read);
  if (steps === null) throw schemaError("the last message must be JSON with a string 'note'");
  return runInSlices(steps);
}

function aiError(internalCode: number, description: string): Error {
  return namedAiError(`${internalCode}: ${description}`);
}

function namedAiError(message: string): Error {
  const error = new Error(message);
  error.name = "AiError";
  return error;
}

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
