import { createHash } from "node:crypto";
import type { Database } from "../ports/database.ts";
import { expect } from "../violation.ts";

interface StoredEvent {
  organization_id: string;
  number: number;
  hash: string;
  created_at_ms: number;
  is_live: number;
  [field: string]: string | number | null;
}

/** Checks that the audit events of each organization are a chain without a gap. @throws {Violation} */
export function checkAudit(database: Database): void {
  const events = database.select<StoredEvent>(
    `SELECT organization_id, number, hash, created_at_ms, id, action, key_id, client_id, client_name, target_id,
            operation_id, request_id,
            EXISTS (SELECT 1 FROM organizations AS o
                     WHERE o.id = audit_events.organization_id AND o.deleted_at_ms IS NULL) AS is_live
       FROM audit_events WHERE number IS NOT NULL ORDER BY organization_id, number`,
  );
  let before: StoredEvent | undefined;
  for (const event of events) {
    const { organization_id, hash, created_at_ms, is_live, ...fields } = event;
    const previous = before?.organization_id === organization_id ? before : undefined;
    const isFirst = previous === undefined;
    const isNext = event.number === (previous?.number ?? 0) + 1;
    // The purge of an organization leaves the events of its deletions.
    expect(isNext || isFirst || is_live === 0, "audit", () => `no ${event.number} - 1`);
    const named = { ...fields, created_at: new Date(created_at_ms).toISOString() };
    const entries = Object.entries(named).filter(([, value]) => value !== null);
    const text = JSON.stringify([previous?.hash ?? null, entries.sort(([a], [b]) => (a < b ? -1 : 1))]);
    const isRight = createHash("sha256").update(text).digest("hex") === hash;
    expect(!isNext || isRight, "audit", () => `${event.id} has another hash`);
    before = event;
  }
}
