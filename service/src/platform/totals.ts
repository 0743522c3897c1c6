import { onlyRow, type Sql, type Statement, sql } from "./sql.ts";

/**
 * SQL that counts the rows of a SELECT that match; null when the SELECT has more than `rowsMax` rows.
 *
 * @param rows without a LIMIT. It reads an index range, so that the limit bounds the rows read.
 */
export const totalWithin = (rowsMax: number, rows: string, matching = "TRUE"): string =>
  `SELECT CASE WHEN count(*) <= ${rowsMax} THEN count(*) FILTER (WHERE ${matching}) END AS total
     FROM (${rows} LIMIT ${rowsMax + 1})`;

/** The `total` that a statement returned; null when it was not counted. */
export const readTotal = (result: D1Result<unknown> | undefined): number | null =>
  (result?.results as { total: number | null }[] | undefined)?.[0]?.total ?? null;

/** The same as a statement. */
export const countedWithin = (rowsMax: number, rows: Sql, matching = sql`TRUE`): Statement<number | null> =>
  onlyRow(
    sql`SELECT CASE WHEN count(*) <= ${rowsMax} THEN count(*) FILTER (WHERE ${matching}) END AS total
          FROM (${rows} LIMIT ${rowsMax + 1})`,
    ({ total }: { total: number | null }) => total,
  );
