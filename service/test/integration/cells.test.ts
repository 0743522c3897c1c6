import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import * as contracts from "@engram/spec";
import { expect, test } from "vitest";
import { background, createApp } from "../../src/app.ts";
import { OrganizationCell } from "../../src/cell.ts";
import type { Env, Isolate } from "../../src/invocation.ts";
import { openIsolate } from "../../src/isolate.ts";
import { SERVICE_LIMITS } from "../../src/limits.ts";
import { report } from "../../src/organizations/service.ts";
import { migrate } from "../../src/platform/cell-migrations.ts";
import scan from "../../src/platform/cell-vectors/scan-int8.wasm";
import { interceptCalls } from "../../src/platform/database-calls.ts";
import { MIGRATIONS } from "../../src/platform/generated/migrations.ts";
import { cellOf, createIn, selectInD1, selectOneInD1 } from "../support/cells.ts";
import { callerOf, createKey, operator, seedConversation } from "../support/client.ts";
import { d1, env, vectorize } from "../support/env.ts";
import { Clock, Service, vectorsOf } from "../support/invocations.ts";
import { promptRuntime } from "../support/runtime.ts";

/** The bindings of the objects. */
const productEnv = { ...env, DB: d1 } as unknown as Env;

/** What an object shares with its Worker. */
const partsOf = (isolate: Isolate) => ({ isolate, fetch: createApp(isolate).fetch, background, scan });

/** Rows of an organization's cell. */
const selectIn = <Row>(organizationId: string, sql: string): Promise<Row[]> =>
  runInDurableObject(cellOf(organizationId), (_, { storage }) =>
    Array.from(storage.sql.exec(sql) as Iterable<Row>),
  );

/** The tables of D1 that have rows of an organization, apart from its vectors. */
async function tablesWith(organizationId: string): Promise<string[]> {
  const tables = await selectInD1<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%organization_id TEXT%'",
  );
  const counts = await Promise.all(
    tables.map(({ name }) =>
      selectOneInD1<{ n: number }>(
        `SELECT count(*) AS n FROM ${name} WHERE organization_id = ?`,
        organizationId,
      ),
    ),
  );
  return tables.filter((_, i) => counts[i]?.n !== 0).map(({ name }) => name);
}

const searchOf = (caller: { call: ReturnType<typeof callerOf>["call"] }, mode = "hybrid") =>
  caller
    .call(contracts.search, { body: { query: "When does the zeppelin land?", mode } })
    .then(({ results }) => results.map(({ conversation_id }) => conversation_id));

test("an organization in a cell has its rows there, and D1 only says where they are", async () => {
  const caller = await createIn("cell");
  const { organizationId } = caller;
  expect(caller.organization.place).toBe("cell");
  const id = await seedConversation(caller, ["The zeppelin lands at noon.", "Bring an umbrella."]);
  expect(await searchOf(caller)).toEqual([id]);
  expect([await tablesWith(organizationId), await vectorsOf(organizationId, vectorize)]).toEqual([[], []]);
  expect(await selectOneInD1("SELECT name, place FROM organizations WHERE id = ?", organizationId)).toEqual({
    name: "test",
    place: "cell",
  });
  expect(await selectIn(organizationId, "SELECT count(*) AS n FROM messages")).toEqual([{ n: 2 }]);
  const params = { organization_id: organizationId };
  const got = await caller.call(contracts.getOrganization, { params });
  expect(got).toMatchObject({ place: "cell", message_count: 2 });
  expect(await operator.call(contracts.getOrganization, { params })).toEqual(got);
});

test("a write that a cell of the version before cannot make is refused, and a fault of this version is reported", async () => {
  const caller = await createIn("cell");
  const newest = MIGRATIONS.at(-1)?.name;
  const exec = (statement: string) => selectIn(caller.organizationId, statement);
  await exec(`DELETE FROM d1_migrations WHERE name = '${newest}'`);
  await exec("ALTER TABLE evaluations RENAME TO later_evaluations");
  const body = { request: { query: "zeppelin" }, expected: ["msg_00000000000000000000"] };
  const refused = await caller.fail(contracts.createEvaluation, { body });
  expect(refused).toMatchObject({
    code: "unavailable",
    detail: expect.stringContaining("Nothing was changed"),
  });
  await exec(`INSERT INTO d1_migrations (name) VALUES ('${newest}')`);
  expect(await caller.fail(contracts.createEvaluation, { body })).toMatchObject({ code: "internal" });
});

test("a deployment without cells refuses them, and says so in its answers", async () => {
  const service = new Service({ CELLS: undefined, DEFAULT_PLACE: "cell" });
  const admin = service.callerOf(env.ADMIN_TOKEN);
  const body = { name: "test" };
  const problem = await admin.fail(contracts.createOrganization, { body: { ...body, place: "cell" } });
  expect(problem).toMatchObject({ code: "validation_failed", errors: [{ path: "place" }] });
  const { organization } = await admin.call(contracts.createOrganization, { body });
  expect(organization.place).toBe("d1");
});

test("an organization is nowhere else than where it was created, whatever its secret says", async () => {
  const [inCell, inD1] = [await createIn("cell"), await createIn("d1")];
  const id = await seedConversation(inCell, ["The zeppelin lands at noon."]);
  const read = { params: { conversation_id: id } };
  expect(await inD1.fail(contracts.getConversation, read)).toMatchObject({ code: "not_found" });
  // The same secrets at a deployment that looks in D1 alone, and a secret that was never given.
  const withoutCells = new Service({ CELLS: undefined });
  expect(await withoutCells.callerOf(inCell.secret).fail(contracts.getConversation, read)).toMatchObject({
    code: "unauthenticated",
  });
  const { createSecret } = await import("../../src/keys/secrets.ts");
  const { systemRuntime } = await import("../../src/platform/runtime.ts");
  const stranger = callerOf(await createSecret(systemRuntime, inCell.organizationId));
  expect(await stranger.fail(contracts.getConversation, read)).toMatchObject({ code: "unauthenticated" });
});

test("if D1 fails while an organization is created, nobody gets a key, and D1 lists nothing", async () => {
  let created = "";
  const DB = interceptCalls(env.DB, async (call, send) => {
    const insert = call.statements.find(({ sql }) => /INSERT INTO organizations .*place/s.test(sql));
    if (insert === undefined) return send();
    created = String(insert.values.find((value) => String(value).startsWith("org_")));
    throw new Error("D1_ERROR: down");
  });
  const failing = new Service({ DB }).callerOf(env.ADMIN_TOKEN);
  const body = { name: "test", place: "cell" };
  const headers = { "idempotency-key": crypto.randomUUID() };
  expect(await failing.fail(contracts.createOrganization, { body, headers })).toMatchObject({ status: 500 });
  expect(created).toMatch(/^org_/);
  const params = { organization_id: created };
  expect(await operator.fail(contracts.getOrganization, { params })).toMatchObject({ code: "not_found" });
  const { organization } = await operator.call(contracts.createOrganization, { body, headers });
  expect(organization.id).not.toBe(created);
  // Its cell waits for a time, in which D1 may still list it, and is then erased.
  const organizationsAfter = async (ms: number) => {
    await runInDurableObject(cellOf(created), async (_, state) => {
      const clock = new Clock();
      clock.advance(ms);
      await new OrganizationCell(state, productEnv, partsOf(openIsolate(clock))).alarm();
    }).catch(() => {});
    return selectIn(created, "SELECT id FROM organizations");
  };
  expect(await organizationsAfter(60_000)).toEqual([{ id: created }]);
  // One that was used stays: D1 may have been restored to a time before it was created.
  await selectIn(
    created,
    `INSERT INTO usage (organization_id, day, key_id, requests, messages, message_bytes, searches, embeddings)
     SELECT id, '2026-11-01', '', 1, 0, 0, 0, 0 FROM organizations`,
  );
  expect(await organizationsAfter(660_000)).toEqual([{ id: created }]);
  await selectIn(created, "DELETE FROM usage");
  expect(await organizationsAfter(660_000)).toEqual([]);
});

test("a key that is revoked in the cell ends at once in an isolate that has it cached", async () => {
  const caller = await createIn("cell");
  const key = await createKey(caller, { scopes: ["read"] });
  const other = new Service().callerOf(key.secret);
  await other.call(contracts.listConversations);
  await caller.call(contracts.revokeKey, { params: { key_id: key.keyId } });
  expect(await other.fail(contracts.listConversations)).toMatchObject({ code: "unauthenticated" });
});

test("the alarm of a cell indexes what no request has indexed, and reports the size to D1", async () => {
  const caller = await createIn("cell");
  const { organizationId } = caller;
  // This isolate dies before it indexes.
  const dying = new Service({}, new Clock());
  const id = await dying
    .callerOf(caller.secret)
    .call(contracts.createConversation, { body: {} })
    .then(async ({ id }) => {
      const messages = [{ role: "user", content: "The zeppelin lands at noon." }];
      const parts = { params: { conversation_id: id }, body: { messages } };
      const busy = new Service({ AI: { run: () => new Promise(() => {}) } as never });
      await busy.callerOf(caller.secret).call(contracts.appendMessages, parts);
      return id;
    });
  const due = "UPDATE index_jobs SET due_at_ms = 0, quiet_until_ms = NULL, lease_until_ms = NULL";
  await selectIn(organizationId, due);
  expect(await searchOf(caller, "semantic")).toEqual([]);
  expect(await runDurableObjectAlarm(cellOf(organizationId))).toBe(true);
  expect(await searchOf(caller, "semantic")).toEqual([id]);
  const { items } = await operator.call(contracts.listOrganizations, { query: { limit: 100 } });
  expect(items.find((item) => item.id === organizationId)).toMatchObject({
    place: "cell",
    conversation_count: 1,
    message_count: 1,
  });
  expect(await tablesWith(organizationId)).toEqual([]);
});

test("an idle cell plans its next sweep within a day, and one with work in a minute", async () => {
  const caller = await createIn("cell");
  const cell = cellOf(caller.organizationId);
  const nextMs = () =>
    runInDurableObject(cell, async (_, { storage }) => ((await storage.getAlarm()) ?? 0) - Date.now());
  expect(await nextMs()).toBeLessThanOrEqual(60_000);
  // The audit event of the first key is chained when it is a minute old.
  await selectIn(caller.organizationId, "UPDATE audit_events SET number = 1, hash = ''");
  await runDurableObjectAlarm(cell);
  expect(await nextMs()).toBeGreaterThan(64_000_000);
  await caller.call(contracts.createWebhook, { body: { url: "https://hooks.example.com/a" } });
  await selectIn(caller.organizationId, "UPDATE webhooks SET position = 0");
  await runDurableObjectAlarm(cell);
  expect(await nextMs()).toBeLessThanOrEqual(60_000);
});

test("a cell that has indexing due soon is not kept awake for it: its next sweep comes then", async () => {
  const caller = await createIn("cell");
  const { organizationId } = caller;
  const cell = cellOf(organizationId);
  const { id } = await caller.call(contracts.createConversation, { body: {} });
  // This isolate dies before it indexes.
  const busy = new Service({ AI: { run: () => new Promise(() => {}) } as never });
  const parts = { params: { conversation_id: id }, body: { messages: [{ role: "user", content: "Noon." }] } };
  await busy.callerOf(caller.secret).call(contracts.appendMessages, parts);
  const dueMs = Date.now() + 30_000;
  for (const sql of [
    "UPDATE audit_events SET number = 1, hash = ''",
    `UPDATE index_jobs SET due_at_ms = ${dueMs}, quiet_until_ms = NULL, lease_until_ms = NULL`,
  ])
    await selectIn(organizationId, sql);
  await runDurableObjectAlarm(cell);
  expect(Date.now()).toBeLessThan(dueMs - 20_000);
  const nextMs = await runInDurableObject(cell, (_, { storage }) => storage.getAlarm());
  expect(nextMs).toBeGreaterThanOrEqual(dueMs);
  expect(nextMs).toBeLessThan(dueMs + 10_000);
});

test("a write to an idle cell moves its next sweep forward, also if the cell was reset", async () => {
  const caller = await createIn("cell");
  const cell = cellOf(caller.organizationId);
  const nextMs = () =>
    runInDurableObject(cell, async (_, { storage }) => ((await storage.getAlarm()) ?? 0) - Date.now());
  const restCell = async () => {
    const done = ["UPDATE audit_events SET number = 1, hash = ''", "DELETE FROM index_jobs"];
    for (const sql of done) await selectIn(caller.organizationId, sql);
    await runDurableObjectAlarm(cell);
    expect(await nextMs()).toBeGreaterThan(64_000_000);
  };
  await restCell();
  await caller.call(contracts.createConversation, { body: {} });
  expect(await nextMs()).toBeLessThanOrEqual(60_000);
  await restCell();
  await runInDurableObject(cell, async (_, state) => {
    const again = new OrganizationCell(state, productEnv, partsOf(openIsolate(promptRuntime)));
    await again.run([{ sql: "UPDATE organizations SET name = 'x'", values: [] }]);
  });
  expect(await nextMs()).toBeLessThanOrEqual(60_000);
});

test("usage waits for the next write if D1 does not say where the organization is", async () => {
  const caller = await createIn("cell");
  const clock = new Clock();
  let isDown = false;
  const DB = interceptCalls(env.DB, (_, send) =>
    isDown ? Promise.reject(new Error("D1_ERROR: down")) : send(),
  );
  const service = new Service({ DB }, clock);
  await service.callerOf(caller.secret).call(contracts.listConversations);
  const { writeUsage } = await import("../../src/usage/service.ts");
  // By then, the isolate has forgotten the place.
  clock.advance(120_000);
  isDown = true;
  await expect(writeUsage(service.context())).rejects.toThrow("down");
  isDown = false;
  await writeUsage(service.context());
  const counted = await selectIn(caller.organizationId, "SELECT requests FROM usage WHERE key_id <> ''");
  expect(counted).toEqual([{ requests: 1 }]);
});

test("usage is counted in the cell", async () => {
  const caller = await createIn("cell");
  const service = new Service({}, new Clock());
  await service.callerOf(caller.secret).call(contracts.listConversations);
  const { writeUsage } = await import("../../src/usage/service.ts");
  await writeUsage(service.context());
  const counted = await selectIn(caller.organizationId, "SELECT requests FROM usage WHERE key_id <> ''");
  expect(counted).toEqual([{ requests: 1 }]);
  expect(await tablesWith(caller.organizationId)).toEqual([]);
});

test("a deleted organization leaves its receipt in D1, then its cell is erased", async () => {
  const caller = await createIn("cell");
  const { organizationId } = caller;
  await seedConversation(caller, ["The zeppelin lands at noon.", "Bring an umbrella."]);
  // It waits for lines, which do not come any more.
  await caller.call(contracts.createImport, { body: { lines: 7 } });
  const vectors = "SELECT count(*) AS n FROM cell_vectors";
  expect(await selectIn(organizationId, vectors)).toEqual([{ n: 1 }]);
  const params = { organization_id: organizationId };
  const { id: operation_id } = await operator.call(contracts.deleteOrganization, { params });
  expect(await caller.fail(contracts.listConversations)).toMatchObject({ code: "unauthenticated" });
  const receipt = () => operator.call(contracts.getOperation, { params: { operation_id } });
  expect(await receipt()).toMatchObject({ type: "delete_organization", status: "running" });
  expect(await operator.call(contracts.getOrganization, { params })).toMatchObject({
    deleted_at: expect.any(String),
  });
  // The request dies before it reports the deletion, and the first sweep purges the organization before it does.
  const reported = "SELECT deleted_at_ms > 0 AS is_deleted, operation_id FROM organizations WHERE id = ?";
  const known = await selectOneInD1(reported, organizationId);
  await d1
    .prepare("UPDATE organizations SET deleted_at_ms = NULL, operation_id = NULL WHERE id = ?")
    .bind(organizationId)
    .run();
  const clock = new Clock();
  const service = new Service({}, clock);
  while ((await selectIn(organizationId, "SELECT id FROM organizations")).length > 0)
    await service.sweepAt(organizationId);
  await report(service.context().at(organizationId), organizationId);
  expect(await selectOneInD1(reported, organizationId)).toEqual(known);
  for (let sweeps = 0; (await receipt()).status === "running"; sweeps++) {
    expect(sweeps).toBeLessThan(20);
    clock.advance(300_000);
    await service.sweepAt(organizationId);
  }
  const completed = await receipt();
  expect(completed).toMatchObject({ status: "succeeded", target_id: organizationId });
  await runDurableObjectAlarm(cellOf(organizationId)).catch(() => {});
  expect(await receipt()).toEqual(completed);
  expect(await selectIn(organizationId, vectors)).toEqual([{ n: 0 }]);
  expect(await operator.fail(contracts.getOrganization, { params })).toMatchObject({ code: "not_found" });
  expect(
    await selectInD1("SELECT action FROM audit_events WHERE organization_id = ?", organizationId),
  ).toEqual([{ action: "organization.deleted" }]);
  expect(await selectIn(organizationId, "SELECT count(*) AS n FROM operations")).toEqual([{ n: 0 }]);
});

test("a deletion is not complete as long as a write of its vectors may be on its way to the cell", async () => {
  const caller = await createIn("cell");
  const { organizationId } = caller;
  const id = await seedConversation(caller, ["The zeppelin lands at noon."]);
  await caller.call(contracts.deleteConversation, { params: { conversation_id: id } });
  await runDurableObjectAlarm(cellOf(organizationId));
  const waits = await selectIn<{ ms: number }>(
    organizationId,
    "SELECT due_at_ms - sent_at_ms AS ms FROM vector_deletions",
  );
  expect(waits).toEqual([{ ms: SERVICE_LIMITS.indexLeaseMs }]);
});

test("a cell that cannot leave its receipt because D1 is down is erased later", async () => {
  const caller = await createIn("cell");
  const { organizationId } = caller;
  const params = { organization_id: organizationId };
  await operator.call(contracts.deleteOrganization, { params });
  const clock = new Clock();
  const service = new Service({}, clock);
  for (let sweeps = 0; sweeps < 3; sweeps++) {
    clock.advance(300_000);
    await service.sweepAt(organizationId);
  }
  const DB = interceptCalls(d1, () => Promise.reject(new Error("D1_ERROR: down")));
  const nextMs = await runInDurableObject(cellOf(organizationId), async (_, state) => {
    await state.storage.deleteAlarm();
    const cell = new OrganizationCell(state, { ...productEnv, DB }, partsOf(openIsolate(promptRuntime)));
    await cell.alarm();
    return ((await state.storage.getAlarm()) ?? 0) - Date.now();
  });
  expect(nextMs).toBeGreaterThan(0);
  expect(nextMs).toBeLessThanOrEqual(60_000);
  const listed = () => selectOneInD1("SELECT place FROM organizations WHERE id = ?", organizationId);
  expect(await listed()).toEqual({ place: "cell" });
  await runDurableObjectAlarm(cellOf(organizationId)).catch(() => {});
  expect(await listed()).toBeUndefined();
});

test("the operator can cancel the deletion of an organization in a cell", async () => {
  const caller = await createIn("cell");
  const id = await seedConversation(caller, ["The zeppelin lands at noon."]);
  const params = { organization_id: caller.organizationId };
  const { id: operation_id } = await operator.call(contracts.deleteOrganization, { params });
  await operator.call(contracts.cancelOperation, { params: { operation_id } });
  expect(await searchOf(caller)).toEqual([id]);
  // D1 knows at once that the organization exists, and would move it.
  const moved = await operator.call(contracts.moveOrganization, { params, body: { place: "cell" } });
  expect(moved).toMatchObject({ status: "succeeded" });
  // Also after the cell has reported it.
  await runDurableObjectAlarm(cellOf(caller.organizationId));
  const receipt = await operator.call(contracts.getOperation, { params: { operation_id } });
  expect(receipt).toMatchObject({ status: "canceled" });
  expect(await operator.call(contracts.getOrganization, { params })).toMatchObject({ deleted_at: null });
});

test("a cell that was reset answers again, with all that it has confirmed", async () => {
  const caller = await createIn("cell");
  const id = await seedConversation(caller, ["The zeppelin lands at noon."]);
  await runInDurableObject(cellOf(caller.organizationId), (_, state) => state.abort("reset by a test")).catch(
    () => {},
  );
  expect(await searchOf(caller)).toEqual([id]);
});

test("a cell applies the migrations that it lacks, and each once", async () => {
  const tables =
    "SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE '\\_cf%' ESCAPE '\\' AND name NOT LIKE 'moving%' ORDER BY name";
  await runInDurableObject(env.DATABASE.getByName("earlier"), (_, { storage }) => {
    const all = MIGRATIONS.slice(0, 20);
    storage.sql.exec("CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE)");
    for (const { name, sql } of all) {
      storage.sql.exec(sql);
      storage.sql.exec("INSERT INTO d1_migrations (name) VALUES (?)", name);
    }
    expect(migrate(storage)).toBe(false);
    const once = Array.from(storage.sql.exec(tables));
    expect(migrate(storage)).toBe(false);
    expect(Array.from(storage.sql.exec(tables))).toEqual(once);
    const names = Array.from(
      storage.sql.exec("SELECT name FROM d1_migrations ORDER BY id"),
      ({ name }) => name,
    );
    expect(names).toEqual(MIGRATIONS.map(({ name }) => name));
  });
  const whole = await runInDurableObject(env.DATABASE.getByName("new"), (_, { storage }) => {
    expect(migrate(storage)).toBe(true);
    return Array.from(storage.sql.exec(tables));
  });
  const inD1 = await selectInD1<{ name: string; sql: string }>(tables);
  const textOf = ({ name, sql }: Record<string, unknown>) => [
    name,
    String(sql).replace(/--.*$/gm, "").replace(/\s+/g, ""),
  ];
  const known = (rows: Record<string, unknown>[]) =>
    rows
      .map(textOf)
      .filter(([name]) => name !== "d1_migrations" && name !== "sqlite_autoindex_d1_migrations_1");
  expect(known(whole)).toEqual(known(inD1));
});
