import type { Invocation } from "../invocation.ts";
import { slices } from "../platform/calls.ts";
import { EMBED_TEXTS_MAX } from "../platform/embedder.ts";
import { describeRefusal, PortFailure } from "../platform/failures.ts";
import { textOf } from "./chunks.ts";
import type { Unit } from "./split-text.ts";

/** A text that every model accepts. If the model fails for it too, the model is down. */
const HARMLESS_TEXT = "hello";

/**
 * The result for one text. `values` is its vector, or undefined if the model rejects the text because of its
 * content.
 */
interface Embedding {
  values: number[] | undefined;
  /** The error codes of the rejection; null when the model accepts the text. */
  rejection: string | null;
}

/**
 * Embeds texts, in order. If a batch fails, each half is tried, down to the texts that the model rejects.
 *
 * @throws the model's error if the model is down: it fails for a harmless text too.
 */
async function embedWithoutPoison(
  { embedder, pace }: Pick<Invocation, "embedder" | "pace">,
  texts: string[],
): Promise<Embedding[]> {
  let isModelUp = false;
  const throwIfOutage = async (error: unknown): Promise<void> => {
    if (isModelUp || (error instanceof PortFailure && error.isAboutInput)) return;
    await embedder.embed([HARMLESS_TEXT]).catch(() => {
      throw error;
    });
    isModelUp = true;
  };
  const embed = async (batch: string[]): Promise<Embedding[]> => {
    try {
      return (await embedder.embed(batch)).map((values) => ({ values, rejection: null }));
    } catch (error) {
      await throwIfOutage(error);
      if (batch.length === 1) return [{ values: undefined, rejection: describeRefusal(error) }];
      const half = Math.ceil(batch.length / 2);
      return [...(await embed(batch.slice(0, half))), ...(await embed(batch.slice(half)))];
    }
  };
  const embeddings: Embedding[] = [];
  for (const batch of slices(texts, EMBED_TEXTS_MAX)) {
    embeddings.push(...(await embed(batch)));
    await pace.count(batch.reduce((sum, text) => sum + text.length, 0));
  }
  return embeddings;
}

/** A chunk with its vector, and the units that are left out of the vector because the model rejects them. */
export type Embedded<Chunk> = Chunk & Embedding & { rejected: Unit[] };

/**
 * Embeds chunks, in order. If the model rejects only some units (messages) of a chunk, the chunk is returned
 * with the other units and their vector, so that search finds these. Any other chunk that the model rejects has
 * no vector.
 */
export async function embedUnits<Chunk extends { units: Unit[] }>(
  invocation: Pick<Invocation, "embedder" | "pace">,
  chunks: Chunk[],
): Promise<Embedded<Chunk>[]> {
  const texts = chunks.map(({ units }) => textOf(units));
  const embeddings = await embedWithoutPoison(invocation, texts);
  const embedded = chunks.map((chunk, i) => {
    const { values, rejection = null } = embeddings[i] ?? {};
    return { ...chunk, values, rejection, rejected: [] as Unit[] };
  });
  for (const chunk of embedded) {
    if (chunk.values !== undefined) continue;
    const accepted = await embedAcceptedUnits(invocation, chunk.units);
    chunk.rejected = chunk.units.filter((unit) => !accepted?.units.includes(unit));
    Object.assign(chunk, accepted);
  }
  return embedded;
}

/**
 * The units of a rejected chunk that the model accepts, with their vector. Null if it accepts none, if it
 * accepts each of them separately, or if it rejects the accepted ones together.
 */
async function embedAcceptedUnits(
  invocation: Pick<Invocation, "embedder" | "pace">,
  units: Unit[],
): Promise<{ units: Unit[]; values: number[] } | null> {
  if (units.length === 1) return null;
  const texts = units.map(({ text }) => text);
  const individually = await embedWithoutPoison(invocation, texts);
  const accepted = units.filter((_, i) => individually[i]?.values !== undefined);
  if (accepted.length === 0 || accepted.length === units.length) return null;
  const [embedding] = await embedWithoutPoison(invocation, [textOf(accepted)]);
  return embedding?.values === undefined ? null : { units: accepted, values: embedding.values };
}
