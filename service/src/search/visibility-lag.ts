import type { RecentUpsert } from "../indexing/recent-upserts-queries.ts";
import { GET_VECTORS_MAX, type VectorStore } from "../platform/vectors.ts";

/**
 * Counts the messages whose vectors the vector store does not return yet. The store makes vectors visible in the order
 * of the upserts that wrote them, so it is enough to check some of the upserts. All messages of upserts after the
 * newest one found visible are counted.
 *
 * @param recentUpserts newest first.
 */
export async function countInvisibleMessages(
  vectors: VectorStore,
  recentUpserts: RecentUpsert[],
  timeoutMs: number,
): Promise<number> {
  if (recentUpserts.length === 0) return 0;
  const stride = Math.ceil(recentUpserts.length / GET_VECTORS_MAX);
  const checked = recentUpserts.filter((_, place) => place % stride === 0).map(({ vectorId }) => vectorId);
  const visible = await vectors.existing(checked, timeoutMs);
  const firstVisible = recentUpserts.findIndex(({ vectorId }) => visible.has(vectorId));
  const invisible = firstVisible < 0 ? recentUpserts : recentUpserts.slice(0, firstVisible);
  return invisible.reduce((sum, { messages }) => sum + messages, 0);
}
