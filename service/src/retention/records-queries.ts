import type { RetentionKind } from "@engram/spec";
import { firstIdAt } from "../platform/ids.ts";
import { changes, nothing, onlyRow, rows, type Sql, type Statement, sql } from "../platform/sql.ts";

/** Kinds that are deleted without an operation. */
export type RecordKind = Exclude<RetentionKind, "conversations" | "memories">;

interface Due {
  organizationId: string;
  /** What is older is due. */
  beforeMs: number;
  /** Maximum number of rows, the oldest. */
  limit: number;
}

interface DueRows {
  table: Sql;
  condition: Sql;
  /** What names a row in a preview. */
  label: Sql;
  order: Sql;
}

/**
 * Rows of a log whose numbers ascend with time, up to the first that is younger: a log keeps no row before one that it has
 * deleted, and its newest, from which it counts on.
 */
function dueOfLog(table: Sql, number: Sql, { organizationId, beforeMs, limit }: Due): Omit<DueRows, "label"> {
  const ofLog = sql`organization_id = ${organizationId} AND ${number} IS NOT NULL`;
  const end = sql`(SELECT min(${number}) + ${limit} FROM ${table} WHERE ${ofLog})`;
  return {
    table,
    order: number,
    condition: sql`${ofLog} AND ${number} < (
      SELECT min(place) FROM (
        SELECT max(${number}) AS place FROM ${table} WHERE ${ofLog}
         UNION ALL SELECT ${end}
         UNION ALL SELECT min(${number}) FROM ${table}
                    WHERE ${ofLog} AND created_at_ms >= ${beforeMs} AND ${number} < ${end}))`,
  };
}

const DUE: Record<RecordKind, (due: Due) => DueRows> = {
  events: (due) => ({ ...dueOfLog(sql`events`, sql`sequence`, due), label: sql`CAST(sequence AS TEXT)` }),
  audit_events: (due) => ({ ...dueOfLog(sql`audit_events`, sql`number`, due), label: sql`id` }),
  usage: ({ organizationId, beforeMs, limit }) => ({
    table: sql`usage`,
    order: sql`day`,
    label: sql`day`,
    condition: sql`organization_id = ${organizationId} AND (day, key_id) IN (
      SELECT day, key_id FROM usage
       WHERE organization_id = ${organizationId} AND day < ${new Date(beforeMs).toISOString().slice(0, 10)}
       ORDER BY day, key_id LIMIT ${limit})`,
  }),
  recalls: ({ organizationId, beforeMs, limit }) => ({
    table: sql`recalls`,
    order: sql`id`,
    label: sql`id`,
    condition: sql`organization_id = ${organizationId} AND id IN (
      SELECT id FROM recalls WHERE organization_id = ${organizationId} AND id < ${firstIdAt("rcl", beforeMs)}
       ORDER BY id LIMIT ${limit})`,
  }),
};

export const countedRecords = (kind: RecordKind, due: Due): Statement<number> => {
  const { table, condition } = DUE[kind](due);
  return onlyRow(
    sql`SELECT count(*) AS matched FROM ${table} WHERE ${condition}`,
    ({ matched }: { matched: number }) => matched,
  );
};

export const sampledRecords = (kind: RecordKind, due: Due, limit: number): Statement<string[]> => {
  const { table, condition, label, order } = DUE[kind](due);
  return rows(
    sql`SELECT DISTINCT ${label} AS label FROM ${table} WHERE ${condition} ORDER BY ${order} LIMIT ${limit}`,
    ({ label: name }: { label: string }) => name,
  );
};

/** Condition that there are such rows. */
export const hasRecords = (kind: RecordKind, due: Due): Sql => {
  const { table, condition } = DUE[kind](due);
  return sql`EXISTS (SELECT 1 FROM ${table} WHERE ${condition})`;
};

/** Deletes the rows. Of audit events, it keeps the number and the hash of the last, from which the chain goes on. */
export const deletedRecords = (kind: RecordKind, due: Due) => {
  const { table, condition } = DUE[kind](due);
  return {
    start: kind === "audit_events" ? keptStart(condition) : null,
    deleted: changes(sql`DELETE FROM ${table} WHERE ${condition}`),
  };
};

const keptStart = (condition: Sql): Statement<void> =>
  nothing(sql`
    INSERT INTO audit_starts (organization_id, number, hash)
    SELECT organization_id, number, hash FROM audit_events WHERE ${condition} ORDER BY number DESC LIMIT 1
        ON CONFLICT (organization_id) DO UPDATE SET number = excluded.number, hash = excluded.hash`);
