import type { AuditAction, AuditEvent } from "@engram/spec";
import { toTimestamp } from "../platform/batch.ts";
import { scannedPage } from "../platform/scans.ts";
import { and, batch, given, nothing, type Statement, sql } from "../platform/sql.ts";

interface AuditEventRow {
  id: string;
  action: AuditAction;
  key_id: string | null;
  target_id: string;
  operation_id: string | null;
  request_id: string | null;
  created_at_ms: number;
}

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
  targetId: string;
  operationId: string | null;
  requestId: string | null;
  nowMs: number;
}

export const insertedAuditEvent = (event: NewAuditEvent, condition = sql`TRUE`): Statement<void> =>
  nothing(sql`
    INSERT INTO audit_events 
      (organization_id, target_id, id, action, key_id, operation_id, request_id, created_at_ms)
    SELECT ${event.organizationId}, ${event.targetId}, ${event.id}, ${event.action}, ${event.keyId},
           ${event.operationId}, ${event.requestId}, ${event.nowMs}
     WHERE ${condition}`);

export async function selectAuditEvents(
  db: D1Database,
  input: {
    organizationId: string;
    action: AuditAction | null;
    requestId: string | null;
    beforeId: string | null;
    limit: number;
    rowsMax: number;
  },
): Promise<{ events: AuditEvent[]; scanEnd: string | null }> {
  const { organizationId, action, requestId, beforeId, limit, rowsMax } = input;
  const range = and([
    sql`organization_id = ${organizationId}`,
    ...given(requestId, (id) => sql`request_id = ${id}`),
    ...given(beforeId, (id) => sql`id < ${id}`),
  ]);
  const filter = action === null ? null : sql`action = ${action}`;
  const page = await batch(
    db,
    scannedPage(
      {
        columns: sql`id, action, key_id, target_id, operation_id, request_id, created_at_ms`,
        table: sql`audit_events`,
        range,
        order: sql`id DESC`,
        filter,
        position: sql`id`,
        limit,
        rowsMax,
      },
      toAuditEvent,
      ({ id }: AuditEventRow) => id,
    ),
  );
  return { events: page.items, scanEnd: page.scanEnd };
}
