import embeddings from "../assets/use-pieces-256d-int8.bin";
import { readEmbeddingModel } from "./embedder/vocabulary.ts";
import type { VectorStore } from "./vectorize/store.ts";

export interface LocalEnv {
  VECTOR_STORE: DurableObjectNamespace<VectorStore>;
  /** The service's embedding model; absent for the built-in one. */
  EMBEDDING_MODEL?: string;
  EMBEDDING_DIMENSIONS?: string;
  /** The embedder outside the Workers; absent for the built-in one. */
  EMBEDDINGS?: Fetcher;
  /** The service's text model for enrichment; absent for the built-in one. */
  ENRICHMENT_MODEL?: string;
  /** The text model outside the Workers; absent for the built-in one. */
  ENRICHMENT?: Fetcher;
}

/** The index of the configured model. Each combination of model and dimensions has its own index. */
export function vectorStore(env: LocalEnv): { store: DurableObjectStub<VectorStore>; dimensions: number } {
  const builtIn = readEmbeddingModel(embeddings);
  const model = env.EMBEDDING_MODEL ?? builtIn.model;
  const dimensions = Number(env.EMBEDDING_DIMENSIONS ?? builtIn.dimensions);
  return { store: env.VECTOR_STORE.getByName(`${model} ${dimensions}`), dimensions };
}
