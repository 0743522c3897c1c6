import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { CREATE_MIGRATIONS_TABLE, withRecord } from "@engram/local/migrations";
import { importWhole, runEach } from "./worst-splitter.ts";

const FOLDER = resolve(import.meta.dirname, "../../../migrations");
export const MIGRATIONS = readdirSync(FOLDER).filter((name) => name.endsWith(".sql"));

/** A database as plain JSON. Its tables are created again for each import. */
export interface DatabaseState {
  /** Null before the first run of migrations. */
  migrations: string[] | null;
  tables: string[];
  organizations: number;
  location: string;
}

/**
 * Imports a file into a database of this state, and notes in the state what it holds then.
 *
 * @param statementsMax The query API is used instead of the import, and stops after these statements.
 * @throws SQLite's error.
 */
export function importInto(state: DatabaseState, sql: string, statementsMax?: number): void {
  const database = open(state);
  try {
    if (statementsMax === undefined) importWhole(database, sql);
    else stopAfter(database, sql, statementsMax);
  } finally {
    const tables = namesIn(database, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name");
    state.migrations = tables.includes("d1_migrations")
      ? namesIn(database, "SELECT name FROM d1_migrations ORDER BY id")
      : null;
    state.tables = tables.filter((name) => name !== "d1_migrations" && !name.startsWith("sqlite_"));
    database.close();
  }
}

function open({ migrations, tables }: DatabaseState): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  if (migrations !== null) database.exec(CREATE_MIGRATIONS_TABLE);
  for (const name of migrations ?? []) {
    // A migration of a newer version has no file.
    const sql = MIGRATIONS.includes(name) ? readFileSync(join(FOLDER, name), "utf8") : "";
    database.exec(withRecord(sql, name));
  }
  // The remains of an interrupted migration.
  if (!migrations?.length) for (const name of tables) database.exec(`CREATE TABLE "${name}" (content)`);
  return database;
}

function stopAfter(database: DatabaseSync, sql: string, statementsMax: number): never {
  runEach(database, sql.split(";").slice(0, statementsMax).join(";"));
  throw new Error("D1 DB reset because its code was updated");
}

const namesIn = (database: DatabaseSync, sql: string): string[] =>
  database
    .prepare(sql)
    .all()
    .map(({ name }) => String(name));
