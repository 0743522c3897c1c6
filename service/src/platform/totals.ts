import { onlyRow, type Sql, type Statement, sql } from "./sql.ts";

/**
 * Null if the SELECT has more than `rowsMax` rows.
 *
 * @param rows has no LIMIT. It must read a range of an index, so that no more rows than `rowsMax` are read.
 */
export const countedWithin = (rowsMax: number, rows: Sql, matching = sql`TRUE`): Statement<number | null> =>
  onlyRow(
    sql`SELECT CASE WHEN count(*) <= ${rowsMax} THEN count(*) FILTER (WHERE ${matching}) END AS total
          FROM (${rows} LIMIT ${rowsMax + 1})`,
    ({ total }: { total: number | null }) => total,
  );
