import type { Jurisdiction, OperationOf, Place } from "@engram/spec";
import { toTimestamp, toTimestampOrNull } from "../platform/batch.ts";
import { assertThat, nothing, onlyRow, row, rows, type Sql, type Statement, sql } from "../platform/sql.ts";

export type Phase = "copying" | "frozen" | "removing" | "canceling" | "ended";

export interface Move {
  id: string;
  organization_id: string;
  /** Where the organization moves to. */
  place: Place;
  phase: Phase;
  attempt: number;
  done: number;
  total: number;
  created_at_ms: number;
  frozen_at_ms: number | null;
  moved_at_ms: number | null;
  canceled_at_ms: number | null;
  completed_at_ms: number | null;
}

export const MOVE_COLUMNS = sql`id, organization_id, place, phase, attempt, done, total, created_at_ms, frozen_at_ms, moved_at_ms,
  canceled_at_ms, completed_at_ms`;

export const toMove = (move: Move): Move => move;

export const toMoveOperation = (move: Move): OperationOf<"move_organization"> => ({
  type: "move_organization",
  id: move.id,
  status: move.canceled_at_ms !== null ? "canceled" : move.completed_at_ms !== null ? "succeeded" : "running",
  target_id: move.organization_id,
  place: move.place,
  moved_at: toTimestampOrNull(move.moved_at_ms),
  progress: { done: Math.min(move.done, move.total), total: move.total },
  created_at: toTimestamp(move.created_at_ms),
  completed_at: toTimestampOrNull(
    move.completed_at_ms ?? (move.phase === "canceling" ? move.canceled_at_ms : null),
  ),
});

/** Null if there is no such organization, or it is deleted. */
export const movable = (id: string): Statement<{ jurisdiction: Jurisdiction | null } | null> =>
  row(
    sql`SELECT jurisdiction FROM organizations WHERE id = ${id} AND deleted_at_ms IS NULL`,
    (found: { jurisdiction: Jurisdiction | null }) => found,
  );

/** The messages of an organization, and its memories, of which each has one. */
export const messageCount = (organizationId: string): Statement<number> =>
  onlyRow(
    sql`SELECT coalesce((SELECT message_count + memory_count FROM organization_counters
                          WHERE organization_id = ${organizationId}), 0) AS n`,
    ({ n }: { n: number }) => n,
  );

/** Begins a move, unless the organization moves already, or is deleted. If it is there already, the move has ended. */
export const insertedMove = (input: {
  id: string;
  organizationId: string;
  place: Place;
  total: number;
  nowMs: number;
}): Statement<Move | null> =>
  row(
    sql`INSERT INTO moves (id, organization_id, place, phase, done, total, created_at_ms, moved_at_ms, completed_at_ms)
        SELECT ${input.id}, id, ${input.place}, iif(is_there, 'ended', 'copying'), iif(is_there, ${input.total}, 0),
               ${input.total}, ${input.nowMs}, iif(is_there, ${input.nowMs}, NULL), iif(is_there, ${input.nowMs}, NULL)
          FROM (SELECT id, deleted_at_ms, coalesce(place, 'd1') = ${input.place} AS is_there FROM organizations)
         WHERE id = ${input.organizationId} AND deleted_at_ms IS NULL
           AND NOT EXISTS (SELECT 1 FROM moves WHERE organization_id = ${input.organizationId} AND completed_at_ms IS NULL)
        RETURNING ${MOVE_COLUMNS}`,
    toMove,
  );

export const moveById = (id: string): Statement<Move | null> =>
  row(sql`SELECT ${MOVE_COLUMNS} FROM moves WHERE id = ${id}`, toMove);

export const runningMove = (organizationId: string): Statement<Move | null> =>
  row(
    sql`SELECT ${MOVE_COLUMNS} FROM moves WHERE organization_id = ${organizationId} AND completed_at_ms IS NULL`,
    toMove,
  );

/** Allows writes of organizations whose cell has frozen them and then failed. */
export const thawed = (frozenBeforeMs: number): Statement<void> =>
  nothing(sql`
    UPDATE moves SET phase = 'copying'
     WHERE completed_at_ms IS NULL AND phase = 'frozen' AND frozen_at_ms < ${frozenBeforeMs}`);

/** The organizations that move. Few do at a time. */
export const movingOrganizations = (limit: number): Statement<string[]> =>
  rows(
    sql`SELECT organization_id FROM moves WHERE completed_at_ms IS NULL ORDER BY organization_id LIMIT ${limit}`,
    ({ organization_id }: { organization_id: string }) => organization_id,
  );

const cancels = (id: string, nowMs: number): Sql => sql`
  UPDATE moves SET phase = 'canceling', canceled_at_ms = ${nowMs} WHERE id = ${id} AND phase IN ('copying', 'frozen')`;

/** Cancels a move whose organization cannot move any more. */
export const givenUpMove = (id: string, nowMs: number): Statement<void> => nothing(cancels(id, nowMs));

/** Cancels a move, unless the organization has moved. */
export const canceledMove = (id: string, nowMs: number) => ({
  isRunning: assertThat(
    "not_cancelable",
    sql`EXISTS (SELECT 1 FROM moves WHERE id = ${id} AND phase IN ('copying', 'frozen', 'canceling'))
        OR EXISTS (SELECT 1 FROM moves WHERE id = ${id} AND canceled_at_ms IS NOT NULL)`,
  ),
  canceled: nothing(cancels(id, nowMs)),
  move: moveById(id),
});
