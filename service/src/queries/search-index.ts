import type { IndexStatus } from "@engram/spec";
import { type Owner, refuseWhen, toTimestamp } from "./batch.ts";
import { INDEX_ATTEMPTS_MAX, isSafeToDrop } from "./index-jobs.ts";
import { REPAIRING } from "./operations.ts";

/** The statements that queue conversations of the owner to be indexed whole, for an operation. */
export function insertRepairJobs(
  db: D1Database,
  input: { owner: Owner; conversationId: string | null; operationId: string; nowMs: number },
): D1PreparedStatement[] {
  const binds = [input.owner.organizationId, input.owner.agentId, input.conversationId, input.nowMs];
  const chosen = `FROM conversations
    WHERE organization_id = ?1 AND deleted_at_ms IS NULL AND (?2 IS NULL OR agent_id = ?2)
      AND (?3 IS NULL OR id = ?3 AND kind = 'conversation')`;
  return [
    db
      .prepare(
        `DELETE FROM index_jobs WHERE organization_id = ?1 AND conversation_id IN (SELECT id ${chosen})
            AND operation_id IS NOT NULL AND ${isSafeToDrop("?4")}`,
      )
      .bind(...binds),
    // What waited before is begun anew, and is not the repair's, which can be called off.
    db
      .prepare(
        `UPDATE index_jobs
            SET operation_id = NULL, attempts = 0, due_at_ms = ?4, lease_id = NULL, lease_until_ms = NULL,
                last_error = NULL, last_error_at_ms = NULL
          WHERE organization_id = ?1 AND conversation_id IN (SELECT id ${chosen})
            AND (lease_until_ms IS NULL OR lease_until_ms <= ?4)`,
      )
      .bind(...binds),
    db
      .prepare(
        `INSERT INTO index_jobs
           (organization_id, conversation_id, from_sequence, to_sequence, rebuild_words, due_at_ms, operation_id)
         SELECT organization_id, id, 1, last_sequence, 1, ?4, ?5 ${chosen} AND last_sequence > 0
            -- What a repair before it has failed at, all of it, waits already.
            AND NOT EXISTS (SELECT 1 FROM index_jobs AS j
                             WHERE j.organization_id = ?1 AND j.conversation_id = conversations.id
                               AND j.operation_id IS NULL AND j.rebuild_words = 1 AND j.from_sequence = 1
                               AND j.to_sequence >= conversations.last_sequence)`,
      )
      .bind(...binds, input.operationId),
  ];
}

/** Repairs of this scope that are not canceled and have a job left that has not failed. */
const QUEUED = `FROM operations
  WHERE organization_id = ?1 AND target_id = ?2 AND agent_id IS ?3 AND type = 'repair_index'
    AND completed_at_ms IS NULL AND canceled_at_ms IS NULL AND EXISTS (SELECT 1 ${REPAIRING} AND j.last_error IS NULL)`;

/** What a repair is of: all of an owner's, or one conversation. */
export interface RepairScope {
  owner: Owner;
  /** The conversation, or the organization for all. */
  targetId: string;
}

const toScopeBinds = ({ owner, targetId }: RepairScope) => [owner.organizationId, targetId, owner.agentId];

/** Ends the batch when a repair of this scope is queued or running. */
export const refuseQueuedRepair = (db: D1Database, scope: RepairScope): D1PreparedStatement =>
  refuseWhen(db, "repair_queued", `EXISTS (SELECT 1 ${QUEUED})`).bind(...toScopeBinds(scope));

/** The oldest repair of this scope that is queued or running; null when there is none. */
export async function selectQueuedRepair(db: D1Database, scope: RepairScope): Promise<string | null> {
  const row = await db
    .prepare(`SELECT id ${QUEUED} ORDER BY created_at_ms LIMIT 1`)
    .bind(...toScopeBinds(scope))
    .first<{ id: string }>();
  return row?.id ?? null;
}

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
 * How much of the owner's messages, or of one conversation, is indexed; null when it is not there. It reads up to
 * `limit` rows of each kind, those of the oldest conversations.
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

/** The conversations of rows that are not deleted, as `o`. */
const existing = (rows: string): string =>
  `conversations AS o ON o.organization_id = ?1 AND o.id = ${rows}.conversation_id AND o.deleted_at_ms IS NULL`;

/**
 * What a status reads: of a whole organization its rows and its counters; of an agent's conversations, or of one, the
 * rows of those, `c`.
 */
function readsOf(input: { owner: Owner; conversationId: string | null; limit: number }): {
  conversations: string;
  messages: string;
  /** The first rows of a table, as a FROM of `r`; an index of the organization's leads to each part of them. */
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
