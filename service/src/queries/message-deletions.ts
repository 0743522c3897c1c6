import { refuseWhen } from "./batch.ts";
import { WINDOW_MESSAGES } from "./chunks.ts";
import { forgetFailures } from "./index-jobs.ts";
import { deletePhrases, type WriteTarget } from "./messages.ts";

/** Ends the batch unless this is the sequence of the conversation's newest message; 0 means no messages. */
export function refuseOtherEnd(
  db: D1Database,
  target: WriteTarget,
  expectedLastSequence: number,
): D1PreparedStatement {
  return refuseWhen(
    db,
    "sequence_conflict",
    `coalesce((SELECT max(sequence) FROM messages WHERE organization_id = ?1 AND conversation_id = ?2), 0) <> ?3`,
  ).bind(target.organizationId, target.conversationId, expectedLastSequence);
}

/** Ends the batch if more than `messagesMax` messages follow from `fromSequence` on. */
export function refuseLongSuffix(
  db: D1Database,
  target: WriteTarget,
  input: { fromSequence: number; messagesMax: number },
): D1PreparedStatement {
  return refuseWhen(
    db,
    "too_many_messages",
    `(SELECT count(*) FROM (SELECT 1 FROM messages
       WHERE organization_id = ?1 AND conversation_id = ?2 AND sequence >= ?3 LIMIT ?4 + 1)) > ?4`,
  ).bind(target.organizationId, target.conversationId, input.fromSequence, input.messagesMax);
}

/** Ids of the messages from a sequence on, oldest first. */
export function selectMessageIds(
  db: D1Database,
  target: WriteTarget,
  fromSequence: number,
): D1PreparedStatement {
  return db
    .prepare(
      "SELECT id FROM messages WHERE organization_id = ?1 AND conversation_id = ?2 AND sequence >= ?3 ORDER BY sequence",
    )
    .bind(target.organizationId, target.conversationId, fromSequence);
}

/** SQL expression of the same ids as JSON. Binds ?5 (conversation) and ?6 (first sequence). */
export const IDS_AS_JSON = `json_object('deleted', (SELECT json_group_array(id) FROM (SELECT id FROM messages
    WHERE organization_id = ?1 AND conversation_id = ?5 AND sequence >= ?6 ORDER BY sequence)))`;

export type MessageSelection = { id: string } | { fromSequence: number };

/**
 * Deletes messages with their terms and updates the counters. Also queues the deletion of all vectors whose
 * chunk holds one of the messages, and queues the surrounding windows for indexing.
 */
export function deleteMessages(
  db: D1Database,
  target: WriteTarget,
  selection: MessageSelection,
): D1PreparedStatement[] {
  const { organizationId, conversationId, nowMs } = target;
  const [column, value] =
    "id" in selection ? ["id =", selection.id] : ["sequence >=", selection.fromSequence];
  const gone = `FROM messages AS m WHERE m.organization_id = ?1 AND m.conversation_id = ?2 AND m.${column} ?3`;
  // Only these windows can contain the message, so not all chunks of a long conversation are read.
  const windows =
    "id" in selection
      ? `BETWEEN (SELECT m.sequence ${gone}) - ${WINDOW_MESSAGES} AND (SELECT m.sequence ${gone})`
      : `> ?3 - ${WINDOW_MESSAGES}`;
  const chunks = `FROM conversation_chunks AS k
      WHERE k.organization_id = ?1 AND k.conversation_id = ?2 AND k.window_start ${windows}
        AND EXISTS (SELECT 1 ${gone} AND m.sequence BETWEEN k.start_sequence AND k.end_sequence)`;
  const bound = (sql: string, ...more: unknown[]) =>
    db.prepare(sql).bind(organizationId, conversationId, value, ...more);
  const covered =
    "id" in selection
      ? `(SELECT m.sequence ${gone}) BETWEEN from_sequence AND to_sequence
         AND NOT EXISTS (SELECT 1 FROM messages AS kept
                          WHERE kept.organization_id = ?1 AND kept.conversation_id = ?2 AND kept.id <> ?3
                            AND kept.sequence BETWEEN index_jobs.from_sequence AND index_jobs.to_sequence)`
      : "from_sequence >= ?3";
  return [
    bound(
      `UPDATE organization_counters
          SET (message_count, token_count) =
              (SELECT organization_counters.message_count - count(*),
                      organization_counters.token_count - coalesce(sum(m.token_count), 0) ${gone})
        WHERE organization_id = ?1`,
    ),
    bound(
      `UPDATE conversations
          SET (message_count, token_count, version, updated_at_ms) =
              (SELECT conversations.message_count - count(*),
                      conversations.token_count - coalesce(sum(m.token_count), 0),
                      conversations.version + 1, ?4 ${gone})
        WHERE organization_id = ?1 AND id = ?2 AND EXISTS (SELECT 1 ${gone})`,
      nowMs,
    ),
    bound(
      `INSERT OR IGNORE INTO vector_deletions (organization_id, vector_id, conversation_id, queued_at_ms, due_at_ms)
       SELECT ?1, k.vector_id, ?2, ?4, ?4 ${chunks}`,
      nowMs,
    ),
    // Vectors queued earlier may hold these messages. The receipt must wait for them too, even if another
    // Worker whose clock is ahead queued them with a later time.
    db
      .prepare(
        `UPDATE vector_deletions SET queued_at_ms = ?3
          WHERE organization_id = ?1 AND conversation_id = ?2 AND queued_at_ms > ?3`,
      )
      .bind(organizationId, conversationId, nowMs),
    ...forgetFailures(bound, covered, nowMs),
    bound(
      `INSERT INTO index_jobs (organization_id, conversation_id, from_sequence, to_sequence, due_at_ms)
       SELECT ?1, ?2, min(m.sequence), max(m.sequence), ?4 ${gone} HAVING count(*) > 0`,
      nowMs,
    ),
    bound(
      `DELETE FROM conversation_chunks AS k WHERE k.id IN (SELECT k.id ${chunks}) AND k.organization_id = ?1`,
    ),
    bound(`DELETE FROM message_words WHERE rowid IN (SELECT m.number ${gone})`),
    bound(deletePhrases(`SELECT m.number ${gone}`)),
    bound(`DELETE ${gone}`),
  ];
}
