import type { ServiceContext } from "../context.ts";
import { slices } from "../platform/calls.ts";
import { EMBED_TEXTS_MAX } from "../platform/embedder.ts";
import { describeRefusal, PortFailure } from "../platform/failures.ts";
import { textOf } from "./chunks.ts";
import type { Unit } from "./split-text.ts";

/** A text that every model accepts. If the model fails for it too, the model is down. */
const HARMLESS_TEXT = "hello";

/**
 * Embeds texts, in order. For a text that the model rejects because of its content, the vector is undefined.
 * `poisoned` has the error codes of the last such rejection.
 *
 * @throws the model's error if the model is down: it fails for a harmless text too.
 */
export async function embedWithoutPoison(
  { embedder, pace }: Pick<ServiceContext, "embedder" | "pace">,
  texts: string[],
): Promise<{ vectors: (number[] | undefined)[]; poisoned: string | null }> {
  let isModelUp = false;
  let poisoned: string | null = null;
  const throwIfOutage = async (error: unknown): Promise<void> => {
    if (isModelUp || (error instanceof PortFailure && error.isAboutInput)) return;
    await embedder.embed([HARMLESS_TEXT]).catch(() => {
      throw error;
    });
    isModelUp = true;
  };
  const embed = async (batch: string[]): Promise<(number[] | undefined)[]> => {
    try {
      return await embedder.embed(batch);
    } catch (error) {
      await throwIfOutage(error);
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
 * Embeds chunks, in order. If the model rejects only some units (messages) of a chunk, the chunk is returned with the
 * other units and their vector, so that search finds these. If it rejects all units, the vector is undefined.
 *
 * @returns also the units that are in no vector, and the error codes of the last rejection.
 */
export async function embedUnits<Requested extends { units: Unit[] }>(
  ctx: Pick<ServiceContext, "embedder" | "pace">,
  requested: Requested[],
): Promise<{
  chunks: (Requested & { values: number[] | undefined })[];
  rejected: Unit[];
  poisoned: string | null;
}> {
  const texts = requested.map(({ units }) => textOf(units));
  const { vectors, poisoned } = await embedWithoutPoison(ctx, texts);
  const chunks = requested.map((chunk, i) => ({ ...chunk, values: vectors[i] }));
  const rejected: Unit[] = [];
  for (const chunk of chunks) {
    if (chunk.values !== undefined) continue;
    const accepted = await embedAcceptedUnits(ctx, chunk.units);
    rejected.push(...chunk.units.filter((unit) => !accepted?.units.includes(unit)));
    Object.assign(chunk, accepted);
  }
  return { chunks, rejected, poisoned };
}

/**
 * The units of a rejected chunk that the model accepts, with their vector. Null if it accepts none, or if it
 * accepts each of them separately.
 */
async function embedAcceptedUnits(
  ctx: Pick<ServiceContext, "embedder" | "pace">,
  units: Unit[],
): Promise<{ units: Unit[]; values: number[] } | null> {
  if (units.length === 1) return null;
  const texts = units.map(({ text }) => text);
  const individually = await embedWithoutPoison(ctx, texts);
  const accepted = units.filter((_, i) => individually.vectors[i] !== undefined);
  if (accepted.length === 0 || accepted.length === units.length) return null;
  const [values] = (await embedWithoutPoison(ctx, [textOf(accepted)])).vectors;
  return values === undefined ? null : { units: accepted, values };
}
