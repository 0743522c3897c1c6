import { type Owner, refuseWhen } from "./batch.ts";
import { isSafeToDrop } from "./index-jobs.ts";
import { ENRICHING, LEFT, operationById, REPAIRING } from "./operations.ts";

/**
 * Deletions that are done once nothing is left that is marked with their id: those by filter, and that of an
 * organization once it was called off. The list of types is what the index of running operations is searched by.
 */
const OF_MARKED = `type IN ('delete_conversations', 'delete_memories', 'delete_organization')
  AND (type <> 'delete_organization' OR canceled_at_ms IS NOT NULL)`;

/** The statements that call an operation of the owner off; the last answers it. A batch ends where it cannot be. */
export function updateCanceled(
  db: D1Database,
  input: { owner: Owner; id: string; nowMs: number },
): D1PreparedStatement[] {
  const { organizationId, agentId } = input.owner;
  const mine = "organization_id = ?1 AND id = ?2 AND (?3 IS NULL OR agent_id = ?3)";
  const bound = (statement: D1PreparedStatement, ...more: unknown[]) =>
    statement.bind(organizationId, input.id, agentId, ...more);
  // Rows of an organization go last, all at once.
  const cancelable = `(canceled_at_ms IS NOT NULL OR filter IS NOT NULL
    OR (type = 'delete_organization' AND rows_deleted_at_ms IS NULL)
    OR (type = 'import' AND completed_at_ms IS NULL)
    OR (type = 'repair_index' AND EXISTS (SELECT 1 ${REPAIRING}))
    OR (type = 'enrich_memories' AND EXISTS (SELECT 1 ${ENRICHING})))`;
  return [
    bound(refuseWhen(db, "not_found", `NOT EXISTS (SELECT 1 FROM operations WHERE ${mine})`)),
    bound(
      refuseWhen(
        db,
        "not_cancelable",
        `NOT EXISTS (SELECT 1 FROM operations WHERE ${mine} AND ${cancelable})`,
      ),
    ),
    bound(
      db.prepare(
        `UPDATE operations SET filter = NULL, canceled_at_ms = coalesce(canceled_at_ms, ?4),
                done = coalesce(done, total - CASE type
                         WHEN 'delete_organization' THEN (${LEFT} AND c.deleted_at_ms IS NULL)
                         WHEN 'enrich_memories' THEN (SELECT count(*) ${ENRICHING})
                         ELSE (SELECT count(DISTINCT j.conversation_id) ${REPAIRING}) END)
          WHERE ${mine}`,
      ),
      input.nowMs,
    ),
    db
      .prepare(
        `DELETE FROM index_jobs WHERE operation_id = ?2 AND organization_id = ?1 AND ${isSafeToDrop("?3")}`,
      )
      .bind(organizationId, input.id, input.nowMs),
    db
      .prepare("DELETE FROM enrichment_jobs WHERE operation_id = ?2 AND organization_id = ?1")
      .bind(organizationId, input.id),
    operationById(db, input),
  ];
}

/**
 * Close the operations of which nothing is left.
 *
 * A deletion is done when its rows are gone and its vectors confirmed gone: of a conversation or an
 * organization all that were queued before it, and none that a run may still be writing; of many
 * conversations, or of an organization's that were hidden when it was called off, those that their purge queued,
 * and those that were written after their chunk was gone.
 */
export async function updateFinishedOperations(db: D1Database, nowMs: number): Promise<void> {
  const ofTheSame = `organization_id = operations.organization_id
    AND (operations.conversation_id IS NULL OR conversation_id = operations.conversation_id)`;
  const statements = [
    `UPDATE operations SET rows_deleted_at_ms = ?1
      WHERE ${OF_MARKED} AND completed_at_ms IS NULL AND rows_deleted_at_ms IS NULL AND filter IS NULL
        AND NOT EXISTS (SELECT 1 FROM conversations AS c WHERE c.operation_id = operations.id
                           AND c.organization_id = operations.organization_id)`,
    `UPDATE operations SET vectors_deleted_at_ms = ?1, completed_at_ms = ?1
      WHERE ${OF_MARKED} AND completed_at_ms IS NULL AND rows_deleted_at_ms IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM vector_deletions AS d WHERE d.operation_id = operations.id
                           AND d.organization_id = operations.organization_id)
        AND NOT EXISTS (SELECT 1 FROM vector_deletions AS d
                         WHERE d.organization_id = operations.organization_id
                           AND d.operation_id IS NULL AND d.queued_at_ms = 0)`,
    `UPDATE operations SET vectors_deleted_at_ms = ?1, completed_at_ms = ?1
      WHERE type IN ('delete_organization', 'delete_conversation', 'delete_message', 'delete_memory')
        AND completed_at_ms IS NULL AND rows_deleted_at_ms IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM vector_deletions
                         WHERE ${ofTheSame} AND queued_at_ms <= operations.created_at_ms)
        AND NOT EXISTS (SELECT 1 FROM index_jobs WHERE ${ofTheSame} AND lease_until_ms > ?1)`,
    `UPDATE operations SET completed_at_ms = ?1, done = coalesce(done, total)
      WHERE type = 'repair_index' AND completed_at_ms IS NULL AND NOT EXISTS (SELECT 1 ${REPAIRING})`,
  ];
  await db.batch(statements.map((sql) => db.prepare(sql).bind(nowMs)));
}
