import type { AiBinding } from "../../../../service/src/platform/ai.ts";
import type { EnrichmentMessage } from "../../../../service/src/platform/enricher.ts";
import type { CallBehavior, Invocation, SimulationContext } from "../invocation.ts";
import type { EmbeddedTexts } from "./model.ts";
import type { TextModel } from "./text-model.ts";

export const EMBEDDING_MODEL = "sim/words";
export const RERANK_MODEL = "sim/rerank";

/** Errors of Workers AI: no capacity, too many requests, no quota, timeout, and a temporarily rejected text. */
const ERRORS = [
  "3040: Capacity temporarily exceeded, please try again.",
  "3021: rate limiting: inference request per min rate reached",
  "3036: You have used up your daily free allocation of 10,000 neurons.",
  "3007: Request timeout",
  "3006: Request too large",
];

const BEHAVIOR: CallBehavior = {
  port: "ai",
  frequency: 1,
  normalMs: { low: 5, high: 80 },
  slowMs: 50_000,
  outcomes: { slow: 2, refused: 5, silent: 2 },
  error: (random) => Object.assign(new Error(random.pick(ERRORS)), { name: "AiError" }),
};

/** A text model takes seconds, in which the memory's content may change. */
const DESCRIPTION_BEHAVIOR: CallBehavior = { ...BEHAVIOR, normalMs: { low: 500, high: 5_000 } };

interface EmbeddingInput {
  text: string[];
}
interface RerankInput {
  query: string;
  contexts: { text: string }[];
}

interface DescriptionInput {
  messages: EnrichmentMessage[];
}

export function aiBinding(
  { clock, random, faults }: SimulationContext,
  invocation: Invocation,
  { texts, textModel }: { texts: EmbeddedTexts; textModel: TextModel },
): AiBinding {
  return {
    run: (model: string, input: EmbeddingInput | RerankInput | DescriptionInput) =>
      invocation.call("messages" in input ? DESCRIPTION_BEHAVIOR : BEHAVIOR, `ai(${model})`, () => {
        if ("query" in input) return { response: input.contexts.map((_, id) => ({ id, score: -id })) };
        if ("messages" in input) {
          const isConfused = faults.occurs("ai", clock.nowMs());
          if (isConfused) invocation.note(`ai(${model}) is confused`);
          return textModel.answer(input.messages, isConfused, random);
        }
        if (input.text.length > 100 || input.text.includes("")) throw new Error("5006: Error: '/text'");
        return { data: input.text.map((text) => texts.embed(text)) };
      }),
  };
}
