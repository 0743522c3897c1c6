/** A hidden conversation whose rows are still there. */
export interface HiddenConversation {
  organizationId: string;
  id: string;
  operationId: string | null;
}

/** Hidden conversations, longest hidden first. */
export async function selectHiddenConversations(
  db: D1Database,
  limit: number,
): Promise<HiddenConversation[]> {
  const { results } = await db
    .prepare(
      `SELECT organization_id, id, operation_id FROM conversations
        WHERE deleted_at_ms IS NOT NULL ORDER BY deleted_at_ms LIMIT ?1`,
    )
    .bind(limit)
    .all<{ organization_id: string; id: string; operation_id: string | null }>();
  return results.map((row) => ({
    organizationId: row.organization_id,
    id: row.id,
    operationId: row.operation_id,
  }));
}

/** Whether an organization has a conversation left, hidden or not. */
export async function hasConversations(db: D1Database, organizationId: string): Promise<boolean> {
  const row = await db
    .prepare("SELECT 1 AS found FROM conversations WHERE organization_id = ?1 LIMIT 1")
    .bind(organizationId)
    .first();
  return row !== null;
}

/**
 * Purge up to `limit` messages of a hidden conversation with their words, and once none is left the
 * conversation itself; its vectors are queued to be deleted first. Resolves to whether it is gone.
 */
export async function purgeConversation(
  db: D1Database,
  conversation: HiddenConversation,
  input: { limit: number; nowMs: number },
): Promise<boolean> {
  const { organizationId, id, operationId } = conversation;
  const some = `SELECT number FROM messages
    WHERE organization_id = ?1 AND conversation_id = ?2 ORDER BY sequence LIMIT ?3`;
  const none = `NOT EXISTS (SELECT 1 FROM messages WHERE organization_id = ?1 AND conversation_id = ?2)`;
  const results = await db.batch([
    db
      .prepare(
        `INSERT INTO vector_deletions (organization_id, vector_id, operation_id, confirm_after_ms, due_at_ms)
         SELECT ?1, vector_id, ?3,
                coalesce((SELECT max(lease_until_ms) FROM index_jobs
                           WHERE organization_id = ?1 AND conversation_id = ?2), ?4), ?4
           FROM conversation_chunks WHERE organization_id = ?1 AND conversation_id = ?2
         ON CONFLICT (organization_id, vector_id) DO UPDATE SET operation_id = coalesce(excluded.operation_id, operation_id)`,
      )
      .bind(organizationId, id, operationId, input.nowMs),
    db
      .prepare("DELETE FROM conversation_chunks WHERE organization_id = ?1 AND conversation_id = ?2")
      .bind(organizationId, id),
    db
      .prepare("DELETE FROM index_jobs WHERE organization_id = ?1 AND conversation_id = ?2")
      .bind(organizationId, id),
    db.prepare(`DELETE FROM message_words WHERE rowid IN (${some})`).bind(organizationId, id, input.limit),
    db
      .prepare(`DELETE FROM messages WHERE number IN (${some}) AND organization_id = ?1`)
      .bind(organizationId, id, input.limit),
    db
      .prepare(
        `UPDATE operations SET rows_deleted_at_ms = ?4
          WHERE organization_id = ?1 AND id = ?3 AND type = 'delete_conversation' AND ${none}`,
      )
      .bind(organizationId, id, operationId, input.nowMs),
    db
      .prepare(`DELETE FROM conversations WHERE organization_id = ?1 AND id = ?2 AND ${none}`)
      .bind(organizationId, id),
  ]);
  return results.at(-1)?.meta.changes === 1;
}

/** Vectors to be deleted now, or asked after. */
export interface DueDeletion {
  organizationId: string;
  vectorId: string;
  sent: boolean;
  confirmAfterMs: number;
}

/** Queued vector deletions that are due, longest waiting first. */
export async function selectDueDeletions(
  db: D1Database,
  input: { nowMs: number; limit: number },
): Promise<DueDeletion[]> {
  const { results } = await db
    .prepare(
      `SELECT organization_id, vector_id, sent_at_ms, confirm_after_ms FROM vector_deletions
        WHERE due_at_ms <= ?1 ORDER BY due_at_ms LIMIT ?2`,
    )
    .bind(input.nowMs, input.limit)
    .all<{
      organization_id: string;
      vector_id: string;
      sent_at_ms: number | null;
      confirm_after_ms: number;
    }>();
  return results.map((row) => ({
    organizationId: row.organization_id,
    vectorId: row.vector_id,
    sent: row.sent_at_ms !== null,
    confirmAfterMs: row.confirm_after_ms,
  }));
}

const THESE = `(organization_id, vector_id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?1))`;
const keys = (deletions: DueDeletion[]): string =>
  JSON.stringify(deletions.map(({ organizationId, vectorId }) => [organizationId, vectorId]));

/** Note that the store is asked to delete these, to be asked after at `dueAtMs`; resolves to those still queued. */
export async function updateDeletionsSent(
  db: D1Database,
  deletions: DueDeletion[],
  input: { nowMs: number; dueAtMs: number },
): Promise<string[]> {
  const { results } = await db
    .prepare(`UPDATE vector_deletions SET sent_at_ms = ?2, due_at_ms = ?3 WHERE ${THESE} RETURNING vector_id`)
    .bind(keys(deletions), input.nowMs, input.dueAtMs)
    .all<{ vector_id: string }>();
  return results.map((row) => row.vector_id);
}

/** Forget deletions that the store has confirmed. */
export async function deleteConfirmedDeletions(db: D1Database, deletions: DueDeletion[]): Promise<void> {
  await db.prepare(`DELETE FROM vector_deletions WHERE ${THESE}`).bind(keys(deletions)).run();
}
