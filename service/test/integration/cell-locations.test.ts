import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env as workerEnv } from "cloudflare:workers";
import * as contracts from "@engram/spec";
import { expect, test } from "vitest";
import type { Env } from "../../src/invocation.ts";
import { IN_D1 } from "../../src/platform/objects.ts";
import { recordedEvent } from "../../src/platform/recorded-events.ts";
import { batch } from "../../src/platform/sql.ts";
import { callerOf, operator, seedConversation } from "../support/client.ts";
import { env } from "../support/env.ts";
import { Clock, Service, selectRow, selectRows } from "../support/invocations.ts";

/** The bindings of the runtime, which has no jurisdictions. */
const bound = workerEnv as unknown as Required<Pick<Env, "CELLS" | "HUB">>;

type Wanted = { jurisdiction: "eu" | "fedramp" } | { location: "weur" };

async function createAt(wanted: Wanted) {
  const body = { name: "test", ...wanted };
  const { organization, key } = await operator.call(contracts.createOrganization, { body });
  return { ...callerOf(key.secret), organizationId: organization.id, organization };
}

/** The object of this name in a jurisdiction, and the other one of the same name. */
const objectsOf = (organizationId: string) => {
  const [inJurisdiction, outside] = [env.CELLS_ELSEWHERE, bound.CELLS].map((namespace) =>
    (namespace as unknown as DurableObjectNamespace).getByName(organizationId),
  );
  return { inJurisdiction, outside } as Record<"inJurisdiction" | "outside", DurableObjectStub>;
};

const select = <Row>(object: DurableObjectStub, sql: string): Promise<Row[]> =>
  runInDurableObject(object, (_, { storage }) => Array.from(storage.sql.exec(sql) as Iterable<Row>));

test("an organization in a jurisdiction has its rows, vectors and sweeps in the object of that jurisdiction", async () => {
  const caller = await createAt({ jurisdiction: "eu" });
  const { organizationId, organization } = caller;
  expect(organization).toMatchObject({ place: "cell", jurisdiction: "eu", location: null });
  const id = await seedConversation(caller, ["The zeppelin lands at noon."]);
  const query = "When does the zeppelin land?";
  // Also in an isolate that has to ask the directory.
  for (const one of [caller, new Service({}, new Clock()).callerOf(caller.secret)]) {
    const { results } = await one.call(contracts.search, { body: { query } });
    expect(results.map(({ conversation_id }) => conversation_id)).toEqual([id]);
  }
  const { inJurisdiction, outside } = objectsOf(organizationId);
  const counts =
    "SELECT (SELECT count(*) FROM messages) AS messages, (SELECT count(*) FROM cell_vectors) AS vectors";
  expect(await select(inJurisdiction, counts)).toEqual([{ messages: 1, vectors: 1 }]);
  expect(await select(outside, "SELECT id FROM organizations")).toEqual([]);
  const params = { organization_id: organizationId };
  const got = await caller.call(contracts.getOrganization, { params });
  expect(got).toMatchObject({ place: "cell", jurisdiction: "eu", location: null, message_count: 1 });
  expect(await operator.call(contracts.getOrganization, { params })).toEqual(got);
  expect(await runDurableObjectAlarm(inJurisdiction)).toBe(true);
  const { items } = await operator.call(contracts.listOrganizations, { query: { limit: 100 } });
  expect(items.find((one) => one.id === organizationId)).toMatchObject({
    ...{ place: "cell", jurisdiction: "eu", location: null },
    message_count: 1,
  });
});

test("a cell is asked for near its location", async () => {
  const asked: unknown[] = [];
  const CELLS: Env["CELLS"] = {
    getByName: (id, options) => {
      asked.push(options);
      return env.CELLS.getByName(id, options);
    },
    jurisdiction: (name) => env.CELLS.jurisdiction(name),
  };
  const service = new Service({ CELLS });
  const body = { name: "test", location: "weur" };
  const { organization, key } = await service
    .callerOf(env.ADMIN_TOKEN)
    .call(contracts.createOrganization, { body });
  expect(organization).toMatchObject({ place: "cell", jurisdiction: null, location: "weur" });
  await service.callerOf(key.secret).call(contracts.listConversations);
  expect(asked.length).toBeGreaterThan(1);
  for (const options of asked) expect(options).toEqual({ locationHint: "weur" });
  const row = "SELECT place, jurisdiction, location FROM organizations WHERE id = ?";
  expect(await selectRow(row, organization.id)).toEqual({
    ...{ place: "cell", jurisdiction: null, location: "weur" },
  });
});

test("the hub of an organization in a jurisdiction is in that jurisdiction, too", async () => {
  const caller = await createAt({ jurisdiction: "fedramp" });
  const { organizationId } = caller;
  const conversation_id = await seedConversation(caller, ["hello"]);
  const presence = { params: { conversation_id }, body: { state: { typing: true } } };
  await caller.call(contracts.setPresence, presence);
  const hubs = [env.HUB_ELSEWHERE, bound.HUB];
  const present = await Promise.all(
    hubs.map((hub) => hub.getByName(organizationId).listPresences(conversation_id, organizationId)),
  );
  expect(present.map((list) => list.length)).toEqual([1, 0]);
  // A request that waits, and the write that wakes it.
  const { items, after } = await caller.call(contracts.listEvents, { query: { limit: 100 } });
  expect(items.length).toBeGreaterThan(0);
  const opened: string[] = [];
  const record = (name: string, hub: NonNullable<Env["HUB"]>): NonNullable<Env["HUB"]> => ({
    getByName: (...of) => {
      opened.push(name);
      return hub.getByName(...of);
    },
    jurisdiction: (jurisdiction) => record(jurisdiction, hub.jurisdiction(jurisdiction)),
  });
  const service = new Service({ HUB: record("none", env.HUB) });
  const own = service.callerOf(caller.secret);
  const waiting = own.call(contracts.listEvents, { query: { after, wait_seconds: 20 } });
  await expect.poll(() => opened).toEqual(["fedramp"]);
  await own.call(contracts.createConversation, { body: {} });
  expect((await waiting).items.map(({ type }) => type)).toEqual(["conversation.created"]);
  await service.settle();
  expect(opened).toEqual(["fedramp", "fedramp"]);
});

test("work on D1 asks for no residence to wake the listeners of an organization that is in it", async () => {
  const body = { name: "test", place: "d1" };
  const { organization } = await operator.call(contracts.createOrganization, { body });
  expect(organization).toMatchObject({ place: "d1", jurisdiction: null, location: null });
  const service = new Service();
  const { caches, db } = service.context();
  let asked = 0;
  caches.places.find = async () => {
    asked++;
    return IN_D1;
  };
  const { id } = organization;
  await batch(db, [recordedEvent("memory.created", { organizationId: id, subjectId: "mem_1", nowMs: 0 })]);
  await service.settle();
  expect(asked).toBe(0);
});

test.for<[string, path: string, body: object]>([
  ["both", "location", { jurisdiction: "eu", location: "weur" }],
  ["both, in a cell", "location", { place: "cell", jurisdiction: "eu", location: "weur" }],
  ["a jurisdiction in D1", "jurisdiction", { place: "d1", jurisdiction: "eu" }],
  ["a location in D1", "location", { place: "d1", location: "weur" }],
  ["an unknown jurisdiction", "jurisdiction", { jurisdiction: "mars" }],
  ["an unknown location", "location", { location: "mars" }],
])("refuses %s, and creates nothing", async ([, path, wanted]) => {
  const count = () => selectRows("SELECT count(*) AS n FROM organizations");
  const before = await count();
  const body = { name: "test", ...wanted };
  const problem = await operator.fail(contracts.createOrganization, { body });
  expect(problem).toMatchObject({ code: "validation_failed", errors: [{ path }] });
  expect(await count()).toEqual(before);
});

test("refuses a jurisdiction where the runtime has none, or the deployment no cells", async () => {
  const body = { name: "test", jurisdiction: "eu" };
  for (const CELLS of [bound.CELLS, undefined]) {
    const admin = new Service({ CELLS }).callerOf(env.ADMIN_TOKEN);
    const problem = await admin.fail(contracts.createOrganization, { body });
    expect(problem).toMatchObject({ code: "validation_failed", errors: [{ path: "jurisdiction" }] });
    expect(problem.detail).toContain(CELLS ? "has no jurisdictions" : "has no cells");
  }
});

test("a deleted organization in a jurisdiction leaves its receipt in D1, then that object is erased", async () => {
  const caller = await createAt({ jurisdiction: "eu" });
  const { organizationId } = caller;
  await seedConversation(caller, ["The zeppelin lands at noon."]);
  const params = { organization_id: organizationId };
  const { id: operation_id } = await operator.call(contracts.deleteOrganization, { params });
  expect(await caller.fail(contracts.listConversations)).toMatchObject({ code: "unauthenticated" });
  const receipt = () => operator.call(contracts.getOperation, { params: { operation_id } });
  expect(await receipt()).toMatchObject({ type: "delete_organization", status: "running" });
  const clock = new Clock();
  const service = new Service({}, clock);
  for (let sweeps = 0; (await receipt()).status === "running"; sweeps++) {
    expect(sweeps).toBeLessThan(20);
    clock.advance(300_000);
    await service.sweep(service.context().at(organizationId));
  }
  const completed = await receipt();
  expect(completed).toMatchObject({ status: "succeeded", target_id: organizationId });
  // A new stub each time, because the alarm resets the object.
  const cell = () => objectsOf(organizationId).inJurisdiction;
  const listed = () => selectRows("SELECT jurisdiction FROM organizations WHERE id = ?", organizationId);
  expect(await listed()).toEqual([{ jurisdiction: "eu" }]);
  await runDurableObjectAlarm(cell()).catch(() => {});
  expect(await listed()).toEqual([]);
  expect(await receipt()).toEqual(completed);
  const left =
    "SELECT (SELECT count(*) FROM operations) AS operations, (SELECT count(*) FROM cell_vectors) AS vectors";
  expect(await select(cell(), left)).toEqual([{ operations: 0, vectors: 0 }]);
  expect(await operator.fail(contracts.getOrganization, { params })).toMatchObject({ code: "not_found" });
});
