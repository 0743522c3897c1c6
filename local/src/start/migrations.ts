import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { StartError } from "./start-error.ts";

/**
 * The table in which wrangler records applied migrations, so that `wrangler d1 migrations` works together with `npm run
 * deploy`. A local database has the same.
 */
export const CREATE_MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS "d1_migrations"(
		id         INTEGER PRIMARY KEY AUTOINCREMENT,
		name       TEXT UNIQUE,
		applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
);`;

const UNRELEASED =
  "The data directory is from before the first release: save its data with `engram export` of the version that wrote it, and import that into a new directory.";

export function listMigrations(directory: string): string[] {
  const names = readdirSync(directory).filter((name) => name.endsWith(".sql"));
  return names.sort((a, b) => leadingNumber(a) - leadingNumber(b) || (a < b ? -1 : 1));
}

/**
 * Applies the missing migrations and returns their names.
 *
 * @throws {StartError} If the database is from before the first release, or if a migration fails. The message names the
 * file of the migration. Earlier migrations stay applied.
 */
export function applyMigrations(database: DatabaseSync, directory: string): string[] {
  const applied = selectApplied(database);
  const listed = listMigrations(directory);
  const names = listed.filter((name) => !applied.has(name));
  if (names.length === 0) return [];
  // A database of a later release has further migrations, but lacks none of these.
  if ([...applied].some((name) => !listed.includes(name))) throw new StartError(UNRELEASED);
  database.exec("BEGIN IMMEDIATE");
  database.exec(CREATE_MIGRATIONS_TABLE);
  try {
    for (const name of names) applyMigration(database, directory, name);
  } finally {
    // One commit, because each takes some milliseconds. SQLite itself ends the transaction on a full disk.
    if (database.isTransaction) database.exec("COMMIT");
  }
  return names;
}

function applyMigration(database: DatabaseSync, directory: string, name: string): void {
  const file = join(directory, name);
  const text = withRecord(readFileSync(file, "utf8"), name);
  database.exec("SAVEPOINT migration");
  try {
    database.exec(text);
    database.exec("RELEASE migration");
  } catch (error) {
    if (!database.isTransaction) throw error;
    database.exec("ROLLBACK TO migration");
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`Migration ${file} failed, and nothing of it was applied:\n${reason}`);
  }
}

/** Names of the applied migrations. */
function selectApplied(database: DatabaseSync): Set<string> {
  const exists = "SELECT 1 FROM sqlite_schema WHERE name = 'd1_migrations'";
  if (database.prepare(exists).get() === undefined) return new Set();
  return new Set(
    database
      .prepare("SELECT name FROM d1_migrations")
      .all()
      .map(({ name }) => String(name)),
  );
}

/**
 * Joins a migration with the statement that records it, as wrangler does.
 */
export function withRecord(sql: string, name: string): string {
  return `${sql}\nINSERT INTO "d1_migrations" (name)\nvalues ('${name.replaceAll("'", "''")}');`;
}

/** Files without a number come last, as in wrangler. */
function leadingNumber(name: string): number {
  const number = Number.parseInt(name, 10);
  return Number.isNaN(number) ? Number.MAX_SAFE_INTEGER : number;
}
