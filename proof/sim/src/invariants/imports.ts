import type { Model } from "../model/model.ts";
import type { Database } from "../ports/database.ts";
import { expect } from "../violation.ts";

interface StoredImport {
  id: string;
  organization_id: string;
  done: number;
  total: number | null;
  completed_at_ms: number | null;
  canceled_at_ms: number | null;
}

/**
 * Check that an import's counts match its stored lines, which are written in the same transaction. @throws
 * {Violation}
 */
export function checkImports(database: Database, model: Model): void {
  for (const { announced, cancel, isLastSent, lines, operationId, organization, sentTo } of model.imports) {
    const [stored] = database.select<StoredImport>(
      `SELECT id, organization_id, done, total, completed_at_ms, canceled_at_ms FROM operations WHERE id = ?1`,
      operationId,
    );
    if (stored === undefined) continue;
    const { canceled_at_ms: canceled, completed_at_ms: completed, done, organization_id, total } = stored;
    const isSucceeded = completed !== null && canceled === null;
    expect(
      done <= sentTo &&
        (canceled === null || cancel !== null) &&
        (!isSucceeded || (isLastSent && done === lines.length)) &&
        (isSucceeded ? total === done : total === announced),
      "imports",
      () => `${JSON.stringify(stored)} of ${sentTo} lines sent`,
    );
    // The ledger of a database does not have what its organization has stored in another one.
    if (organization.hasMoved) continue;
    const ids = database.select<{ id: string }>(
      `SELECT id FROM ledger WHERE change = 'insert' AND organization_id = ?1
          AND id IN (SELECT value FROM json_each(?2))`,
      organization_id,
      JSON.stringify(lines.flatMap(({ messageId }) => messageId ?? [])),
    );
    const known = new Set(ids.map(({ id }) => id));
    for (const [place, { kind, messageId }] of lines.entries()) {
      if (messageId === null) continue;
      const isCounted = place < done;
      const isStored = known.has(messageId);
      // A memory is skipped when its content already exists, and a message when its conversation is being
      // deleted.
      const mayBeLeftOut = kind === "memory" || organization.deletions.length > 0;
      expect(
        isStored === isCounted || (mayBeLeftOut && !isStored),
        "imports",
        () =>
          `line ${place + 1} of ${operationId} is ${isStored ? "" : "not "}stored, and ${done} are counted`,
      );
    }
  }
}
