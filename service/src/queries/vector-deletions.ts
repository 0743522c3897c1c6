/** A vector that is to go, or that the store was asked to delete. */
export interface VectorDeletion {
  organizationId: string;
  vectorId: string;
  /** When the store had taken the deletion; null when it was not asked yet. */
  sentAtMs: number | null;
}

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
      `SELECT organization_id, vector_id, sent_at_ms FROM vector_deletions AS d
        WHERE due_at_ms <= ?1
          AND NOT EXISTS (SELECT 1 FROM index_jobs AS j
                           WHERE j.organization_id = d.organization_id AND j.conversation_id = d.conversation_id
                             AND j.lease_until_ms > ?1)
        ORDER BY due_at_ms LIMIT ?2`,
    )
    .bind(input.nowMs, input.limit)
    .all<{ organization_id: string; vector_id: string; sent_at_ms: number | null }>();
  return results.map((row) => ({
    organizationId: row.organization_id,
    vectorId: row.vector_id,
    sentAtMs: row.sent_at_ms,
  }));
}

const THESE = "(organization_id, vector_id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?1))";
const toKeys = (deletions: VectorDeletion[]): string =>
  JSON.stringify(deletions.map(({ organizationId, vectorId }) => [organizationId, vectorId]));

/** Those of the deletions that are still queued: a chunk may be back since. */
export async function selectStillQueued(db: D1Database, deletions: VectorDeletion[]): Promise<string[]> {
  const { results } = await db
    .prepare(`SELECT vector_id FROM vector_deletions WHERE ${THESE}`)
    .bind(toKeys(deletions))
    .all<{ vector_id: string }>();
  return results.map((row) => row.vector_id);
}

/**
 * Note that the store has taken these deletions, to be asked after at `dueAtMs`.
 *
 * A chunk that came back while the store was deleting its vector has lost it: it is to be indexed anew.
 */
export async function updateDeletionsSent(
  db: D1Database,
  deletions: VectorDeletion[],
  input: { nowMs: number; dueAtMs: number },
): Promise<void> {
  // A vector's id begins with its chunk's.
  const back = `FROM json_each(?1) AS gone
    CROSS JOIN conversation_chunks AS k ON k.organization_id = gone.value ->> 0
               AND k.id = substr(gone.value ->> 1, 1, instr(gone.value ->> 1, '.') - 1)`;
  const keys = toKeys(deletions);
  await db.batch([
    db
      .prepare(`UPDATE vector_deletions SET sent_at_ms = ?2, due_at_ms = ?3 WHERE ${THESE}`)
      .bind(keys, input.nowMs, input.dueAtMs),
    db
      .prepare(
        `INSERT INTO index_jobs (organization_id, conversation_id, from_sequence, to_sequence, due_at_ms)
         SELECT k.organization_id, k.conversation_id, k.start_sequence, k.end_sequence, ?2 ${back}`,
      )
      .bind(keys, input.nowMs),
    db
      .prepare(
        `UPDATE conversation_chunks SET indexed_at_ms = NULL
          WHERE (organization_id, id) IN (SELECT k.organization_id, k.id ${back})`,
      )
      .bind(keys),
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
