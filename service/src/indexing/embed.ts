import { slices } from "../ports/calls.ts";
import { EMBED_TEXTS_MAX, type Embedder } from "../ports/embedder.ts";

/** Workers AI's codes for an input it does not take, at the beginning of its messages. */
const INPUT_ERROR = /^(\w+: )?(5004|5006|3003|3006)\b/;
/** A text that any model takes: what fails on it fails on everything. */
const HARMLESS_TEXT = "hello";

/**
 * Vectors of texts, in order; undefined for a text that the model refuses on its own account, with
 * what it said of the last such.
 *
 * @throws what the model threw, when it refuses a harmless text as well: then it is down.
 */
export async function embedWithoutPoison(
  embedder: Embedder,
  texts: string[],
): Promise<{ vectors: (number[] | undefined)[]; poisoned: string | null }> {
  let answers = false;
  let poisoned: string | null = null;
  const refuseOutage = async (error: unknown, message: string): Promise<void> => {
    if (answers || INPUT_ERROR.test(message)) return;
    await embedder.embed([HARMLESS_TEXT]).catch(() => {
      throw error;
    });
    answers = true;
  };
  const embed = async (batch: string[]): Promise<(number[] | undefined)[]> => {
    try {
      return await embedder.embed(batch);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      await refuseOutage(error, message);
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
