import type { Organization } from "@engram/spec";
import { toTimestamp, toTimestampOrNull } from "./batch.ts";
import { isDeletingOrganization } from "./operations.ts";
import { byTurns, type Turns, toBinds } from "./turns.ts";

interface OrganizationRow {
  id: string;
  name: string;
  created_at_ms: number;
  deleted_at_ms: number | null;
}

interface CountersRow {
  conversation_count: number;
  message_count: number;
}

/** Inserts an organization with its counters. */
export function insertOrganization(
  db: D1Database,
  input: { id: string; name: string; nowMs: number },
): D1PreparedStatement[] {
  return [
    db
      .prepare("INSERT INTO organizations (id, name, created_at_ms) VALUES (?1, ?2, ?3)")
      .bind(input.id, input.name, input.nowMs),
    db
      .prepare(
        "INSERT INTO organization_counters (organization_id, number) SELECT id, number FROM organizations WHERE id = ?1",
      )
      .bind(input.id),
  ];
}

/** The organization; null when there is none. Includes deleted ones only with `withDeleted`. */
export async function selectOrganization(
  db: D1Database,
  input: { id: string; withDeleted: boolean },
): Promise<Organization | null> {
  const [found, counted] = await db.batch([
    db
      .prepare(
        `SELECT id, name, created_at_ms, deleted_at_ms FROM organizations
          WHERE id = ?1 AND (?2 OR deleted_at_ms IS NULL)`,
      )
      .bind(input.id, input.withDeleted),
    db
      .prepare(
        "SELECT conversation_count, message_count FROM organization_counters WHERE organization_id = ?1",
      )
      .bind(input.id),
  ]);
  const row = (found?.results as OrganizationRow[] | undefined)?.[0];
  const counters = (counted?.results as CountersRow[] | undefined)?.[0];
  if (row === undefined) return null;
  return {
    id: row.id,
    name: row.name,
    conversation_count: counters?.conversation_count ?? 0,
    message_count: counters?.message_count ?? 0,
    created_at: toTimestamp(row.created_at_ms),
    deleted_at: toTimestampOrNull(row.deleted_at_ms),
  };
}

/** Soft-deletes an organization. From then on, none of its keys is found. */
export function updateOrganizationDeleted(
  db: D1Database,
  input: { id: string; operationId: string; nowMs: number },
): D1PreparedStatement {
  return db
    .prepare(
      "UPDATE organizations SET deleted_at_ms = ?2, operation_id = ?3 WHERE id = ?1 AND deleted_at_ms IS NULL",
    )
    .bind(input.id, input.nowMs, input.operationId);
}

/** Restores an organization in the batch that cancels its deletion. Has no effect for any other operation. */
export const updateOrganizationRestored = (
  db: D1Database,
  input: { id: string; operationId: string },
): D1PreparedStatement =>
  db
    .prepare(
      "UPDATE organizations SET deleted_at_ms = NULL, operation_id = NULL WHERE id = ?1 AND operation_id = ?2",
    )
    .bind(input.id, input.operationId);

/** Deleted organizations that are not purged yet, in round-robin order. */
export async function selectDeletedOrganizations(
  db: D1Database,
  input: { limit: number; turns: Turns },
): Promise<{ id: string; operationId: string }[]> {
  const deleted = "deleted_at_ms IS NOT NULL";
  const queue = { table: "organizations", key: "id", all: deleted, waits: () => deleted, order: "id" };
  const { results } = await db
    .prepare(
      `${byTurns(queue, 2)}
       SELECT o.id, o.operation_id FROM line CROSS JOIN organizations AS o ON o.number = line.id
        ORDER BY turn LIMIT ?1`,
    )
    .bind(input.limit, ...toBinds(input.turns))
    .all<{ id: string; operation_id: string }>();
  return results.map((row) => ({ id: row.id, operationId: row.operation_id }));
}

/**
 * Deletes the remaining rows of an organization whose conversations are purged. Does nothing once the
 * deletion was canceled.
 */
export async function deleteOrganizationRows(
  db: D1Database,
  input: { id: string; operationId: string; nowMs: number },
): Promise<void> {
  const bound = (sql: string, ...more: unknown[]) =>
    db.prepare(sql).bind(input.id, input.operationId, ...more);
  const isOn = isDeletingOrganization("?2");
  await db.batch([
    bound(`DELETE FROM idempotency_keys WHERE organization_id = ?1 AND ${isOn}`),
    // Keeps the events of the deletion and of canceled deletions, as the receipts are kept.
    bound(
      `DELETE FROM audit_events
        WHERE organization_id = ?1 AND action NOT IN ('organization.deleted', 'organization.restored') AND ${isOn}`,
    ),
    bound(`DELETE FROM usage WHERE organization_id = ?1 AND ${isOn}`),
    bound(`DELETE FROM organization_counters WHERE organization_id = ?1 AND ${isOn}`),
    // Statements on the directory tables (keys and organizations) check only the directory.
    bound(
      `DELETE FROM api_keys WHERE organization_id = ?1
          AND EXISTS (SELECT 1 FROM organizations WHERE id = ?1 AND operation_id = ?2)`,
    ),
    bound("DELETE FROM organizations WHERE id = ?1 AND operation_id = ?2"),
    bound(
      `UPDATE operations SET rows_deleted_at_ms = ?3, done = total
        WHERE organization_id = ?1 AND id = ?2 AND ${isOn}`,
      input.nowMs,
    ),
  ]);
}
