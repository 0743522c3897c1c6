import type { AuditAction, AuditEvent } from "@engram/spec";
import { toTimestamp } from "../platform/batch.ts";
import { batch, nothing, rows, type Statement, sql } from "../platform/sql.ts";
import { countedWithin } from "../platform/totals.ts";

interface AuditEventRow {
  id: string;
  action: AuditAction;
  key_id: string | null;
  target_id: string;
  operation_id: string | null;
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
  nowMs: number;
}

export const insertedAuditEvent = (event: NewAuditEvent, condition = sql`TRUE`): Statement<void> =>
  nothing(sql`
    INSERT INTO audit_events (organization_id, target_id, id, action, key_id, operation_id, created_at_ms)
    SELECT ${event.organizationId}, ${event.targetId}, ${event.id}, ${event.action}, ${event.keyId},
           ${event.operationId}, ${event.nowMs}
     WHERE ${condition}`);

export async function selectAuditEvents(
  db: D1Database,
  input: {
    organizationId: string;
    action: AuditAction | null;
    beforeId: string | null;
    limit: number;
    countedMax: number | null;
  },
): Promise<{ events: AuditEvent[]; total: number | null | undefined }> {
  const { organizationId, action, beforeId, countedMax } = input;
  const matching = sql`(${action} IS NULL OR action = ${action})`;
  const { events, total } = await batch(db, {
    events: rows(
      sql`SELECT id, action, key_id, target_id, operation_id, created_at_ms FROM audit_events
           WHERE organization_id = ${organizationId} AND ${matching} AND (${beforeId} IS NULL OR id < ${beforeId})
           ORDER BY id DESC LIMIT ${input.limit}`,
      toAuditEvent,
    ),
    total:
      countedMax === null
        ? null
        : countedWithin(
            countedMax,
            sql`SELECT action FROM audit_events WHERE organization_id = ${organizationId}`,
            matching,
          ),
  });
  return { events, total: countedMax === null ? undefined : total };
}
