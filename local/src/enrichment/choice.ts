import { type EndpointAddress, readEndpoint } from "../endpoints/address.ts";
import { StartError } from "../start/start-error.ts";
import { toModelName } from "./endpoint.ts";

/**
 * Reads the endpoint of the text model from the environment. Undefined means the built-in text model.
 *
 * @throws {StartError} If a variable is invalid or missing.
 */
export function readEnrichmentChoice(env: Record<string, string | undefined>): EndpointAddress | undefined {
  return readEndpoint(env, { prefix: "ENGRAM_ENRICHMENT", path: "/chat/completions" });
}

/**
 * Variables of the service's Worker by which the endpoint also writes summaries of conversations, with
 * ENGRAM_SUMMARIES=model. Empty if it does not.
 *
 * @throws {StartError} If the variable has another value, or there is no endpoint.
 */
export function readSummaryVars(
  env: Record<string, string | undefined>,
  enrichment: EndpointAddress | undefined,
): Record<string, string> {
  const choice = env.ENGRAM_SUMMARIES || undefined;
  if (choice === undefined) return {};
  if (choice !== "model") throw new StartError("ENGRAM_SUMMARIES must be model, or unset.");
  if (enrichment === undefined)
    throw new StartError("ENGRAM_SUMMARIES=model needs ENGRAM_ENRICHMENT_URL, too.");
  return { SUMMARY_MODEL: toModelName(enrichment) };
}
