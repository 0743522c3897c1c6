import { CONTEXT_TOKENS_MIN, type ContextAnswer, SearchAnswer } from "@engram/spec";
import { countTokens } from "../text/tokens.ts";
import type { ObjectSchema } from "./schemas.ts";

/** A context as its text alone. The text says what was left out. */
interface BlockAnswer {
  text: string;
  pending?: number;
  degraded?: ContextAnswer["degraded"];
}

export const BLOCK_SCHEMA: ObjectSchema = {
  type: "object",
  properties: {
    text: { type: "string" },
    pending: { type: "integer" },
    degraded: { type: "array", items: { type: "string" } },
  },
  required: ["text"],
};

/** Most that an answer costs besides its text. */
const STATE_TOKENS = countTokens(
  JSON.stringify({
    text: "",
    pending: Number.MAX_SAFE_INTEGER,
    degraded: SearchAnswer.shape.degraded.element.options,
  } satisfies BlockAnswer),
);

/** Budget of the text, such that the whole answer costs at most `tokensMax`. */
export const textTokens = (tokensMax: number): number => tokensMax - STATE_TOKENS;

export const BLOCK_TOKENS_MIN = CONTEXT_TOKENS_MIN + STATE_TOKENS;

export function toBlockResult({ text, pending, degraded }: ContextAnswer): { json: string; text: string } {
  const answer: BlockAnswer = {
    text,
    ...(pending > 0 && { pending }),
    ...(degraded.length > 0 && { degraded }),
  };
  return { json: JSON.stringify(answer), text: text === "" ? "Nothing was found." : text };
}
