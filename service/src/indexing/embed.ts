import type { ServiceContext } from "../context.ts";
import { slices } from "../ports/calls.ts";
import { EMBED_TEXTS_MAX } from "../ports/embedder.ts";
import { describeRefusal, PortFailure } from "../ports/failures.ts";
import { textOf } from "./chunks.ts";
import type { Unit } from "./split.ts";

/** A text that any model takes: what fails on it fails on everything. */
const HARMLESS_TEXT = "hello";

/**
 * Vectors of texts, in order; undefined for a text that the model refuses on its own account, with
 * the codes of the last such refusal.
 *
 * @throws what the model threw, when it refuses a harmless text as well: then it is down.
 */
export async function embedWithoutPoison(
  { embedder, pace }: Pick<ServiceContext, "embedder" | "pace">,
  texts: string[],
): Promise<{ vectors: (number[] | undefined)[]; poisoned: string | null }> {
  let answers = false;
  let poisoned: string | null = null;
  const refuseOutage = async (error: unknown): Promise<void> => {
    if (answers || (error instanceof PortFailure && error.isAboutInput)) return;
    await embedder.embed([HARMLESS_TEXT]).catch(() => {
      throw error;
    });
    answers = true;
  };
  const embed = async (batch: string[]): Promise<(number[] | undefined)[]> => {
    try {
      return await embedder.embed(batch);
    } catch (error) {
      await refuseOutage(error);
      if (batch.length === 1) {
        poisoned = describeRefusal(error);
        return [undefined];
      }
      const half = Math.ceil(batch.length / 2);
      return [...(await embed(batch.slice(0, half))), ...(await embed(batch.slice(half)))];
    }
  };
  const vectors: (number[] | undefined)[] = [];
  for (const batch of slices(texts, EMBED_TEXTS_MAX)) {
    vectors.push(...(await embed(batch)));
    await pace.count(batch.reduce((sum, text) => sum + text.length, 0));
  }
  return { vectors, poisoned };
}

/**
 * Vectors of chunks, in order; undefined for a chunk that the model refuses whole. One that it refuses for
 * the sake of some units comes back with the others alone and their vector, so that these are found.
 *
 * @returns also the units that have no part in any vector, and the codes of the last refusal.
 */
export async function embedUnits<Wanted extends { units: Unit[] }>(
  ctx: Pick<ServiceContext, "embedder" | "pace">,
  wanted: Wanted[],
): Promise<{
  chunks: (Wanted & { values: number[] | undefined })[];
  refused: Unit[];
  poisoned: string | null;
}> {
  const texts = wanted.map(({ units }) => textOf(units));
  const { vectors, poisoned } = await embedWithoutPoison(ctx, texts);
  const chunks = wanted.map((chunk, i) => ({ ...chunk, values: vectors[i] }));
  const refused: Unit[] = [];
  for (const chunk of chunks) {
    if (chunk.values !== undefined) continue;
    const rest = await embedRest(ctx, chunk.units);
    refused.push(...chunk.units.filter((unit) => !rest?.units.includes(unit)));
    Object.assign(chunk, rest);
  }
  return { chunks, refused, poisoned };
}

/** The units of a refused chunk that are not, with their vector; null when there are none, or none to blame. */
async function embedRest(
  ctx: Pick<ServiceContext, "embedder" | "pace">,
  units: Unit[],
): Promise<{ units: Unit[]; values: number[] } | null> {
  if (units.length === 1) return null;
  const texts = units.map(({ text }) => text);
  const alone = await embedWithoutPoison(ctx, texts);
  const rest = units.filter((_, i) => alone.vectors[i] !== undefined);
  if (rest.length === 0 || rest.length === units.length) return null;
  const [values] = (await embedWithoutPoison(ctx, [textOf(rest)])).vectors;
  return values === undefined ? null : { units: rest, values };
}
