import { WorkerEntrypoint } from "cloudflare:workers";
import { type LocalEnv, vectorStore } from "../env.ts";
import { countCall, switches } from "../switches.ts";
import * as checks from "./checks.ts";
import { type Operation, vectorizeError, vectorizeStatusError } from "./errors.ts";
import type { IndexInfo } from "./store.ts";

/**
 * Stands where `env.VECTORIZE` stands: a V2 index with the cosine metric.
 *
 * Same signatures, limits, refusals and late visibility as Cloudflare's; scores are exact. What is
 * copied is listed by the titles in test/vectorize.test.ts.
 */
export class LocalVectorize extends WorkerEntrypoint<LocalEnv> {
  /** How many vectors queries see, and up to which mutation. */
  async describe(): Promise<IndexInfo> {
    const { store, dimensions } = this.#open("describe", "INDEX_GET");
    return await store.describe(dimensions);
  }

  /** The vectors nearest to one, best first. Without a namespace: of all namespaces. */
  async query(
    vector: VectorFloatArray | number[],
    options?: VectorizeQueryOptions,
  ): Promise<VectorizeMatches> {
    const { store, dimensions } = this.#open("query", "VECTOR_QUERY");
    const checked = checks.checkOptions(options);
    return await store.query(checks.checkQueryVector(vector, dimensions), checked);
  }

  /** The vectors nearest to a stored one, itself among them. */
  async queryById(id: string, options?: VectorizeQueryOptions): Promise<VectorizeMatches> {
    const { store } = this.#open("queryById", "VECTOR_QUERY");
    const checked = checks.checkOptions(options);
    checks.checkId("VECTOR_QUERY", id);
    const matches = await store.queryById(id, checked);
    // What Cloudflare answers for an unknown id is not documented.
    if (matches === undefined) throw vectorizeStatusError("VECTOR_QUERY", 404);
    return matches;
  }

  /** Adds vectors; one whose id is taken is passed over. */
  async insert(vectors: VectorizeVector[]): Promise<VectorizeAsyncMutation> {
    const { store, dimensions } = this.#open("insert", "VECTOR_INSERT");
    const rows = checks.checkVectors("VECTOR_INSERT", vectors, dimensions);
    return { mutationId: await store.mutate({ kind: "insert", vectors: rows }) };
  }

  /** Adds vectors; one whose id is taken is replaced whole, with its metadata and namespace. */
  async upsert(vectors: VectorizeVector[]): Promise<VectorizeAsyncMutation> {
    const { store, dimensions } = this.#open("upsert", "VECTOR_UPSERT");
    const rows = checks.checkVectors("VECTOR_UPSERT", vectors, dimensions);
    return { mutationId: await store.mutate({ kind: "upsert", vectors: rows }) };
  }

  /** Removes vectors; ids that name none are passed over. */
  async deleteByIds(ids: string[]): Promise<VectorizeAsyncMutation> {
    const { store } = this.#open("deleteByIds", "VECTOR_DELETE");
    checks.checkIds("VECTOR_DELETE", ids);
    return { mutationId: await store.mutate({ kind: "delete", ids }) };
  }

  /** The stored ones among some ids. */
  async getByIds(ids: string[]): Promise<VectorizeVector[]> {
    const { store } = this.#open("getByIds", "VECTOR_GET");
    checks.checkIds("VECTOR_GET", ids);
    return await store.getByIds(ids);
  }

  /** Counts the call, fails it when a fault is switched on, and finds the index. */
  #open(method: string, operation: Operation) {
    countCall(`vectorize.${method}`);
    if (switches.vectorize === "40041") throw vectorizeError(operation, 40041, "Too Many Requests");
    if (switches.vectorize === "500") throw vectorizeStatusError(operation, 500);
    return vectorStore(this.env);
  }
}
