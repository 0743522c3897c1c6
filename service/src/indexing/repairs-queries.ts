import { GIVEN_UP, isSafeToDrop, RUNS } from "../jobs/queries.ts";
import { REPAIRING } from "../operations/queries.ts";
import { isWritable, type Owner } from "../platform/batch.ts";
import {
  assertThat,
  nothing,
  row,
  run,
  type Sql,
  type Statement,
  type Statements,
  sql,
} from "../platform/sql.ts";

export interface RepairScope {
  owner: Owner;
  /** The id of the conversation, or of the organization to repair everything. */
  targetId: string;
}

export interface Repair extends RepairScope {
  id: string;
}

/** The ids of the next `limit` conversations and memories that a repair reads. */
const nextIds = ({ owner: { organizationId }, targetId, id }: Repair, limit: number): Sql => sql`
  SELECT c.id AS id FROM conversations AS c
   WHERE c.organization_id = ${organizationId} ${targetId === organizationId ? sql`` : sql`AND c.id = ${targetId}`}
     AND c.id > coalesce((SELECT filter_position ->> 0 FROM operations WHERE id = ${id}), '')
   ORDER BY c.id LIMIT ${limit}`;

/**
 * Of the next conversations and memories, those that the repair covers, as `c`: the owner's that existed when
 * the repair was opened. None if the repair was canceled or has read all.
 */
const coveredRows = (repair: Repair, limit: number): Sql => {
  const { organizationId } = repair.owner;
  return sql`
    FROM (${nextIds(repair, limit)}) AS scan
    CROSS JOIN conversations AS c ON c.organization_id = ${organizationId} AND c.id = scan.id
    WHERE c.deleted_at_ms IS NULL AND ${isWritable(repair.owner, sql`c.`)}
      AND c.row_key <= (SELECT last_row_key FROM operations WHERE id = ${repair.id} AND filter IS NOT NULL)`;
};

/**
 * One step of a repair. Reads the next conversations and memories, queues full indexing of those of the owner,
 * and stores the position. Rows created after the repair was opened are skipped. `isDone` is null if the repair was
 * canceled, or if an earlier step was the last.
 */
export function queuedRepairStep(repair: Repair, { nowMs, limit }: { nowMs: number; limit: number }) {
  const { owner, targetId, id } = repair;
  const { organizationId } = owner;
  const covered = coveredRows(repair, limit);
  const ofCovered = sql`organization_id = ${organizationId} AND conversation_id IN (SELECT c.id ${covered})`;
  return {
    // If another repair that is not complete gave up jobs, these are counted as its failures before this repair
    // takes them over.
    givenUp: nothing(sql`
      UPDATE operations SET failed = failed + given_up.conversations
        FROM (SELECT j.operation_id AS id, count(DISTINCT j.conversation_id) AS conversations
                FROM (SELECT c.id AS id ${covered}) AS chosen
               CROSS JOIN index_jobs AS j ON j.organization_id = ${organizationId} AND j.conversation_id = chosen.id
               WHERE j.operation_id IS NOT NULL AND j.${GIVEN_UP}
                 AND (j.lease_until_ms IS NULL OR j.lease_until_ms <= ${nowMs})
               GROUP BY j.operation_id) AS given_up
       -- The plus keeps the planner from all operations of the organization.
       WHERE +operations.organization_id = ${organizationId} AND operations.id = given_up.id
         AND completed_at_ms IS NULL AND canceled_at_ms IS NULL`),
    dropped: nothing(sql`
      DELETE FROM index_jobs WHERE ${ofCovered} AND operation_id IS NOT NULL AND ${isSafeToDrop(nowMs)}`),
    // Restarts jobs that were queued before and detaches them from any repair, so that canceling that repair does
    // not drop them.
    restarted: nothing(sql`
      UPDATE index_jobs
         SET operation_id = NULL, attempts = 0, due_at_ms = ${nowMs}, quiet_until_ms = NULL, lease_id = NULL, lease_until_ms = NULL,
             last_error = NULL, last_error_at_ms = NULL
       WHERE ${ofCovered} AND (lease_until_ms IS NULL OR lease_until_ms <= ${nowMs})`),
    // Of the jobs that failed repairs left for the same messages, only the oldest stays. A run indexes it
    // together with the new job.
    merged: nothing(sql`
      DELETE FROM index_jobs
       WHERE ${ofCovered} AND operation_id IS NULL AND rebuild_words = 1 AND lease_until_ms IS NULL
         AND EXISTS (SELECT 1 FROM index_jobs AS j
                      WHERE j.organization_id = index_jobs.organization_id
                        AND j.conversation_id = index_jobs.conversation_id AND j.id < index_jobs.id
                        AND j.operation_id IS NULL AND j.rebuild_words = 1
                        AND j.from_sequence <= index_jobs.from_sequence
                        AND j.to_sequence >= index_jobs.to_sequence)`),
    queued: nothing(sql`
      INSERT INTO index_jobs
        (organization_id, conversation_id, from_sequence, to_sequence, rebuild_words, due_at_ms, operation_id)
      SELECT ${organizationId}, c.id, 1, c.last_sequence, 1, ${nowMs}, ${id} ${covered} AND c.last_sequence > 0`),
    isDone: row(
      sql`WITH scan AS MATERIALIZED (${nextIds(repair, limit)}),
            step AS (
              SELECT (SELECT json_array(id) FROM scan LIMIT 1 OFFSET ${limit - 1}) AS position,
                     (SELECT count(DISTINCT j.conversation_id) FROM scan
                       CROSS JOIN index_jobs AS j ON j.organization_id = ${organizationId}
                                                 AND j.conversation_id = scan.id
                       WHERE j.operation_id = ${id}) AS queued)
          UPDATE operations
             SET filter_position = step.position,
                 filter = CASE WHEN step.position IS NULL THEN NULL ELSE filter END,
                 total = total + step.queued
            FROM step
           WHERE operations.organization_id = ${organizationId} AND operations.id = ${id}
             AND target_id = ${targetId} AND filter IS NOT NULL
          RETURNING operations.filter IS NULL AS is_done`,
      ({ is_done }: { is_done: 0 | 1 }) => is_done === 1,
    ),
  } satisfies Statements;
}

/**
 * Whether the repair has at least `limit` jobs that were not tried yet. Those that failed do not count, so that
 * texts that the model rejects do not hold up the other jobs.
 */
export async function hasRepairJobs(db: D1Database, id: string, limit: number): Promise<boolean> {
  const last = row(
    sql`SELECT 1 FROM index_jobs WHERE operation_id = ${id} AND ${RUNS} AND attempts = 0 LIMIT 1 OFFSET ${limit - 1}`,
    () => true,
  );
  return (await run(db, last)) !== null;
}

/**
 * Repairs of this scope that are not canceled and have conversations to queue or jobs that have not failed.
 */
const queuedRepairs = ({ owner, targetId }: RepairScope): Sql => sql`
  FROM operations
 WHERE organization_id = ${owner.organizationId} AND target_id = ${targetId} AND agent_id IS ${owner.agentId}
   AND user_id IS ${owner.userId} AND type = 'repair_index' AND completed_at_ms IS NULL AND canceled_at_ms IS NULL
   AND (filter IS NOT NULL OR EXISTS (SELECT 1 ${REPAIRING} AND (j.last_error IS NULL OR j.attempts = 0)))`;

export const assertNoQueuedRepair = (scope: RepairScope): Statement<void> =>
  assertThat("repair_queued", sql`NOT EXISTS (SELECT 1 ${queuedRepairs(scope)})`);

/** The oldest repair of this scope that is queued or running; null when there is none. */
export const selectQueuedRepair = (db: D1Database, scope: RepairScope): Promise<string | null> =>
  run(
    db,
    row(
      sql`SELECT id ${queuedRepairs(scope)} ORDER BY created_at_ms LIMIT 1`,
      ({ id }: { id: string }) => id,
    ),
  );
