import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { databaseFile, earlierDatabaseFile, prepareDatabase } from "../../src/start/database.ts";
import { StartError } from "../../src/start/start-error.ts";

const directory = mkdtempSync(join(tmpdir(), "engram-database-"));
const migrations = join(directory, "migrations");
mkdirSync(migrations);
writeFileSync(join(migrations, "0001_notes.sql"), "CREATE TABLE notes (text TEXT);");
afterAll(() => rmSync(directory, { recursive: true, force: true }));

let statePath = "";
let file = "";
let earlier = "";
beforeEach(() => {
  statePath = mkdtempSync(join(directory, "v3-"));
  file = databaseFile(statePath);
  earlier = earlierDatabaseFile(statePath);
});

/** Leaves the database as a killed workerd does: the last transactions are only in SQLite's log. */
function leaveEarlier(): void {
  const source = join(mkdtempSync(join(directory, "source-")), "source.sqlite");
  const database = new DatabaseSync(source);
  database.exec("PRAGMA journal_mode = WAL");
  database.exec(`CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE);
                 INSERT INTO d1_migrations (name) VALUES ('0001_notes.sql');
                 CREATE TABLE notes (text TEXT);
                 INSERT INTO notes VALUES ('kept');`);
  mkdirSync(dirname(earlier), { recursive: true });
  for (const end of ["", "-wal", "-shm"]) copyFileSync(`${source}${end}`, `${earlier}${end}`);
  database.close();
  expect(existsSync(`${earlier}-wal`)).toBe(true);
}

function notes(): unknown[] {
  const database = new DatabaseSync(file);
  try {
    return database.prepare("SELECT text FROM notes").all();
  } finally {
    database.close();
  }
}

describe("the database of an earlier version", () => {
  it("moves with the transactions that are only in its log, and once", () => {
    leaveEarlier();
    prepareDatabase(statePath, migrations);
    prepareDatabase(statePath, migrations);
    expect(notes()).toEqual([{ text: "kept" }]);
    expect(readdirSync(dirname(earlier))).toEqual([]);
  });

  it("is complete after the next start, wherever the move was killed", () => {
    leaveEarlier();
    // Each time the log has been merged, but the file was not moved.
    for (let kills = 0; kills < 2; kills++) {
      const database = new DatabaseSync(earlier);
      database.exec("PRAGMA journal_mode = DELETE");
      database.close();
      mkdirSync(dirname(file), { recursive: true });
    }
    prepareDatabase(statePath, migrations);
    expect(notes()).toEqual([{ text: "kept" }]);
  });

  it("does not replace a database that is in its place", () => {
    leaveEarlier();
    prepareDatabase(statePath, migrations);
    const database = new DatabaseSync(file);
    database.exec("INSERT INTO notes VALUES ('newer')");
    database.close();
    leaveEarlier();
    prepareDatabase(statePath, migrations);
    expect(notes()).toEqual([{ text: "kept" }, { text: "newer" }]);
  });
});

it("a new database gets the tables, and a damaged one is refused with the reason", () => {
  prepareDatabase(statePath, migrations);
  expect(notes()).toEqual([]);

  writeFileSync(file, "no database, but long enough to have the header of one ".repeat(20));
  expect(() => prepareDatabase(statePath, migrations)).toThrow(StartError);
  expect(() => prepareDatabase(statePath, migrations)).toThrow(
    /^The database in .* cannot be used: file is not a database\.\nSet ENGRAM_DATA to another directory\.$/,
  );
});
