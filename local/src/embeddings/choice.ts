import { type EndpointAddress, readEndpoint } from "../endpoints/address.ts";
import { StartError } from "../start/start-error.ts";

/**
 * Reads from the environment which endpoint embeds texts. Undefined means the built-in model. An empty variable
 * counts as unset.
 *
 * @throws {StartError} If a variable is invalid, or two contradict each other.
 */
export function readEmbeddingChoice(env: Record<string, string | undefined>): EndpointAddress | undefined {
  const name = env.ENGRAM_EMBEDDINGS || undefined;
  if (name === "bge-base") {
    throw new StartError(
      "ENGRAM_EMBEDDINGS=bge-base was removed: unset it and set ENGRAM_EMBEDDINGS_URL to Ollama, LM Studio or " +
        "another /v1/embeddings endpoint.",
    );
  }
  if (name !== undefined && env.ENGRAM_EMBEDDINGS_URL) {
    throw new StartError("Set either ENGRAM_EMBEDDINGS or ENGRAM_EMBEDDINGS_URL, not both.");
  }
  if (name !== undefined && name !== "builtin") {
    throw new StartError(
      `ENGRAM_EMBEDDINGS must be "builtin", not "${name}"; for an endpoint, set ENGRAM_EMBEDDINGS_URL.`,
    );
  }
  return readEndpoint(env, { prefix: "ENGRAM_EMBEDDINGS", path: "/embeddings" });
}
