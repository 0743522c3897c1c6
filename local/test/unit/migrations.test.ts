import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, it } from "vitest";
import { applyMigrations } from "../../src/start/migrations.ts";
import { StartError } from "../../src/start/start-error.ts";

const directory = mkdtempSync(join(tmpdir(), "engram-migrations-"));
const migrations = join(directory, "migrations");
mkdirSync(migrations);
const db = new DatabaseSync(join(directory, "database.sqlite"));

afterAll(() => {
  db.close();
  rmSync(directory, { recursive: true, force: true });
});

const selectAll = (sql: string) => db.prepare(sql).all();
const applied = () => selectAll("SELECT name FROM d1_migrations ORDER BY id").map(({ name }) => name);

it("migrations are applied once each, in order, whatever semicolons they contain, and recorded as wrangler does", () => {
  writeFileSync(
    join(migrations, "0001_tables.sql"),
    `CREATE TABLE notes (text TEXT); -- one; two
     CREATE TABLE log (text TEXT);
     CREATE TRIGGER notes_logged AFTER INSERT ON notes BEGIN
       INSERT INTO log VALUES ('a;
b');
       INSERT INTO log VALUES (new.text);
     END;
     /* and; */`,
  );
  writeFileSync(
    join(migrations, "0010_row.sql"),
    "INSERT INTO notes SELECT name FROM early;\n-- no line end",
  );
  writeFileSync(join(migrations, "0002_early.sql"), "CREATE TABLE early AS SELECT 'early' AS name;");

  expect(applyMigrations(db, migrations)).toEqual(["0001_tables.sql", "0002_early.sql", "0010_row.sql"]);
  expect(applyMigrations(db, migrations)).toEqual([]);
  expect(selectAll("SELECT text FROM log")).toEqual([{ text: "a;\nb" }, { text: "early" }]);
  expect(applied()).toEqual(["0001_tables.sql", "0002_early.sql", "0010_row.sql"]);
});

it("a migration that fails is named and not applied, and those before it stay", () => {
  writeFileSync(join(migrations, "0011_good.sql"), "CREATE TABLE good (a);");
  writeFileSync(join(migrations, "0012_bad.sql"), "CREATE TABLE half (a);\nINSERT INTO missing VALUES (1);");

  expect(() => applyMigrations(db, migrations)).toThrow(/0012_bad\.sql[\s\S]*missing/);
  expect(db.isTransaction).toBe(false);
  expect(selectAll("SELECT name FROM sqlite_schema WHERE name IN ('good', 'half')")).toEqual([
    { name: "good" },
  ]);
  expect(applied().at(-1)).toBe("0011_good.sql");
});

it("a database with migrations of no release is refused in one line, and left unchanged", () => {
  db.exec("UPDATE d1_migrations SET name = '0002_unreleased.sql' WHERE name = '0002_early.sql'");
  writeFileSync(join(migrations, "0012_bad.sql"), "CREATE TABLE mended (a);");

  const refusal = /^The data directory is from before the first release: .*`engram export`.*\.$/;
  expect(() => applyMigrations(db, migrations)).toThrow(StartError);
  expect(() => applyMigrations(db, migrations)).toThrow(refusal);
  expect(selectAll("SELECT name FROM sqlite_schema WHERE name = 'mended'")).toEqual([]);
});

it("a database of a later release with additional migrations is accepted", () => {
  rmSync(join(migrations, "0002_early.sql"));
  rmSync(join(migrations, "0012_bad.sql"));
  expect(applyMigrations(db, migrations)).toEqual([]);
});
