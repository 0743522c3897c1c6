import { type EndpointAddress, readEndpoint } from "../endpoints/address.ts";

/**
 * The endpoint that the variables ENGRAM_ENRICHMENT… ask for; undefined means the built-in text model.
 *
 * @throws {StartError} When they contradict themselves.
 */
export function readEnrichmentChoice(env: Record<string, string | undefined>): EndpointAddress | undefined {
  return readEndpoint(env, { prefix: "ENGRAM_ENRICHMENT", path: "/chat/completions" });
}
