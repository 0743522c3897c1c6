import { IMPORT_DAYS_MAX } from "@engram/spec";
import { type Owner, refuseWhen } from "./batch.ts";
import type { NewOperation } from "./operations.ts";

const ABANDONED_MS = IMPORT_DAYS_MAX * 24 * 3_600_000;

/** One request's lines of an import in several requests. */
export interface ImportPart {
  operationId: string;
  /** Number of lines of the import before this part. */
  afterLine: number;
  lines: number;
  isLast: boolean;
}

/** Opens an import. `lines` is null when the total is unknown. */
export function insertImportOperation(
  db: D1Database,
  input: Omit<NewOperation, "type"> & { lines: number | null },
): D1PreparedStatement {
  return db
    .prepare(
      `INSERT INTO operations (organization_id, id, type, target_id, agent_id, created_at_ms, done, total)
       VALUES (?1, ?2, 'import', ?3, ?4, ?5, 0, ?6)`,
    )
    .bind(input.organizationId, input.id, input.targetId, input.agentId, input.nowMs, input.lines);
}

const MINE = "organization_id = ?1 AND id = ?2 AND (?3 IS NULL OR agent_id = ?3) AND type = 'import'";

/**
 * Preconditions of a part: the import exists, was not canceled, is not complete before the part's last line,
 * and has no missing lines before the part. A part that was already counted passes.
 */
export function refusePart(
  db: D1Database,
  owner: Owner,
  { operationId, afterLine, lines }: ImportPart,
): D1PreparedStatement[] {
  const refuse = (code: string, condition: string, ...binds: unknown[]) =>
    refuseWhen(db, code, condition).bind(owner.organizationId, operationId, owner.agentId, ...binds);
  const found = (condition: string) => `EXISTS (SELECT 1 FROM operations WHERE ${MINE} AND ${condition})`;
  return [
    refuse("not_found", `NOT ${found("true")}`),
    refuse(
      "operation_ended",
      found("(canceled_at_ms IS NOT NULL OR (completed_at_ms IS NOT NULL AND done < ?4))"),
      afterLine + lines,
    ),
    refuse("lines_missing", found("done < ?4"), afterLine),
  ];
}

/** Counts a part in the batch that stores its lines. Includes the preconditions of `refusePart`. */
export function countPart(
  db: D1Database,
  owner: Owner,
  part: ImportPart,
  nowMs: number,
): D1PreparedStatement[] {
  const end = part.afterLine + part.lines;
  return [
    ...refusePart(db, owner, part),
    db
      .prepare(
        `UPDATE operations
            SET done = max(done, ?4),
                total = CASE WHEN ?5 THEN max(done, ?4) WHEN total < ?4 THEN ?4 ELSE total END,
                completed_at_ms = CASE WHEN ?5 THEN coalesce(completed_at_ms, ?6) ELSE completed_at_ms END
          WHERE ${MINE}`,
      )
      .bind(owner.organizationId, part.operationId, owner.agentId, end, part.isLast, nowMs),
  ];
}

/** Cancels imports that were not completed in time, oldest first, at most `limit`. */
export async function updateEndedImports(
  db: D1Database,
  input: { nowMs: number; limit: number },
): Promise<void> {
  await db
    .prepare(
      `UPDATE operations SET completed_at_ms = ?1, canceled_at_ms = coalesce(canceled_at_ms, ?1)
        WHERE rowid IN (SELECT rowid FROM operations
                         WHERE type = 'import' AND completed_at_ms IS NULL AND created_at_ms <= ?2
                         ORDER BY created_at_ms LIMIT ?3)`,
    )
    .bind(input.nowMs, input.nowMs - ABANDONED_MS, input.limit)
    .run();
}
