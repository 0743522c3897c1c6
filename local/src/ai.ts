import { WorkerEntrypoint } from "cloudflare:workers";
import embeddings from "../assets/use-pieces-256d-int8.bin";
import { createEmbedder, type Embedder } from "./embedder/embedder.ts";
import { EXTRACTIVE_MODEL } from "./enricher/model.ts";
import type { LocalEnv } from "./env.ts";
import { countCall, switches } from "./switches.ts";
import { answerBy, answerByExtraction, readMessages, type TextOutput } from "./text-models.ts";

/** Output of Workers AI for embeddings. `shape` is [texts, dimensions]. */
export interface EmbeddingOutput {
  shape: [number, number];
  data: number[][];
  pooling: Pooling;
}

type Pooling = "mean" | "cls";

const TEXTS_MAX = 100;

/** How long the built-in embedder (the model that computes vectors) works before other requests get a turn. */
const SLICE_MS = 10;
const TURN_MS_MAX = 200;

/** Tests can make calls hang. This is how often such a call checks whether it may continue. */
const HANG_POLL_MS = 20;

const FAULTS = {
  "3040": "Capacity temporarily exceeded, please try again.",
  "3036": "You have used up your daily free allocation of 10,000 neurons.",
  "3007": "Request timeout",
} as const;

// Created by the first call, because reading the file of 50,000 words would delay the start of the Worker.
let embedder: Embedder | undefined;

/**
 * Local replacement for `env.AI` (Workers AI): computes vectors of texts, and writes tags and summaries of notes. It
 * uses the built-in models, or those of the bindings `EMBEDDINGS` and `ENRICHMENT`.
 *
 * Like bge, the model in production, the built-in embedder reads the first 510 words of a text and ignores the rest.
 * The option `pooling` does not change its vectors, but its output names the pooling that was requested.
 */
export class LocalAI extends WorkerEntrypoint<LocalEnv> {
  /** Runs the text model. @throws {Error} as the other overload does. */
  async run(model: string, input: { messages: unknown }, options?: unknown): Promise<TextOutput>;
  /**
   * Computes one vector for each text, in the order of the texts.
   *
   * @throws {Error} "5007: …" for an unknown model and "5006: …" for input that does not match the schema.
   *   Otherwise the error of the fault that a test has set, or of the model.
   */
  async run(model: string, input: unknown, options?: unknown): Promise<EmbeddingOutput>;
  async run(model: string, input: unknown): Promise<EmbeddingOutput | TextOutput> {
    countCall("ai.run");
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

/** Until when a call may use the built-in embedder alone. It is a time, because a canceled call cannot release it. */
let busyUntilMs = 0;

/**
 * Computes vectors with the built-in embedder. All Workers of the runtime share one thread, so it pauses after each
 * slice of texts. Concurrent calls take turns.
 */
async function embedInSlices(texts: string[]): Promise<number[][]> {
  // A single text comes from a search, which waits for it, so it is embedded without pauses.
  if (texts.length === 1) return texts.map((text) => [...builtIn().embed(text)]);
  const data: number[][] = [];
  for (let next = 0; next < texts.length; ) {
    for (let ms = 1; Date.now() < busyUntilMs; ms = Math.min(2 * ms, 16)) await scheduler.wait(ms);
    const startMs = Date.now();
    busyUntilMs = startMs + TURN_MS_MAX;
    while (next < texts.length && Date.now() - startMs < SLICE_MS) {
      data.push([...builtIn().embed(texts[next++] ?? "")]);
    }
    if (next < texts.length) await scheduler.wait(1);
    busyUntilMs = 0;
    // Lets other requests and waiting calls run.
    if (next < texts.length) await scheduler.wait(1);
  }
  return data;
}

function builtIn(): Embedder {
  embedder ??= createEmbedder(embeddings);
  return embedder;
}

/** Computes vectors with a model outside the Workers. @throws {Error} The model's error, as Workers AI words it. */
async function embedBy(bound: Fetcher, texts: string[]): Promise<number[][]> {
  const response = await bound.fetch("http://embeddings/", { method: "POST", body: JSON.stringify(texts) });
  if (!response.ok) throw namedAiError(await response.text());
  const values = [...new Float32Array(await response.arrayBuffer())];
  const dimensions = values.length / texts.length;
  return texts.map((_, i) => values.slice(i * dimensions, (i + 1) * dimensions));
}

/** Runs the text model of the binding, or the built-in one. @throws {Error} An error as Workers AI throws it. */
async function answer(bound: Fetcher | undefined, input: unknown): Promise<TextOutput> {
  const read = readMessages(input);
  if (typeof read === "string") throw schemaError(read);
  if (bound !== undefined) {
    return await answerBy(bound, read).catch((error: Error) => Promise.reject(namedAiError(error.message)));
  }
  const output = await answerByExtraction(read);
  if (output === null) throw schemaError("the last message must be JSON with a string 'note'");
  return output;
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
