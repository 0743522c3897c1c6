import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { interceptCalls } from "../../src/platform/database-calls.ts";
import { DatabaseTimeout, enforceDeadlines } from "../../src/platform/deadlines.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { assertThat, batch, nothing, run, sql } from "../../src/platform/sql.ts";

const READ_MS = 30;
const WRITE_MS = 120;

beforeAll(() => {
  vi.useFakeTimers();
});
afterAll(() => {
  vi.useRealTimers();
});

/** The outcome of a call, and the time that it takes. */
async function outcomeOf(call: Promise<unknown>) {
  const startMs = Date.now();
  const outcome = call.then(
    (value) => ({ value, tookMs: Date.now() - startMs }),
    (error: unknown) => ({ error, tookMs: Date.now() - startMs }),
  );
  await vi.runAllTimersAsync();
  return outcome as Promise<{ value?: unknown; error?: unknown; tookMs: number }>;
}

/** A database that responds to each call after `delayMs`, and a wrapper with short limits. */
function openDatabase(delayMs: number) {
  const later = async <T>(value: T) => {
    await systemRuntime.pause(delayMs);
    return value;
  };
  const result = { results: [], meta: { changes: 0 } };
  const prepare = (text: string) => ({ text, bind: () => prepare(text), all: () => later(result) });
  const db = {
    prepare,
    batch: (statements: { text: string }[]) => {
      expect(statements.map(({ text }) => typeof text)).toEqual(statements.map(() => "string"));
      return later(statements.map(() => result));
    },
  } as unknown as D1Database;
  return interceptCalls(db, enforceDeadlines({ databaseReadMs: READ_MS, databaseWriteMs: WRITE_MS }));
}

const READS = [
  sql`SELECT ${1}`,
  sql`
    SELECT replace(content, 'a', 'b') FROM messages`,
  sql`WITH found AS (SELECT 1) SELECT * FROM found`,
];
const WRITES = [
  sql`INSERT INTO messages (id) VALUES (${1})`,
  sql`
    UPDATE conversations SET title = ${"a"}`,
  sql`DELETE FROM messages`,
  sql`WITH found AS (SELECT 1) INSERT INTO messages SELECT * FROM found`,
  sql`WITH found AS (SELECT 1)
      UPDATE messages SET content = '' FROM found`,
  sql`WITH found AS (SELECT 1) DELETE FROM messages WHERE id IN found`,
];
const read = nothing(sql`SELECT 1`);
const write = nothing(sql`DELETE FROM messages`);

describe("a D1 call without a response", () => {
  test.for(READS)("is rejected after the time limit for reads: $texts.0", async (text) => {
    const { error, tookMs } = await outcomeOf(run(openDatabase(READ_MS + 1), nothing(text)));
    expect(error).toBeInstanceOf(DatabaseTimeout);
    expect(error).toMatchObject({
      message: `D1: no answer within ${READ_MS} ms`,
      mayHaveWritten: false,
    });
    expect(tookMs).toBe(READ_MS);
  });

  test.for(WRITES)("is rejected after the time limit for writes: $texts.0", async (text) => {
    expect(await outcomeOf(run(openDatabase(WRITE_MS - 1), nothing(text)))).toEqual({ tookMs: WRITE_MS - 1 });
    expect(await outcomeOf(run(openDatabase(WRITE_MS + 1), nothing(text)))).toMatchObject({
      error: { message: `D1: no answer within ${WRITE_MS} ms`, mayHaveWritten: true },
      tookMs: WRITE_MS,
    });
  });

  test("has the time limit for writes if one statement of the batch writes", async () => {
    const { value } = await outcomeOf(batch(openDatabase(WRITE_MS - 1), [read, write, read]));
    expect(value).toHaveLength(3);
    const { error } = await outcomeOf(batch(openDatabase(WRITE_MS + 1), [read, write]));
    expect(error).toBeInstanceOf(DatabaseTimeout);
  });

  test("has the time limit for reads if a batch only checks conditions", async () => {
    const checked = [assertThat("not_found", sql`TRUE`), read];
    const { error } = await outcomeOf(batch(openDatabase(READ_MS + 1), checked));
    expect(error).toMatchObject({ mayHaveWritten: false });
  });

  test("reports that a change may have been made if an earlier call writes", async () => {
    const db = openDatabase(READ_MS + 1);
    await outcomeOf(run(db, write));
    const { error } = await outcomeOf(run(db, read));
    expect(error).toMatchObject({ mayHaveWritten: true });
  });
});

test("a D1 call within its time limit returns D1's result or error", async () => {
  const result = { results: [{ a: 1 }], meta: { changes: 1 } };
  const failing = { bind: () => failing, all: () => Promise.reject(new Error("D1_ERROR: no such table")) };
  const statement = { bind: () => statement, all: async () => result };
  const db = {
    prepare: (text: string) => (text === "SELECT 1" ? statement : failing),
    batch: async (own: unknown[]) => own.map((each) => (each === statement ? result : null)),
  } as unknown as D1Database;
  const limits = { databaseReadMs: READ_MS, databaseWriteMs: WRITE_MS };
  const limited = interceptCalls(db, enforceDeadlines(limits));
  const prepared = limited.prepare("SELECT 1").bind();
  expect([await prepared.all(), await prepared.run(), await limited.batch([prepared])]).toEqual([
    result,
    result,
    [result],
  ]);
  await expect(limited.prepare("SELECT 2").all()).rejects.toThrow("no such table");
});
