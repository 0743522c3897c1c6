import { expect, test } from "vitest";
import { interceptCalls } from "../../src/platform/database-calls.ts";
import { createLog } from "../../src/platform/log.ts";
import { nothing, rows, run, sql } from "../../src/platform/sql.ts";
import { StorageFull, StorageGuard } from "../../src/platform/storage.ts";
import { promptRuntime } from "../support/runtime.ts";

const UNEXPLAINED = new Error("internal error; reference = 3m5cq5e01u4jk6eeua7t7khg");
const write = nothing(sql`DELETE FROM messages`);
const read = rows(sql`SELECT 1`, (row) => row);

/** A database that fails its first calls with `failures`, behind a guard. */
function open(failures: Error[]) {
  const state = { storage: "free", asked: [] as string[], calls: 0, nowMs: 0 };
  const all = async () => {
    state.calls++;
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    return { results: [], meta: { changes: 0 } };
  };
  const prepare = () => ({ bind: prepare, all });
  const storage = {
    fetch: async (url: string) => {
      state.asked.push(new URL(url).pathname);
      return new Response(state.storage);
    },
  } as unknown as Fetcher;
  const guard = new StorageGuard().guardCalls(storage, () => state.nowMs);
  return { state, db: interceptCalls({ prepare } as unknown as D1Database, guard) };
}

test("a write on a nearly full disk fails before it reaches the database, and works within a second of free space", async () => {
  const { state, db } = open([]);
  state.storage = "full";
  await expect(run(db, write)).rejects.toMatchObject({ name: "StorageFull", isReported: true });
  expect(await run(db, read)).toEqual([]);
  expect(state).toMatchObject({ calls: 1, asked: ["/space"] });
  state.storage = "free";
  state.nowMs = 1_000;
  await run(db, write);
  expect(state).toMatchObject({ calls: 2, asked: ["/space", "/space"] });
});

test("a write that SQLite fails without a reason is one on a full disk only if the program that has the disk says so", async () => {
  const { state, db } = open([UNEXPLAINED, UNEXPLAINED, new Error("other")]);
  await expect(run(db, write)).rejects.toBe(UNEXPLAINED);
  state.storage = "full";
  await expect(run(db, write)).rejects.toBeInstanceOf(StorageFull);
  expect(state.asked).toEqual(["/space", "/failed", "/failed"]);
  // The answer counts for the next write, too.
  await expect(run(db, write)).rejects.toBeInstanceOf(StorageFull);
  expect(state).toMatchObject({ calls: 2 });
  state.storage = "free";
  state.nowMs = 1_000;
  await expect(run(db, write)).rejects.toThrow("other");
});

test("a write that SQLite reports to have no space is not tried again while the disk is full", async () => {
  const full = () => new Error("D1_ERROR: database or disk is full: SQLITE_FULL");
  const { state, db } = open([full(), full()]);
  await expect(run(db, write)).rejects.toMatchObject({ name: "StorageFull", isReported: false });
  state.storage = "full";
  await expect(run(db, write)).rejects.toMatchObject({ name: "StorageFull", isReported: true });
  await expect(run(db, write)).rejects.toMatchObject({ name: "StorageFull", isReported: true });
  expect(state).toMatchObject({ calls: 2, asked: ["/space", "/failed", "/failed"] });
});

test("a read that fails because another call's write found the disk full runs again", async () => {
  const { state, db } = open([UNEXPLAINED]);
  state.storage = "full";
  expect(await run(db, read)).toEqual([]);
  expect(state).toMatchObject({ calls: 2, asked: ["/failed"] });
});

test("a full database that D1 reports is logged, and one that the start has reported is not", () => {
  const lines: unknown[] = [];
  const { error } = console;
  console.error = (line: unknown) => void lines.push(line);
  const log = createLog({ ...promptRuntime, nowMs: () => 0 });
  log.error("request failed", new StorageFull(true));
  log.error("request failed", new StorageFull(false));
  console.error = error;
  expect(lines).toEqual([
    JSON.stringify({
      time: "1970-01-01T00:00:00.000Z",
      level: "error",
      event: "request failed",
      error: "StorageFull: the database has no space",
    }),
  ]);
});
