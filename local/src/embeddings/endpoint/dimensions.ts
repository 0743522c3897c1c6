import { createHash } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type EndpointAddress, shownUrl } from "../../endpoints/address.ts";
import { StartError } from "../../start/start-error.ts";
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
  dataPath: string,
  say: (line: string) => void,
): Promise<number> {
  const memory = openMemory(join(dataPath, "embeddings.json"), address);
  const remembered = memory.read();
  try {
    const [vector] = await client.embedOnce(["hello"]);
    const dimensions = vector?.length ?? 0;
    if (dimensions !== remembered) memory.write(dimensions);
    return dimensions;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const where = `The embeddings endpoint ${shownUrl(address)} (model "${address.model}")`;
    if (remembered === undefined) {
      throw new StartError(
        `${where} fails: ${reason}.\n` +
          "The first start needs its answer, to know the size of its vectors. Check ENGRAM_EMBEDDINGS_URL, " +
          "ENGRAM_EMBEDDINGS_MODEL and ENGRAM_EMBEDDINGS_API_KEY, or unset them for the built-in embedder.",
      );
    }
    say(`${where} fails: ${reason}. Until it answers, messages are found by their words only.`);
    return remembered;
  }
}

function openMemory(file: string, { url, model }: EndpointAddress) {
  const key = createHash("sha256").update(`${url}\n${model}`).digest("hex");
  const readAll = (): Record<string, unknown> => {
    try {
      return { ...JSON.parse(readFileSync(file, "utf8")) };
    } catch {
      return {};
    }
  };
  return {
    read(): number | undefined {
      const dimensions = readAll()[key];
      return typeof dimensions === "number" && dimensions > 0 ? dimensions : undefined;
    },
    write(dimensions: number): void {
      writeFileSync(`${file}.new`, `${JSON.stringify({ ...readAll(), [key]: dimensions })}\n`, {
        mode: 0o600,
      });
      renameSync(`${file}.new`, file);
    },
  };
}
