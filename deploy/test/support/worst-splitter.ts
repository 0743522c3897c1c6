import type { DatabaseSync } from "node:sqlite";

/** Splits statements as badly as the worst reports say: without regard to comments, strings and triggers. */
const split = (sql: string): string[] => sql.split(";").filter((statement) => statement.trim() !== "");

/** D1's query API. Statements before one that fails stay applied, as some have reported. @throws SQLite's error. */
export function runEach(database: DatabaseSync, sql: string): Record<string, unknown>[][] {
  return split(sql).map((statement) => database.prepare(statement).all());
}

/**
 * D1's import, which applies a whole file or nothing.
 *
 * @returns The number of statements. @throws SQLite's error.
 */
export function importWhole(database: DatabaseSync, sql: string): number {
  const statements = split(sql);
  database.exec("BEGIN");
  try {
    for (const statement of statements) database.exec(statement);
    database.exec("COMMIT");
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
  return statements.length;
}
