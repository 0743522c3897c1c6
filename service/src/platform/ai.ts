import type { EnrichmentMessage } from "../text/enrichment.ts";

export interface AiBinding {
  run(model: string, input: EmbeddingInput | RerankInput | EnrichmentInput): Promise<unknown>;
}

export interface EmbeddingInput {
  text: string[];
  pooling: "cls";
}

/** Input of a reranking model. The generated types of Workers AI lack `query`. */
export interface RerankInput {
  query: string;
  contexts: { text: string }[];
  top_k: number;
}

export interface EnrichmentInput {
  messages: EnrichmentMessage[];
  response_format: { type: "json_schema"; json_schema: object };
  temperature: number;
  max_tokens: number;
}
