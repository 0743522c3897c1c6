import type { Organization } from "@engram/spec";
import { toTimestamp, toTimestampOrNull } from "./batch.ts";

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

/** The statements that store a new organization with its counters. */
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

/** An organization; null when there is none. Deleted ones only `withDeleted`. */
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

/** The statement that hides an organization: none of its keys is found from then on. */
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

/** Deleted organizations that are not purged yet, oldest first. */
export async function selectDeletedOrganizations(
  db: D1Database,
  limit: number,
): Promise<{ id: string; operationId: string }[]> {
  const { results } = await db
    .prepare(
      `SELECT id, operation_id FROM organizations WHERE deleted_at_ms IS NOT NULL ORDER BY deleted_at_ms LIMIT ?1`,
    )
    .bind(limit)
    .all<{ id: string; operation_id: string }>();
  return results.map((row) => ({ id: row.id, operationId: row.operation_id }));
}

/** Remove what is left of an organization whose conversations are gone. */
export async function deleteOrganizationRows(
  db: D1Database,
  input: { id: string; operationId: string; nowMs: number },
): Promise<void> {
  await db.batch([
    db.prepare("DELETE FROM idempotency_keys WHERE organization_id = ?1").bind(input.id),
    // Who deleted it stays, as the receipt does.
    db
      .prepare("DELETE FROM audit_events WHERE organization_id = ?1 AND action <> 'organization.deleted'")
      .bind(input.id),
    db.prepare("DELETE FROM usage WHERE organization_id = ?1").bind(input.id),
    db.prepare("DELETE FROM organization_counters WHERE organization_id = ?1").bind(input.id),
    db.prepare("DELETE FROM api_keys WHERE organization_id = ?1").bind(input.id),
    db.prepare("DELETE FROM organizations WHERE id = ?1").bind(input.id),
    db
      .prepare("UPDATE operations SET rows_deleted_at_ms = ?3 WHERE organization_id = ?1 AND id = ?2")
      .bind(input.id, input.operationId, input.nowMs),
  ]);
}
