import type { EnrichmentInput } from "./enricher.ts";

/** The part of the Workers AI binding that the service uses: one method runs every model. */
export interface AiBinding {
  run(model: string, input: EmbeddingInput | RerankInput | EnrichmentInput): Promise<unknown>;
}

export interface EmbeddingInput {
  text: string[];
  pooling: "cls";
}

/** The generated types of Workers AI lack `query`. */
export interface RerankInput {
  query: string;
  contexts: { text: string }[];
  top_k: number;
}
