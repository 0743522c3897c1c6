import {
  ENRICHMENT_SCHEMA,
  type Enrichment,
  readEnrichment,
  toEnrichmentMessages,
} from "../text/enrichment.ts";
import type { AiBinding, EnrichmentInput } from "./ai.ts";
import { withTimeout } from "./calls.ts";
import { callPort } from "./failures.ts";

export type { Enrichment, EnrichmentMessage } from "../text/enrichment.ts";

/**
 * Time limit of a call. It is longer than for other models, because a text model writes its response token by token.
 */
const TIMEOUT_MS = 35_000;
/** Maximum tokens of a response. The longest valid response has fewer, in any script. */
const ANSWER_TOKENS_MAX = 512;
/** Error message of Workers AI if the model's output does not match the JSON schema of the request. */
const SCHEMA_NOT_MET = "JSON Mode couldn't be met";

export interface Enricher {
  readonly model: string;
  /**
   * Resolves to a summary and tags of the note; null if the model's response cannot be used.
   *
   * @param vocabulary tags of other memories that the model should use if they fit, most frequent first.
   * @throws {PortFailure} if the call fails.
   */
  enrich(note: string, vocabulary: string[]): Promise<Enrichment | null>;
}

export function workersAiEnricher(ai: AiBinding, model: string): Enricher {
  return {
    model,
    async enrich(note, vocabulary) {
      const input: EnrichmentInput = {
        messages: toEnrichmentMessages(note, vocabulary),
        response_format: { type: "json_schema", json_schema: ENRICHMENT_SCHEMA },
        // A low temperature, so that similar notes get similar tags.
        temperature: 0.2,
        max_tokens: ANSWER_TOKENS_MAX,
      };
      return callPort("enrichment", async () => {
        try {
          return readEnrichment(await withTimeout(ai.run(model, input), TIMEOUT_MS));
        } catch (error) {
          if (error instanceof Error && error.message.includes(SCHEMA_NOT_MET)) return null;
          throw error;
        }
      });
    },
  };
}
