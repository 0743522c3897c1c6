import { GET_VECTORS_MAX, type VectorStore } from "../ports/vectors.ts";
import type { Taking } from "../queries/vector-takings.ts";

/**
 * Counts messages whose vectors the store has accepted but does not return in queries yet.
 *
 * A store makes vectors visible in the order of the upserts, so checking a few of the newest is enough. All
 * messages between two checked upserts count as not visible.
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
