import { expect, test } from "vitest";
import { type DatabaseCall, interceptCalls, type Result } from "../../src/platform/database-calls.ts";
import { gatherReads } from "../../src/platform/gathered-reads.ts";

const resultOf = (sql: string): Result => ({
  results: [{ sql }],
  meta: { rows_read: 0, rows_written: 0, changes: 0, duration: 0, size_after: 0 },
});
const prepare = (sql: string) => ({
  sql,
  bind: () => prepare(sql),
  all: () => Promise.resolve(resultOf(sql)),
});

function openDatabase() {
  const calls: string[][] = [];
  const db = {
    prepare,
    batch: (statements: { sql: string }[]) => Promise.resolve(statements.map(({ sql }) => resultOf(sql))),
  };
  const record = async ({ statements }: DatabaseCall, send: () => Promise<Result[]>) => {
    calls.push(statements.map(({ sql }) => sql));
    if (statements.some(({ sql }) => sql.includes("broken"))) throw new Error("broken");
    return send();
  };
  return { calls, db: interceptCalls(db as never, gatherReads(), record) as typeof db };
}

test("reads of parallel work go in one call, and each gets its own results", async () => {
  const { calls, db } = openDatabase();
  const later = async (sql: string) => {
    for (let step = 0; step < 5; step++) await null;
    return db.prepare(sql).all();
  };
  const [a, b, c] = await Promise.all([
    db.prepare("SELECT 1").all(),
    db.batch([db.prepare("SELECT 2"), db.prepare("SELECT 3")]),
    later("SELECT 4"),
  ]);
  expect(calls).toEqual([["SELECT 1", "SELECT 2", "SELECT 3", "SELECT 4"]]);
  expect([a, b, c]).toEqual([
    resultOf("SELECT 1"),
    [resultOf("SELECT 2"), resultOf("SELECT 3")],
    resultOf("SELECT 4"),
  ]);
  await db.prepare("SELECT 5").all();
  expect(calls[1]).toEqual(["SELECT 5"]);
});

test("a write goes alone, and at once", async () => {
  const { calls, db } = openDatabase();
  await Promise.all([db.prepare("SELECT 1").all(), db.prepare("DELETE FROM a").all()]);
  expect(calls).toEqual([["DELETE FROM a"], ["SELECT 1"]]);
});

test("a failure is one of all reads of the call, and of no later one", async () => {
  const { db } = openDatabase();
  const reads = [db.prepare("SELECT broken").all(), db.prepare("SELECT 1").all()];
  expect((await Promise.allSettled(reads)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await db.prepare("SELECT 2").all()).toEqual(resultOf("SELECT 2"));
});
