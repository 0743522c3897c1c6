import type { Model } from "../model/model.ts";
import type { Database } from "../ports/database.ts";
import { expect } from "../violation.ts";

/** Checks that nothing is stored of a grant that has ended, and who did what by a program. @throws {Violation} */
export function checkGrants(database: Database, model: Model): void {
  const [orphan] = database.select<{ key: string }>(
    `SELECT key FROM oauth_records AS r
      WHERE organization_id IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM grants AS g WHERE g.organization_id = r.organization_id AND g.id = r.grant_id)`,
  );
  expect(orphan === undefined, "grants", () => `${orphan?.key} is of no grant`);
  const stored = new Set(database.select<{ id: string }>("SELECT id FROM grants").map(({ id }) => id));
  for (const { id, endings } of model.organizations.flatMap(({ grants }) => grants)) {
    const isEnded = endings.some(({ done }) => Number.isFinite(done));
    expect(!isEnded || !stored.has(id), "grants", () => `${id} has ended and is stored`);
  }
  const events = database.select<{
    id: string;
    request_id: string;
    key_id: string;
    client_id: string | null;
    client_name: string | null;
  }>("SELECT id, request_id, key_id, client_id, client_name FROM audit_events WHERE request_id IS NOT NULL");
  for (const { id, request_id, ...named } of events) {
    const grant = model.programRequests.get(request_id);
    if (grant === undefined) continue;
    const { clientId, clientName, signer } = grant;
    expect(
      named.client_id === clientId && named.client_name === clientName && named.key_id === signer.id,
      "audit",
      () => `${id} names ${JSON.stringify(named)}, and was done with ${grant.id}`,
    );
  }
}
