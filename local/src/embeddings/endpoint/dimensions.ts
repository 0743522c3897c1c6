import { createHash } from "node:crypto";
import { type EndpointAddress, shownUrl } from "../../endpoints/address.ts";
import { StartError } from "../../start/start-error.ts";
import type { EmbeddingMemory } from "../memory.ts";
import type { EndpointClient } from "./calls.ts";

/**
 * Finds out how many dimensions the endpoint's vectors have, with a test call. If the call fails, uses the
 * number that was stored after an earlier one.
 *
 * @throws {StartError} If the call fails and no number is stored.
 */
export async function learnDimensions(
  client: EndpointClient,
  address: EndpointAddress,
  memory: EmbeddingMemory,
  say: (line: string) => void,
): Promise<number> {
  const key = createHash("sha256").update(`${address.url}\n${address.model}`).digest("hex");
  const known = memory.read(key);
  const remembered = typeof known === "number" && known > 0 ? known : undefined;
  try {
    const [vector] = await client.embedOnce(["hello"]);
    const dimensions = vector?.length ?? 0;
    if (dimensions !== remembered) memory.write(key, dimensions);
    return dimensions;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const where = `The embeddings endpoint ${shownUrl(address)} (model "${address.model}")`;
    if (remembered === undefined) {
      throw new StartError(
        `${where} fails: ${reason}.\n` +
          "The first start needs its answer, to know the size of its vectors. Check ENGRAM_EMBEDDINGS_URL, " +
          "ENGRAM_EMBEDDINGS_MODEL and ENGRAM_EMBEDDINGS_API_KEY, or unset them for the model of words.",
      );
    }
    say(`${where} fails: ${reason}. Until it answers, messages are found by their words only.`);
    return remembered;
  }
}
