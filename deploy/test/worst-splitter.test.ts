// The fakes of D1 split as badly as users have reported, so that a migration that passes here passes everywhere.
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { importWhole, runEach } from "./support/worst-splitter.ts";

const GOOD = "CREATE TABLE a (b TEXT);\n";
const tables = (database: DatabaseSync) =>
  database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all()
    .map(({ name }) => name);

test.each([
  ["a semicolon in a comment", `${GOOD}-- one; two\nCREATE TABLE c (d);\n`],
  ["a semicolon in a string", `${GOOD}INSERT INTO a VALUES ('one; two');\n`],
  ["a trigger", `${GOOD}CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM a; END;\n`],
])(
  "%s breaks both ways of applying a migration: an import applies nothing, the query API a half",
  (_, sql) => {
    // SQLite itself accepts the same text.
    new DatabaseSync(":memory:").exec(sql);
    const imported = new DatabaseSync(":memory:");
    expect(() => importWhole(imported, sql)).toThrow();
    expect(tables(imported)).toEqual([]);
    const queried = new DatabaseSync(":memory:");
    expect(() => runEach(queried, sql)).toThrow();
    expect(tables(queried)).toEqual(["a"]);
  },
);
