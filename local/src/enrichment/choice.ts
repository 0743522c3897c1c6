import { type EndpointAddress, readEndpoint } from "../endpoints/address.ts";

/** Undefined means the built-in text model. @throws {StartError} */
export function readEnrichmentChoice(env: Record<string, string | undefined>): EndpointAddress | undefined {
  return readEndpoint(env, { prefix: "ENGRAM_ENRICHMENT", path: "/chat/completions" });
}
