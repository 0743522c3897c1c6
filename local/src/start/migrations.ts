import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { D1Database } from "@cloudflare/workers-types";
import { StartError } from "./start-error.ts";

/**
 * The table in which wrangler records applied migrations. It is used here too, so that `wrangler d1
 * migrations` works together with `npm start` and `npm run deploy`.
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
 * Names of applied migrations, read from the database file without starting the runtime. Empty if that fails.
 * The caller then queries the database, which is slower.
 */
export function peekAppliedMigrations(statePath: string): Set<string> {
  try {
    const directory = join(statePath, "d1", "miniflare-D1DatabaseObject");
    const files = readdirSync(directory).filter((name) => /^[0-9a-f]+\.sqlite$/.test(name));
    const [file] = files;
    if (file === undefined || files.length > 1) return new Set();
    const database = new DatabaseSync(join(directory, file), { readOnly: true });
    try {
      const rows = database.prepare("SELECT name FROM d1_migrations").all();
      return new Set(rows.map((row) => String(row.name)));
    } finally {
      database.close();
    }
  } catch {
    return new Set();
  }
}

/**
 * Applies the missing migrations and returns their names.
 *
 * @throws {StartError} If the database is from before the first release, or if a migration fails. The message names the
 * file of the migration. Earlier migrations stay applied.
 */
export async function applyMigrations(db: D1Database, directory: string): Promise<string[]> {
  await db.prepare(CREATE_MIGRATIONS_TABLE).run();
  const { results } = await db.prepare("SELECT name FROM d1_migrations").all<{ name: string }>();
  const applied = new Set(results.map((row) => row.name));
  const listed = listMigrations(directory);
  const names = listed.filter((name) => !applied.has(name));
  // A database of a later release has further migrations, but lacks none of these.
  if (names.length > 0 && [...applied].some((name) => !listed.includes(name)))
    throw new StartError(UNRELEASED);
  const pending = names.map((name) => ({
    name,
    text: withRecord(readFileSync(join(directory, name), "utf8"), name),
  }));
  if (pending.length > 1) {
    try {
      // All at once, because each call takes some tens of milliseconds.
      await db.prepare(pending.map(({ text }) => text).join("\n")).run();
      return names;
    } catch {
      // Nothing was applied. One at a time, the error belongs to one file.
    }
  }
  for (const { name, text } of pending) {
    try {
      await db.prepare(text).run();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new StartError(
        `Migration ${join(directory, name)} failed, and nothing of it was applied:\n${reason}`,
      );
    }
  }
  return names;
}

/**
 * Joins a migration with the statement that records it, as wrangler does. The local D1 runs all statements of
 * one text in one transaction.
 */
export function withRecord(sql: string, name: string): string {
  return `${sql}\nINSERT INTO "d1_migrations" (name)\nvalues ('${name.replaceAll("'", "''")}');`;
}

/** Files without a number come last, as in wrangler. */
function leadingNumber(name: string): number {
  const number = Number.parseInt(name, 10);
  return Number.isNaN(number) ? Number.MAX_SAFE_INTEGER : number;
}
