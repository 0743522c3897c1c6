import type { Operation, OperationOf, OperationProblem, OperationStatus, OperationType } from "@engram/spec";
import { type ArchivesLeft, archivesOf } from "../archives/queries.ts";
import type { ConversationFilter } from "../filters/queries.ts";
import { GIVEN_UP, INDEX_ATTEMPTS_MAX, RUNS } from "../jobs/queries.ts";
import {
  isOwned,
  type Owner,
  ownerConditions,
  toTimestamp,
  toTimestampOrNull,
  wholeOrganization,
} from "../platform/batch.ts";
import { type Round, roundRobin } from "../platform/round-robin.ts";
import { scannedPage } from "../platform/scans.ts";
import {
  and,
  batch,
  given,
  joined,
  nothing,
  onlyRow,
  row,
  rows,
  run,
  type Sql,
  type Statement,
  sql,
} from "../platform/sql.ts";
import { citingCounts } from "../sources/queries.ts";
import { heldTombstone } from "../tombstones/queries.ts";

/** Period in which D1's point-in-time history can restore rows. */
const TIME_TRAVEL_MS = 30 * 24 * 3_600_000;

/** Types of the operations of organizations. Moves are the operator's. */
type OwnType = Exclude<OperationType, "move_organization">;

interface OperationRow {
  id: string;
  type: OwnType;
  status: OperationStatus;
  target_id: string;
  done: number | null;
  failed: number;
  total: number | null;
  created_at_ms: number;
  rows_deleted_at_ms: number | null;
  vectors_deleted_at_ms: number | null;
  completed_at_ms: number | null;
  versions_deleted: number;
  memories_flagged: number;
  memories_deleted: number;
  summaries_deleted: number;
  recalls_deleted: number;
  held: number;
  /** JSON array of ids. */
  hold_ids: string;
  retention_rule_id: string | null;
  /** {@link ArchivesLeft} as JSON; null for what is no deletion. */
  archives: string | null;
}

const STATUS = sql`CASE WHEN canceled_at_ms IS NOT NULL THEN 'canceled' WHEN completed_at_ms IS NULL THEN 'running'
  WHEN type = 'repair_index' AND failed > 0 THEN 'failed' ELSE 'succeeded' END`;

/**
 * The jobs of a repair that a run will still claim. Without the plus, SQLite would use the index of all jobs of
 * the organization.
 */
export const REPAIRING = sql`FROM index_jobs AS j WHERE j.operation_id = operations.id
  AND +j.organization_id = operations.organization_id AND j.${RUNS}`;

/**
 * Number of a repair's conversations and memories with jobs that failed in all attempts, and with no other
 * jobs.
 */
const UNREPAIRED = sql`SELECT count(DISTINCT j.conversation_id) FROM index_jobs AS j
  WHERE j.operation_id = operations.id AND +j.organization_id = operations.organization_id AND j.${GIVEN_UP}
    -- The plus keeps the planner to the jobs of the conversation.
    AND NOT EXISTS (SELECT 1 FROM index_jobs AS r
                     WHERE r.organization_id = j.organization_id AND r.conversation_id = j.conversation_id
                       AND +r.operation_id = j.operation_id AND r.${RUNS})`;

export const ENRICHING = sql`FROM enrichment_jobs AS j WHERE j.operation_id = operations.id
  AND j.organization_id = operations.organization_id AND j.pass <> 3`;

export const isOrganizationDeletion = (organizationId: string, id: string): Sql => sql`
  EXISTS (SELECT 1 FROM operations WHERE organization_id = ${organizationId} AND id = ${id}
             AND type = 'delete_organization' AND canceled_at_ms IS NULL)`;

/** Number of an organization's conversations and memories. The counters exclude soft-deleted ones. */
export const REMAINING = sql`SELECT conversation_count + memory_count FROM organization_counters AS o
  WHERE o.organization_id = operations.organization_id`;

/** Null while a repair or an enrichment of memories still queues its work in steps. */
export const TOTAL = sql`
  CASE WHEN filter IS NOT NULL AND type IN ('repair_index', 'enrich_memories') THEN NULL ELSE total END`;

export const FAILED = sql`
  CASE WHEN type = 'repair_index' AND done IS NULL THEN failed + (${UNREPAIRED}) ELSE failed END`;

const COLUMNS = sql`
  id, type, ${STATUS} AS status, target_id, ${TOTAL} AS total,
  created_at_ms, rows_deleted_at_ms, vectors_deleted_at_ms, completed_at_ms, versions_deleted,
  memories_flagged, memories_deleted, summaries_deleted, recalls_deleted, held, hold_ids, retention_rule_id,
  CASE WHEN type GLOB 'delete_*' THEN ${archivesOf(sql`operations`)} END AS archives,
  CASE WHEN done IS NOT NULL THEN done
       WHEN type = 'delete_organization' THEN 0 -- 0 until the first step of the purge
       WHEN type = 'enrich_memories' THEN total - (SELECT count(*) ${ENRICHING})
       ELSE total - (SELECT count(DISTINCT j.conversation_id) ${REPAIRING}) END AS done,
  ${FAILED} AS failed`;

function toOperation(row: OperationRow): Operation {
  const { id, type, status, target_id, total } = row;
  const done = row.done ?? 0;
  const failed = Math.min(row.failed, done);
  const common = {
    id,
    status,
    target_id,
    created_at: toTimestamp(row.created_at_ms),
    completed_at: toTimestampOrNull(row.completed_at_ms),
  };
  const progress = { done, total };
  const citing = { memories_flagged: row.memories_flagged, memories_deleted: row.memories_deleted };
  const held = { held: row.held, hold_ids: JSON.parse(row.hold_ids) as string[] };
  const ruled = { retention_rule_id: row.retention_rule_id };
  const summarized = { summaries_deleted: row.summaries_deleted };
  switch (type) {
    case "delete_conversation":
    case "delete_message":
      return { type, ...common, ...citing, ...summarized, ...toReceipt(row) };
    case "delete_memory":
      return { type, ...common, ...toMemoryReceipt(row) };
    case "delete_conversations":
      return {
        type,
        ...common,
        progress,
        soft_deleted: done,
        ...held,
        ...citing,
        ...summarized,
        ...toReceipt(row),
        ...ruled,
      };
    case "delete_user":
      return {
        type,
        ...common,
        progress,
        soft_deleted: done,
        ...held,
        ...citing,
        ...summarized,
        ...toMemoryReceipt(row),
        recalls_deleted: row.recalls_deleted,
      };
    case "delete_memories":
      return { type, ...common, progress, soft_deleted: done, ...held, ...toMemoryReceipt(row), ...ruled };
    case "delete_organization": {
      const restored = status === "canceled" && total !== null ? total - done : null;
      const overridden = { overridden_holds: held.hold_ids };
      return {
        type,
        ...common,
        progress,
        purged: done,
        restored,
        ...overridden,
        ...summarized,
        ...toMemoryReceipt(row),
      };
    }
    case "repair_index": {
      const problem = status === "failed" ? toRepairProblem(failed) : null;
      return { type, ...common, progress, reindexed: done - failed, failed, problem };
    }
    case "enrich_memories":
      return { type, ...common, progress, enriched: done - failed };
    case "create_archive":
      return { type, ...common, progress };
    case "import":
      return { type, ...common, progress, lines_processed: done };
  }
}

function toReceipt({ rows_deleted_at_ms: rows, vectors_deleted_at_ms: vectors, archives }: OperationRow) {
  return {
    rows_deleted_at: toTimestampOrNull(rows),
    vectors_deleted_at: toTimestampOrNull(vectors),
    recoverable_until: rows === null ? null : toTimestamp(rows + TIME_TRAVEL_MS),
    ...toArchivesLeft(archives),
  };
}

function toArchivesLeft(json: string | null) {
  const { count, named } = JSON.parse(json as string) as ArchivesLeft;
  return {
    archives: named.map(({ id, expires_at_ms }) => ({ id, expires_at: toTimestampOrNull(expires_at_ms) })),
    archive_count: count,
  };
}

const toMemoryReceipt = (row: OperationRow) => ({
  ...toReceipt(row),
  memory_versions_deleted: row.versions_deleted,
});

const toRepairProblem = (failed: number): OperationProblem => ({
  code: "attempts_exhausted",
  title: "Indexing attempts exhausted",
  detail: `Parts of ${failed} conversations or memories could not be indexed in ${INDEX_ATTEMPTS_MAX} attempts. Get the index status for the reason, then repair the index again.`,
});

export interface NewOperation {
  owner: Owner;
  id: string;
  type: OperationType;
  targetId: string;
  nowMs: number;
}

/** Counts the memories whose sources the batch has marked. */
export const insertedDeletion = <Type extends OperationType>(
  input: NewOperation & {
    type: Type;
    /**
     * The conversation or memory whose vectors must be deleted before the operation ends. Null for all of the
     * organization.
     */
    conversationId: string | null;
    /** Time of the deletion if the batch deletes the rows too; null if they are deleted later. */
    rowsDeletedAtMs: number | null;
    /** Number of summaries that the batch deletes afterwards. */
    summaries?: Sql;
    /** JSON array of the ids of the holds that the batch has lifted before. */
    holdIds?: Sql;
  },
): Statement<OperationOf<Type>> => {
  const citing = citingCounts(input.owner.organizationId);
  return onlyRow(
    sql`INSERT INTO operations
          (organization_id, id, type, target_id, conversation_id, agent_id, user_id, created_at_ms, rows_deleted_at_ms,
           memories_flagged, memories_deleted, summaries_deleted, hold_ids, total)
        VALUES (${input.owner.organizationId}, ${input.id}, ${input.type}, ${input.targetId}, ${input.conversationId},
                ${input.owner.agentId}, ${input.owner.userId}, ${input.nowMs}, ${input.rowsDeletedAtMs},
                ${citing.flagged}, ${citing.deleted}, ${input.summaries ?? sql`0`}, ${input.holdIds ?? sql`'[]'`},
                CASE ${input.type} WHEN 'delete_organization' THEN
                  (SELECT conversation_count + memory_count FROM organization_counters
                    WHERE organization_id = ${input.owner.organizationId}) END)
        RETURNING ${COLUMNS}`,
    (operation: OperationRow) => asType(toOperation(operation), input.type),
  );
};

export const insertedQueuedOperation = (
  input: NewOperation & { filter: ConversationFilter },
): Statement<void> =>
  nothing(sql`
    INSERT INTO operations
      (organization_id, id, type, target_id, agent_id, user_id, created_at_ms, filter, total, last_row_key)
    SELECT ${input.owner.organizationId}, ${input.id}, ${input.type}, ${input.targetId}, ${input.owner.agentId},
           ${input.owner.userId}, ${input.nowMs}, ${JSON.stringify(input.filter)}, 0,
           (SELECT coalesce(max(row_key), 0) FROM conversations)`);

interface OperationId {
  /** Null for the holder of the admin token, who may see all operations. */
  owner: Owner | null;
  id: string;
}

const operationWith = ({ owner, id }: OperationId): Sql => sql`
  SELECT ${COLUMNS} FROM operations
   WHERE ${and([
     sql`id = ${id}`,
     ...given(owner, (of) => sql`organization_id = ${of.organizationId} AND ${isOwned(of)}`),
   ])}`;

export const operationById = (operation: OperationId): Statement<Operation> =>
  onlyRow(operationWith(operation), toOperation);

export const selectOperation = (db: D1Database, operation: OperationId): Promise<Operation | null> =>
  run(db, row(operationWith(operation), toOperation));

/** @throws {Error} when the operation is of another type. */
export function asType<Type extends OperationType>(operation: Operation, type: Type): OperationOf<Type> {
  if (operation.type !== type) throw new Error(`${operation.id} is not of the type ${type}`);
  return operation as OperationOf<Type>;
}

/** The organization in a cell that an operation deletes; null if there is none. */
export const organizationOfDeletion = (operationId: string): Statement<string | null> =>
  row(
    sql`SELECT id FROM organizations WHERE operation_id = ${operationId} AND place = 'cell'`,
    ({ id }: { id: string }) => id,
  );

export const selectOperationOwner = (db: D1Database, id: string): Promise<Owner | null> =>
  run(
    db,
    row(
      sql`SELECT organization_id FROM operations WHERE id = ${id}`,
      ({ organization_id }: { organization_id: string }) => wholeOrganization(organization_id),
    ),
  );

export async function selectOperations(
  db: D1Database,
  input: {
    owner: Owner;
    type: OperationType | undefined;
    status: OperationStatus | undefined;
    beforeId: string | null;
    limit: number;
    rowsMax: number;
  },
): Promise<{ operations: Operation[]; scanEnd: string | null }> {
  const { beforeId, limit, rowsMax } = input;
  const owned = sql`organization_id = ${input.owner.organizationId}`;
  const conditions = [
    ...ownerConditions(input.owner),
    ...given(input.type, (type) => sql`type = ${type}`),
    ...given(input.status, (status) => sql`${STATUS} = ${status}`),
  ];
  const page = await batch(
    db,
    scannedPage(
      {
        columns: COLUMNS,
        table: sql`operations`,
        range: sql`${owned} AND (${beforeId} IS NULL OR id < ${beforeId})`,
        order: sql`id DESC`,
        filter: conditions.length === 0 ? null : and(conditions),
        position: sql`id`,
        limit,
        rowsMax,
      },
      toOperation,
      ({ id }: { id: string }) => id,
    ),
  );
  return { operations: page.items, scanEnd: page.scanEnd };
}

/** An operation that is not complete. Imports are excluded. */
export interface RunningOperation {
  id: string;
  type: OperationType;
}

/**
 * Whether the deletion of a user is to go over its list again, because a hold was lifted, and what it has deleted is not
 * purged yet. What another hold keeps from the purge does not count.
 */
export const beginsAgain = (operation: Sql): Sql => sql`(
  ${operation}.type = 'delete_user' AND ${operation}.filter_position IS NULL AND ${operation}.done > 0
  AND ${operation}.filter ->> '$.corpora[0]' = 'conversations'
  AND EXISTS (SELECT 1 FROM conversations AS gone
               WHERE gone.operation_id = ${operation}.id AND +gone.organization_id = ${operation}.organization_id
                 AND gone.held_by IS NULL))`;

/** Whether a hold keeps rows that the deletion of a user covers, and that another operation has deleted. */
export const HAS_HELD_ROWS_OF_USER = sql`(
  type = 'delete_user' AND overlaps_until IS NOT NULL AND (${heldOfUser(sql`= 'conversation'`)}
                                                           OR ${heldOfUser(sql`<> 'conversation'`)}))`;

/** @param kind the condition of an index by user. */
function heldOfUser(kind: Sql): Sql {
  return sql`EXISTS (
    SELECT 1 FROM conversations AS c
     WHERE c.organization_id = operations.organization_id AND c.user_id = operations.target_id AND c.kind ${kind}
       -- The pluses keep the planner to the rows of the user.
       AND +c.deleted_at_ms IS NOT NULL AND +c.held_by IS NOT NULL AND +c.row_key <= operations.last_row_key
       AND (operations.agent_id IS NULL OR c.agent_id = operations.agent_id))`;
}

export interface SteppedOperation {
  owner: Owner;
  id: string;
  type: OperationType;
  targetId: string;
  filter: ConversationFilter;
  /** The tombstone of a deletion with `forget`; null for other operations, or once it is lifted. */
  tombstoneId: string | null;
}

export type FilteredDeletion = Pick<SteppedOperation, "owner" | "id" | "filter" | "tombstoneId">;

export function selectSteppedOperations(
  db: D1Database,
  input: { types: readonly OperationType[]; limit: number; round: Round },
): Promise<SteppedOperation[]> {
  const types = input.types.map((type) => sql`${type}`);
  const stepped = sql`filter IS NOT NULL`;
  const queue = {
    table: sql`operations`,
    key: sql`organization_id`,
    all: stepped,
    // One that waits for a hold to be lifted has nothing to do.
    waits: () =>
      sql`${stepped} AND waits_for_hold = 0 AND NOT ${beginsAgain(sql`operations`)} AND completed_at_ms IS NULL AND type IN (${joined(types, sql`, `)})`,
    order: sql`rowid`,
  };
  return run(
    db,
    rows(
      // Random order within an organization, so that an operation that fails does not delay the others.
      sql`${roundRobin(queue, input.round)}
          SELECT o.organization_id, o.id, o.type, o.target_id, o.agent_id, o.user_id, o.filter,
                 ${heldTombstone(sql`o.organization_id`, sql`o.id`)} AS tombstone_id
            FROM line CROSS JOIN operations AS o ON o.rowid = line.id
           ORDER BY row_number() OVER (PARTITION BY o.organization_id ORDER BY random()), turn LIMIT ${input.limit}`,
      toSteppedOperation,
    ),
  );
}

const toSteppedOperation = (operation: {
  organization_id: string;
  id: string;
  type: OperationType;
  target_id: string;
  agent_id: string | null;
  user_id: string | null;
  filter: string;
  tombstone_id: string | null;
}): SteppedOperation => ({
  owner: {
    organizationId: operation.organization_id,
    agentId: operation.agent_id,
    userId: operation.user_id,
  },
  id: operation.id,
  type: operation.type,
  targetId: operation.target_id,
  filter: JSON.parse(operation.filter) as ConversationFilter,
  tombstoneId: operation.tombstone_id,
});
