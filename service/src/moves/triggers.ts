import { MOVING } from "../platform/places.ts";
import { nothing, type Sql, type Statement, sql } from "../platform/sql.ts";
import { COPIED, LAST, type MovedTable } from "./tables.ts";

interface Moving {
  /** Id of the move. */
  id: string;
  organizationId: string;
}

/** Writes of which a trigger tells. After the move, the sweep of the old database may still delete what expires. */
const WRITES = [
  { name: "INSERT", row: ["NEW"], refusedIn: "'frozen', 'removing'" },
  { name: "UPDATE", row: ["OLD", "NEW"], refusedIn: "'frozen', 'removing'" },
  { name: "DELETE", row: ["OLD"], refusedIn: "'frozen'" },
] as const;

const nameOf = ({ id }: Moving, table: string, write: string) => `moving_${id}_${table}_${write}`;

/**
 * The statements that create the triggers of a move in the database that an organization leaves. As long as its rows are
 * copied, they note each row that changes. Then they refuse writes, also those of an isolate that does not know of the
 * move.
 *
 * `RAISE` refuses also in a statement with `OR IGNORE`, whose policy all other statements of a trigger take over.
 */
export const createdTriggers = (moving: Moving): Statement<void>[] =>
  [...COPIED, ...LAST].flatMap((table) =>
    WRITES.map(({ name, row, refusedIn }) => {
      const { id, organizationId } = moving;
      const isOf = `${row[0]}.organization_id = '${safe(organizationId)}'`;
      const ofPhase = `FROM moves WHERE id = '${safe(id)}' AND phase IN`;
      const noted = COPIED.includes(table)
        ? row.map(
            (one) => `
          INSERT INTO moved_rows (organization_id, name, key)
          SELECT '${safe(organizationId)}', '${table.name}', ${keyOf(table, one)} ${ofPhase} ('copying');`,
          )
        : [];
      return plain(`
        CREATE TRIGGER IF NOT EXISTS ${nameOf(moving, table.name, name)} AFTER ${name} ON ${table.name} WHEN ${isOf}
        BEGIN
          SELECT RAISE(ABORT, '${MOVING}') ${ofPhase} (${refusedIn});${noted.join("")}
        END`);
    }),
  );

/** Whether the database has the triggers of a move. */
export const hasTriggers = (moving: Moving): Sql => sql`
  EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'trigger' AND name = ${nameOf(moving, "messages", "INSERT")})`;

export const droppedTriggers = (moving: Moving): Statement<void>[] =>
  [...COPIED, ...LAST].flatMap(({ name: table }) =>
    WRITES.map(({ name }) => plain(`DROP TRIGGER IF EXISTS ${nameOf(moving, table, name)}`)),
  );

const keyOf = ({ key }: MovedTable, row: string) =>
  `json_array(${key.map((column) => `${row}.${column}`).join(", ")})`;

const plain = (text: string): Statement<void> => nothing(sql([text]));

/** The statements have no parameters, because those of triggers cannot have any. */
function safe(id: string): string {
  if (!/^\w+$/.test(id)) throw new Error(`${id} is not an id`);
  return id;
}
