import { onlyRow, type Sql, type Statement, sql } from "./sql.ts";

/**
 * Counts the rows of a SELECT that meet `matching`. Null if the SELECT has more than `rowsMax` rows.
 *
 * @param rows a SELECT without LIMIT. It must read a range of an index, so that no more than `rowsMax` + 1 rows are
 *   read.
 */
export const countedWithin = (rowsMax: number, rows: Sql, matching = sql`TRUE`): Statement<number | null> =>
  onlyRow(
    sql`SELECT CASE WHEN count(*) <= ${rowsMax} THEN count(*) FILTER (WHERE ${matching}) END AS total
          FROM (${rows} LIMIT ${rowsMax + 1})`,
    ({ total }: { total: number | null }) => total,
  );
