import type { AiBinding } from "../../../service/src/ports/embedder.ts";
import type { Invocation, Manner } from "../invocation.ts";
import type { EmbeddedTexts } from "./model.ts";

export const EMBEDDING_MODEL = "sim/words";
export const RERANK_MODEL = "sim/rerank";

/** Workers AI: out of capacity, out of quota, timed out, and a text it will not take just now. */
const ERRORS = [
  "3040: Capacity temporarily exceeded, please try again.",
  "3036: You have used up your daily free allocation of 10,000 neurons.",
  "3007: Request timeout",
  "3006: Request too large",
];

const MANNER: Manner = {
  port: "ai",
  often: 1,
  fineMs: { low: 5, high: 80 },
  slowMs: 50_000,
  fates: { slow: 2, refused: 5, silent: 2 },
  error: (random) => Object.assign(new Error(random.pick(ERRORS)), { name: "AiError" }),
};

interface EmbeddingInput {
  text: string[];
}
interface RerankInput {
  query: string;
  contexts: { text: string }[];
}

/** The `AI` binding as one invocation has it. */
export function aiBinding(invocation: Invocation, texts: EmbeddedTexts): AiBinding {
  return {
    run: (model: string, input: EmbeddingInput | RerankInput) =>
      invocation.call(MANNER, `ai(${model})`, () => {
        if ("query" in input) return { response: input.contexts.map((_, id) => ({ id, score: -id })) };
        if (input.text.length > 100 || input.text.includes("")) throw new Error("5006: Error: '/text'");
        return { data: input.text.map((text) => texts.embed(text)) };
      }),
  };
}
