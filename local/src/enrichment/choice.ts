import { type EndpointAddress, readEndpoint } from "../endpoints/address.ts";

/**
 * Reads the endpoint of the text model from the environment. Undefined means the built-in text model.
 *
 * @throws {StartError} If a variable is invalid or missing.
 */
export function readEnrichmentChoice(env: Record<string, string | undefined>): EndpointAddress | undefined {
  return readEndpoint(env, { prefix: "ENGRAM_ENRICHMENT", path: "/chat/completions" });
}
