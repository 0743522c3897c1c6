import { onlyRow, type Sql, type Statement, sql } from "./sql.ts";

/**
 * Counts the rows of a SELECT that match; null when the SELECT has more than `rowsMax` rows.
 *
 * @param rows without a LIMIT. It reads an index range, so that the limit bounds the rows read.
 */
export const countedWithin = (rowsMax: number, rows: Sql, matching = sql`TRUE`): Statement<number | null> =>
  onlyRow(
    sql`SELECT CASE WHEN count(*) <= ${rowsMax} THEN count(*) FILTER (WHERE ${matching}) END AS total
          FROM (${rows} LIMIT ${rowsMax + 1})`,
    ({ total }: { total: number | null }) => total,
  );
