import { WorkerEntrypoint } from "cloudflare:workers";
import { type LocalEnv, vectorStore } from "../env.ts";
import { switches } from "../switches.ts";
import * as checks from "./checks.ts";
import { type Operation, vectorizeError, vectorizeStatusError } from "./errors.ts";

/**
 * Replaces `env.VECTORIZE`: a V2 index with the cosine metric and the methods that the service calls. Queries see changes with a delay. Scores are
 * exact, while Vectorize's are approximate. The titles of the tests in test/vectorize.test.ts list what this
 * class reproduces.
 */
export class LocalVectorize extends WorkerEntrypoint<LocalEnv> {
  async query(
    vector: VectorFloatArray | number[],
    options?: VectorizeQueryOptions,
  ): Promise<VectorizeMatches> {
    const { store, dimensions } = this.#open("VECTOR_QUERY");
    const checked = checks.checkOptions(options);
    return await store.query(checks.checkQueryVector(vector, dimensions), checked);
  }

  /** A vector whose id exists already is replaced completely, with its metadata and namespace. */
  async upsert(vectors: VectorizeVector[]): Promise<VectorizeAsyncMutation> {
    const { store, dimensions } = this.#open("VECTOR_UPSERT");
    const rows = checks.checkVectors(vectors, dimensions);
    return { mutationId: await store.mutate({ kind: "upsert", vectors: rows }) };
  }

  async deleteByIds(ids: string[]): Promise<VectorizeAsyncMutation> {
    const { store } = this.#open("VECTOR_DELETE");
    checks.checkIds("VECTOR_DELETE", ids);
    return { mutationId: await store.mutate({ kind: "delete", ids }) };
  }

  async getByIds(ids: string[]): Promise<VectorizeVector[]> {
    const { store } = this.#open("VECTOR_GET");
    checks.checkIds("VECTOR_GET", ids);
    return await store.getByIds(ids);
  }

  #open(operation: Operation) {
    if (switches.vectorize === "40041") throw vectorizeError(operation, 40041, "Too Many Requests");
    if (switches.vectorize === "500") throw vectorizeStatusError(operation, 500);
    return vectorStore(this.env);
  }
}
