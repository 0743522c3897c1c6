import { RUNS } from "../jobs/queries.ts";
import { nothing, onlyRow, type Statement, type Statements, sql } from "../platform/sql.ts";

/** Whether conversations are left to queue, and fewer than `limit` that are queued were not indexed yet. */
export const isRebuildWaiting = (limit: number): Statement<boolean> =>
  onlyRow(
    sql`SELECT EXISTS (SELECT 1 FROM keyword_index_rebuild)
           AND NOT EXISTS (SELECT 1 FROM index_jobs WHERE keeps_vectors = 1 AND ${RUNS}
                            LIMIT 1 OFFSET ${limit - 1}) AS is_waiting`,
    ({ is_waiting }: { is_waiting: 0 | 1 }) => is_waiting === 1,
  );

/** Queues the next `limit` conversations and memories, and stores the position in the same transaction. */
export function queuedRebuildStep({ nowMs, limit }: { nowMs: number; limit: number }) {
  const next = sql`
    SELECT c.row_key AS row_key, c.organization_id AS organization_id, c.id AS id, c.last_sequence AS last_sequence,
           c.deleted_at_ms AS deleted_at_ms
      FROM keyword_index_rebuild AS r
     CROSS JOIN conversations AS c ON c.row_key > r.next_row_key AND c.row_key <= r.last_row_key
     ORDER BY c.row_key LIMIT ${limit}`;
  return {
    opened: nothing(sql`
      UPDATE keyword_index_rebuild SET last_row_key = (SELECT coalesce(max(row_key), 0) FROM conversations)
       WHERE last_row_key IS NULL`),
    queued: nothing(sql`
      INSERT INTO index_jobs
        (organization_id, conversation_id, from_sequence, to_sequence, rebuild_words, keeps_vectors, due_at_ms)
      SELECT organization_id, id, 1, last_sequence, 1, 1, ${nowMs} FROM (${next})
       WHERE deleted_at_ms IS NULL AND last_sequence > 0`),
    advanced: nothing(sql`
      UPDATE keyword_index_rebuild
         SET next_row_key = coalesce((SELECT max(row_key) FROM (${next})), last_row_key)`),
    ended: nothing(sql`DELETE FROM keyword_index_rebuild WHERE next_row_key >= last_row_key`),
  } satisfies Statements;
}
