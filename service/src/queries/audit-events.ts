import type { AuditAction, AuditEvent } from "@engram/spec";
import { toTimestamp } from "./batch.ts";

interface AuditEventRow {
  id: string;
  action: AuditAction;
  key_id: string | null;
  target_id: string;
  operation_id: string | null;
  created_at_ms: number;
}

export interface NewAuditEvent {
  organizationId: string;
  id: string;
  action: AuditAction;
  /** Null for the operator. */
  keyId: string | null;
  targetId: string;
  operationId: string | null;
  nowMs: number;
}

/**
 * Inserts an audit event; with `condition`, only where it holds. The condition must not contain caller text.
 * It may use ?1 (organization), ?2 (target) and ?6 (operation).
 */
export function insertAuditEvent(
  db: D1Database,
  event: NewAuditEvent,
  condition = "TRUE",
): D1PreparedStatement {
  return db
    .prepare(
      `INSERT INTO audit_events (organization_id, target_id, id, action, key_id, operation_id, created_at_ms)
       SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE ${condition}`,
    )
    .bind(
      event.organizationId,
      event.targetId,
      event.id,
      event.action,
      event.keyId,
      event.operationId,
      event.nowMs,
    );
}

/**
 * Events of the organization with ids below `beforeId`, newest first. Counts all matching events if
 * requested.
 */
export async function selectAuditEvents(
  db: D1Database,
  input: {
    organizationId: string;
    action: AuditAction | null;
    beforeId: string | null;
    limit: number;
    withTotal: boolean;
  },
): Promise<{ events: AuditEvent[]; total: number | undefined }> {
  const { organizationId, action } = input;
  const where = "organization_id = ?1 AND (?2 IS NULL OR action = ?2)";
  const statements = [
    db
      .prepare(
        `SELECT id, action, key_id, target_id, operation_id, created_at_ms FROM audit_events
          WHERE ${where} AND (?3 IS NULL OR id < ?3) ORDER BY id DESC LIMIT ?4`,
      )
      .bind(organizationId, action, input.beforeId, input.limit),
  ];
  if (input.withTotal) {
    statements.push(
      db.prepare(`SELECT count(*) AS total FROM audit_events WHERE ${where}`).bind(organizationId, action),
    );
  }
  const [page, counted] = await db.batch(statements);
  return {
    events: ((page?.results ?? []) as AuditEventRow[]).map(({ created_at_ms, ...event }) => ({
      ...event,
      created_at: toTimestamp(created_at_ms),
    })),
    total: (counted?.results as { total: number }[] | undefined)?.[0]?.total,
  };
}
