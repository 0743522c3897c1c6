import embeddings from "../assets/use-pieces-256d-int8.bin";
import { readEmbeddingModel } from "./embedder/vocabulary.ts";
import type { VectorStore } from "./vectorize/store.ts";

export interface LocalEnv {
  VECTOR_STORE: DurableObjectNamespace<VectorStore>;
  EMBEDDING_MODEL?: string;
  EMBEDDING_DIMENSIONS?: string;
  /** Calls a model outside the Workers; absent for the built-in one. */
  EMBEDDINGS?: Fetcher;
  ENRICHMENT_MODEL?: string;
  /** Calls a model outside the Workers; absent for the built-in one. */
  ENRICHMENT?: Fetcher;
}

export function vectorStore(env: LocalEnv): { store: DurableObjectStub<VectorStore>; dimensions: number } {
  const builtIn = readEmbeddingModel(embeddings);
  const model = env.EMBEDDING_MODEL ?? builtIn.model;
  const dimensions = Number(env.EMBEDDING_DIMENSIONS ?? builtIn.dimensions);
  return { store: env.VECTOR_STORE.getByName(`${model} ${dimensions}`), dimensions };
}
