import {
  batch,
  columns,
  joined,
  literal,
  nothing,
  onlyRow,
  rows,
  run,
  type Statement,
  type Statements,
  sql,
} from "../platform/sql.ts";
import { table } from "./rows.ts";
import { COPIED, LAST, type MovedTable } from "./tables.ts";
import { deletedWordsOf } from "./words.ts";

const ROWS_AT_ONCE = 500;
const MESSAGES_AT_ONCE = 200;

/** Tables apart from messages. Idempotency keys end by themselves in a day, and have no index by organization. */
const OTHERS = [...COPIED, ...LAST].filter(
  ({ name, joins, leading }) => name !== "messages" && joins === undefined && leading === undefined,
);

/**
 * Removes some rows of an organization that is elsewhere from D1, with the words of its messages. Resolves to whether some
 * may be left.
 *
 * @param mine fails the batch if another run removes them.
 */
export async function removeSome(
  db: D1Database,
  organizationId: string,
  mine: Statement<void>,
): Promise<boolean> {
  const messages = await run(
    db,
    rows(
      sql`SELECT row_key FROM messages WHERE organization_id = ${organizationId}
           ORDER BY id LIMIT ${literal(MESSAGES_AT_ONCE)}`,
      ({ row_key }: { row_key: number }) => row_key,
    ),
  );
  if (messages.length > 0) {
    const gone = sql`row_key IN (SELECT value FROM json_each(${JSON.stringify(messages)}))`;
    await batch(db, {
      mine,
      words: deletedWordsOf(messages),
      entities: nothing(sql`DELETE FROM message_entities WHERE ${gone}`),
      messages: nothing(sql`DELETE FROM messages WHERE ${gone}`),
    });
    return true;
  }
  const others: Statements = OTHERS.map((moved) => deletedRows(moved, organizationId));
  const left = onlyRow(
    sql`SELECT ${joined(
      OTHERS.map(
        ({ name }) => sql`EXISTS (SELECT 1 FROM ${table(name)} WHERE organization_id = ${organizationId})`,
      ),
      sql` OR `,
    )} AS is_left`,
    ({ is_left }: { is_left: 0 | 1 }) => is_left === 1,
  );
  return (await batch(db, { mine, others, left })).left;
}

const deletedRows = ({ name, key }: MovedTable, organizationId: string): Statement<void> => {
  const of = sql`organization_id = ${organizationId}`;
  return nothing(
    key.length === 0
      ? sql`DELETE FROM ${table(name)} WHERE ${of}`
      : sql`DELETE FROM ${table(name)} WHERE ${of} AND (${columns(key)}) IN
              (SELECT ${columns(key)} FROM ${table(name)} WHERE ${of} LIMIT ${literal(ROWS_AT_ONCE)})`,
  );
};
