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
  error: string | null;
  error_at_ms: number | null;
}

/** How much of the owner's messages, or of one conversation, is indexed; null when it is not there. */
export async function selectIndexStatus(
  db: D1Database,
  input: { owner: Owner; conversationId: string | null; model: string; dimensions: number },
): Promise<IndexStatus | null> {
  const row = await db
    .prepare(
      `WITH c AS MATERIALIZED (
         SELECT id, message_count FROM conversations
          WHERE organization_id = ?1 AND deleted_at_ms IS NULL AND (?2 IS NULL OR agent_id = ?2)
            AND (?3 IS NULL OR id = ?3 AND kind = 'conversation')),
       j AS MATERIALIZED (
         SELECT conversation_id, to_sequence - from_sequence + 1 AS waiting, attempts >= ?5 AS failed,
                last_error, last_error_at_ms
           FROM index_jobs WHERE organization_id = ?1 AND conversation_id IN (SELECT id FROM c)),
       -- Jobs can overlap: a conversation has no more to wait for than it has messages.
       w AS MATERIALIZED (
         SELECT j.failed AS failed, min(max(c.message_count), sum(j.waiting)) AS waiting
           FROM j JOIN c ON c.id = j.conversation_id GROUP BY j.conversation_id, j.failed)
       SELECT (SELECT count(*) FROM c) AS conversations,
              (SELECT coalesce(sum(message_count), 0) FROM c) AS messages,
              (SELECT coalesce(sum(waiting), 0) FROM w WHERE NOT failed) AS pending,
              (SELECT coalesce(sum(waiting), 0) FROM w WHERE failed) AS failed,
              (SELECT count(*) FROM conversation_chunks WHERE organization_id = ?1 AND model = ?4
                  AND indexed_at_ms IS NOT NULL AND conversation_id IN (SELECT id FROM c)) AS chunks,
              (SELECT count(*) FROM conversation_chunks WHERE organization_id = ?1 AND model <> ?4
                  AND conversation_id IN (SELECT id FROM c)) AS others,
              (SELECT count(*) FROM vector_deletions WHERE organization_id = ?1
                  AND (coalesce(?2, ?3) IS NULL OR conversation_id IN (SELECT id FROM c))) AS deletions,
              e.last_error AS error, e.last_error_at_ms AS error_at_ms
         FROM (SELECT 1) LEFT JOIN
              (SELECT last_error, last_error_at_ms FROM j WHERE last_error IS NOT NULL
                ORDER BY last_error_at_ms DESC LIMIT 1) AS e
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
      last_error:
        row.error === null || row.error_at_ms === null
          ? null
          : { message: row.error, at: toTimestamp(row.error_at_ms) },
    }
  );
}
