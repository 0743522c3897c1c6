import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModel } from "ai";
import { echoModel } from "./echo-model.ts";

/**
 * The model that the environment names, at any endpoint with OpenAI's chat completions: `MODEL_URL`, `MODEL` and, if the
 * endpoint needs one, `MODEL_KEY`. Without `MODEL_URL`, the echo model, which needs no network.
 *
 * @throws {Error} if `MODEL_URL` is set without `MODEL`.
 */
export function chooseModel(environment: NodeJS.ProcessEnv): {
  model: Exclude<LanguageModel, string>;
  name: string;
} {
  const { MODEL_URL, MODEL, MODEL_KEY } = environment;
  if (MODEL_URL === undefined) return { model: echoModel, name: "the echo model" };
  if (MODEL === undefined) throw new Error("Set MODEL to the name of a model at MODEL_URL.");
  const provider = createOpenAICompatible({
    name: "model",
    baseURL: MODEL_URL,
    ...(MODEL_KEY !== undefined && { apiKey: MODEL_KEY }),
  });
  return { model: provider(MODEL), name: MODEL };
}
