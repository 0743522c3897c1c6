import embeddings from "../assets/use-pieces-256d-int8.bin";
import { readEmbeddingModel } from "./embedder/vocabulary.ts";
import type { VectorStore } from "./vectorize/store.ts";

export interface LocalEnv {
  VECTOR_STORE: DurableObjectNamespace<VectorStore>;
  EMBEDDING_MODEL?: string;
  EMBEDDING_DIMENSIONS?: string;
  /** Calls an embedding model outside the Workers. Absent if the built-in one is used. */
  EMBEDDINGS?: Fetcher;
  ENRICHMENT_MODEL?: string;
  /** Calls a text model outside the Workers. Absent if the built-in one is used. */
  ENRICHMENT?: Fetcher;
}

export function vectorStore(env: LocalEnv): { store: DurableObjectStub<VectorStore>; dimensions: number } {
  const builtIn = readEmbeddingModel(embeddings);
  const model = env.EMBEDDING_MODEL ?? builtIn.model;
  const dimensions = Number(env.EMBEDDING_DIMENSIONS ?? builtIn.dimensions);
  return { store: env.VECTOR_STORE.getByName(`${model} ${dimensions}`), dimensions };
}
