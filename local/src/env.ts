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

/** Read once, because each call of the vector store needs it. */
const BUILT_IN = readEmbeddingModel(embeddings);

export function vectorStore(env: LocalEnv): { store: DurableObjectStub<VectorStore>; dimensions: number } {
  const model = env.EMBEDDING_MODEL ?? BUILT_IN.model;
  const dimensions = Number(env.EMBEDDING_DIMENSIONS ?? BUILT_IN.dimensions);
  return { store: env.VECTOR_STORE.getByName(`${model} ${dimensions}`), dimensions };
}
