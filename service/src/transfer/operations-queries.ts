import { IMPORT_DAYS_MAX } from "@engram/spec";
import type { NewOperation } from "../operations/queries.ts";
import { isOwned, type Owner } from "../platform/batch.ts";
import { eventOf, recordedEvents, recordedEventsOfMany } from "../platform/recorded-events.ts";
import {
  assertThat,
  batch,
  nothing,
  type Sql,
  type Statement,
  type Statements,
  sql,
} from "../platform/sql.ts";

const ABANDONED_MS = IMPORT_DAYS_MAX * 24 * 3_600_000;

export interface ImportPart {
  operationId: string;
  /** Number of lines of the import before this part. */
  afterLine: number;
  lines: number;
  isLast: boolean;
}

export const insertedImport = (
  input: Omit<NewOperation, "type"> & { lines: number | null },
): Statement<void> =>
  nothing(sql`
    INSERT INTO operations (organization_id, id, type, target_id, agent_id, user_id, created_at_ms, done, total)
    VALUES (${input.owner.organizationId}, ${input.id}, 'import', ${input.targetId}, ${input.owner.agentId},
            ${input.owner.userId}, ${input.nowMs}, 0, ${input.lines})`);

/** Inserts the operation that writes an archive, if `condition` holds. */
export const insertedArchiving = (
  input: Omit<NewOperation, "type">,
  condition: Sql = sql`TRUE`,
): Statement<void> =>
  nothing(sql`
    INSERT INTO operations (organization_id, id, type, target_id, agent_id, user_id, created_at_ms, done)
    SELECT ${input.owner.organizationId}, ${input.id}, 'create_archive', ${input.targetId}, ${input.owner.agentId},
           ${input.owner.userId}, ${input.nowMs}, 0 WHERE ${condition}`);

const isImport = (owner: Owner, { operationId }: ImportPart): Sql => sql`
  organization_id = ${owner.organizationId} AND id = ${operationId} AND type = 'import' AND ${isOwned(owner)}`;

/**
 * Fails the batch if the import does not exist, was canceled or was completed without these lines, or if
 * lines before the part are missing. A part that was counted already does not fail.
 */
export function assertPartFits(owner: Owner, part: ImportPart) {
  const { afterLine, lines } = part;
  const imported = sql`SELECT 1 FROM operations WHERE ${isImport(owner, part)}`;
  return {
    exists: assertThat("not_found", sql`EXISTS (${imported})`),
    isOpen: assertThat(
      "operation_ended",
      sql`NOT EXISTS (${imported} AND (canceled_at_ms IS NOT NULL
                      OR (completed_at_ms IS NOT NULL AND done < ${afterLine + lines})))`,
    ),
    follows: assertThat("lines_missing", sql`NOT EXISTS (${imported} AND done < ${afterLine})`),
  } satisfies Statements;
}

export function countedPart(owner: Owner, part: ImportPart, nowMs: number) {
  const end = part.afterLine + part.lines;
  return {
    fits: assertPartFits(owner, part),
    event: part.isLast
      ? recordedEvents(
          owner.organizationId,
          nowMs,
          sql`${eventOf("operation.updated", sql`id`)} FROM operations
               WHERE ${isImport(owner, part)} AND completed_at_ms IS NULL`,
        )
      : null,
    counted: nothing(sql`
      UPDATE operations
         SET done = max(done, ${end}),
             total = CASE WHEN ${part.isLast} THEN max(done, ${end}) WHEN total < ${end} THEN ${end} ELSE total END,
             completed_at_ms = CASE WHEN ${part.isLast} THEN coalesce(completed_at_ms, ${nowMs}) ELSE completed_at_ms END
       WHERE ${isImport(owner, part)}`),
  } satisfies Statements;
}

/** Cancels imports that were not completed within `IMPORT_DAYS_MAX` days: the oldest first, at most `limit`. */
export const updateEndedImports = (
  db: D1Database,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<unknown> => {
  const abandoned = sql`
    SELECT rowid FROM operations
     WHERE type = 'import' AND completed_at_ms IS NULL AND created_at_ms <= ${nowMs - ABANDONED_MS}
     ORDER BY created_at_ms LIMIT ${limit}`;
  return batch(db, {
    events: recordedEventsOfMany(
      nowMs,
      sql`SELECT organization_id, 'operation.updated' AS type, id AS subject_id FROM operations
           WHERE rowid IN (${abandoned})`,
    ),
    canceled: nothing(sql`
      UPDATE operations SET completed_at_ms = ${nowMs}, canceled_at_ms = coalesce(canceled_at_ms, ${nowMs})
       WHERE rowid IN (${abandoned})`),
  });
};
