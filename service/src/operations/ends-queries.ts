import { deletedArchiveOf } from "../archives/queries.ts";
import { GIVEN_UP, isSafeToDrop, RUNS } from "../jobs/queries.ts";
import { isOwned, type Owner } from "../platform/batch.ts";
import { eventOf, recordedEvents, recordedEventsOfMany } from "../platform/recorded-events.ts";
import { type Round, roundRobin } from "../platform/round-robin.ts";
import {
  assertThat,
  batch,
  nothing,
  rows,
  type Sql,
  type Statement,
  type Statements,
  sql,
} from "../platform/sql.ts";
import {
  ENRICHING,
  FAILED,
  HAS_HELD_ROWS_OF_USER,
  operationById,
  REMAINING,
  REPAIRING,
  type RunningOperation,
  TOTAL,
} from "./queries.ts";

/**
 * Deletions that store their operation id in the row of every conversation and memory to delete. These rows are gone
 * when none has that id any more.
 */
const ENDS_WITH_MARKED_ROWS = sql`type IN ('delete_conversations', 'delete_memories', 'delete_user', 'delete_organization')
  AND (type <> 'delete_organization' OR canceled_at_ms IS NOT NULL)`;

/**
 * Unfinished operations that may have marked items which match the filter of this one, before this one came to them.
 * None for a canceled operation, whose receipt covers only the items that it marked itself: it has no `overlaps_until`.
 */
const OVERLAPPING = sql`FROM operations AS o
  WHERE o.organization_id = operations.organization_id AND o.completed_at_ms IS NULL AND o.type <> 'import'
    AND o.rowid <= operations.overlaps_until`;

const marked = (operation: Sql): Sql => sql`
  SELECT 1 FROM conversations AS c
   WHERE c.operation_id = ${operation}.id AND c.organization_id = operations.organization_id`;

/**
 * Whether an operation waits for rows that overlapping ones have marked. A hold may keep such a row for years, so only the
 * receipt of the operation that marked it waits for it, and that of the deletion of its user.
 */
const HAS_OVERLAPPING_ROWS = sql`(
  EXISTS (SELECT 1 ${OVERLAPPING} AND EXISTS (${marked(sql`o`)} AND c.held_by IS NULL))
  OR ${HAS_HELD_ROWS_OF_USER})`;

const hasVectors = (operation: Sql): Sql => sql`
  EXISTS (SELECT 1 FROM vector_deletions AS d
           WHERE d.operation_id = ${operation}.id AND d.organization_id = operations.organization_id)`;

/**
 * Whether an operation can be canceled. A deletion of an organization can, until the organization's own rows
 * are deleted. That happens last and in one batch.
 */
const IS_CANCELABLE = sql`(canceled_at_ms IS NOT NULL OR filter IS NOT NULL
  OR (type = 'delete_organization' AND rows_deleted_at_ms IS NULL)
  OR (type IN ('import', 'create_archive') AND completed_at_ms IS NULL)
  OR (type = 'repair_index' AND EXISTS (SELECT 1 ${REPAIRING}))
  OR (type = 'enrich_memories' AND EXISTS (SELECT 1 ${ENRICHING})))`;

const DONE_AT_CANCELLATION = sql`
  CASE WHEN canceled_at_ms IS NOT NULL THEN done
       WHEN type = 'delete_organization' THEN total - (${REMAINING})
       WHEN type = 'enrich_memories' THEN total - (SELECT count(*) ${ENRICHING})
       ELSE coalesce(done, total - (SELECT count(DISTINCT j.conversation_id) ${REPAIRING})) END`;

/** Fails the batch with `not_found` or `not_cancelable` if the operation cannot be canceled. */
export function canceledOperation({ owner, id, nowMs }: { owner: Owner; id: string; nowMs: number }) {
  const { organizationId } = owner;
  const owned = sql`organization_id = ${organizationId} AND id = ${id} AND ${isOwned(owner)}`;
  const ofOperation = sql`operation_id = ${id} AND organization_id = ${organizationId}`;
  return {
    exists: assertThat("not_found", sql`EXISTS (SELECT 1 FROM operations WHERE ${owned})`),
    isCancelable: assertThat(
      "not_cancelable",
      sql`EXISTS (SELECT 1 FROM operations WHERE ${owned} AND ${IS_CANCELABLE})`,
    ),
    event: recordedEvents(
      organizationId,
      nowMs,
      sql`${eventOf("operation.updated", sql`id`)} FROM operations WHERE ${owned} AND canceled_at_ms IS NULL`,
    ),
    archive: deletedArchiveOf({ organizationId, operationId: id }, nowMs),
    canceled: nothing(sql`
      UPDATE operations SET filter = NULL, waits_for_hold = 0, total = ${TOTAL}, done = ${DONE_AT_CANCELLATION}, failed = ${FAILED},
             canceled_at_ms = coalesce(canceled_at_ms, ${nowMs}),
             completed_at_ms = iif(type IN ('import', 'create_archive'), coalesce(completed_at_ms, ${nowMs}), completed_at_ms)
       WHERE ${owned}`),
    indexJobs: nothing(
      sql`DELETE FROM index_jobs WHERE ${ofOperation} AND ${RUNS} AND ${isSafeToDrop(nowMs)}`,
    ),
    enrichmentJobs: nothing(sql`DELETE FROM enrichment_jobs WHERE ${ofOperation}`),
    operation: operationById({ owner, id }),
  } satisfies Statements;
}

/** Changes nothing if the operation is not the one that deleted the organization. */
export const restoredOrganization = ({
  id,
  operationId,
}: {
  id: string;
  operationId: string;
}): Statement<void> =>
  nothing(sql`
    UPDATE organizations SET deleted_at_ms = NULL, operation_id = NULL
     WHERE id = ${id} AND operation_id = ${operationId}`);

/**
 * Lists an organization in a cell as restored, in the directory, which keeps its last deletion: by that, the operator
 * finds the operation. Without it, the next sweep of the cell does.
 */
export const listedRestoration = (input: { id: string; operationId: string }): Statement<void> =>
  nothing(sql`
    UPDATE organizations SET deleted_at_ms = NULL
     WHERE id = ${input.id} AND operation_id = ${input.operationId} AND place = 'cell'`);

const IS_RUNNING = sql`completed_at_ms IS NULL AND type <> 'import'`;

/**
 * The oldest running operations of each organization, and as many from a random one on. The oldest may wait for
 * a long time and must not keep the others from being checked.
 */
export async function selectRunningOperations(
  db: D1Database,
  { round }: { round: Round },
): Promise<RunningOperation[]> {
  // Not the same random number as the one that chooses the first organization.
  const start = (round.chance * 7919) % 1;
  const { oldest, fromRandom } = await batch(db, {
    oldest: runningOperations(round, () => IS_RUNNING),
    fromRandom: runningOperations(round, (organization) => fromRandomOne(organization, start)),
  });
  return [...new Map([...oldest, ...fromRandom].map((operation) => [operation.id, operation])).values()];
}

const runningOperations = (round: Round, waits: (organization: Sql) => Sql) => {
  const queue = {
    table: sql`operations`,
    key: sql`organization_id`,
    all: IS_RUNNING,
    waits,
    order: sql`rowid`,
  };
  return rows(
    sql`${roundRobin(queue, round)}
        SELECT o.id, o.type FROM line CROSS JOIN operations AS o ON o.rowid = line.id`,
    (operation: RunningOperation) => operation,
  );
};

function fromRandomOne(organization: Sql, start: number): Sql {
  const end = (of: Sql) =>
    sql`(SELECT ${of}(rowid) FROM operations WHERE organization_id = ${organization} AND ${IS_RUNNING})`;
  const [oldest, newest] = [end(sql`min`), end(sql`max`)];
  return sql`${IS_RUNNING} AND rowid >= ${oldest} + CAST(${start} * (${newest} - ${oldest}) AS INTEGER)`;
}

/**
 * Marks operations as complete. A deletion is complete when its rows are gone and its vectors are confirmed
 * deleted. These vectors are:
 *
 * - Of a conversation, memory or message: all vectors of the conversation that were queued for deletion until
 *   the operation began. Besides, no indexing run may still write vectors of the conversation.
 * - Of an organization: all its queued vectors. Besides, no indexing run may still write vectors of the
 *   organization.
 * - Of many conversations, or of an organization whose deletion was canceled: the vectors that were queued when
 *   the rows of the conversations were removed, and all that were written after their chunk was deleted.
 *
 * Another deletion may have marked some of the many conversations first. Their rows and vectors then belong to that one,
 * and count for both. So two deletions that overlap do not wait for each other's completion.
 */
export async function updateFinishedOperations(
  db: D1Database,
  running: RunningOperation[],
  nowMs: number,
): Promise<void> {
  if (running.length === 0) return;
  const ids = JSON.stringify(running.map(({ id }) => id));
  const listed = sql`id IN (SELECT value FROM json_each(${ids})) AND completed_at_ms IS NULL`;
  const conditions = {
    markedVectors: sql`${ENDS_WITH_MARKED_ROWS} AND rows_deleted_at_ms IS NOT NULL
      AND NOT ${hasVectors(sql`operations`)} AND NOT EXISTS (SELECT 1 ${OVERLAPPING} AND ${hasVectors(sql`o`)})
      AND NOT EXISTS (SELECT 1 FROM vector_deletions AS d
                       WHERE d.organization_id = operations.organization_id
                         AND d.operation_id IS NULL AND d.queued_at_ms = 0)`,
    ofConversation: sql`type IN ('delete_conversation', 'delete_message', 'delete_memory')
      AND rows_deleted_at_ms IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM vector_deletions AS d
                       WHERE d.organization_id = operations.organization_id
                         AND d.conversation_id = operations.conversation_id
                         AND d.queued_at_ms <= operations.created_at_ms)
      AND (organization_id, conversation_id) NOT IN (SELECT organization_id, conversation_id FROM held)`,
    ofOrganization: sql`type = 'delete_organization' AND rows_deleted_at_ms IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM vector_deletions AS d
                       WHERE d.organization_id = operations.organization_id)
      AND NOT EXISTS (SELECT 1 FROM index_jobs AS j
                       WHERE j.organization_id = operations.organization_id AND j.lease_until_ms > ${nowMs})`,
    repairs: sql`type = 'repair_index' AND filter IS NULL AND NOT EXISTS (SELECT 1 ${REPAIRING})
      AND NOT EXISTS (SELECT 1 FROM index_jobs AS j
                       WHERE j.operation_id = operations.id AND +j.organization_id = operations.organization_id
                         AND j.${GIVEN_UP} AND j.lease_until_ms > ${nowMs})`,
  };
  const held = sql`WITH ${heldConversations(listed, nowMs)}`;
  const completed = sql`UPDATE operations SET vectors_deleted_at_ms = ${nowMs}, completed_at_ms = ${nowMs} WHERE ${listed}`;
  /** Before the update. A canceled operation is still working, but its status stays. */
  const eventsOf = (condition: Sql, common = sql``) =>
    recordedEventsOfMany(
      nowMs,
      sql`${common} SELECT organization_id, 'operation.updated' AS type, id AS subject_id
            FROM operations WHERE ${listed} AND canceled_at_ms IS NULL AND ${condition}`,
    );
  await batch(db, {
    markedRows: nothing(sql`
      UPDATE operations SET rows_deleted_at_ms = ${nowMs}
       WHERE ${listed} AND ${ENDS_WITH_MARKED_ROWS} AND rows_deleted_at_ms IS NULL AND filter IS NULL
         AND recalls_until IS NULL AND NOT EXISTS (${marked(sql`operations`)}) AND NOT ${HAS_OVERLAPPING_ROWS}`),
    // The deletion of an organization has no event: its log is deleted before.
    events: [
      eventsOf(conditions.markedVectors),
      eventsOf(conditions.ofConversation, held),
      eventsOf(conditions.repairs),
    ],
    markedVectors: nothing(sql`${completed} AND ${conditions.markedVectors}`),
    ofConversation: nothing(sql`${held} ${completed} AND ${conditions.ofConversation}`),
    ofOrganization: nothing(sql`${completed} AND ${conditions.ofOrganization}`),
    // Failures are counted now, because a later repair takes over the failed jobs. A job without attempts left
    // may still be in its last one.
    repairs: nothing(sql`
      UPDATE operations SET completed_at_ms = ${nowMs}, done = coalesce(done, total), failed = ${FAILED}
       WHERE ${listed} AND ${conditions.repairs}`),
  });
}

/** CTE `held`: the conversations of which an indexing run may still write vectors, each checked once. */
const heldConversations = (listed: Sql, nowMs: number): Sql => sql`
  held AS MATERIALIZED (
    SELECT c.organization_id, c.conversation_id
      FROM (SELECT DISTINCT organization_id, conversation_id FROM operations
             WHERE ${listed} AND conversation_id IS NOT NULL) AS c
     WHERE EXISTS (SELECT 1 FROM index_jobs AS j
                    WHERE j.organization_id = c.organization_id AND j.conversation_id = c.conversation_id
                      AND j.lease_until_ms > ${nowMs}))`;
