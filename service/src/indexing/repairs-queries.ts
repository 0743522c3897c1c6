import { REPAIRING } from "../operations/queries.ts";
import { type Owner, refuseWhen } from "../platform/batch.ts";
import { GIVEN_UP, isSafeToDrop, RUNS } from "./jobs-queries.ts";

export interface RepairScope {
  owner: Owner;
  /** The id of the conversation, or of the organization to repair everything. */
  targetId: string;
}

export interface Repair extends RepairScope {
  id: string;
}

/**
 * One step of a repair. Reads the next conversations and memories, queues full indexing of the owner's, and
 * stores the position. Rows created after the repair was opened are skipped. The last statement returns
 * `is_done`, or no row once the repair was canceled.
 */
export function queueRepairStep(
  db: D1Database,
  { owner, targetId, id }: Repair,
  { nowMs, limit }: { nowMs: number; limit: number },
): D1PreparedStatement[] {
  const scan = `SELECT c.id AS id FROM conversations AS c
    WHERE c.organization_id = ?1 ${targetId === owner.organizationId ? "" : "AND c.id = ?4"}
      AND c.id > coalesce((SELECT filter_position ->> 0 FROM operations WHERE id = ?2), '')
    ORDER BY c.id LIMIT ${limit}`;
  const chosen = `FROM (${scan}) AS scan CROSS JOIN conversations AS c ON c.organization_id = ?1 AND c.id = scan.id
    WHERE c.deleted_at_ms IS NULL AND (?3 IS NULL OR c.agent_id = ?3)
      AND c.number <= (SELECT last_number FROM operations WHERE id = ?2 AND filter IS NOT NULL)`;
  const bound = (sql: string, ...more: unknown[]) =>
    db.prepare(sql).bind(owner.organizationId, id, owner.agentId, targetId, ...more);
  return [
    // Jobs that an unfinished repair gave up count as its failures before this one takes them over.
    bound(
      `UPDATE operations SET failed = failed + given_up.conversations
         FROM (SELECT j.operation_id AS id, count(DISTINCT j.conversation_id) AS conversations
                 FROM (SELECT c.id AS id ${chosen}) AS chosen
                CROSS JOIN index_jobs AS j ON j.organization_id = ?1 AND j.conversation_id = chosen.id
                WHERE j.operation_id IS NOT NULL AND j.${GIVEN_UP}
                  AND (j.lease_until_ms IS NULL OR j.lease_until_ms <= ?5)
                GROUP BY j.operation_id) AS given_up
        -- The plus keeps the planner from all operations of the organization.
        WHERE +operations.organization_id = ?1 AND operations.id = given_up.id
          AND completed_at_ms IS NULL AND canceled_at_ms IS NULL`,
      nowMs,
    ),
    bound(
      `DELETE FROM index_jobs WHERE organization_id = ?1 AND conversation_id IN (SELECT c.id ${chosen})
          AND operation_id IS NOT NULL AND ${isSafeToDrop("?5")}`,
      nowMs,
    ),
    // Restarts jobs that were queued before and detaches them from any repair, so that canceling it does not
    // drop them.
    bound(
      `UPDATE index_jobs
          SET operation_id = NULL, attempts = 0, due_at_ms = ?5, lease_id = NULL, lease_until_ms = NULL,
              last_error = NULL, last_error_at_ms = NULL
        WHERE organization_id = ?1 AND conversation_id IN (SELECT c.id ${chosen})
          AND (lease_until_ms IS NULL OR lease_until_ms <= ?5)`,
      nowMs,
    ),
    bound(
      `INSERT INTO index_jobs
         (organization_id, conversation_id, from_sequence, to_sequence, rebuild_words, due_at_ms, operation_id)
       SELECT ?1, c.id, 1, c.last_sequence, 1, ?5, ?2 ${chosen} AND c.last_sequence > 0
          -- A job of an earlier repair that failed at all of it waits already.
          AND NOT EXISTS (SELECT 1 FROM index_jobs AS j
                           WHERE j.organization_id = ?1 AND j.conversation_id = c.id
                             AND j.operation_id IS NULL AND j.rebuild_words = 1 AND j.from_sequence = 1
                             AND j.to_sequence >= c.last_sequence)`,
      nowMs,
    ),
    bound(
      `WITH scan AS MATERIALIZED (${scan}),
         step AS (
           SELECT (SELECT json_array(id) FROM scan LIMIT 1 OFFSET ${limit - 1}) AS position,
                  (SELECT count(DISTINCT j.conversation_id) FROM scan
                    CROSS JOIN index_jobs AS j ON j.organization_id = ?1 AND j.conversation_id = scan.id
                    WHERE j.operation_id = ?2) AS queued)
       UPDATE operations
          SET filter_position = step.position,
              filter = CASE WHEN step.position IS NULL THEN NULL ELSE filter END,
              total = total + step.queued
         FROM step
        WHERE operations.organization_id = ?1 AND operations.id = ?2 AND target_id = ?4 AND filter IS NOT NULL
       RETURNING operations.filter IS NULL AS is_done`,
    ),
  ];
}

/**
 * Whether the repair has at least `limit` jobs that were not tried yet. Those that failed do not count, so that
 * texts that the model rejects do not hold up the rest.
 */
export async function hasRepairJobs(db: D1Database, id: string, limit: number): Promise<boolean> {
  const row = await db
    .prepare(
      `SELECT 1 FROM index_jobs WHERE operation_id = ?1 AND ${RUNS} AND attempts = 0 LIMIT 1 OFFSET ${limit - 1}`,
    )
    .bind(id)
    .first();
  return row !== null;
}

/**
 * Repairs of this scope that are not canceled and have conversations to queue or jobs that have not failed.
 */
const QUEUED = `FROM operations
  WHERE organization_id = ?1 AND target_id = ?2 AND agent_id IS ?3 AND type = 'repair_index'
    AND completed_at_ms IS NULL AND canceled_at_ms IS NULL
    AND (filter IS NOT NULL OR EXISTS (SELECT 1 ${REPAIRING} AND j.last_error IS NULL))`;

const toScopeBinds = ({ owner, targetId }: RepairScope) => [owner.organizationId, targetId, owner.agentId];

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
