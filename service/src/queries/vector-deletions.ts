/** A vector that is to go, or that the store was asked to delete. */
export interface VectorDeletion {
  organizationId: string;
  vectorId: string;
  /** When the store had taken the deletion; null when it was not asked yet. */
  sentAtMs: number | null;
  /** When it was last asked without an answer that it took the deletion; null when it never was. */
  askedAtMs: number | null;
}

/**
 * When to ask the vector store whether a deletion came through. Before, its silence says nothing: a run of
 * indexing may write the vector for as long as its lease, a minute, behind the deletion, and the store
 * shows what it took within two minutes. By then nothing that it once was asked is under way any more.
 */
export const CONFIRM_MS = 180_000;

/**
 * Queued deletions that are due, longest waiting first.
 *
 * None of a conversation that is being indexed: its run may still write a vector behind the deletion.
 */
export async function selectDueDeletions(
  db: D1Database,
  input: { nowMs: number; limit: number },
): Promise<VectorDeletion[]> {
  const { results } = await db
    .prepare(
      `SELECT organization_id, vector_id, sent_at_ms, asked_at_ms FROM vector_deletions AS d
        WHERE due_at_ms <= ?1
          AND NOT EXISTS (SELECT 1 FROM index_jobs AS j
                           WHERE j.organization_id = d.organization_id AND j.conversation_id = d.conversation_id
                             AND j.lease_until_ms > ?1)
        ORDER BY due_at_ms LIMIT ?2`,
    )
    .bind(input.nowMs, input.limit)
    .all<{
      organization_id: string;
      vector_id: string;
      sent_at_ms: number | null;
      asked_at_ms: number | null;
    }>();
  return results.map((row) => ({
    organizationId: row.organization_id,
    vectorId: row.vector_id,
    sentAtMs: row.sent_at_ms,
    askedAtMs: row.asked_at_ms,
  }));
}

const THESE = "(organization_id, vector_id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?1))";
const toKeys = (deletions: VectorDeletion[]): string =>
  JSON.stringify(deletions.map(({ organizationId, vectorId }) => [organizationId, vectorId]));

/**
 * Note that the store is about to be asked for these deletions, before it is: what it then answers with an
 * error it may still carry out.
 *
 * @returns those that are to be asked for: still queued, since a chunk may be back, and not asked for by another
 * sweep since they were read.
 */
export async function updateDeletionsAsked(
  db: D1Database,
  deletions: VectorDeletion[],
  nowMs: number,
): Promise<VectorDeletion[]> {
  const read = deletions.map(({ organizationId, vectorId, askedAtMs }) => [
    organizationId,
    vectorId,
    askedAtMs,
  ]);
  const { results } = await db
    .prepare(
      `UPDATE vector_deletions SET asked_at_ms = ?2
        WHERE ${THESE} AND (organization_id, vector_id, coalesce(asked_at_ms, 0))
              IN (SELECT value ->> 0, value ->> 1, coalesce(value ->> 2, 0) FROM json_each(?1))
       RETURNING vector_id`,
    )
    .bind(JSON.stringify(read), nowMs)
    .all<{ vector_id: string }>();
  const asked = new Set(results.map((row) => row.vector_id));
  return deletions.filter(({ vectorId }) => asked.has(vectorId));
}

/** Note that the store has taken these deletions, which it was asked for at `nowMs`, to be asked after at `dueAtMs`. */
export async function updateDeletionsSent(
  db: D1Database,
  deletions: VectorDeletion[],
  input: { nowMs: number; dueAtMs: number },
): Promise<void> {
  const first = deletions.filter(({ askedAtMs }) => askedAtMs === null);
  await db.batch([
    db
      .prepare(`UPDATE vector_deletions SET sent_at_ms = ?2, due_at_ms = ?3 WHERE ${THESE}`)
      .bind(toKeys(deletions), input.nowMs, input.dueAtMs),
    // Of the others an earlier request may still be under way, or a later one of another sweep.
    db
      .prepare(`UPDATE vector_deletions SET asked_at_ms = NULL WHERE ${THESE} AND asked_at_ms = ?2`)
      .bind(toKeys(first), input.nowMs),
  ]);
}

/** Forget deletions that the store has confirmed, but for those that were queued or sent anew since they were read. */
export async function deleteConfirmedDeletions(db: D1Database, deletions: VectorDeletion[]): Promise<void> {
  const confirmed = deletions.map(({ organizationId, vectorId, sentAtMs }) => [
    organizationId,
    vectorId,
    sentAtMs,
  ]);
  await db
    .prepare(
      `DELETE FROM vector_deletions WHERE (organization_id, vector_id, sent_at_ms)
         IN (SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?1))`,
    )
    .bind(JSON.stringify(confirmed))
    .run();
}
