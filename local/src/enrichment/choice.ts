import { type EndpointAddress, readEndpoint } from "../endpoints/address.ts";

/**
 * Read the environment variables ENGRAM_ENRICHMENT…. Undefined means the built-in text model.
 *
 * @throws {StartError} When a value is invalid or values contradict each other.
 */
export function readEnrichmentChoice(env: Record<string, string | undefined>): EndpointAddress | undefined {
  return readEndpoint(env, { prefix: "ENGRAM_ENRICHMENT", path: "/chat/completions" });
}
