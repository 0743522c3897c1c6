import { describe, expect, test } from "vitest";
import { DatabaseTimeout, withDeadlines } from "../../src/platform/deadlines.ts";
import { assertThat, batch, nothing, run, sql } from "../../src/platform/sql.ts";

const READ_MS = 30;
const WRITE_MS = 120;

/** A database that responds to each call after `delayMs`, and a wrapper with short limits. */
function openDatabase(delayMs: number) {
  const later = <T>(value: T) => new Promise<T>((resolve) => setTimeout(() => resolve(value), delayMs));
  const result = { results: [], meta: { changes: 0 } };
  const prepare = (text: string) => ({ text, bind: () => prepare(text), all: () => later(result) });
  const db = {
    prepare,
    batch: (statements: { text: string }[]) => {
      expect(statements.map(({ text }) => typeof text)).toEqual(statements.map(() => "string"));
      return later(statements.map(() => result));
    },
  } as unknown as D1Database;
  return withDeadlines(db, { databaseReadMs: READ_MS, databaseWriteMs: WRITE_MS });
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

describe("a call that gets no response", () => {
  test.for(READS)("is rejected after the time for reads: $texts.0", async (text) => {
    const error = await run(openDatabase(WRITE_MS / 2), nothing(text)).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(DatabaseTimeout);
    expect(error).toMatchObject({
      message: `D1: no answer within ${READ_MS} ms`,
      mayHaveWritten: false,
    });
  });

  test.for(WRITES)("is rejected after the time for writes: $texts.0", async (text) => {
    await expect(run(openDatabase(WRITE_MS / 2), nothing(text))).resolves.toBeUndefined();
    await expect(run(openDatabase(2 * WRITE_MS), nothing(text))).rejects.toMatchObject({
      message: `D1: no answer within ${WRITE_MS} ms`,
      mayHaveWritten: true,
    });
  });

  test("has the time for writes if one statement of the batch writes", async () => {
    await expect(batch(openDatabase(WRITE_MS / 2), [read, write, read])).resolves.toHaveLength(3);
    await expect(batch(openDatabase(2 * WRITE_MS), [read, write])).rejects.toBeInstanceOf(DatabaseTimeout);
  });

  test("has the time for reads if a batch only checks conditions", async () => {
    const checked = [assertThat("not_found", sql`TRUE`), read];
    await expect(batch(openDatabase(WRITE_MS / 2), checked)).rejects.toMatchObject({ mayHaveWritten: false });
  });

  test("says that a change may have been made if an earlier call writes", async () => {
    const db = openDatabase(WRITE_MS / 2);
    await run(db, write);
    await expect(run(db, read)).rejects.toMatchObject({ mayHaveWritten: true });
  });
});

test("a call that responds in time returns what D1 does, its error too", async () => {
  const result = { results: [{ a: 1 }], meta: { changes: 1 } };
  const failing = { bind: () => failing, all: () => Promise.reject(new Error("D1_ERROR: no such table")) };
  const statement = { bind: () => statement, all: async () => result };
  const db = {
    prepare: (text: string) => (text === "SELECT 1" ? statement : failing),
    batch: async (own: unknown[]) => own.map((each) => (each === statement ? result : null)),
  } as unknown as D1Database;
  const limited = withDeadlines(db, { databaseReadMs: READ_MS, databaseWriteMs: WRITE_MS });
  const prepared = limited.prepare("SELECT 1").bind();
  expect([await prepared.all(), await prepared.run(), await limited.batch([prepared])]).toEqual([
    result,
    result,
    [result],
  ]);
  await expect(limited.prepare("SELECT 2").all()).rejects.toThrow("no such table");
});
