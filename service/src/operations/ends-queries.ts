import type { OperationType } from "@engram/spec";
import { GIVEN_UP, isSafeToDrop, RUNS } from "../indexing/jobs-queries.ts";
import { type Owner, refuseWhen } from "../platform/batch.ts";
import { byTurns, type Turns, toBinds } from "../platform/turns.ts";
import { ENRICHING, operationById, QUEUING, REMAINING, REPAIRING, UNREPAIRED } from "./queries.ts";

/**
 * Deletions that end when no row carries their id any more: bulk deletions, and the deletion of an
 * organization once it was canceled.
 */
const ENDS_WITH_MARKED_ROWS = `type IN ('delete_conversations', 'delete_memories', 'delete_organization')
  AND (type <> 'delete_organization' OR canceled_at_ms IS NOT NULL)`;

/**
 * Cancels an operation of the owner. The last statement returns it. Ends the batch if it cannot be canceled.
 */
export function updateCanceled(
  db: D1Database,
  input: { owner: Owner; id: string; nowMs: number },
): D1PreparedStatement[] {
  const { organizationId, agentId } = input.owner;
  const owned = "organization_id = ?1 AND id = ?2 AND (?3 IS NULL OR agent_id = ?3)";
  const bound = (statement: D1PreparedStatement, ...more: unknown[]) =>
    statement.bind(organizationId, input.id, agentId, ...more);
  // The organization's own rows are deleted last, in one batch. Until then its deletion can be canceled.
  const cancelable = `(canceled_at_ms IS NOT NULL OR filter IS NOT NULL
    OR (type = 'delete_organization' AND rows_deleted_at_ms IS NULL)
    OR (type = 'import' AND completed_at_ms IS NULL)
    OR (type = 'repair_index' AND EXISTS (SELECT 1 ${REPAIRING}))
    OR (type = 'enrich_memories' AND EXISTS (SELECT 1 ${ENRICHING})))`;
  return [
    bound(refuseWhen(db, "not_found", `NOT EXISTS (SELECT 1 FROM operations WHERE ${owned})`)),
    bound(
      refuseWhen(
        db,
        "not_cancelable",
        `NOT EXISTS (SELECT 1 FROM operations WHERE ${owned} AND ${cancelable})`,
      ),
    ),
    bound(
      db.prepare(
        `UPDATE operations SET filter = NULL, total = CASE WHEN ${QUEUING} THEN NULL ELSE total END,
                canceled_at_ms = coalesce(canceled_at_ms, ?4),
                completed_at_ms = iif(type = 'import', coalesce(completed_at_ms, ?4), completed_at_ms),
                done = CASE WHEN canceled_at_ms IS NOT NULL THEN done
                            WHEN type = 'delete_organization' THEN total - (${REMAINING})
                            WHEN type = 'enrich_memories' THEN total - (SELECT count(*) ${ENRICHING})
                            ELSE coalesce(done, total - (SELECT count(DISTINCT j.conversation_id) ${REPAIRING})) END,
                failed = CASE WHEN type = 'repair_index' AND done IS NULL THEN failed + (${UNREPAIRED}) ELSE failed END
          WHERE ${owned}`,
      ),
      input.nowMs,
    ),
    db
      .prepare(
        `DELETE FROM index_jobs WHERE operation_id = ?2 AND organization_id = ?1 AND ${RUNS} AND ${isSafeToDrop("?3")}`,
      )
      .bind(organizationId, input.id, input.nowMs),
    db
      .prepare("DELETE FROM enrichment_jobs WHERE operation_id = ?2 AND organization_id = ?1")
      .bind(organizationId, input.id),
    operationById(db, input),
  ];
}

/** An operation that is not finished, except an import. */
export interface RunningOperation {
  id: string;
  type: OperationType;
}

/**
 * Unfinished operations, round-robin by organization: the oldest, and the same number from a random one on,
 * because the oldest may wait for a long time.
 */
export async function selectRunningOperations(
  db: D1Database,
  input: { turns: Turns },
): Promise<RunningOperation[]> {
  const running = "completed_at_ms IS NULL AND type <> 'import'";
  const end = (of: "min" | "max", organization: string) =>
    `(SELECT ${of}(rowid) FROM operations WHERE organization_id = ${organization} AND ${running})`;
  // Not the same random number as the one that chooses the first organization.
  const fromRandom = (organization: string) =>
    `${running} AND rowid >= ${end("min", organization)} + CAST(
       ?4 * (${end("max", organization)} - ${end("min", organization)}) AS INTEGER)`;
  const select = (waits: (organization: string) => string) =>
    `${byTurns({ table: "operations", all: running, waits, order: "rowid" }, 1)}
     SELECT o.id, o.type FROM line CROSS JOIN operations AS o ON o.rowid = line.id`;
  const binds = toBinds(input.turns);
  const results = await db.batch<RunningOperation>([
    db.prepare(select(() => running)).bind(...binds),
    db.prepare(select(fromRandom)).bind(...binds, (input.turns.chance * 7919) % 1),
  ]);
  return [...new Map(results.flatMap(({ results: rows }) => rows.map((row) => [row.id, row]))).values()];
}

/**
 * Completes those of the given operations that have nothing left to do.
 *
 * A deletion is complete when its rows are gone and its vectors are confirmed deleted:
 *
 * - Of a conversation, memory or message: all vectors of the conversation that were queued until the
 *   deletion, and no run may still write any.
 * - Of an organization: all vectors, and no run may still write any.
 * - Of many conversations, or of an organization whose deletion was canceled: the vectors that the purge
 *   queued, and those that were written after their chunk was deleted.
 */
export async function updateFinishedOperations(
  db: D1Database,
  running: RunningOperation[],
  nowMs: number,
): Promise<void> {
  if (running.length === 0) return;
  const ids = JSON.stringify(running.map(({ id }) => id));
  const listed = "id IN (SELECT value FROM json_each(?2)) AND completed_at_ms IS NULL";
  const statements = [
    `UPDATE operations SET rows_deleted_at_ms = ?1
      WHERE ${listed} AND ${ENDS_WITH_MARKED_ROWS} AND rows_deleted_at_ms IS NULL AND filter IS NULL
        AND NOT EXISTS (SELECT 1 FROM conversations AS c WHERE c.operation_id = operations.id
                           AND c.organization_id = operations.organization_id)`,
    `UPDATE operations SET vectors_deleted_at_ms = ?1, completed_at_ms = ?1
      WHERE ${listed} AND ${ENDS_WITH_MARKED_ROWS} AND rows_deleted_at_ms IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM vector_deletions AS d WHERE d.operation_id = operations.id
                           AND d.organization_id = operations.organization_id)
        AND NOT EXISTS (SELECT 1 FROM vector_deletions AS d
                         WHERE d.organization_id = operations.organization_id
                           AND d.operation_id IS NULL AND d.queued_at_ms = 0)`,
    // Checks each conversation once, because it may have many receipts and many jobs.
    `WITH held AS MATERIALIZED (
       SELECT c.organization_id, c.conversation_id
         FROM (SELECT DISTINCT organization_id, conversation_id FROM operations
                WHERE ${listed} AND conversation_id IS NOT NULL) AS c
        WHERE EXISTS (SELECT 1 FROM index_jobs AS j
                       WHERE j.organization_id = c.organization_id AND j.conversation_id = c.conversation_id
                         AND j.lease_until_ms > ?1))
     UPDATE operations SET vectors_deleted_at_ms = ?1, completed_at_ms = ?1
      WHERE ${listed} AND type IN ('delete_conversation', 'delete_message', 'delete_memory')
        AND rows_deleted_at_ms IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM vector_deletions AS d
                         WHERE d.organization_id = operations.organization_id
                           AND d.conversation_id = operations.conversation_id
                           AND d.queued_at_ms <= operations.created_at_ms)
        AND (organization_id, conversation_id) NOT IN (SELECT organization_id, conversation_id FROM held)`,
    `UPDATE operations SET vectors_deleted_at_ms = ?1, completed_at_ms = ?1
      WHERE ${listed} AND type = 'delete_organization' AND rows_deleted_at_ms IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM vector_deletions AS d WHERE d.organization_id = operations.organization_id)
        AND NOT EXISTS (SELECT 1 FROM index_jobs AS j
                         WHERE j.organization_id = operations.organization_id AND j.lease_until_ms > ?1)`,
    // What was given up is counted here, because a later repair takes the jobs over. A job may be in its last attempt.
    `UPDATE operations SET completed_at_ms = ?1, done = coalesce(done, total),
            failed = CASE WHEN done IS NULL THEN failed + (${UNREPAIRED}) ELSE failed END
      WHERE ${listed} AND type = 'repair_index' AND filter IS NULL AND NOT EXISTS (SELECT 1 ${REPAIRING})
        AND NOT EXISTS (SELECT 1 FROM index_jobs AS j
                         WHERE j.operation_id = operations.id AND +j.organization_id = operations.organization_id
                           AND j.${GIVEN_UP} AND j.lease_until_ms > ?1)`,
  ];
  await db.batch(statements.map((sql) => db.prepare(sql).bind(nowMs, ids)));
}
