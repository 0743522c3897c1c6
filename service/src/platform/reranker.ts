import type { AiBinding } from "./ai.ts";
import { withTimeout } from "./calls.ts";
import { callPort, InvalidAnswer } from "./failures.ts";

/**
 * A model that rates how well texts match a query. Unlike an embedding model, it reads the query and a text together.
 */
export interface Reranker {
  /** The model's name. */
  readonly model: string;
  /**
   * Resolves to one score for each text, in the order of the texts; higher is better.
   *
   * @throws {PortFailure} if the call fails or the response is invalid.
   */
  rerank(query: string, texts: string[], timeoutMs: number): Promise<number[]>;
}

export function workersAiReranker(ai: AiBinding, model: string): Reranker {
  return {
    model,
    rerank: (query, texts, timeoutMs) =>
      callPort("reranking", async () => {
        const contexts = texts.map((text) => ({ text }));
        const answer = await withTimeout(ai.run(model, { query, contexts, top_k: texts.length }), timeoutMs);
        const ranked = (answer as { response?: unknown } | null)?.response;
        const scores = new Map(Array.isArray(ranked) ? ranked.map(({ id, score }) => [id, score]) : []);
        return texts.map((_, id) => {
          const score: unknown = scores.get(id);
          if (typeof score !== "number" || !Number.isFinite(score)) {
            throw new InvalidAnswer(`${model} did not answer ${texts.length} finite scores`);
          }
          return score;
        });
      }),
  };
}
