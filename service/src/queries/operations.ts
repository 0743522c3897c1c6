import type { Operation } from "@engram/spec";
import { type Owner, toTimestamp, toTimestampOrNull } from "./batch.ts";

/** How long D1's point-in-time history can still bring rows back. */
const TIME_TRAVEL_MS = 30 * 24 * 3_600_000;

interface OperationRow {
  id: string;
  type: Operation["type"];
  target_id: string;
  created_at_ms: number;
  rows_deleted_at_ms: number | null;
  vectors_deleted_at_ms: number | null;
}

const COLUMNS = "id, type, target_id, created_at_ms, rows_deleted_at_ms, vectors_deleted_at_ms";

function toOperation(row: OperationRow): Operation {
  const { rows_deleted_at_ms: rows, vectors_deleted_at_ms: vectors } = row;
  const done = rows !== null && vectors !== null;
  return {
    id: row.id,
    type: row.type,
    status: done ? "succeeded" : "running",
    target_id: row.target_id,
    created_at: toTimestamp(row.created_at_ms),
    completed_at: done ? toTimestamp(Math.max(rows, vectors)) : null,
    rows_deleted_at: toTimestampOrNull(rows),
    vectors_deleted_at: toTimestampOrNull(vectors),
    recoverable_until: rows === null ? null : toTimestamp(rows + TIME_TRAVEL_MS),
  };
}

/** The statement that opens an operation and answers it. */
export function insertOperation(
  db: D1Database,
  input: {
    organizationId: string;
    id: string;
    type: Operation["type"];
    targetId: string;
    /** Whose vectors it waits for; null for all of the organization. */
    conversationId: string | null;
    agentId: string | null;
    nowMs: number;
    /** When the rows go in the same batch. */
    rowsDeletedAtMs: number | null;
  },
): D1PreparedStatement {
  return db
    .prepare(
      `INSERT INTO operations
         (organization_id, id, type, target_id, conversation_id, agent_id, created_at_ms, rows_deleted_at_ms)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) RETURNING ${COLUMNS}`,
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

/** The operation that `insertOperation` answered. */
export function readOperation(result: D1Result<unknown> | undefined): Operation {
  const row = (result?.results as OperationRow[] | undefined)?.[0];
  if (row === undefined) throw new Error("the batch stored no operation");
  return toOperation(row);
}

/** An operation of the owner, or any by its id for the operator (`owner` null). */
export async function selectOperation(
  db: D1Database,
  input: { owner: Owner | null; id: string },
): Promise<Operation | null> {
  const row = await db
    .prepare(
      `SELECT ${COLUMNS} FROM operations
        WHERE id = ?1 AND (?2 IS NULL OR organization_id = ?2) AND (?3 IS NULL OR agent_id = ?3)`,
    )
    .bind(input.id, input.owner?.organizationId ?? null, input.owner?.agentId ?? null)
    .first<OperationRow>();
  return row && toOperation(row);
}

/**
 * Close the operations whose rows are gone and whose vectors are confirmed gone: all of the conversation,
 * or organization, that were queued before it, and none that a run may still be writing.
 */
export async function updateFinishedOperations(db: D1Database, nowMs: number): Promise<void> {
  const ofTheSame = `organization_id = operations.organization_id
    AND (operations.conversation_id IS NULL OR conversation_id = operations.conversation_id)`;
  await db
    .prepare(
      `UPDATE operations SET vectors_deleted_at_ms = ?1
        WHERE vectors_deleted_at_ms IS NULL AND rows_deleted_at_ms IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM vector_deletions
                           WHERE ${ofTheSame} AND queued_at_ms <= operations.created_at_ms)
          AND NOT EXISTS (SELECT 1 FROM index_jobs WHERE ${ofTheSame} AND lease_until_ms > ?1)`,
    )
    .bind(nowMs)
    .run();
}
