import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import * as contracts from "@engram/spec";
import { expect, test } from "vitest";
import type { AnsweringCell, Env } from "../../src/invocation.ts";
import { MIGRATIONS } from "../../src/platform/generated/migrations.ts";
import { cellOf, createIn } from "../support/cells.ts";
import { operator, seedConversation } from "../support/client.ts";
import { env } from "../support/env.ts";
import { Service, selectRow } from "../support/invocations.ts";

const migration = MIGRATIONS.at(-1)?.name;
const NOTHING = {
  ...{ index_jobs: 0, failed_index_jobs: 0, enrichment_jobs: 0, summary_jobs: 0, late_words: 0 },
  ...{ deletions: 0, vector_deletions: 0, operations: 0, webhooks: 0 },
};

const healthOf = (organization_id: string, admin = operator) =>
  admin.call(contracts.getOrganizationHealth, { params: { organization_id } });

/** Puts one piece of each kind of work into a database, due at times from 10 seconds after 1970 on. */
const WORK = (id: string, conversation: string) => [
  `INSERT INTO index_jobs (organization_id, conversation_id, from_sequence, to_sequence, due_at_ms)
   VALUES ('${id}', '${conversation}', 1, 1, 10000)`,
  `INSERT INTO index_jobs (organization_id, conversation_id, from_sequence, to_sequence, attempts, due_at_ms)
   VALUES ('${id}', '${conversation}', 2, 2, 10, 1)`,
  `INSERT INTO enrichment_jobs (organization_id, memory_id, pass, due_at_ms) VALUES ('${id}', 'mem_1', 1, 20000)`,
  `INSERT OR REPLACE INTO summary_jobs (organization_id, conversation_id, from_sequence, to_sequence, due_at_ms)
   VALUES ('${id}', '${conversation}', 1, 1, 30000)`,
  `INSERT INTO late_words (organization_id, row_key, due_at_ms) VALUES ('${id}', 999999, 40000)`,
  `UPDATE conversations SET deleted_at_ms = 50000 WHERE organization_id = '${id}' AND id = '${conversation}'`,
  `INSERT INTO vector_deletions (organization_id, vector_id, conversation_id, queued_at_ms, due_at_ms)
   VALUES ('${id}', 'v', '${conversation}', 1, 60000)`,
  `INSERT INTO operations (organization_id, id, type, target_id, created_at_ms) VALUES ('${id}', 'op_${id}', 'repair_index', 'x', 1)`,
  `INSERT INTO webhooks (organization_id, id, url, secret, position, next_attempt_at_ms, created_at_ms, updated_at_ms)
   VALUES ('${id}', 'wh_${id}', 'x', 'x', 0, 70000, 1, 1)`,
];
const ONE_OF_EACH = Object.fromEntries(Object.keys(NOTHING).map((kind) => [kind, 1]));
const REST = (id: string) =>
  [
    ...["index_jobs", "summary_jobs", "enrichment_jobs", "late_words", "vector_deletions"],
    ...["operations", "webhooks"],
  ].map((table) => `DELETE FROM ${table} WHERE organization_id = '${id}'`);

test("a cell tells its migration, size, work, and its last and next sweep", async () => {
  const caller = await createIn("cell");
  const { organizationId } = caller;
  const cell = cellOf(organizationId);
  const conversation = await seedConversation(caller, ["The zeppelin lands at noon."]);
  const created = await healthOf(organizationId);
  expect(created).toMatchObject({ last_sweep_at: null, next_sweep_at: expect.any(String) });
  const beforeMs = Date.now();
  await runDurableObjectAlarm(cell);
  const write = (statements: string[]) =>
    runInDurableObject(cell, async (_, { storage }) => {
      for (const sql of statements) storage.sql.exec(sql);
      return { size: storage.sql.databaseSize, alarmMs: await storage.getAlarm() };
    });
  const { size, alarmMs } = await write(REST(organizationId));
  expect(await healthOf(organizationId)).toEqual({
    organization_id: organizationId,
    ...{ place: "cell", reachable: true, failure: null, migration, size_bytes: size },
    ...{ work: NOTHING, oldest_due_at: null },
    next_sweep_at: new Date(alarmMs ?? 0).toISOString(),
    last_sweep_at: expect.any(String),
  });
  const { last_sweep_at } = await healthOf(organizationId);
  expect(Date.parse(last_sweep_at ?? "")).toBeGreaterThanOrEqual(beforeMs);
  await write(WORK(organizationId, conversation));
  const busy = await healthOf(organizationId);
  expect(busy.work).toEqual(ONE_OF_EACH);
  expect(busy.oldest_due_at).toBe(new Date(10_000).toISOString());
});

test("an organization in D1 tells its own work, and nothing of a cell", async () => {
  const [one, other] = [await createIn("d1"), await createIn("d1")];
  const conversation = await seedConversation(other, ["hello"]);
  const run = async (statements: string[]) => {
    for (const sql of statements) await env.DB.prepare(sql).run();
  };
  await run([...REST(one.organizationId), ...REST(other.organizationId)]);
  await run(WORK(other.organizationId, conversation));
  const common = {
    ...{ place: "d1", reachable: true, failure: null, size_bytes: null },
    ...{ next_sweep_at: null, last_sweep_at: null },
  };
  const applied = await selectRow<{ name: string }>(
    "SELECT name FROM d1_migrations ORDER BY id DESC LIMIT 1",
  );
  expect(await healthOf(one.organizationId)).toEqual({
    organization_id: one.organizationId,
    ...{ ...common, migration: applied.name, work: NOTHING, oldest_due_at: null },
  });
  expect(await healthOf(other.organizationId)).toMatchObject({
    ...{ ...common, work: ONE_OF_EACH, oldest_due_at: new Date(10_000).toISOString() },
  });
  await run(REST(other.organizationId));
});

/** Operator of a deployment in which calls of cells fail. */
const withCells = (calls: Partial<AnsweringCell>) => {
  const CELLS: Env["CELLS"] = {
    getByName: (...of) => {
      const cell = env.CELLS.getByName(...of);
      return {
        run: (statements) => cell.run(statements),
        state: () => cell.state(),
        ...calls,
      } as AnsweringCell;
    },
    jurisdiction: () => CELLS as NonNullable<Env["CELLS"]>,
  };
  return new Service({ CELLS }, undefined, { databaseReadMs: 200 }).callerOf(env.ADMIN_TOKEN);
};

test.for<[failure: string, run: () => Promise<never>]>([
  ["timeout", () => new Promise(() => {})],
  [
    "overloaded",
    () => Promise.reject(Object.assign(new Error("busy"), { overloaded: true, retryable: true })),
  ],
  ["reset", () => Promise.reject(Object.assign(new Error("reset"), { durableObjectReset: true }))],
  ["other", () => Promise.reject(new Error("a migration failed"))],
])("a cell that does not respond is reported with what is known of it: %s", async ([failure, run]) => {
  const { organizationId } = await createIn("cell");
  await runDurableObjectAlarm(cellOf(organizationId));
  const { size_bytes, last_sweep_at } = await healthOf(organizationId);
  expect(await healthOf(organizationId, withCells({ run, state: run }))).toEqual({
    organization_id: organizationId,
    ...{ place: "cell", reachable: false, failure, migration: null, work: null, oldest_due_at: null },
    ...{ next_sweep_at: null, size_bytes, last_sweep_at },
  });
});

test("a cell of the version before, which cannot tell its state, counts as reached", async () => {
  const { organizationId } = await createIn("cell");
  const admin = withCells({
    state: () => Promise.reject(new TypeError('The RPC receiver does not implement the method "state".')),
  });
  expect(await healthOf(organizationId, admin)).toMatchObject({
    ...{ reachable: true, failure: null, migration, next_sweep_at: null },
  });
});
