import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../commands.mjs";
import { faultsOf } from "../migrations.mjs";

const GOOD = "CREATE TABLE a (b TEXT DEFAULT 'c'); -- what it is for\n";

test.each([
  ["an apostrophe in a comment", `-- the caller's\n${GOOD}`],
  ["a quote in a comment", `-- a "name"\n${GOOD}`],
  ["a backtick in a comment", `-- a \`name\`\n${GOOD}`],
  ["a semicolon in a comment", `-- one; two\n${GOOD}`],
  ["a semicolon in a comment after a statement", "CREATE TABLE a (b); -- one; two\n"],
  ["a semicolon in a string", "UPDATE a SET b = 'c;d';\n"],
  ["a block comment", `/* why */\n${GOOD}`],
  ["a trigger", "CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM b; END;\n"],
  ["a temporary trigger", "create temp trigger t after insert on a begin delete from b; end;\n"],
  ["a transaction", `BEGIN TRANSACTION;\n${GOOD}`],
  ["a carriage return", GOOD.replace("\n", "\r\n")],
  ["a last statement without an end", "CREATE TABLE a (b)\n"],
])("refuses %s", (_, sql) => {
  expect(faultsOf(sql)).not.toEqual([]);
});

test("takes a statement with strings, quoted names and comments", () => {
  expect(
    faultsOf(`${GOOD}CREATE INDEX "d-e" ON a (b) WHERE b <> 'it''s -- no comment';\n-- the end\n`),
  ).toEqual([]);
});

test("the splitter that knows the least finds whole statements in every migration", () => {
  const folder = join(root, "migrations");
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".sql"))) {
    const pieces = readFileSync(join(folder, file), "utf8")
      .split(";")
      .map((piece) => piece.replaceAll(/--[^\n]*/g, "").trim());
    expect(pieces.pop(), file).toBe("");
    for (const piece of pieces)
      expect(piece, file).toMatch(/^(CREATE|ALTER|DROP|INSERT|UPDATE|DELETE|REPLACE|WITH)\b/i);
  }
});
