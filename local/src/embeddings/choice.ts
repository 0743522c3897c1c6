import { type EndpointAddress, readEndpoint } from "../endpoints/address.ts";
import { StartError } from "../start/start-error.ts";
import { OWN_MODELS, type OwnModel } from "./models.ts";

export type EmbeddingChoice = OwnModel | EndpointAddress;

/**
 * Reads from the environment what embeds texts. Undefined means the own model that the data directory was used with,
 * or the default. An empty variable counts as unset.
 *
 * @throws {StartError} If a variable is invalid, or two contradict each other.
 */
export function readEmbeddingChoice(env: Record<string, string | undefined>): EmbeddingChoice | undefined {
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
  if (name !== undefined && !isOwnModel(name)) {
    throw new StartError(
      `ENGRAM_EMBEDDINGS must be "words" or "sentences", not "${name}"; for an endpoint, set ENGRAM_EMBEDDINGS_URL.`,
    );
  }
  return name ?? readEndpoint(env, { prefix: "ENGRAM_EMBEDDINGS", path: "/embeddings" });
}

const isOwnModel = (name: string): name is OwnModel => Object.hasOwn(OWN_MODELS, name);
