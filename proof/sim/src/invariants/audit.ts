import { createHash } from "node:crypto";
import type { Database } from "../ports/database.ts";
import { expect } from "../violation.ts";

interface StoredEvent {
  organization_id: string;
  number: number;
  hash: string;
  created_at_ms: number;
  [field: string]: string | number | null;
}

/** Checks that the audit events of each organization are a chain without a gap. @throws {Violation} */
export function checkAudit(database: Database): void {
  const events = database.select<StoredEvent>(
    `SELECT organization_id, number, hash, created_at_ms, id, action, key_id, client_id, client_name, target_id,
            operation_id, request_id
       FROM audit_events WHERE number IS NOT NULL ORDER BY organization_id, number`,
  );
  let before: StoredEvent | undefined;
  for (const event of events) {
    const { organization_id, hash, created_at_ms, ...fields } = event;
    const previous = before?.organization_id === organization_id ? before : undefined;
    // The deletion of an organization leaves the events that tell of it.
    const isFirst = previous === undefined;
    expect(isFirst || event.number === previous.number + 1, "audit", () => `no ${event.number} - 1`);
    const named = { ...fields, created_at: new Date(created_at_ms).toISOString() };
    const entries = Object.entries(named).filter(([, value]) => value !== null);
    const text = JSON.stringify([previous?.hash ?? null, entries.sort(([a], [b]) => (a < b ? -1 : 1))]);
    const isRight = createHash("sha256").update(text).digest("hex") === hash;
    expect((isFirst && event.number > 1) || isRight, "audit", () => `${event.id} has another hash`);
    before = event;
  }
}
