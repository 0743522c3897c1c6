import type { AiBinding } from "./ai.ts";
import { TIMEOUT_MS, withTimeout } from "./calls.ts";
import { callPort, InvalidAnswer } from "./failures.ts";

export const EMBED_TEXTS_MAX = 100;

/**
 * Maximum tokens of a text. This is less than the model's limit, because the model adds some tokens. The model
 * ignores the end of a longer text without an error.
 */
export const EMBED_TOKENS_MAX = 500;

export interface Embedder {
  /** The model's name, which is stored with every vector. Vectors of two models are never compared. */
  readonly model: string;
  readonly dimensions: number;
  /**
   * Resolves to one vector for each text, in the order of the texts.
   *
   * @throws {PortFailure} if a call fails or its response is invalid.
   */
  embed(texts: string[], timeoutMs?: number): Promise<number[][]>;
}

export function workersAiEmbedder(ai: AiBinding, model: string, dimensions: number): Embedder {
  const embedBatch = async (text: string[], timeoutMs: number): Promise<number[][]> => {
    // The bge models were trained with the pooling `cls`. Workers AI's default, `mean`, gives different vectors.
    const answer = await withTimeout(ai.run(model, { text, pooling: "cls" }), timeoutMs);
    const data = (answer as { data?: unknown }).data;
    if (
      !Array.isArray(data) ||
      data.length !== text.length ||
      !data.every((vector) => fits(vector, dimensions))
    ) {
      throw new InvalidAnswer(
        `${model} did not answer ${text.length} vectors of ${dimensions} finite numbers`,
      );
    }
    return data as number[][];
  };
  return {
    model,
    dimensions,
    async embed(texts, timeoutMs = TIMEOUT_MS) {
      const vectors: number[][] = [];
      for (let i = 0; i < texts.length; i += EMBED_TEXTS_MAX) {
        const batch = texts.slice(i, i + EMBED_TEXTS_MAX);
        vectors.push(...(await callPort("embedding", () => embedBatch(batch, timeoutMs))));
      }
      return vectors;
    },
  };
}

function fits(vector: unknown, dimensions: number): boolean {
  return Array.isArray(vector) && vector.length === dimensions && vector.every(Number.isFinite);
}
