import type { EnrichmentMessage } from "../text/enrichment.ts";
import { DRAFT_SCHEMA, type DraftSentence, readDraft } from "../text/summary-drafts.ts";
import type { AiBinding } from "./ai.ts";
import { withTimeout } from "./calls.ts";
import { callPort } from "./failures.ts";

/** Time limit of a call. It is longer than for other models, because a text model writes its response token by token. */
const TIMEOUT_MS = 35_000;
/** Maximum tokens of a response: eight long sentences with their numbers. */
const ANSWER_TOKENS_MAX = 1_024;
/** Error message of Workers AI if the model's output does not match the JSON schema of the request. */
const SCHEMA_NOT_MET = "JSON Mode couldn't be met";

export interface Summarizer {
  readonly model: string;
  /**
   * Resolves to sentences that nobody has checked; null if the model's response cannot be used.
   *
   * @throws {PortFailure} if the call fails.
   */
  summarize(prompt: EnrichmentMessage[]): Promise<DraftSentence[] | null>;
}

export const workersAiSummarizer = (ai: AiBinding, model: string): Summarizer => ({
  model,
  summarize: (messages) =>
    callPort("summary", async () => {
      const input = {
        messages,
        response_format: { type: "json_schema" as const, json_schema: DRAFT_SCHEMA },
        temperature: 0.1,
        max_tokens: ANSWER_TOKENS_MAX,
      };
      try {
        return readDraft(await withTimeout(ai.run(model, input), TIMEOUT_MS));
      } catch (error) {
        if (error instanceof Error && error.message.includes(SCHEMA_NOT_MET)) return null;
        throw error;
      }
    }),
});
