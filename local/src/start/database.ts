import { createHash, createHmac } from "node:crypto";
import { existsSync, mkdirSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { applyMigrations } from "./migrations.ts";
import { StartError } from "./start-error.ts";

const ID_HALF_BYTES = 16;

interface ObjectName {
  /** Miniflare's folder for a kind of storage. */
  folder: "do" | "d1";
  /** Miniflare's name for a class of a Worker. */
  uniqueKey: string;
  name: string;
}

/** The object that is the database: its Worker and class in workers.ts, its name in database/service.ts. */
const DATABASE: ObjectName = { folder: "do", uniqueKey: "engram-Database", name: "DB" };
/** Where Miniflare's D1 kept the database in versions up to 0.1. */
const EARLIER_DATABASE: ObjectName = { folder: "d1", uniqueKey: "miniflare-D1DatabaseObject", name: "DB" };

export const databaseFile = (statePath: string): string => fileOf(statePath, DATABASE);
export const earlierDatabaseFile = (statePath: string): string => fileOf(statePath, EARLIER_DATABASE);

/**
 * Prepares the file of the database before workerd opens it: moves it from where earlier versions kept it, and applies
 * the missing migrations. If this process is killed, the next start completes it.
 *
 * @throws {StartError} If a migration fails, or if the file cannot be used.
 */
export function prepareDatabase(statePath: string, migrations: string): void {
  const file = databaseFile(statePath);
  try {
    mkdirSync(dirname(file), { recursive: true });
    if (!existsSync(file)) moveEarlier(earlierDatabaseFile(statePath), file);
    const database = new DatabaseSync(file);
    try {
      applyMigrations(database, migrations);
    } finally {
      database.close();
    }
  } catch (error) {
    if (!isOfSqlite(error)) throw error;
    throw new StartError(
      `The database in ${statePath} cannot be used: ${error.message}.\nSet ENGRAM_DATA to another directory.`,
    );
  }
}

/** Renaming one file moves all of the database or nothing. Before, SQLite merges its log into the file. */
function moveEarlier(earlier: string, file: string): void {
  if (!existsSync(earlier)) return;
  const database = new DatabaseSync(earlier);
  try {
    database.exec("PRAGMA journal_mode = DELETE");
  } finally {
    database.close();
  }
  renameSync(earlier, file);
}

/** workerd's path of an object's file. Its id is derived from its name. */
function fileOf(statePath: string, { folder, uniqueKey, name }: ObjectName): string {
  const key = createHash("sha256").update(uniqueKey).digest();
  const hash = (data: string | Buffer) =>
    createHmac("sha256", key).update(data).digest().subarray(0, ID_HALF_BYTES);
  const ofName = hash(name);
  const id = Buffer.concat([ofName, hash(ofName)]).toString("hex");
  return join(statePath, folder, uniqueKey, `${id}.sqlite`);
}

const isOfSqlite = (error: unknown): error is Error =>
  error instanceof Error && "code" in error && error.code === "ERR_SQLITE_ERROR";
