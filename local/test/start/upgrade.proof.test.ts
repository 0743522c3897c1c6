import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, it } from "vitest";
import { listMigrations } from "../../src/start/migrations.ts";
import { ask, cleanUp, exitCode, makeDataDirectory, ROOT, start } from "./running.ts";

/**
 * The data directory of a service with migrations 0001 to 0010, as they were before their comments were rewritten,
 * and the export that this service gave: conversations, messages, memories, keys, a fork, deletions, a repair.
 */
const STORED = join(import.meta.dirname, "november");

afterAll(cleanUp);

function databaseFile(dataDirectory: string): string {
  const folder = join(dataDirectory, "v3/d1/miniflare-D1DatabaseObject");
  const file = readdirSync(folder).find((name) => /^[0-9a-f]{64}\.sqlite$/.test(name));
  if (file === undefined) throw new Error("no database");
  return join(folder, file);
}

/** Each table and index with the statement that creates it, without comments: their words have changed. */
function schemaOf(db: DatabaseSync): unknown[] {
  const rows = db.prepare("SELECT type, name, sql FROM sqlite_schema ORDER BY name").all();
  return rows
    .filter(({ name }) => !String(name).startsWith("_cf"))
    .map(({ sql, ...row }) => ({
      ...row,
      sql: sql && String(sql).replaceAll(/--.*/g, "").replaceAll(/\s+/g, " "),
    }));
}

it("a data directory of the first schema is upgraded, with all that it holds", async () => {
  const dataDirectory = makeDataDirectory();
  mkdirSync(dataDirectory, { recursive: true });
  execFileSync("tar", ["-xzf", join(STORED, "data.tar.gz"), "--strip-components=1", "-C", dataDirectory]);
  const before = new DatabaseSync(databaseFile(dataDirectory), { readOnly: true });
  expect(before.prepare("SELECT count(*) AS n FROM sqlite_schema WHERE type = 'trigger'").get()).toEqual({
    n: 1,
  });
  before.close();

  const service = await start("run.mjs", { ENGRAM_DATA: dataDirectory });
  const read = async (path: string, body?: unknown) => {
    const response = await ask(service, path, body);
    const text = await response.text();
    expect(response.ok, text).toBe(true);
    return text;
  };
  const linesOf = (text: string) =>
    text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  // Fields of memories that the first schema did not have.
  const later = { parts: null, user_id: null, external_id: null };
  expect(linesOf(await read("/v1/export"))).toEqual(
    linesOf(readFileSync(join(STORED, "export.ndjson"), "utf8")).map((line) =>
      line.type === "memory" ? { ...line, ...later } : line,
    ),
  );
  const { items: memories } = JSON.parse(await read("/v1/memories"));
  expect(memories.map(({ content }: { content: string }) => content).sort()).toEqual([
    "Maria wants refunds on her card, never as credit.",
    "The shop closes at six on Fridays.",
  ]);
  for (const mode of ["keyword", "semantic"]) {
    const { results } = JSON.parse(await read("/v1/search", { query: "the kettle leaks", mode }));
    expect(results[0].conversation.title, mode).toBe("Order 1029");
  }
  const { items } = JSON.parse(await read("/v1/conversations?external_id=order-1029"));
  await read(`/v1/conversations/${items[0].id}/messages`, {
    messages: [{ role: "user", content: "And now?" }],
  });
  process.kill(service.pid, "SIGTERM");
  await exitCode(service.launcher);

  const upgraded = new DatabaseSync(databaseFile(dataDirectory));
  const fresh = new DatabaseSync(":memory:");
  const folder = join(ROOT, "migrations");
  fresh.exec(
    upgraded.prepare("SELECT sql FROM sqlite_schema WHERE name = 'd1_migrations'").get()?.sql as string,
  );
  for (const name of listMigrations(folder)) fresh.exec(readFileSync(join(folder, name), "utf8"));
  expect(schemaOf(upgraded)).toEqual(schemaOf(fresh));
  fresh.close();
  // So that the file below holds everything.
  upgraded.exec("PRAGMA journal_mode = DELETE");
  upgraded.close();
  readWithSystemsSqlite(databaseFile(dataDirectory));
});

/** Reads every ordinary table with the operating system's SQLite, which is older than D1's, where there is one. */
function readWithSystemsSqlite(file: string): void {
  const tables = `SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'`;
  const program = `
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
names = [name for (name,) in db.execute("""${tables}""")]
for name in names: db.execute('SELECT * FROM "' + name + '"').fetchall()
print(len(names))`;
  const { error, status, stdout, stderr } = spawnSync("python3", ["-c", program, file], { encoding: "utf8" });
  if (error !== undefined) return;
  expect(status, stderr).toBe(0);
  expect(Number(stdout)).toBeGreaterThan(20);
}
