import type { Model } from "../model/model.ts";
import { isOrganizationGone } from "../model/presence.ts";
import type { Database } from "../ports/database.ts";
import { expect } from "../violation.ts";
import type { World } from "../world.ts";
import { movingIn } from "./moves.ts";

interface Found {
  table_name: string;
  organization_id: string;
}

/**
 * What D1 has of an organization in a cell: its entry in the directory, its moves, and what is left of it after its deletion.
 * Idempotency keys that it had in D1, or that a move that was canceled has copied, expire there.
 */
const IN_D1 = `
  table_name IN ('cell_members', 'moves')
  OR (table_name = 'moved_keys'
      AND found.organization_id IN (SELECT organization_id FROM moves WHERE moved_at_ms IS NOT NULL))
  OR (table_name = 'idempotency_keys' AND found.organization_id IN (SELECT organization_id FROM moves))
  OR (table_name = 'operations' AND NOT EXISTS (SELECT 1 FROM operations AS o
       WHERE o.organization_id = found.organization_id AND o.type <> 'delete_organization'))
  OR (table_name = 'audit_events' AND NOT EXISTS (SELECT 1 FROM audit_events AS a
       WHERE a.organization_id = found.organization_id
         AND a.action NOT IN ('organization.deleted', 'organization.restored')
         AND NOT (a.action = 'hold.lifted' AND a.operation_id IS NOT NULL)))`;

let rows: string | undefined;

/** SQL for the organizations that have rows, with the table. */
function organizationsWithRows(database: Database): string {
  rows ??= database
    .select<{ name: string }>(
      `SELECT t.name FROM sqlite_schema AS t JOIN pragma_table_info(t.name) AS c
        WHERE t.type = 'table' AND c.name = 'organization_id'`,
    )
    .map(({ name }) => `SELECT DISTINCT '${name}' AS table_name, organization_id FROM main.${name}`)
    .join(" UNION ALL ");
  return rows;
}

/**
 * Checks that the rows of each organization are where it was created or has moved to, and nowhere else, unless it is
 * moving. @throws {Violation}
 */
export function checkPlaces({ cells, database }: World, { organizations }: Model): void {
  if (cells === null) return;
  const moving = new Set(movingIn(database));
  const inCells = organizations.flatMap(({ id, place }) => (place === "cell" && !moving.has(id) ? id : []));
  const [stray] = database.select<Found>(
    `SELECT * FROM (${organizationsWithRows(database)}) AS found
      WHERE organization_id IN (SELECT value FROM json_each(?1)) AND (${IN_D1}) IS NOT TRUE`,
    JSON.stringify(inCells),
  );
  expect(stray === undefined, "places", () => `D1 has rows of a cell: ${JSON.stringify(stray)}`);
  const ids = cells.databases().map(([id]) => id);
  const twice = ids.find((id, i) => ids.indexOf(id) !== i);
  expect(twice === undefined, "places", () => `${twice} is in two jurisdictions`);
  for (const [id, own] of cells.databases()) {
    const [foreign] = own.select<Found>(
      `SELECT * FROM (${organizationsWithRows(database)} UNION ALL SELECT 'organizations', id FROM organizations)
        WHERE organization_id <> ?1`,
      id,
    );
    expect(foreign === undefined, "places", () => `the cell of ${id} has ${JSON.stringify(foreign)}`);
  }
}

/** Checks what is left of an organization that has moved from its cell to D1, or did not move to one after all. */
function checkLeft(database: Database, own: Database | null, id: string): void {
  expect(own === null, "places", () => `${id} is in D1, and its cell is not erased`);
  const [listed] = database.select<object>(
    `SELECT jurisdiction, location, report FROM organizations
      WHERE id = ?1 AND coalesce(jurisdiction, location, report) IS NOT NULL`,
    id,
  );
  expect(listed === undefined, "places", () => `${id} is in D1 and has ${JSON.stringify(listed)}`);
  const left = database.select(
    `SELECT 1 FROM cell_members WHERE organization_id = ?1 UNION ALL SELECT 1 FROM moved_keys WHERE organization_id = ?1`,
    id,
  );
  expect(left.length === 0, "places", () => `${id} is in D1, and is found as if it were in a cell`);
}

/** Checks what is left of cells, and what they have reported, when no work is left. @throws {Violation} */
export function checkCells({ cells, clock, database }: World, { organizations }: Model): void {
  const span = { begin: clock.step, end: clock.step };
  for (const organization of organizations) {
    const { id, place } = organization;
    if (cells === null || (place === "d1" && !organization.hasMoved)) continue;
    if (place === "d1") {
      checkLeft(database, cells.databaseOf(id), id);
      continue;
    }
    const own = cells.databaseOf(id);
    const [listed] = database.select<{ deleted_at_ms: number | null; report: string | null }>(
      "SELECT deleted_at_ms, report FROM organizations WHERE id = ?1",
      id,
    );
    if (isOrganizationGone(organization, span)) {
      expect(own === null, "deleted", () => `the cell of ${id} is not erased`);
      expect(listed === undefined, "deleted", () => `D1 still lists ${id}`);
      const [left] = database.select<{ members: number; receipts: number; events: number }>(
        `SELECT (SELECT count(*) FROM cell_members WHERE organization_id = ?1) AS members,
                (SELECT count(*) FROM operations WHERE organization_id = ?1 AND completed_at_ms IS NOT NULL) AS receipts,
                (SELECT count(*) FROM audit_events WHERE organization_id = ?1) AS events`,
        id,
      );
      const isLeft = left !== undefined && left.members === 0 && left.receipts > 0 && left.events > 0;
      expect(isLeft, "receipts", () => `of ${id}, D1 has ${JSON.stringify(left)}`);
      continue;
    }
    const sizes = `json_object('conversation_count', conversation_count, 'message_count', message_count,
                               'memory_count', memory_count)`;
    const [counted] =
      own?.select<{ size: string }>(`SELECT ${sizes} AS size FROM organization_counters`) ?? [];
    const { conversation_count, message_count, memory_count } = JSON.parse(listed?.report ?? "{}");
    const reported = JSON.stringify({ conversation_count, message_count, memory_count });
    expect(
      reported === counted?.size && listed?.deleted_at_ms === null,
      "reports",
      () => `${id} has ${counted?.size}, and D1 lists ${JSON.stringify(listed)}`,
    );
  }
}
