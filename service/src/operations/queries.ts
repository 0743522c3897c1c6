import type { Operation, OperationOf, OperationProblem, OperationStatus, OperationType } from "@engram/spec";
import { type ConversationFilter, conditionIf, toWhere } from "../conversations/filters-queries.ts";
import { GIVEN_UP, INDEX_ATTEMPTS_MAX, RUNS } from "../indexing/jobs-queries.ts";
import { type Owner, toTimestamp, toTimestampOrNull } from "../platform/batch.ts";
import { type Sql, sql } from "../platform/sql.ts";
import { readTotal, totalWithin } from "../platform/totals.ts";
import { byTurns, type Turns, toBinds } from "../platform/turns.ts";

/** Period in which D1's point-in-time history can restore rows. */
const TIME_TRAVEL_MS = 30 * 24 * 3_600_000;

interface OperationRow {
  id: string;
  type: OperationType;
  status: OperationStatus;
  target_id: string;
  done: number | null;
  failed: number;
  total: number | null;
  created_at_ms: number;
  rows_deleted_at_ms: number | null;
  vectors_deleted_at_ms: number | null;
  completed_at_ms: number | null;
}

const STATUS = `CASE WHEN canceled_at_ms IS NOT NULL THEN 'canceled' WHEN completed_at_ms IS NULL THEN 'running'
  WHEN type = 'repair_index' AND failed > 0 THEN 'failed' ELSE 'succeeded' END`;

/** Jobs of a repair that a run will still claim, over `operations`. Jobs that were given up do not count. */
// The plus keeps the planner from the index of all jobs of the organization.
export const REPAIRING = `FROM index_jobs AS j WHERE j.operation_id = operations.id
  AND +j.organization_id = operations.organization_id AND j.${RUNS}`;

/** Number of conversations and memories of a repair that have only jobs that were given up, over `operations`. */
export const UNREPAIRED = `SELECT count(DISTINCT j.conversation_id) FROM index_jobs AS j
  WHERE j.operation_id = operations.id AND +j.organization_id = operations.organization_id AND j.${GIVEN_UP}
    -- The plus keeps the planner to the jobs of the conversation.
    AND NOT EXISTS (SELECT 1 FROM index_jobs AS r
                     WHERE r.organization_id = j.organization_id AND r.conversation_id = j.conversation_id
                       AND +r.operation_id = j.operation_id AND r.${RUNS})`;

/** Jobs of a backfill that are not done yet, over `operations`. */
export const ENRICHING = `FROM enrichment_jobs AS j WHERE j.operation_id = operations.id
  AND j.organization_id = operations.organization_id AND j.pass <> 3`;

/** Whether an operation deletes its organization and was not canceled. */
export const isOrganizationDeletion = (organizationId: string, id: string): Sql => sql`
  EXISTS (SELECT 1 FROM operations WHERE organization_id = ${organizationId} AND id = ${id}
             AND type = 'delete_organization' AND canceled_at_ms IS NULL)`;

/** The same as a string, for the operation `id` of organization ?1. */
export const isDeletingOrganization = (id: string): string =>
  `EXISTS (SELECT 1 FROM operations WHERE organization_id = ?1 AND id = ${id}
              AND type = 'delete_organization' AND canceled_at_ms IS NULL)`;

/** Number of an organization's conversations and memories that are not soft-deleted, over `operations`. */
export const REMAINING = `SELECT conversation_count + memory_count FROM organization_counters AS o
  WHERE o.organization_id = operations.organization_id`;

/** Over `operations`: steps still queue work, so the total is not final. */
export const QUEUING = "filter IS NOT NULL AND type IN ('repair_index', 'enrich_memories')";

const COLUMNS = `id, type, ${STATUS} AS status, target_id, CASE WHEN ${QUEUING} THEN NULL ELSE total END AS total,
  created_at_ms, rows_deleted_at_ms,
  vectors_deleted_at_ms, completed_at_ms,
  CASE WHEN done IS NOT NULL THEN done
       WHEN type = 'delete_organization' THEN 0 -- the purge counts from its first step on
       WHEN type = 'enrich_memories' THEN total - (SELECT count(*) ${ENRICHING})
       ELSE total - (SELECT count(DISTINCT j.conversation_id) ${REPAIRING}) END AS done,
  CASE WHEN type = 'repair_index' AND done IS NULL THEN failed + (${UNREPAIRED}) ELSE failed END AS failed`;

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
  switch (type) {
    case "delete_conversation":
    case "delete_message":
    case "delete_memory":
      return { type, ...common, ...toReceipt(row) };
    case "delete_conversations":
    case "delete_memories":
      return { type, ...common, progress, soft_deleted: done, ...toReceipt(row) };
    case "delete_organization": {
      const restored = status === "canceled" && total !== null ? total - done : null;
      return { type, ...common, progress, purged: done, restored, ...toReceipt(row) };
    }
    case "repair_index": {
      const problem = status === "failed" ? toRepairProblem(failed) : null;
      return { type, ...common, progress, reindexed: done - failed, failed, problem };
    }
    case "enrich_memories":
      return { type, ...common, progress, enriched: done - failed };
    case "import":
      return { type, ...common, progress, lines_processed: done };
  }
}

function toReceipt({ rows_deleted_at_ms: rows, vectors_deleted_at_ms: vectors }: OperationRow) {
  return {
    rows_deleted_at: toTimestampOrNull(rows),
    vectors_deleted_at: toTimestampOrNull(vectors),
    recoverable_until: rows === null ? null : toTimestamp(rows + TIME_TRAVEL_MS),
  };
}

const toRepairProblem = (failed: number): OperationProblem => ({
  code: "attempts_exhausted",
  title: "Indexing attempts exhausted",
  detail: `Parts of ${failed} conversations or memories could not be indexed in ${INDEX_ATTEMPTS_MAX} attempts. Get the index status for the reason, then repair the index again.`,
});

export interface NewOperation {
  organizationId: string;
  id: string;
  type: OperationType;
  targetId: string;
  agentId: string | null;
  nowMs: number;
}

/** Inserts the deletion of one target and returns the operation. */
export function insertDeletion(
  db: D1Database,
  input: NewOperation & {
    /**
     * The conversation whose vectors must be deleted before the operation ends; null for all of the
     * organization.
     */
    conversationId: string | null;
    /** Set when the rows are deleted in the same batch. */
    rowsDeletedAtMs: number | null;
  },
): D1PreparedStatement {
  return db
    .prepare(
      `INSERT INTO operations
         (organization_id, id, type, target_id, conversation_id, agent_id, created_at_ms, rows_deleted_at_ms, total)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8,
               CASE ?3 WHEN 'delete_organization' THEN
                 (SELECT conversation_count + memory_count FROM organization_counters WHERE organization_id = ?1) END)
       RETURNING ${COLUMNS}`,
    )
    .bind(
      input.organizationId,
      input.id,
      input.type,
      input.targetId,
      input.conversationId,
      input.agentId,
      input.nowMs,
      input.rowsDeletedAtMs,
    );
}

/** Inserts a repair or a backfill. Its steps queue the items that exist now. */
export function insertQueuedOperation(
  db: D1Database,
  input: NewOperation & { filter: ConversationFilter },
): D1PreparedStatement {
  return db
    .prepare(
      `INSERT INTO operations
         (organization_id, id, type, target_id, agent_id, created_at_ms, filter, total, last_number)
       SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, 0, (SELECT coalesce(max(number), 0) FROM conversations)`,
    )
    .bind(
      input.organizationId,
      input.id,
      input.type,
      input.targetId,
      input.agentId,
      input.nowMs,
      JSON.stringify(input.filter),
    );
}

/** An operation of the owner. With `owner` null, for the operator, any operation by id. */
export function operationById(
  db: D1Database,
  input: { owner: Owner | null; id: string },
): D1PreparedStatement {
  return db
    .prepare(
      `SELECT ${COLUMNS} FROM operations
        WHERE id = ?1 AND (?2 IS NULL OR organization_id = ?2) AND (?3 IS NULL OR agent_id = ?3)`,
    )
    .bind(input.id, input.owner?.organizationId ?? null, input.owner?.agentId ?? null);
}

export function readOperation(result: D1Result<unknown> | undefined): Operation {
  const row = (result?.results as OperationRow[] | undefined)?.[0];
  if (row === undefined) throw new Error("the batch answered no operation");
  return toOperation(row);
}

/** @throws {Error} when the operation is of another type. */
export function asType<Type extends OperationType>(operation: Operation, type: Type): OperationOf<Type> {
  if (operation.type !== type) throw new Error(`${operation.id} is not of the type ${type}`);
  return operation as OperationOf<Type>;
}

export async function selectOperation(
  db: D1Database,
  input: { owner: Owner | null; id: string },
): Promise<Operation | null> {
  const row = await operationById(db, input).first<OperationRow>();
  return row && toOperation(row);
}

/** The owner of an operation, for the operator, who knows only its id; null when there is none. */
export async function selectOperationOwner(db: D1Database, id: string): Promise<Owner | null> {
  const row = await db
    .prepare("SELECT organization_id FROM operations WHERE id = ?1")
    .bind(id)
    .first<{ organization_id: string }>();
  return row && { organizationId: row.organization_id, agentId: null };
}

/**
 * Operations of the owner with ids below `beforeId`, newest first. Counts all matching operations with
 * `countedMax`.
 */
export async function selectOperations(
  db: D1Database,
  input: {
    owner: Owner;
    type: OperationType | undefined;
    status: OperationStatus | undefined;
    beforeId: string | null;
    limit: number;
    /** Rows read to count; null without a count. */
    countedMax: number | null;
  },
): Promise<{ operations: Operation[]; total: number | null | undefined }> {
  const { organizationId, agentId } = input.owner;
  const conditions = [
    ...conditionIf("agent_id = $", agentId),
    ...conditionIf("type = $", input.type),
    ...conditionIf(`${STATUS} = $`, input.status),
  ];
  const where = toWhere(conditions, 4);
  const statements = [
    db
      .prepare(
        `SELECT ${COLUMNS} FROM operations
          WHERE organization_id = ?1 AND (?2 IS NULL OR id < ?2) AND ${where.sql} ORDER BY id DESC LIMIT ?3`,
      )
      .bind(organizationId, input.beforeId, input.limit, ...where.binds),
  ];
  if (input.countedMax !== null) {
    const all =
      "SELECT agent_id, type, canceled_at_ms, completed_at_ms, failed FROM operations WHERE organization_id = ?1";
    const matching = toWhere(conditions, 2);
    statements.push(
      db.prepare(totalWithin(input.countedMax, all, matching.sql)).bind(organizationId, ...matching.binds),
    );
  }
  const [page, counted] = await db.batch(statements);
  return {
    operations: ((page?.results ?? []) as OperationRow[]).map(toOperation),
    total: input.countedMax === null ? undefined : readTotal(counted),
  };
}

export interface SteppedOperation {
  owner: Owner;
  id: string;
  type: OperationType;
  targetId: string;
  filter: ConversationFilter;
}

/** A bulk deletion that has conversations or memories left to soft-delete. */
export type FilteredDeletion = Pick<SteppedOperation, "owner" | "id" | "filter">;

/** Operations of the given types that have steps left, round-robin by organization. */
export async function selectSteppedOperations(
  db: D1Database,
  input: { types: readonly OperationType[]; limit: number; turns: Turns },
): Promise<SteppedOperation[]> {
  const types = input.types.map((type) => `'${type}'`).join(", ");
  const queue = {
    table: "operations",
    all: "filter IS NOT NULL",
    waits: () => `filter IS NOT NULL AND completed_at_ms IS NULL AND type IN (${types})`,
    order: "rowid",
  };
  const { results } = await db
    .prepare(
      // Random order within an organization, so that an operation that fails does not delay the others.
      `${byTurns(queue, 2)}
       SELECT o.organization_id, o.id, o.type, o.target_id, o.agent_id, o.filter
         FROM line CROSS JOIN operations AS o ON o.rowid = line.id
        ORDER BY row_number() OVER (PARTITION BY o.organization_id ORDER BY random()), turn LIMIT ?1`,
    )
    .bind(input.limit, ...toBinds(input.turns))
    .all<{
      organization_id: string;
      id: string;
      type: OperationType;
      target_id: string;
      agent_id: string | null;
      filter: string;
    }>();
  return results.map(({ organization_id, id, type, target_id, agent_id, filter }) => ({
    owner: { organizationId: organization_id, agentId: agent_id },
    id,
    type,
    targetId: target_id,
    filter: JSON.parse(filter) as ConversationFilter,
  }));
}
