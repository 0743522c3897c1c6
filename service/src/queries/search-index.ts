import type { IndexStatus } from "@engram/spec";
import { type Owner, toTimestamp } from "./batch.ts";
import { INDEX_ATTEMPTS_MAX } from "./index-jobs.ts";

interface StatusRow {
  messages: number;
  pending: number;
  failed: number;
  chunks: number;
  others: number;
  deletions: number;
  complete: 0 | 1;
  error: string | null;
  error_at_ms: number | null;
}

/**
 * The indexing status of an owner, or of one conversation; null when the conversation does not exist. Reads
 * at most `limit` rows of each kind, those of the oldest conversations.
 */
export async function selectIndexStatus(
  db: D1Database,
  input: {
    owner: Owner;
    conversationId: string | null;
    model: string;
    dimensions: number;
    limit: number;
  },
): Promise<IndexStatus | null> {
  const { limit } = input;
  const { conversations, messages, rowsOf } = readsOf(input);
  const row = await db
    .prepare(
      `WITH c AS MATERIALIZED (${conversations}),
       j AS MATERIALIZED (SELECT r.* ${rowsOf("index_jobs")}),
       k AS MATERIALIZED (
         SELECT r.conversation_id AS conversation_id, r.model = ?4 AS is_current, r.indexed_at_ms AS indexed_at_ms
           ${rowsOf("conversation_chunks", ["AND r.model < ?4", "AND r.model > ?4", "AND r.model = ?4"])}),
       d AS MATERIALIZED (SELECT 1 ${rowsOf("vector_deletions")}),
       -- Jobs can overlap: a conversation has no more to wait for than it has messages.
       w AS MATERIALIZED (
         SELECT j.attempts >= ?5 AS failed,
                min(max(o.message_count), sum(j.to_sequence - j.from_sequence + 1)) AS waiting
           FROM j CROSS JOIN ${existing("j")} GROUP BY j.conversation_id, j.attempts >= ?5)
       SELECT (${messages}) AS messages,
              (SELECT coalesce(sum(waiting), 0) FROM w WHERE NOT failed) AS pending,
              (SELECT coalesce(sum(waiting), 0) FROM w WHERE failed) AS failed,
              (SELECT count(*) FROM k CROSS JOIN ${existing("k")}
                WHERE k.is_current AND k.indexed_at_ms IS NOT NULL) AS chunks,
              (SELECT count(*) FROM k CROSS JOIN ${existing("k")} WHERE NOT k.is_current) AS others,
              (SELECT count(*) FROM d) AS deletions,
              ${["c", "j", "k", "d"].map((rows) => `(SELECT count(*) FROM ${rows}) < ${limit}`).join(" AND ")} AS complete,
              e.last_error AS error, e.last_error_at_ms AS error_at_ms
         FROM (SELECT 1) LEFT JOIN
              (SELECT last_error, last_error_at_ms FROM j CROSS JOIN ${existing("j")}
                WHERE last_error IS NOT NULL ORDER BY last_error_at_ms DESC LIMIT 1) AS e
        WHERE ?3 IS NULL OR EXISTS (SELECT 1 FROM c)`,
    )
    .bind(
      input.owner.organizationId,
      input.owner.agentId,
      input.conversationId,
      input.model,
      INDEX_ATTEMPTS_MAX,
    )
    .first<StatusRow>();
  return (
    row && {
      model: input.model,
      dimensions: input.dimensions,
      messages: row.messages,
      pending: row.pending,
      failed: row.failed,
      chunks: row.chunks,
      chunks_of_other_models: row.others,
      deletions_pending: row.deletions,
      complete: row.complete === 1,
      last_error:
        row.error === null || row.error_at_ms === null
          ? null
          : { message: row.error, at: toTimestamp(row.error_at_ms) },
    }
  );
}

/** Joins the conversations of rows as `o`, without those that are deleted. */
const existing = (rows: string): string =>
  `conversations AS o ON o.organization_id = ?1 AND o.id = ${rows}.conversation_id AND o.deleted_at_ms IS NULL`;

/**
 * The rows that a status reads. For a whole organization: its rows and its counters. For an agent or one
 * conversation: the rows of those conversations, `c`.
 */
function readsOf(input: { owner: Owner; conversationId: string | null; limit: number }): {
  conversations: string;
  messages: string;
  /**
   * FROM clause with the first rows of a table, as `r`. Each part uses an index that begins with the
   * organization.
   */
  rowsOf: (table: string, parts?: string[]) => string;
} {
  const { owner, conversationId, limit } = input;
  if (owner.agentId === null && conversationId === null) {
    return {
      conversations: "SELECT NULL AS id, 0 AS message_count WHERE FALSE",
      messages: `SELECT coalesce(sum(message_count + memory_count), 0) FROM organization_counters
                  WHERE organization_id = ?1`,
      rowsOf: (table, parts = [""]) => {
        const rows = parts.map((part) => `SELECT * FROM ${table} AS r WHERE r.organization_id = ?1 ${part}`);
        return `FROM (${rows.join(" UNION ALL ")} LIMIT ${limit}) AS r`;
      },
    };
  }
  const some = (kind: string) =>
    `SELECT * FROM (SELECT id, message_count, deleted_at_ms FROM conversations
                     WHERE organization_id = ?1 AND agent_id = ?2 AND kind ${kind} 'conversation'
                     ORDER BY created_at_ms, id LIMIT ${limit})`;
  return {
    conversations:
      conversationId === null
        ? `SELECT * FROM (${some("=")} UNION ALL ${some("<>")}) LIMIT ${limit}`
        : `SELECT id, message_count, deleted_at_ms FROM conversations
            WHERE organization_id = ?1 AND id = ?3 AND kind = 'conversation' AND deleted_at_ms IS NULL
              AND (?2 IS NULL OR agent_id = ?2)`,
    messages: "SELECT coalesce(sum(message_count), 0) FROM c WHERE deleted_at_ms IS NULL",
    rowsOf: (table) =>
      `FROM c CROSS JOIN ${table} AS r ON r.organization_id = ?1 AND r.conversation_id = c.id LIMIT ${limit}`,
  };
}
