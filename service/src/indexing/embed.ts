import { EMBED_TEXTS_MAX, type Embedder } from "../ports/embedder.ts";
import { slices } from "../ports/vectors.ts";

/** Refused calls, with none that succeeded, after which the model counts as down, not a text as bad. */
const FAILURES_MAX = 20;
/** From this attempt on a failure of unknown kind is looked for in single texts. */
const SUSPECT_TEXTS_FROM_ATTEMPT = 3;
/** Workers AI's codes for an input it does not take, at the beginning of its messages. */
const INPUT_ERROR = /^(\w+: )?(5004|5006|3003|3006)\b/;

/**
 * Vectors of texts, in order; undefined for a text that the model refuses on its own account, with
 * what it said of the last such.
 *
 * @throws what the model threw, when it rather seems to be down.
 */
export async function embedWithoutPoison(
  embedder: Embedder,
  texts: string[],
  attempts: number,
): Promise<{ vectors: (number[] | undefined)[]; poisoned: string | null }> {
  let failures = 0;
  let successes = 0;
  let poisoned: string | null = null;
  const embed = async (batch: string[]): Promise<(number[] | undefined)[]> => {
    try {
      const vectors = await embedder.embed(batch);
      successes += 1;
      return vectors;
    } catch (error) {
      failures += 1;
      const message = error instanceof Error ? error.message : String(error);
      const suspectText = INPUT_ERROR.test(message) || attempts >= SUSPECT_TEXTS_FROM_ATTEMPT;
      if (!suspectText || (failures > FAILURES_MAX && successes === 0)) throw error;
      if (batch.length === 1) {
        poisoned = message;
        return [undefined];
      }
      const half = Math.ceil(batch.length / 2);
      return [...(await embed(batch.slice(0, half))), ...(await embed(batch.slice(half)))];
    }
  };
  const vectors: (number[] | undefined)[] = [];
  for (const batch of slices(texts, EMBED_TEXTS_MAX)) vectors.push(...(await embed(batch)));
  return { vectors, poisoned };
}
