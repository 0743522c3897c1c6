import { GET_VECTORS_MAX, type VectorStore } from "../ports/vectors.ts";
import type { Taking } from "../queries/vector-takings.ts";

/**
 * Messages whose vectors the store has taken and does not show to queries yet.
 *
 * A store shows vectors in the order that it took them, so a few of the last ones tell; between two of
 * these all count as not shown.
 *
 * @param takings newest first.
 */
export async function countUnshownMessages(
  vectors: VectorStore,
  takings: Taking[],
  timeoutMs: number,
): Promise<number> {
  if (takings.length === 0) return 0;
  const stride = Math.ceil(takings.length / GET_VECTORS_MAX);
  const asked = takings.filter((_, place) => place % stride === 0).map(({ vectorId }) => vectorId);
  const shown = await vectors.existing(asked, timeoutMs);
  const firstShown = takings.findIndex(({ vectorId }) => shown.has(vectorId));
  const unshown = firstShown < 0 ? takings : takings.slice(0, firstShown);
  return unshown.reduce((sum, { messages }) => sum + messages, 0);
}
