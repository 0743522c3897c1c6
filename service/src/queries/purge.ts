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
        `INSERT OR IGNORE INTO vector_deletions (organization_id, vector_id, conversation_id, queued_at_ms, due_at_ms)
         SELECT ?1, vector_id, ?2, 0, ?3 FROM conversation_chunks WHERE organization_id = ?1 AND conversation_id = ?2`,
      )
      .bind(organizationId, id, input.nowMs),
    // Also what was queued before: by another Worker's clock that may have been after the receipt's beginning.
    db
      .prepare(
        "UPDATE vector_deletions SET queued_at_ms = 0, operation_id = ?3 WHERE organization_id = ?1 AND conversation_id = ?2",
      )
      .bind(organizationId, id, operationId),
    db
      .prepare("DELETE FROM conversation_chunks WHERE organization_id = ?1 AND conversation_id = ?2")
      .bind(organizationId, id),
    db
      .prepare("DELETE FROM index_jobs WHERE organization_id = ?1 AND conversation_id = ?2")
      .bind(organizationId, id),
    db.prepare(`DELETE FROM message_words WHERE rowid IN (${some})`).bind(organizationId, id, input.limit),
    db
      .prepare(`DELETE FROM messages WHERE number IN (${some}) AND +organization_id = ?1`)
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

/**
 * Rewrite up to so many pages of the keyword index without the words that were deleted from them: until
 * then they are found no more, but still in the file.
 *
 * FTS5 rewrites a segment on its own account once 1 % of it is deleted. What is below that would stay for
 * as long as nothing is written, so once nothing else is due all segments are merged into one, over as many
 * calls as that takes (https://www.sqlite.org/fts5.html#the_merge_command).
 */
export async function mergeWords(db: D1Database, pages: number): Promise<void> {
  const merge = "INSERT INTO message_words (message_words, rank)";
  const { meta } = await db.prepare(`${merge} VALUES ('merge', ?1)`).bind(pages).run();
  // One change is the command itself: nothing was due.
  if (meta.changes > 1) return;
  // Pages with marks of deleted rows have these ids: fts5_index.c, FTS5_TOMBSTONE_ROWID.
  const hasDeleted = "EXISTS (SELECT 1 FROM message_words_data WHERE id >= 1 << 53)";
  await db.prepare(`${merge} SELECT 'merge', -?1 WHERE ${hasDeleted}`).bind(pages).run();
}
