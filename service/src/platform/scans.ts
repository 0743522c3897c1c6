import { row, rows, type Sql, type Statement, sql } from "./sql.ts";

export interface ListScan {
  columns: Sql;
  /** The columns refer to the rows by this name. */
  table: Sql;
  /** `INDEXED BY`, where the planner would choose another index. */
  index?: Sql;
  /** The rows of the list from its position on: a range of an index in the order of the list. */
  range: Sql;
  order: Sql;
  /** Null without a filter. */
  filter: Sql | null;
  /** The columns of a position in the list. */
  position: Sql;
  limit: number;
  /** Maximum number of rows that the filter is applied to. */
  rowsMax: number;
}

/**
 * A page of a list, and where its scan stopped: null if it reached the end of the list or has no filter.
 *
 * A filter that few rows match would otherwise read the whole list to fill a page.
 */
export const scannedPage = <Row, Item, Place, Position>(
  { columns, table, index = sql``, range, order, filter, position, limit, rowsMax }: ListScan,
  toItem: (row: Row) => Item,
  toPosition: (place: Place) => Position,
): { items: Statement<Item[]>; scanEnd: Statement<Position | null> | null } => {
  const scan = sql`FROM ${table} ${index} WHERE ${range} ORDER BY ${order}`;
  if (filter === null)
    return { items: rows(sql`SELECT ${columns} ${scan} LIMIT ${limit}`, toItem), scanEnd: null };
  return {
    items: rows(
      sql`SELECT ${columns} FROM (SELECT * ${scan} LIMIT ${rowsMax}) AS ${table} WHERE ${filter}
           ORDER BY ${order} LIMIT ${limit}`,
      toItem,
    ),
    scanEnd: row(sql`SELECT ${position} ${scan} LIMIT 1 OFFSET ${rowsMax - 1}`, toPosition),
  };
};
