import embeddings from "../assets/use-pieces-256d-int8.bin";
import { readEmbeddingModel } from "./embedder/vocabulary.ts";
import type { VectorStore } from "./vectorize/store.ts";

/** What the local Worker is bound to. */
export interface LocalEnv {
  VECTOR_STORE: DurableObjectNamespace<VectorStore>;
  /** Model of the vectors, as the service has it; the built-in one when absent. */
  EMBEDDING_MODEL?: string;
  EMBEDDING_DIMENSIONS?: string;
  /** The embedder of that model, outside the Workers; the built-in one when absent. */
  EMBEDDINGS?: Fetcher;
  /** Text model that describes notes, as the service has it; the built-in one when absent. */
  ENRICHMENT_MODEL?: string;
  /** That model, outside the Workers; the built-in one when absent. */
  ENRICHMENT?: Fetcher;
}

/** The index of the configured model: another model, or another size, is another index. */
export function vectorStore(env: LocalEnv): { store: DurableObjectStub<VectorStore>; dimensions: number } {
  const builtIn = readEmbeddingModel(embeddings);
  const model = env.EMBEDDING_MODEL ?? builtIn.model;
  const dimensions = Number(env.EMBEDDING_DIMENSIONS ?? builtIn.dimensions);
  return { store: env.VECTOR_STORE.getByName(`${model} ${dimensions}`), dimensions };
}
