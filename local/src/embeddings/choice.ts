import { type EndpointAddress, readEndpoint } from "../endpoints/address.ts";
import { StartError } from "../start/start-error.ts";
import type { ModelSpecification } from "./bge/messages.ts";
import { isBgeSupported } from "./bge/packages.ts";
import { BGE_BASE } from "./bge/source.ts";

const HUB = "https://huggingface.co";
const CHOICES = "builtin, bge-base";

export type EmbeddingChoice =
  | { kind: "bge-base"; specification: ModelSpecification; hub: string }
  | ({ kind: "endpoint" } & EndpointAddress);

/**
 * Reads from the environment which model embeds texts. Undefined means the built-in one. An empty variable
 * counts as unset.
 *
 * @throws {StartError} If a variable is invalid, two contradict each other, or bge-base does not run on this
 * platform.
 */
export function readEmbeddingChoice(env: Record<string, string | undefined>): EmbeddingChoice | undefined {
  const name = env.ENGRAM_EMBEDDINGS || undefined;
  if (name !== undefined && env.ENGRAM_EMBEDDINGS_URL) {
    throw new StartError("Set either ENGRAM_EMBEDDINGS or ENGRAM_EMBEDDINGS_URL, not both.");
  }
  const endpoint = readEndpoint(env, { prefix: "ENGRAM_EMBEDDINGS", path: "/embeddings" });
  if (endpoint !== undefined) return { kind: "endpoint", ...endpoint };
  if (name === undefined || name === "builtin") return undefined;
  if (name !== "bge-base") {
    throw new StartError(
      `ENGRAM_EMBEDDINGS must be one of ${CHOICES}, not "${name}"; for an endpoint, set ENGRAM_EMBEDDINGS_URL.`,
    );
  }
  if (!isBgeSupported()) {
    throw new StartError(
      `ENGRAM_EMBEDDINGS=bge-base needs ONNX Runtime, which is not built for ${process.platform}-${process.arch}. ` +
        "An endpoint can serve the model instead: ENGRAM_EMBEDDINGS_URL.",
    );
  }
  return { kind: "bge-base", specification: BGE_BASE, hub: parseHub(env.HF_ENDPOINT || HUB) };
}

/**
 * @throws {StartError} If the value is not a valid URL. The message does not repeat it, because it may
 * contain a password.
 */
function parseHub(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && `${url.username}${url.password}` === "") {
    return value;
  }
  throw new StartError(`HF_ENDPOINT must be an http or https URL without a password, such as ${HUB}.`);
}
