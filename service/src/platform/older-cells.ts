import { MIGRATIONS } from "./generated/migrations.ts";
import { onlyRow, run, sql } from "./sql.ts";

/** Statements of this version that a cell of an earlier one cannot run. Nothing was written. */
class OlderCell extends Error {}

/** How SQLite names what a database lacks. */
const MISSING = /no such (?:table|column)|has no column named/;
/** The error of workerd for a method that the class of the object does not have. */
const NO_METHOD = /RPC receiver does not implement the method/;

/**
 * Tells an error of a cell that still runs the version before from a fault of this version. While a version is deployed,
 * such a cell lacks the tables and columns of the newest migrations.
 */
export async function explainError(error: unknown, cell: D1Database): Promise<unknown> {
  if (!MISSING.test(String(error))) return error;
  const newest = MIGRATIONS.at(-1)?.name ?? "";
  const isMigrated = await run(
    cell,
    onlyRow(
      sql`SELECT EXISTS (SELECT 1 FROM d1_migrations WHERE name = ${newest}) AS found`,
      ({ found }: { found: 0 | 1 }) => found === 1,
    ),
  );
  return isMigrated ? error : new OlderCell("the cell has an earlier version", { cause: error });
}

export const isOfOlderCell = (error: unknown): boolean =>
  error instanceof OlderCell || NO_METHOD.test(String(error));
