import { expect, test } from "vitest";
import { interceptCalls } from "../../src/platform/database-calls.ts";
import { serializeLargeWrites } from "../../src/platform/large-writes.ts";
import { Mutex } from "../../src/platform/mutex.ts";
import { EventLoop } from "../support/pace.ts";

/** A database whose batches wait until they are released, and which records what it runs. */
function openDatabase() {
  const running: { name: string; end: () => void }[] = [];
  const began: string[] = [];
  const prepare = (sql: string) => ({ sql, bind: () => ({ sql }) });
  const batch = ([first]: { sql: string }[]) =>
    new Promise<D1Result[]>((resolve) => {
      const name = first?.sql ?? "";
      began.push(name);
      running.push({ name, end: () => resolve([]) });
    });
  return { db: { prepare, batch } as unknown as D1Database, running, began };
}

test("large writes of an isolate are sent to the database one at a time, and small ones at once", async () => {
  const { db, running, began } = openDatabase();
  const loop = new EventLoop();
  const soon = () => loop.pass(50);
  const mutex = new Mutex(loop, 2_000);
  const own = interceptCalls(db, serializeLargeWrites(mutex, { charactersMax: 10, isBackground: false }));
  const write = (name: string, characters: number) =>
    own.batch([own.prepare(name).bind("x".repeat(characters / 2), 1, "x".repeat(characters / 2))]);
  const writes = [write("large 1", 12), write("large 2", 12)];
  await soon();
  writes.push(write("small", 10));
  expect(began).toEqual([expect.stringMatching(/^large/), "small"]);
  for (const { end } of running.splice(0)) end();
  await soon();
  expect([...began].sort()).toEqual(["large 1", "large 2", "small"]);
  for (const { end } of running.splice(0)) end();
  await Promise.all(writes);
});
