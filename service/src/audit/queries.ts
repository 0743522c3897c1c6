import type { AuditAction, AuditEvent, AuditStart } from "@engram/spec";
import { toTimestamp } from "../platform/batch.ts";
import type { GrantClient } from "../platform/principal.ts";
import { type Round, roundRobin } from "../platform/round-robin.ts";
import { scannedPage } from "../platform/scans.ts";
import {
  and,
  batch,
  columns,
  given,
  nothing,
  row,
  rows,
  run,
  type Sql,
  type Statement,
  sql,
} from "../platform/sql.ts";

interface AuditEventRow {
  id: string;
  action: AuditAction;
  key_id: string | null;
  client_id: string | null;
  client_name: string | null;
  target_id: string;
  operation_id: string | null;
  request_id: string | null;
  created_at_ms: number;
  number: number | null;
  hash: string | null;
}

const COLUMN_NAMES = [
  ...["id", "action", "key_id", "client_id", "client_name", "target_id", "operation_id", "request_id"],
  ...["created_at_ms", "number", "hash"],
] as const satisfies (keyof AuditEventRow)[];

const toAuditEvent = ({ created_at_ms, ...event }: AuditEventRow): AuditEvent => ({
  ...event,
  created_at: toTimestamp(created_at_ms),
});

export interface NewAuditEvent {
  organizationId: string;
  id: string;
  action: AuditAction;
  /** The key that was used; null for the admin token. */
  keyId: string | null;
  /** The client that acted with a grant of the key; null for the key itself. */
  client: GrantClient | null;
  targetId: string | Sql;
  operationId: string | null;
  requestId: string | null;
  nowMs: number;
}

export const insertedAuditEvent = (event: NewAuditEvent, condition = sql`TRUE`): Statement<void> =>
  nothing(sql`
    INSERT INTO audit_events 
      (organization_id, target_id, id, action, key_id, client_id, client_name, operation_id, request_id, created_at_ms)
    SELECT ${event.organizationId}, ${event.targetId}, ${event.id}, ${event.action}, ${event.keyId},
           ${event.client?.id ?? null}, ${event.client?.name ?? null}, ${event.operationId}, ${event.requestId},
           ${event.nowMs}
     WHERE ${condition}`);

export async function selectAuditEvents(
  db: D1Database,
  input: {
    organizationId: string;
    action: AuditAction | null;
    requestId: string | null;
    order: "asc" | "desc";
    /** The last id of the page before. */
    after: string | null;
    limit: number;
    rowsMax: number;
  },
): Promise<{ events: AuditEvent[]; scanEnd: string | null; start: AuditStart | null }> {
  const { organizationId, action, requestId, order, after, limit, rowsMax } = input;
  const isAfter = order === "asc" ? sql`id >` : sql`id <`;
  const range = and([
    sql`organization_id = ${organizationId}`,
    ...given(requestId, (id) => sql`request_id = ${id}`),
    ...given(after, (id) => sql`${isAfter} ${id}`),
  ]);
  const filter = action === null ? null : sql`action = ${action}`;
  const { page, start } = await batch(db, {
    start: chainStart(organizationId),
    page: scannedPage(
      {
        columns: columns(COLUMN_NAMES),
        table: sql`audit_events`,
        range,
        order: order === "asc" ? sql`id` : sql`id DESC`,
        filter,
        position: sql`id`,
        limit,
        rowsMax,
      },
      toAuditEvent,
      ({ id }: AuditEventRow) => id,
    ),
  });
  return { events: page.items, scanEnd: page.scanEnd, start };
}

/** The last event that was deleted from the chain of an organization; null if none was. */
const chainStart = (organizationId: string): Statement<AuditStart | null> =>
  row(
    sql`SELECT number, hash FROM audit_starts WHERE organization_id = ${organizationId}`,
    (start: AuditStart) => start,
  );

/** Number and hash of the last event of a chain; 0 and null if it has none. */
export interface ChainEnd {
  number: number;
  hash: string | null;
}

/** Events before an id that are in no chain yet, in order of id, with the end of the chain of their organization. */
export const selectUnchained = (
  db: D1Database,
  { round, beforeId }: { round: Round; beforeId: string },
): Promise<{ organizationId: string; event: AuditEvent; end: ChainEnd }[]> => {
  const queue = {
    table: sql`audit_events`,
    key: sql`organization_id`,
    all: sql`number IS NULL`,
    waits: () => sql`number IS NULL AND id < ${beforeId}`,
    order: sql`id`,
  };
  return run(
    db,
    rows(
      sql`${roundRobin(queue, round)}
          SELECT ${columns(COLUMN_NAMES, "a")}, a.organization_id, e.number AS end_number, e.hash AS end_hash
            FROM line CROSS JOIN audit_events AS a ON a.rowid = line.id
            LEFT JOIN audit_events AS e ON e.organization_id = a.organization_id
                      AND e.number = (SELECT max(l.number) FROM audit_events AS l
                                       WHERE l.organization_id = a.organization_id AND l.number IS NOT NULL)
           ORDER BY a.organization_id, a.id`,
      ({
        organization_id: organizationId,
        end_number,
        end_hash,
        ...event
      }: AuditEventRow & {
        organization_id: string;
        end_number: number | null;
        end_hash: string | null;
      }) => ({
        organizationId,
        event: toAuditEvent(event),
        end: { number: end_number ?? 0, hash: end_hash },
      }),
    ),
  );
};

export interface ChainedEvent {
  organizationId: string;
  id: string;
  number: number;
  hash: string;
}

/** Fails without an effect if another event has one of the numbers. */
export const updateChained = (db: D1Database, events: readonly ChainedEvent[]): Promise<void> =>
  run(
    db,
    nothing(sql`
      UPDATE audit_events SET number = chained.value ->> 'number', hash = chained.value ->> 'hash'
        FROM json_each(${JSON.stringify(events)}) AS chained
       WHERE audit_events.organization_id = chained.value ->> 'organizationId'
         AND audit_events.id = chained.value ->> 'id' AND audit_events.number IS NULL`),
  );
