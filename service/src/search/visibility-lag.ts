import type { RecentUpsert, RecordedUpsert } from "../platform/recent-upserts.ts";
import { GET_VECTORS_MAX, type VectorStore } from "../platform/vectors.ts";

const ORGANIZATIONS_MAX = 10_000;

/** Keeps the newest upsert of each organization that was found visible, to save calls of the vector store. */
export class VisibleUpserts {
  readonly #newest = new Map<string, string>();

  has(organizationId: string, upsert: RecordedUpsert): boolean {
    return this.#newest.get(organizationId) === nameOf(upsert);
  }

  set(organizationId: string, upsert: RecordedUpsert): void {
    if (this.#newest.size >= ORGANIZATIONS_MAX) this.#newest.clear();
    this.#newest.set(organizationId, nameOf(upsert));
  }
}

/** The time differs if the same vector is stored again after it was deleted. */
const nameOf = ({ vectorId, textHash, atMs }: RecordedUpsert): string => [vectorId, textHash, atMs].join(" ");

/**
 * Counts the messages whose vectors the vector store does not return yet. The store makes vectors visible in the order
 * of the upserts that wrote them, so it is enough to check some of the upserts. All messages of upserts after the
 * newest one found visible are counted.
 *
 * @param recentUpserts newest first.
 */
export async function countInvisibleMessages(
  vectors: VectorStore,
  known: VisibleUpserts,
  { organizationId, recentUpserts }: { organizationId: string; recentUpserts: RecordedUpsert[] },
  timeoutMs: number,
): Promise<number> {
  const [newest] = recentUpserts;
  if (newest === undefined || known.has(organizationId, newest)) return 0;
  // Usually everything is visible, and one vector shows it.
  const found = await vectors.existing([newest.vectorId], timeoutMs);
  if (isVisible(found.get(newest.vectorId), [newest], newest.vectorId)) {
    known.set(organizationId, newest);
    return 0;
  }
  const stride = Math.ceil(recentUpserts.length / GET_VECTORS_MAX);
  const checked = recentUpserts.filter((_, place) => place % stride === 0).map(({ vectorId }) => vectorId);
  const stored = await vectors.existing([...new Set(checked)], timeoutMs);
  const firstVisible = recentUpserts.findIndex((upsert, place) =>
    isVisible(stored.get(upsert.vectorId), recentUpserts.slice(0, place + 1), upsert.vectorId),
  );
  const invisible = firstVisible < 0 ? recentUpserts : recentUpserts.slice(0, firstVisible);
  return invisible.reduce((sum, { messages }) => sum + messages, 0);
}

/**
 * Whether the store returns the vector of the last of these upserts, or one of a newer upsert that replaces it.
 *
 * @param textHash of the stored vector. Undefined if the store has none.
 */
const isVisible = (textHash: string | null | undefined, upserts: RecentUpsert[], vectorId: string): boolean =>
  upserts.some((upsert) => upsert.vectorId === vectorId && upsert.textHash === textHash);
