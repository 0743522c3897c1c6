import { runInDurableObject } from "cloudflare:test";
import * as contracts from "@engram/spec";
import { expect, test, vi } from "vitest";
import { background, createApp } from "../../src/app.ts";
import { OrganizationCell } from "../../src/cell.ts";
import type { Env } from "../../src/invocation.ts";
import { openIsolate } from "../../src/isolate.ts";
import { findMemberships } from "../../src/members/identities.ts";
import { COPIED, LAST, NOT_COPIED } from "../../src/moves/tables.ts";
import scan from "../../src/platform/cell-vectors/scan-int8.wasm";
import { interceptCalls } from "../../src/platform/database-calls.ts";
import { MOVING } from "../../src/platform/places.ts";
import { cellOf, createIn } from "../support/cells.ts";
import {
  appendText,
  type Caller,
  createKey,
  createOrganization,
  operator,
  seedConversation,
} from "../support/client.ts";
import { env, vectorize } from "../support/env.ts";
import { Clock, Service, selectRows, sweepUntilIdle, vectorsOf } from "../support/invocations.ts";
import { createWorld } from "../support/worlds.ts";

const SECOND = 1_000;

function openCell(state: DurableObjectState, clock: Clock, bindings: Partial<Env> = {}): OrganizationCell {
  const isolate = openIsolate(clock);
  const parts = { isolate, fetch: createApp(isolate).fetch, background, scan };
  return new OrganizationCell(state, { ...(env as unknown as Env), ...bindings }, parts);
}

/** Runs the alarm of the organization's cell at the time of the clock. Resolves to whether the cell was reset. */
const alarm = (organizationId: string, clock: Clock, bindings: Partial<Env> = {}): Promise<boolean> =>
  runInDurableObject(cellOf(organizationId), async (_, state) => {
    const cell = openCell(state, clock, bindings);
    await cell.move();
    await cell.alarm();
    await state.storage.deleteAlarm();
    return false;
  }).catch((error: unknown) => {
    // An object that is erased resets itself.
    if (!String(error).includes("its organization was deleted")) throw error;
    return true;
  });

type Move = contracts.OperationOf<"move_organization">;

const moveOf = async (id: string) =>
  (await operator.call(contracts.getOperation, { params: { operation_id: id } })) as Move;

/** A caller whose isolate does not know where any organization is: a minute has passed for it. */
const later = ({ secret }: Caller) => new Service().callerOf(secret);

/** The cell's own alarm does not continue the move, because no call tells it. */
const startMove = (organizationId: string, place: contracts.Place) =>
  new Service()
    .callerOf(env.ADMIN_TOKEN)
    .call(contracts.moveOrganization, { params: { organization_id: organizationId }, body: { place } });

/** Runs the alarms of a move until its old rows are removed. */
async function moved({ id, target_id }: { id: string; target_id: string }, clock: Clock): Promise<Move> {
  for (let i = 0; i < 40; i++) {
    await alarm(target_id, clock);
    const operation = await moveOf(id);
    if (operation.completed_at !== null) return operation;
    clock.advance(10 * SECOND);
  }
  throw new Error("the move does not end");
}

const move = async (organizationId: string, place: contracts.Place): Promise<Move> =>
  moved(await startMove(organizationId, place), new Clock());

type Row = Record<string, string | number | null>;

const TABLES =
  "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%organization_id TEXT%' ORDER BY name";

/** Rows with the id of an organization, by table, apart from what a move leaves to say that it has been. */
async function rowsOf(
  select: (sql: string) => Promise<Row[]>,
  organizationId: string,
): Promise<Record<string, Row[]>> {
  const found: Record<string, Row[]> = {};
  for (const { name } of await select(TABLES)) {
    const rows = await select(`SELECT * FROM ${name} WHERE organization_id = '${organizationId}'`);
    const sorted = rows.map((row) => JSON.stringify(row)).sort();
    if (rows.length > 0 && name !== "moves")
      found[String(name)] = sorted.map((row) => JSON.parse(row) as Row);
  }
  return found;
}

const inD1 = (organizationId: string) => rowsOf((sql) => selectRows<Row>(sql), organizationId);
const inCell = (organizationId: string) =>
  runInDurableObject(cellOf(organizationId), (_, { storage }) =>
    rowsOf(async (sql) => Array.from(storage.sql.exec(sql) as Iterable<Row>), organizationId),
  );

/** The triggers of moves in both databases. */
async function triggersIn(organizationId: string): Promise<unknown[]> {
  const triggers = "SELECT name FROM sqlite_master WHERE type = 'trigger'";
  const here = await runInDurableObject(cellOf(organizationId), (_, { storage }) =>
    storage.sql.exec(triggers).toArray(),
  );
  return [...here, ...(await selectRows<Row>(`${triggers} AND sql LIKE '%${organizationId}%'`))];
}

/** The rows without the numbers that change in a move to D1. */
function withoutNumbers(tables: Record<string, Row[]>): Record<string, string[]> {
  const NUMBERS = ["row_key", "conversation_row_key", "vector_id", "last_row_key"];
  const bare = (row: Row) =>
    JSON.stringify(Object.fromEntries(Object.entries(row).filter(([name]) => !NUMBERS.includes(name))));
  return Object.fromEntries(Object.entries(tables).map(([name, rows]) => [name, rows.map(bare).sort()]));
}

const search = (caller: Caller, query: string, mode = "hybrid") =>
  caller
    .call(contracts.search, { body: { query, mode } })
    .then(({ results }) => results.map(({ conversation_id }) => conversation_id));

test("each table with rows of organizations moves, or it is said why not", async () => {
  const tables = await selectRows<{ name: string }>(TABLES);
  const known = [...COPIED, ...LAST].map(({ name }) => name);
  expect(tables.map(({ name }) => name)).toEqual([...known, ...NOT_COPIED].sort());
});

test("an organization moves to a cell and back, with all that it has", async () => {
  const { caller } = await createWorld();
  const { organizationId } = caller;
  const text = { role: "user", content: "The zeppelin lands at noon.", name: "Ada" };
  const id = await seedConversation(caller, [text, "Bring an umbrella."]);
  const all = await caller.call(contracts.exportData);
  const clock = new Clock();
  // A sweep of the cell would do meanwhile what is left to do.
  await sweepUntilIdle(new Service({}, clock), clock, organizationId);
  await new Service({}, clock).sweep();
  const before = await inD1(organizationId);
  expect(Object.keys(before).length).toBeGreaterThan(15);

  const there = await move(organizationId, "cell");
  expect(there).toMatchObject({ status: "succeeded", place: "cell" });
  expect(there.progress.done).toBe(there.progress.total);
  const { idempotency_keys: _, moved_keys, ...left } = await inD1(organizationId);
  expect(left).toEqual({});
  expect(moved_keys?.length).toBe(before.api_keys?.length);
  const moved = await inCell(organizationId);
  // The move itself is audited.
  expect(moved.audit_events?.length).toBe((before.audit_events?.length ?? 0) + 1);
  expect({ ...moved, audit_events: before.audit_events }).toEqual(before);
  const params = { organization_id: organizationId };
  expect(await later(operator).call(contracts.getOrganization, { params })).toMatchObject({ place: "cell" });
  expect(await later(caller).call(contracts.exportData)).toEqual(all);
  for (const mode of ["hybrid", "semantic", "keyword"])
    expect(await search(later(caller), "zeppelin landing at noon", mode)).toContain(id);

  expect(await move(organizationId, "d1")).toMatchObject({ status: "succeeded", place: "d1" });
  // The reads between the moves are audited and counted, and each search is a receipt.
  const { audit_events: __, usage: ___, ...others } = withoutNumbers(await inD1(organizationId));
  const { audit_events: ____, usage: _____, ...expected } = withoutNumbers(before);
  expect(others).toEqual(expected);
  expect(await inCell(organizationId)).toEqual({});
  expect(await later(caller).call(contracts.exportData)).toEqual(all);
  for (const mode of ["hybrid", "semantic", "keyword"])
    expect(await search(later(caller), "zeppelin landing at noon", mode)).toContain(id);
});

test("what is written during a move is there after it, and reads go on", async () => {
  const owner = await createOrganization();
  const { organizationId } = owner;
  const kept = await seedConversation(owner, ["The zeppelin lands at noon."]);
  const deleted = await seedConversation(owner, ["The submarine dives at dawn."]);
  for (const place of ["cell", "d1"] as const) {
    const caller = later(owner);
    const operation = await startMove(organizationId, place);
    const clock = new Clock();
    await alarm(organizationId, clock);
    // Everything is copied by now, and changes again.
    await appendText(caller, kept, `It moves to ${place} with gondola.`);
    const added = await seedConversation(caller, [`A balloon for ${place}.`]);
    if (place === "cell")
      await caller.call(contracts.deleteConversation, { params: { conversation_id: deleted } });
    const key = await createKey(caller, { scopes: ["read"] });
    await moved(operation, clock);
    const { items } = await later(key).call(contracts.listMessages, { params: { conversation_id: kept } });
    expect(items.at(-1)?.content).toBe(`It moves to ${place} with gondola.`);
    expect(await search(later(caller), "gondola", "keyword")).toEqual([kept]);
    expect(await search(later(caller), `balloon for ${place}`, "semantic")).toContain(added);
    expect(await search(later(caller), "submarine", "keyword")).toEqual([]);
    const events = await later(caller).call(contracts.listEvents, { query: { limit: 100 } });
    expect(events.items.map(({ sequence }) => sequence)).toEqual(events.items.map((_, i) => i + 1));
  }
});

test("work that begins while a move waits for a lease takes none, and is done after the move", async () => {
  const owner = await createOrganization();
  const { organizationId } = owner;
  const clock = new Clock();
  const service = new Service({}, clock);
  const caller = service.callerOf(owner.secret);
  const held = await seedConversation(caller, ["The zeppelin lands at noon."]);
  await service.settle();
  const operation = await startMove(organizationId, "cell");
  await alarm(organizationId, clock);
  clock.advance(80 * SECOND);
  await appendText(caller, held, "A run has a lease for this.");
  const lease = (untilMs: number | null) =>
    env.DB.prepare("UPDATE index_jobs SET lease_id = ?, lease_until_ms = ? WHERE conversation_id = ?")
      .bind(untilMs && "other", untilMs, held)
      .run();
  await lease(clock.nowMs() + 60 * SECOND);
  await alarm(organizationId, clock);
  // Two complete windows, which are otherwise indexed at once.
  const { id } = await caller.call(contracts.createConversation, { body: {} });
  const messages = [1, 2, 3, 4, 5, 6, 7, 8].map((i) => ({ role: "user", content: `Balloon ${i} rises.` }));
  await caller.call(contracts.appendMessages, { params: { conversation_id: id }, body: { messages } });
  await service.settle();
  expect(
    await selectRows(`SELECT lease_id, attempts FROM index_jobs WHERE conversation_id = '${id}'`),
  ).toEqual([{ lease_id: null, attempts: 0 }]);
  await lease(null);
  await alarm(organizationId, clock);
  expect(await moveOf(operation.id)).toMatchObject({ moved_at: expect.any(String) });
  await moved(operation, clock);
  expect(await search(later(caller), "balloon 5", "semantic")).toContain(id);
});

test("a move that is canceled leaves nothing, and the organization where it is", async () => {
  const caller = await createOrganization();
  const { organizationId } = caller;
  const id = await seedConversation(caller, ["The zeppelin lands at noon."]);
  for (const place of ["cell", "d1"] as const) {
    const before = await (place === "cell" ? inD1 : inCell)(organizationId);
    const operation = await startMove(organizationId, place);
    const clock = new Clock();
    await alarm(organizationId, clock);
    expect(
      await operator.call(contracts.moveOrganization, {
        params: { organization_id: organizationId },
        body: { place },
      }),
    ).toMatchObject({ id: operation.id });
    const params = { operation_id: operation.id };
    expect(await operator.call(contracts.cancelOperation, { params })).toMatchObject({ status: "canceled" });
    expect(await moved(operation, clock)).toMatchObject({ status: "canceled", moved_at: null });
    expect(await operator.call(contracts.cancelOperation, { params })).toMatchObject({ status: "canceled" });
    const left = await (place === "cell" ? inCell : inD1)(organizationId);
    expect(Object.keys(left)).toEqual(place === "cell" ? [] : ["moved_keys"]);
    const { usage: _, audit_events, ...after } = await (place === "cell" ? inD1 : inCell)(organizationId);
    const { usage: __, audit_events: earlier = [], ...expected } = before;
    expect(after).toEqual(expected);
    expect(audit_events?.length).toBe(earlier.length + 1);
    expect(await triggersIn(organizationId)).toEqual([]);
    expect(await search(later(caller), "zeppelin")).toEqual([id]);
    if (place === "cell") await move(organizationId, "cell");
  }
});

test("a move is audited once, although the run that begins it dies", async () => {
  const owner = await createOrganization();
  const { organizationId } = owner;
  for (const place of ["cell", "d1"] as const) {
    const clock = new Clock();
    const operation = await startMove(organizationId, place);
    // The first run creates the triggers, and dies.
    let isDead = false;
    const DB = interceptCalls(env.DB, async (call, send) => {
      if (isDead) throw new Error("killed");
      const begins = ["CREATE TRIGGER", "conversations (row_key"];
      isDead = call.statements.some(({ sql }) => begins.some((part) => sql.includes(part)));
      if (isDead && place === "d1") throw new Error("killed");
      return send();
    });
    await alarm(organizationId, clock, { DB });
    expect(isDead).toBe(true);
    await moved(operation, clock);
    const { items } = await later(owner).call(contracts.listAuditEvents, {
      query: { action: "organization.move.started" },
    });
    expect(items[0]).toMatchObject({
      ...{ target_id: organizationId, operation_id: operation.id, key_id: null },
    });
    expect(items.length).toBe(place === "cell" ? 1 : 2);
  }
});

/** Whether a cell still works on a move. For a caller, a canceled one is complete at once. */
const isOpen = async (id: string): Promise<boolean> =>
  (await selectRows("SELECT 1 FROM moves WHERE id = ?1 AND completed_at_ms IS NULL", id)).length > 0;

test("a hold that is created during a move cancels it", async () => {
  const owner = await createOrganization();
  const { organizationId } = owner;
  for (const place of ["cell", "d1"] as const) {
    const clock = new Clock();
    const operation = await startMove(organizationId, place);
    await alarm(organizationId, clock);
    const params = { organization_id: organizationId };
    const placeNow = async () => (await later(operator).call(contracts.getOrganization, { params })).place;
    const before = await placeNow();
    const { id } = await later(owner).call(contracts.createHold, { body: { reason: "a case", filter: {} } });
    expect(await moved(operation, clock)).toMatchObject({ status: "canceled", moved_at: null });
    for (let runs = 0; await isOpen(operation.id); runs++) {
      expect(runs).toBeLessThan(9);
      await alarm(organizationId, clock);
      clock.advance(200 * SECOND);
    }
    const { items } = await later(owner).call(contracts.listHolds);
    expect(items.map((hold) => hold.id)).toContain(id);
    expect([before, await placeNow()]).toEqual(place === "cell" ? ["d1", "d1"] : ["cell", "cell"]);
    await later(owner).call(contracts.liftHold, { params: { hold_id: id } });
    if (place === "cell") await move(organizationId, place);
  }
});

/** Adds chunks to a conversation in a cell, as those of many messages. */
const addChunks = (organizationId: string, conversationId: string, count: number) =>
  runInDurableObject(cellOf(organizationId), (_, { storage }) => {
    storage.sql.exec(
      `INSERT INTO conversation_chunks (organization_id, conversation_id, window_start, id, vector_id, start_sequence,
                                        end_sequence, model, text_hash, indexed_at_ms)
       WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       SELECT organization_id, conversation_id, 1000 + i, 'chk_' || i, vector_id || i, 1,
              1, model, text_hash, 1
         FROM n CROSS JOIN (SELECT * FROM conversation_chunks WHERE conversation_id = ? LIMIT 1)`,
      count,
      conversationId,
    );
  });

/** Vectorize as an invocation has it: with at most 1,000 calls. `ids` are those that it was asked for. */
function meteredVectorize() {
  const ids = new Set<string>();
  let calls = 0;
  const count = () => {
    calls += 1;
    if (calls > 1_000) throw new Error("Too many API requests by single worker invocation.");
  };
  const VECTORIZE = {
    getByIds: async (some: string[]) => {
      count();
      for (const id of some) ids.add(id);
      return [];
    },
    deleteByIds: async () => count(),
  } as unknown as Env["VECTORIZE"];
  return { VECTORIZE, ids, begin: () => (calls = 0) };
}

test("a move to D1 of very many vectors that is canceled ends, in runs of fewer than 1,000 calls", async () => {
  const caller = await createIn("cell");
  const { organizationId } = caller;
  const id = await seedConversation(caller, ["The zeppelin lands at noon."]);
  const operation = await startMove(organizationId, "d1");
  const clock = new Clock();
  await alarm(organizationId, clock);
  await operator.call(contracts.cancelOperation, { params: { operation_id: operation.id } });
  await addChunks(organizationId, id, 21_000);
  const { VECTORIZE, ids, begin } = meteredVectorize();
  for (let runs = 0; await isOpen(operation.id); runs++) {
    expect(runs).toBeLessThan(30);
    begin();
    await alarm(organizationId, clock, { VECTORIZE });
    clock.advance(10 * SECOND);
  }
  expect(ids.size).toBe(21_001);
});

test("a canceled move to D1 asks only for vectors that it may have copied", async () => {
  const caller = await createIn("cell");
  const { organizationId } = caller;
  const id = await seedConversation(caller, ["The zeppelin lands at noon."]);
  await addChunks(organizationId, id, 700);
  const operation = await startMove(organizationId, "d1");
  const clock = new Clock();
  const { VECTORIZE, ids } = meteredVectorize();
  const upsert = () => Promise.reject(new Error("no answer"));
  await alarm(organizationId, clock, { VECTORIZE: { ...VECTORIZE, upsert } as unknown as Env["VECTORIZE"] });
  await operator.call(contracts.cancelOperation, { params: { operation_id: operation.id } });
  for (let runs = 0; await isOpen(operation.id); runs++) {
    expect(runs).toBeLessThan(30);
    await alarm(organizationId, clock, { VECTORIZE });
    clock.advance(60 * SECOND);
  }
  expect(ids.size).toBe(500);
});

test("a move to D1 that is canceled leaves no vectors there, also of what is deleted meanwhile", async () => {
  const caller = await createIn("cell");
  const { organizationId } = caller;
  await seedConversation(caller, ["The zeppelin lands at noon."]);
  const id = await seedConversation(caller, ["The submarine dives at dawn."]);
  const operation = await startMove(organizationId, "d1");
  const clock = new Clock();
  await alarm(organizationId, clock);
  expect((await vectorsOf(organizationId, vectorize)).length).toBe(2);
  await later(caller).call(contracts.deleteConversation, { params: { conversation_id: id } });
  await operator.call(contracts.cancelOperation, { params: { operation_id: operation.id } });
  expect(await moved(operation, clock)).toMatchObject({ status: "canceled" });
  expect(await vectorsOf(organizationId, vectorize)).toEqual([]);
});

test("a receipt waits for the copies of vectors that a canceled move to D1 has made", async () => {
  const caller = await createIn("cell");
  const { organizationId } = caller;
  const id = await seedConversation(caller, ["The zeppelin lands at noon."]);
  const operation = await startMove(organizationId, "d1");
  const clock = new Clock();
  await alarm(organizationId, clock);
  await operator.call(contracts.cancelOperation, { params: { operation_id: operation.id } });
  // The store accepts deletions, and shows them later.
  const getByIds = (ids: string[]) => vectorize.getByIds(ids);
  const VECTORIZE = { getByIds, deleteByIds: async () => {} } as unknown as Env["VECTORIZE"];
  const pass = async (bindings: Partial<Env> = {}) => {
    await alarm(organizationId, clock, bindings);
    clock.advance(60 * SECOND);
  };
  await pass({ VECTORIZE });
  const params = { conversation_id: id };
  const { id: operation_id } = await later(caller).call(contracts.deleteConversation, { params });
  const receipt = () => later(caller).call(contracts.getOperation, { params: { operation_id } });
  for (let i = 0; i < 10; i++) await pass({ VECTORIZE });
  expect((await vectorsOf(organizationId, vectorize)).length).toBe(1);
  expect(await receipt()).toMatchObject({ vectors_deleted_at: null });
  for (let i = 0; i < 10; i++) await pass();
  expect(await vectorsOf(organizationId, vectorize)).toEqual([]);
  expect(await receipt()).toMatchObject({ vectors_deleted_at: expect.any(String) });
});

test("an organization that moves to D1 has no location any more", async () => {
  const { organization } = await operator.call(contracts.createOrganization, {
    body: { name: "test", location: "weur" },
  });
  await move(organization.id, "d1");
  const params = { organization_id: organization.id };
  const found = await later(operator).call(contracts.getOrganization, { params });
  expect(found).toMatchObject({ place: "d1", location: null });
});

test("the operator finds a canceled deletion of an organization that has moved to a cell", async () => {
  const { organizationId } = await createOrganization();
  const params = { organization_id: organizationId };
  const { id } = await operator.call(contracts.deleteOrganization, { params });
  await operator.call(contracts.cancelOperation, { params: { operation_id: id } });
  await move(organizationId, "cell");
  const found = await later(operator).call(contracts.getOperation, { params: { operation_id: id } });
  expect(found).toMatchObject({ type: "delete_organization", status: "canceled" });
});

test("a move that fails does not hold up the sweep of its cell", async () => {
  const caller = await createIn("cell");
  const { organizationId } = caller;
  await seedConversation(caller, ["The zeppelin lands at noon."]);
  const id = await seedConversation(caller, ["The submarine dives at dawn."]);
  await caller.call(contracts.deleteConversation, { params: { conversation_id: id } });
  await startMove(organizationId, "d1");
  const upsert = () => Promise.reject(new Error("VECTOR_ERROR: Status + 500"));
  await alarm(organizationId, new Clock(), { VECTORIZE: { upsert } as unknown as Env["VECTORIZE"] });
  expect((await inCell(organizationId)).conversations?.length).toBe(1);
});

test("a cell that was erased after its move is reset although D1 fails then", async () => {
  const { organizationId } = await createIn("cell");
  const operation = await startMove(organizationId, "d1");
  const clock = new Clock();
  // Some alarms copy the rows, one removes them.
  const isEnd = ({ sql }: { sql: string }) => sql.includes("phase = 'ended'");
  const DB = interceptCalls(env.DB, (call, send) =>
    call.statements.some(isEnd) ? Promise.reject(new Error("no answer")) : send(),
  );
  // Vitest would wait without end for the lines of an object that is reset.
  const errors = vi.spyOn(console, "error").mockReturnValue();
  let isReset = false;
  for (let i = 0; i < 40 && !isReset; i++) {
    isReset = await alarm(organizationId, clock, { DB });
    clock.advance(10 * SECOND);
  }
  expect(isReset).toBe(true);
  expect(errors).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("move not ended"));
  errors.mockRestore();
  expect(await moveOf(operation.id)).toMatchObject({ completed_at: null });
  expect(await moved(operation, clock)).toMatchObject({ status: "succeeded" });
});

test("a cell that cannot ask D1 whether the organization is there refuses calls, as during a move", async () => {
  const { organizationId } = await createIn("cell");
  const DB = interceptCalls(env.DB, () => Promise.reject(new Error("no answer")));
  const outcome = await runInDurableObject(cellOf(organizationId), async (_, state) => {
    const cell = openCell(state, new Clock(), { DB });
    await cell.move();
    await state.storage.deleteAlarm();
    return cell.run([{ sql: "SELECT 1", values: [] }]);
  });
  expect(outcome).toEqual({ error: MOVING });
});

test("a member is found in one place while the old rows of a move wait for their removal", async () => {
  const owner = await createOrganization();
  const email = "ada@example.com";
  await owner.call(contracts.createMember, { body: { name: "Ada", role: "writer", email } });
  const person = { issuer: "https://id.example.com", subject: "ada", email };
  const identity = { ...person, name: "Ada", organizationIds: null, role: undefined };
  const clock = new Clock();
  const started = await startMove(owner.organizationId, "cell");
  while ((await moveOf(started.id)).moved_at === null) {
    await alarm(owner.organizationId, clock);
    clock.advance(10 * SECOND);
  }
  expect((await inD1(owner.organizationId)).api_keys?.length).toBe(2);
  const found = await findMemberships(new Service({}, clock).context(), identity);
  expect(found.map(({ organizationId }) => organizationId)).toEqual([owner.organizationId]);
});

test("writes wait while an organization is frozen, and one that stays frozen is refused with 503", async () => {
  const caller = await createOrganization();
  const { organizationId } = caller;
  const id = await seedConversation(caller, ["The zeppelin lands at noon."]);
  await startMove(organizationId, "cell");
  await alarm(organizationId, new Clock());
  const setPhase = (phase: string) =>
    env.DB.prepare("UPDATE moves SET phase = ? WHERE organization_id = ?").bind(phase, organizationId).run();
  await setPhase("frozen");
  const append = {
    params: { conversation_id: id },
    body: { messages: [{ role: "user", content: "hello" }] },
  };
  const response = await caller.fetch(contracts.appendMessages, append);
  expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"]);
  // Reads go on.
  expect((await caller.call(contracts.listMessages, { params: append.params })).items.length).toBe(1);
  const waiting = caller.call(contracts.appendMessages, append);
  await setPhase("copying");
  expect((await waiting).message_ids.length).toBe(1);
});
