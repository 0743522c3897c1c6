import type { IndexStatus } from "@engram/spec";
import { GIVEN_UP } from "../jobs/queries.ts";
import { isReadable, isWritable, type Owner, ownerConditions, toTimestamp } from "../platform/batch.ts";
import { and, joined, row, run, type Sql, sql } from "../platform/sql.ts";

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
 * The indexing status of an owner, or of one conversation; null when the conversation does not exist. Reads at
 * most `limit` rows of each table. If a table has as many, `complete` is false, because others may not be
 * counted.
 */
export const selectIndexStatus = (
  db: D1Database,
  input: StatusScope & { model: string; dimensions: number },
): Promise<IndexStatus | null> => {
  const { owner, conversationId, model, dimensions, limit } = input;
  const { conversations, messages, rowsOf } = readsOf(input);
  const { organizationId } = owner;
  const modelOrder = [sql`r.model < ${model}`, sql`r.model > ${model}`, sql`r.model = ${model}`];
  const isComplete = [sql`c`, sql`j`, sql`k`, sql`d`].map(
    (table) => sql`(SELECT count(*) FROM ${table}) < ${limit}`,
  );
  const statement = sql`
    WITH c AS MATERIALIZED (${conversations}),
    j AS MATERIALIZED (SELECT r.* ${rowsOf(sql`index_jobs`)}),
    k AS MATERIALIZED (
      SELECT r.conversation_id AS conversation_id, r.model = ${model} AS is_current, r.indexed_at_ms AS indexed_at_ms
        ${rowsOf(sql`conversation_chunks`, modelOrder)}),
    d AS MATERIALIZED (SELECT 1 ${rowsOf(sql`vector_deletions`)}),
    -- Jobs can overlap, so a conversation waits for at most as many messages as it has.
    w AS MATERIALIZED (
      SELECT j.${GIVEN_UP} AS failed,
             min(max(o.message_count), sum(j.to_sequence - j.from_sequence + 1)) AS waiting
        FROM j CROSS JOIN ${conversationsOf(organizationId, sql`j`)}
       GROUP BY j.conversation_id, j.${GIVEN_UP})
    SELECT (${messages}) AS messages,
           (SELECT coalesce(sum(waiting), 0) FROM w WHERE NOT failed) AS pending,
           (SELECT coalesce(sum(waiting), 0) FROM w WHERE failed) AS failed,
           (SELECT count(*) FROM k CROSS JOIN ${conversationsOf(organizationId, sql`k`)}
             WHERE k.is_current AND k.indexed_at_ms IS NOT NULL) AS chunks,
           (SELECT count(*) FROM k CROSS JOIN ${conversationsOf(organizationId, sql`k`)}
             WHERE NOT k.is_current) AS others,
           (SELECT count(*) FROM d) AS deletions, ${and(isComplete)} AS complete,
           e.last_error AS error, e.last_error_at_ms AS error_at_ms
      FROM (SELECT 1) LEFT JOIN
           (SELECT last_error, last_error_at_ms FROM j CROSS JOIN ${conversationsOf(organizationId, sql`j`)}
             WHERE last_error IS NOT NULL ORDER BY last_error_at_ms DESC LIMIT 1) AS e
     WHERE ${conversationId} IS NULL OR EXISTS (SELECT 1 FROM c)`;
  return run(
    db,
    row(statement, (status: StatusRow) => toStatus(status, { model, dimensions })),
  );
};

const toStatus = (
  status: StatusRow,
  { model, dimensions }: { model: string; dimensions: number },
): IndexStatus => ({
  model,
  dimensions,
  messages: status.messages,
  pending: status.pending,
  failed: status.failed,
  chunks: status.chunks,
  chunks_of_other_models: status.others,
  deletions_pending: status.deletions,
  complete: status.complete === 1,
  last_error:
    status.error === null || status.error_at_ms === null
      ? null
      : { message: status.error, at: toTimestamp(status.error_at_ms) },
});

/** Joins the conversations of rows as `o`, without those that are deleted. */
const conversationsOf = (organizationId: string, rows: Sql): Sql => sql`
  conversations AS o ON o.organization_id = ${organizationId} AND o.id = ${rows}.conversation_id
                     AND o.deleted_at_ms IS NULL`;

interface StatusScope {
  owner: Owner;
  /** Null for all conversations and memories of the owner. */
  conversationId: string | null;
  limit: number;
}

/**
 * The rows that a status reads. For a whole organization: its rows and its counters. For an agent, a user
 * or one conversation: the rows of those conversations, `c`.
 */
function readsOf({ owner, conversationId, limit }: StatusScope): {
  conversations: Sql;
  messages: Sql;
  /**
   * FROM clause with the first `limit` rows of a table, as `r`. `parts` are conditions that together cover all rows.
   * Each is read by a SELECT of its own, so that it uses an index that begins with the organization. For an agent, a
   * user or one conversation, `parts` is not used.
   */
  rowsOf: (table: Sql, parts?: Sql[]) => Sql;
} {
  const { organizationId } = owner;
  if (ownerConditions(owner).length === 0 && conversationId === null) {
    return {
      conversations: sql`SELECT NULL AS id, 0 AS message_count WHERE FALSE`,
      messages: sql`SELECT coalesce(sum(message_count + memory_count), 0) FROM organization_counters
                     WHERE organization_id = ${organizationId}`,
      rowsOf: (table, parts = [sql`TRUE`]) => {
        const selects = parts.map(
          (part) => sql`SELECT * FROM ${table} AS r WHERE r.organization_id = ${organizationId} AND ${part}`,
        );
        return sql`FROM (${joined(selects, sql` UNION ALL `)} LIMIT ${limit}) AS r`;
      },
    };
  }
  const oldest = (kind: Sql) => sql`
    SELECT * FROM (SELECT id, message_count, deleted_at_ms FROM conversations
                    WHERE organization_id = ${organizationId} AND ${isWritable(owner)} AND kind ${kind} 'conversation'
                    ORDER BY created_at_ms, id LIMIT ${limit})`;
  return {
    conversations:
      conversationId === null
        ? sql`SELECT * FROM (${oldest(sql`=`)} UNION ALL ${oldest(sql`<>`)}) LIMIT ${limit}`
        : sql`SELECT id, message_count, deleted_at_ms FROM conversations
               WHERE organization_id = ${organizationId} AND id = ${conversationId} AND kind = 'conversation'
                 AND deleted_at_ms IS NULL AND ${isReadable(owner)}`,
    messages: sql`SELECT coalesce(sum(message_count), 0) FROM c WHERE deleted_at_ms IS NULL`,
    rowsOf: (table) => sql`
      FROM c CROSS JOIN ${table} AS r ON r.organization_id = ${organizationId} AND r.conversation_id = c.id
      LIMIT ${limit}`,
  };
}
