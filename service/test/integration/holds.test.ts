import * as contracts from "@engram/spec";
import type { RouteConfig } from "@hono/zod-openapi";
import { describe, expect, test } from "vitest";
import { cellWork } from "../../src/cell-queries.ts";
import { purgeConversations } from "../../src/deletions/purge-queries.ts";
import { run } from "../../src/platform/sql.ts";
import { type Caller, createKey, seedConversation } from "../support/client.ts";
import { RowsRead } from "../support/counting.ts";
import { databaseWith } from "../support/deletions.ts";
import { env } from "../support/env.ts";
import { exportOnce } from "../support/exports.ts";
import { conversation, memory, message, send } from "../support/imports.ts";
import { Clock, open, Service, selectRow, selectRows } from "../support/invocations.ts";
import type { RequestParts } from "../support/requests.ts";

const NEVER_ENRICHED = { tags: [], summary: "" };
const TEXTS = ["We met at the harbour.", "The zeppelin lands at noon."];

const capture = async (caller: Caller, content: string, more: object = {}): Promise<string> => {
  const body = { content, ...NEVER_ENRICHED, ...more };
  return (await caller.call(contracts.createMemory, { body })).id;
};
/** Ids of one millisecond are in no order. */
const sorted = (...ids: (string | undefined)[]) => ids.filter((id) => id !== undefined).sort();
const hold = async (caller: Caller, what: object): Promise<string> =>
  (await caller.call(contracts.createHold, { body: { reason: "Case 1", ...what } })).id;
const lift = (caller: Caller, hold_id: string) => caller.call(contracts.liftHold, { params: { hold_id } });
const messagesOf = async (caller: Caller, conversation_id: string) =>
  (await caller.call(contracts.listMessages, { params: { conversation_id } })).items;
const exported = async (caller: Caller) => (await exportOnce(caller)).lines;
const operationOf = (caller: Caller, operation_id: string) =>
  caller.call(contracts.getOperation, { params: { operation_id } });

/** A conversation of two messages, a memory with an external id, and all requests that would change one of them. */
async function openHoldable() {
  const opened = await open();
  const { caller } = opened;
  const owner = { user_id: "maria", agent_id: "bot" };
  const conversationId = await seedConversation(caller, TEXTS, { ...owner, tags: ["a"], metadata: { n: 1 } });
  const memoryId = await capture(caller, "Likes zeppelins.", { ...owner, external_id: "likes", tags: ["a"] });
  const [first] = await messagesOf(caller, conversationId);
  const params = { conversation_id: conversationId };
  const ofMessage = { ...params, message_id: first?.id ?? "" };
  const ofMemory = { memory_id: memoryId };
  const forget = { forget: "true" };
  const put = { external_id: "likes", content: "Other.", ...owner, ...NEVER_ENRICHED };
  const successor = { content: "Likes trains.", supersedes: memoryId, ...owner, ...NEVER_ENRICHED };
  const ofConversation: [string, RouteConfig, RequestParts][] = [
    ["PATCH", contracts.updateConversation, { params, body: { title: "New" } }],
    ["tags", contracts.updateConversation, { params, body: { tags: [], metadata: {} } }],
    ["message edit", contracts.updateMessage, { params: ofMessage, body: { content: "No." } }],
    ["message metadata", contracts.updateMessage, { params: ofMessage, body: { metadata: { x: 1 } } }],
    [
      "replace",
      contracts.replaceMessages,
      { params, body: { from_sequence: 2, expected_last_sequence: 2, messages: [] } },
    ],
    ["message delete", contracts.deleteMessage, { params: ofMessage }],
    ["message forget", contracts.deleteMessage, { params: ofMessage, query: forget }],
    ["forget", contracts.deleteConversation, { params, query: forget }],
    ["delete", contracts.deleteConversation, { params }],
  ];
  const changesOfMemory: [string, RouteConfig, RequestParts][] = [
    ["content", contracts.updateMemory, { params: ofMemory, body: { content: "No." } }],
    ["validity", contracts.updateMemory, { params: ofMemory, body: { valid_until: "2030-01-01T00:00:00Z" } }],
    ["sources", contracts.updateMemory, { params: ofMemory, body: { sources: [] } }],
    ["put", contracts.putMemory, { body: put }],
    ["put that supersedes", contracts.putMemory, { body: { ...successor, external_id: "next" } }],
    ["supersede", contracts.createMemory, { body: successor }],
    ["supersede of many", contracts.createMemories, { body: { memories: [successor] } }],
    ["memory forget", contracts.deleteMemory, { params: ofMemory, query: forget }],
    ["memory delete", contracts.deleteMemory, { params: ofMemory }],
  ];
  return { ...opened, owner, conversationId, memoryId, ofConversation, changesOfMemory, first };
}

describe("a hold", () => {
  test("refuses each change of what it holds, names itself, and changes nothing until it is lifted", async () => {
    const { caller, conversationId, memoryId, ofConversation, changesOfMemory } = await openHoldable();
    const before = await exported(caller);
    const id = await hold(caller, { ids: [conversationId, memoryId, memoryId] });
    for (const [name, contract, parts] of [...ofConversation, ...changesOfMemory]) {
      const { status, code, detail } = await caller.fail(contract, parts);
      expect([name, status, code]).toEqual([name, 409, "held"]);
      expect(detail).toContain(id);
    }
    expect(await exported(caller)).toEqual(before);
    // Only a memory of its agent and user can be shared or get a user.
    const ownerless = await capture(caller, "Of nobody.");
    const shared = await hold(caller, { ids: [ownerless] });
    for (const body of [{ shared: true }, { user_id: "maria" }])
      expect(
        await caller.fail(contracts.updateMemory, { params: { memory_id: ownerless }, body }),
      ).toMatchObject({ code: "held" });
    await lift(caller, shared);
    await lift(caller, id);
    for (const [name, contract, parts] of [...ofConversation.slice(0, 6), ...ofConversation.slice(-1)]) {
      const response = await caller.fetch(contract, parts);
      expect([name, response.ok]).toEqual([name, true]);
    }
    for (const [name, contract, parts] of changesOfMemory.filter(([one]) => !/many|forget|that/.test(one)))
      expect([name, (await caller.fetch(contract, parts)).ok]).toEqual([name, true]);
  });

  test("lets a held conversation be read, forked and appended to, and a held memory be captured again", async () => {
    const { caller, append, owner, conversationId, memoryId } = await openHoldable();
    await hold(caller, { filter: {} });
    await append(conversationId, ["Third."]);
    const params = { conversation_id: conversationId };
    await caller.call(contracts.forkConversation, { params, body: {} });
    const { version } = await selectRow<{ version: number }>(
      "SELECT version FROM conversations WHERE id = ?1",
      memoryId,
    );
    const again = { content: "Likes zeppelins.", external_id: "likes", ...owner };
    expect(await capture(caller, again.content, again)).toBe(memoryId);
    expect(await messagesOf(caller, conversationId)).toHaveLength(3);
    expect(await selectRow("SELECT version FROM conversations WHERE id = ?1", memoryId)).toEqual({ version });
  });

  test("holds what its filter matches, as a deletion by the same filter would find it", async () => {
    const { caller, organizationId } = await open();
    const items = [
      { user_id: "maria", tags: ["a", "b"], metadata: { n: 1, on: true } },
      { user_id: "maria", agent_id: "bot", tags: ["b"], metadata: { n: "1", on: 1 } },
      { agent_id: "bot", tags: [], metadata: {} },
      { user_id: "jon", tags: ["a"], metadata: { n: 1, on: false, more: 2 } },
    ];
    for (const [i, item] of items.entries()) {
      await seedConversation(caller, [], item);
      await capture(caller, `Memory ${i}.`, item);
    }
    await env.DB.prepare("UPDATE conversations SET created_at_ms = row_key * 1000 WHERE organization_id = ?1")
      .bind(organizationId)
      .run();
    const rows = await selectRows<{ at: number }>(
      "SELECT created_at_ms AS at FROM conversations WHERE organization_id = ?1 ORDER BY row_key",
      organizationId,
    );
    const at = (i: number) => new Date(rows[i]?.at ?? 0).toISOString();
    const filters: contracts.HoldFilter[] = [
      { user_id: "maria" },
      { agent_id: "bot" },
      { user_id: "maria", agent_id: "bot" },
      { tags_any: ["a", "z"] },
      { tags_all: ["a", "b", "a"] },
      { metadata: { n: 1 } },
      { metadata: { on: true } },
      { metadata: { on: 1 } },
      { metadata: { n: 1, on: false } },
      { created_after: at(2), created_before: at(5) },
      { user_id: "nobody" },
    ];
    for (const filter of filters) {
      const counted = async () => {
        const body = { filter, dry_run: true };
        const { conversations, held: ofConversations } = (await caller.call(contracts.deleteConversations, {
          body,
        })) as contracts.ConversationsCounted;
        const { memories, held } = (await caller.call(contracts.deleteMemories, {
          body,
        })) as contracts.MemoriesCounted;
        return { conversations, memories, held: held + ofConversations };
      };
      const free = await counted();
      const id = await hold(caller, { filter });
      const details = await caller.call(contracts.getHold, { params: { hold_id: id } });
      const { conversations, memories } = free;
      expect(details).toMatchObject({ filter, ids: null, conversations, memories, complete: true });
      expect(await counted()).toEqual({ conversations: 0, memories: 0, held: conversations + memories });
      await lift(caller, id);
      expect(await counted()).toEqual({ ...free, held: 0 });
    }
    for (const [corpus, counts] of [
      ["conversations", { conversations: 4, memories: 0 }],
      ["memories", { conversations: 0, memories: 4 }],
    ] as const) {
      const id = await hold(caller, { filter: { corpus } });
      expect(await caller.call(contracts.getHold, { params: { hold_id: id } })).toMatchObject(counts);
      await lift(caller, id);
    }
  });

  test("is created and lifted once, audited, listed, kept, and limited in number", async () => {
    const { caller, clock } = await open();
    const conversationId = await seedConversation(caller, []);
    const headers = { "idempotency-key": "once" };
    const body = { reason: "Case 1", ids: [conversationId] };
    const created = await caller.call(contracts.createHold, { body, headers });
    expect(await caller.call(contracts.createHold, { body, headers })).toEqual(created);
    expect(created).toMatchObject({ status: "active", filter: null, item_count: 1, lifted_by: null });
    const foreign = await seedConversation((await open()).caller, []);
    for (const ids of [["conv_none"], [conversationId, foreign]])
      expect(await caller.fail(contracts.createHold, { body: { ...body, ids } })).toMatchObject({
        status: 404,
      });
    clock.advance(1);
    const lifted = await lift(caller, created.id);
    expect(lifted).toMatchObject({ status: "lifted", lifted_by: created.created_by });
    expect(await lift(caller, created.id)).toEqual(lifted);
    expect(await caller.call(contracts.getHold, { params: { hold_id: created.id } })).toMatchObject({
      ids: [conversationId],
      conversations: 0,
    });
    const { items } = await caller.call(contracts.listAuditEvents);
    expect(items.filter(({ action }) => action.startsWith("hold."))).toMatchObject([
      { action: "hold.lifted", target_id: created.id, key_id: created.created_by },
      { action: "hold.created", target_id: created.id },
    ]);
    for (let i = 0; i < contracts.HOLDS_MAX; i++) await hold(caller, { filter: { user_id: `user ${i}` } });
    expect(await caller.fail(contracts.createHold, { body })).toMatchObject({ code: "too_many_holds" });
    const list = async (query: Record<string, string>) =>
      (await caller.call(contracts.listHolds, { query })).items.map(({ status }) => status);
    expect(await list({ status: "lifted" })).toEqual(["lifted"]);
    expect(await list({ status: "active", limit: "3" })).toEqual(["active", "active", "active"]);
    const writer = await createKey(caller, { scopes: ["read", "write", "search", "delete"] });
    expect(await writer.fail(contracts.listHolds)).toMatchObject({ code: "forbidden" });
  });
});

describe("deletions by a filter", () => {
  test("skip what is held in each step, count it and name the holds, with and without `forget`", async () => {
    for (const forget of [false, true]) {
      const { caller, service, idle } = await open({}, { softDeleteStepConversations: 2 });
      const ids: string[] = [];
      for (let i = 0; i < 7; i++) ids.push(await seedConversation(caller, [], { user_id: "maria" }));
      const kept = [ids[0], ids[3], ids[6]] as string[];
      const holds = [await hold(caller, { ids: kept }), await hold(caller, { ids: kept.slice(0, 1) })];
      await hold(caller, { filter: { user_id: "jon" } });
      const { id } = (await caller.call(contracts.deleteConversations, {
        body: { filter: { user_id: "maria" }, forget },
      })) as contracts.Operation;
      await service.settle();
      await idle();
      expect(await operationOf(caller, id)).toMatchObject({
        status: "succeeded",
        ...{ soft_deleted: 4, held: 3, hold_ids: sorted(...holds), progress: { done: 4, total: 4 } },
      });
      const { items } = await caller.call(contracts.listConversations);
      expect(sorted(...items.map((one) => one.id))).toEqual(sorted(...kept));
    }
  });

  test("delete nothing that came under a hold after the items were picked", async () => {
    for (const contract of [contracts.deleteMemories, contracts.deleteMemory] as RouteConfig[]) {
      const { caller, organizationId } = await open();
      const memory_id = await capture(caller, "Just in time.");
      const holds: string[] = [];
      const DB = databaseWith("INTO tombstones", async () => {
        if (holds.length === 0) holds.push(await hold(caller, { filter: {} }));
      });
      const raced = new Service({ DB }, new Clock()).callerOf(caller.secret);
      const one = contract === contracts.deleteMemory;
      const response = await raced.fetch(
        contract,
        one ? { params: { memory_id }, query: { forget: "true" } } : { body: { all: true, forget: true } },
      );
      expect(response.status).toBe(one ? 409 : 202);
      const left = "SELECT id FROM conversations WHERE organization_id = ?1 AND deleted_at_ms IS NULL";
      expect(await selectRows(left, organizationId)).toEqual([{ id: memory_id }]);
    }
  });
});

describe("the purge", () => {
  test("leaves a deleted item that came under a hold before it, and removes it after the lift", async () => {
    const { caller, organizationId, clock, service, idle } = await open();
    const id = await seedConversation(caller, TEXTS);
    const other = await seedConversation(caller, TEXTS);
    const { id: operationId } = await caller.call(contracts.deleteConversation, {
      params: { conversation_id: id },
    });
    const holdId = await hold(caller, { ids: [id] });
    await caller.call(contracts.deleteConversation, { params: { conversation_id: other } });
    for (let i = 0; i < 3; i++) {
      clock.advance(65_000);
      await service.sweep();
    }
    const rows = () =>
      selectRows<{ conversation_id: string }>(
        "SELECT DISTINCT conversation_id FROM messages WHERE organization_id = ?1",
        organizationId,
      );
    expect(await rows()).toEqual([{ conversation_id: id }]);
    expect(await operationOf(caller, operationId)).toMatchObject({
      status: "running",
      rows_deleted_at: null,
    });
    // A hold that is set between the selection and the removal.
    const selected = { organizationId, id, operationId, messages: 2, tombstoneId: null };
    const { db } = service.context(organizationId);
    await expect(purgeConversations(db, [selected], { limit: 10, nowMs: 1 })).rejects.toThrow("held");
    await lift(caller, holdId);
    await idle();
    expect(await rows()).toEqual([]);
    expect(await operationOf(caller, operationId)).toMatchObject({ status: "succeeded" });
  });
});

describe("what is due and held", () => {
  /** An organization with conversations that have expired and others that are soft-deleted, all held. */
  async function openHeld(count: number, place: contracts.Place) {
    const database = new RowsRead();
    const opened = await open({ DB: database.db }, {}, place);
    const { caller, clock, service } = opened;
    const expires_at = new Date(clock.nowMs() + 3_600_000).toISOString();
    for (let i = 0; i < count; i++) {
      await seedConversation(caller, [], { user_id: "maria", expires_at });
      await seedConversation(caller, [], { user_id: "jon" });
    }
    await caller.call(contracts.deleteConversations, { body: { filter: { user_id: "jon" } } });
    const holdId = await hold(caller, { filter: {} });
    await service.settle();
    const sweep = async () => {
      clock.advance(3_600_000);
      database.reset();
      await service.sweepAt(place === "cell" ? opened.organizationId : undefined);
    };
    const left = async (organizationId = opened.organizationId) =>
      (await selectRows("SELECT 1 FROM conversations WHERE organization_id = ?1", organizationId)).length;
    return { ...opened, database, holdId, sweep, left };
  }

  test("costs a sweep as much as nothing, however much it is, and is deleted after the lift", async () => {
    const readWith = async (count: number): Promise<number> => {
      const { caller, database, holdId, idle, left, sweep } = await openHeld(count, "d1");
      for (let i = 0; i < 4; i++) await sweep();
      const read = database.total;
      expect(await left()).toBe(2 * count);
      await lift(caller, holdId);
      await idle();
      expect(await left()).toBe(0);
      return read;
    };
    const few = await readWith(1);
    expect(await readWith(12)).toBeLessThan(few + 40);
  });

  test("lets its cell sleep until the lift", async () => {
    const { caller, clock, holdId, left, organizationId, service, sweep } = await openHeld(1, "cell");
    for (let i = 0; i < 4; i++) await sweep();
    const isWorking = async () => {
      const { db } = service.context(organizationId);
      return ((await run(db, cellWork(clock.nowMs()))).dueAtMs ?? Number.POSITIVE_INFINITY) <= clock.nowMs();
    };
    expect(await isWorking()).toBe(false);
    await lift(caller, holdId);
    expect(await isWorking()).toBe(true);
    for (let i = 0; i < 4; i++) await sweep();
    expect(await left()).toBe(0);
  });

  test("waits again if another hold keeps it, and does not keep back what none does", async () => {
    const { caller, holdId, left, sweep } = await openHeld(2, "d1");
    for (let i = 0; i < 2; i++) await sweep();
    await hold(caller, { filter: { user_id: "maria" } });
    await lift(caller, holdId);
    for (let i = 0; i < 2; i++) await sweep();
    expect(await left()).toBe(2);
    const { items } = await caller.call(contracts.listConversations);
    expect(items.map(({ user_id }) => user_id)).toEqual(["maria", "maria"]);
  });
});

describe("a receipt", () => {
  test("does not wait for what another deletion has deleted and a hold keeps, unless it is of its user", async () => {
    const { caller, clock, service, idle } = await open();
    const conversation_id = await seedConversation(caller, [], { user_id: "maria", tags: ["a"] });
    await seedConversation(caller, [], { user_id: "jon", tags: ["a"] });
    const { id: first } = await caller.call(contracts.deleteConversation, { params: { conversation_id } });
    const holdId = await hold(caller, { ids: [conversation_id] });
    const body = { filter: { tags_any: ["a"] } };
    const { id: bulk } = (await caller.call(contracts.deleteConversations, { body })) as contracts.Operation;
    const ofUser = async (user_id: string) =>
      (await caller.call(contracts.deleteUser, { params: { user_id } })).id;
    const [maria, jon] = [await ofUser("maria"), await ofUser("jon")];
    for (let i = 0; i < 5; i++) {
      clock.advance(65_000);
      await service.sweep();
    }
    const statuses = () =>
      Promise.all([first, bulk, maria, jon].map(async (id) => (await operationOf(caller, id)).status));
    expect(await statuses()).toEqual(["running", "succeeded", "running", "succeeded"]);
    await lift(caller, holdId);
    await idle();
    expect(await statuses()).toEqual(["succeeded", "succeeded", "succeeded", "succeeded"]);
  });
});

describe("the deletion of a user", () => {
  test("counts what is held once, also if its first steps reach the end", async () => {
    const { caller, clock, service } = await open();
    const user_id = "maria";
    const held = await seedConversation(caller, [], { user_id });
    const holdId = await hold(caller, { ids: [held] });
    const { id } = await caller.call(contracts.deleteUser, { params: { user_id } });
    await service.settle();
    for (let i = 0; i < 2; i++) {
      expect(await operationOf(caller, id)).toMatchObject({ held: 1, hold_ids: [holdId] });
      clock.advance(65_000);
      await service.sweep();
    }
  });

  test("goes on after a lift although another hold keeps what it has deleted, and counts that once", async () => {
    const { caller, organizationId, clock, service, idle } = await open();
    const user_id = "maria";
    const [first, second] = [
      await seedConversation(caller, [], { user_id }),
      await seedConversation(caller, [], { user_id }),
    ];
    const lifted = await hold(caller, { ids: [first] });
    const { id } = await caller.call(contracts.deleteUser, { params: { user_id } });
    await service.settle();
    clock.advance(1);
    const kept = await hold(caller, { ids: [second] });
    await lift(caller, lifted);
    const sweep = async () => {
      clock.advance(65_000);
      await service.sweep();
    };
    for (let i = 0; i < 3; i++) await sweep();
    const rows = "SELECT id, deleted_at_ms > 0 AS gone FROM conversations WHERE organization_id = ?1";
    expect(await selectRows(rows, organizationId)).toEqual([{ id: second, gone: 1 }]);
    const counted = "SELECT conversation_count FROM organization_counters WHERE organization_id = ?1";
    expect(await selectRows(counted, organizationId)).toEqual([{ conversation_count: 0 }]);
    expect(await operationOf(caller, id)).toMatchObject({
      ...{ status: "running", held: 0, soft_deleted: 2, rows_deleted_at: null },
    });
    await lift(caller, kept);
    await idle();
    expect(await operationOf(caller, id)).toMatchObject({
      status: "succeeded",
      progress: { done: 2, total: 2 },
    });
  });

  test("leaves what is held, says so, waits, and finishes after the last hold is lifted", async () => {
    const { caller, organizationId, clock, service, idle } = await open(
      {},
      { softDeleteStepConversations: 2 },
    );
    const user_id = "maria";
    const conversations: string[] = [];
    for (let i = 0; i < 4; i++) conversations.push(await seedConversation(caller, TEXTS, { user_id }));
    const memories = [await capture(caller, "One.", { user_id }), await capture(caller, "Two.", { user_id })];
    const first = await hold(caller, { ids: [conversations[1], memories[0]] });
    const second = await hold(caller, { ids: [conversations[1], conversations[2]] });
    await hold(caller, { filter: { user_id: "jon" } });
    const { id } = await caller.call(contracts.deleteUser, { params: { user_id } });
    await service.settle();
    const sweep = async () => {
      clock.advance(65_000);
      await service.sweep();
    };
    const left = () =>
      selectRows<{ id: string }>(
        "SELECT id FROM conversations WHERE organization_id = ?1 AND deleted_at_ms IS NULL ORDER BY id",
        organizationId,
      ).then((rows) => rows.map((row) => row.id));
    const waits = () =>
      selectRow<{ waits: number }>("SELECT waits_for_hold AS waits FROM operations WHERE id = ?1", id);
    for (let i = 0; i < 3; i++) await sweep();
    expect(await left()).toEqual(sorted(conversations[1], conversations[2], memories[0]));
    expect(await operationOf(caller, id)).toMatchObject({
      status: "running",
      ...{ held: 3, hold_ids: sorted(first, second), soft_deleted: 3, rows_deleted_at: null },
    });
    expect(await waits()).toEqual({ waits: 1 });
    await lift(caller, first);
    expect(await waits()).toEqual({ waits: 0 });
    for (let i = 0; i < 3; i++) await sweep();
    expect(await left()).toEqual(sorted(conversations[1], conversations[2]));
    expect(await operationOf(caller, id)).toMatchObject({ status: "running", held: 2, hold_ids: [second] });
    expect(await waits()).toEqual({ waits: 1 });
    await lift(caller, second);
    await idle();
    expect(await left()).toEqual([]);
    expect(await operationOf(caller, id)).toMatchObject({
      status: "succeeded",
      ...{ held: 0, hold_ids: [], soft_deleted: 6, progress: { done: 6, total: 6 } },
    });
    expect(await selectRows("SELECT 1 FROM messages WHERE organization_id = ?1", organizationId)).toEqual([]);
  });

  test.for([
    ["was noted by its first step", 0],
    ["held an item when the second step was read, and not when it was written", 1],
    ["was noted by its first step, when also its tombstone is deleted", 0],
  ] as const)(
    "does not wait for a lifted hold that %s, while another one remains",
    async ([name, position]) => {
      const { caller, organizationId, clock } = await open();
      let steps = 0;
      const DB = databaseWith("waits_for_hold", async () => {
        steps += 1;
        if (steps !== 2) return;
        await lift(caller, first);
        if (!name.includes("tombstone")) return;
        for (const { id: tombstone_id } of (await caller.call(contracts.listTombstones)).items)
          await caller.call(contracts.deleteTombstone, { params: { tombstone_id } });
      });
      const service = new Service({ DB }, clock, { softDeleteStepConversations: 1 });
      const user_id = "maria";
      const ids: string[] = [];
      for (let i = 0; i < 4; i++) {
        ids.push(await seedConversation(caller, [], { user_id }));
        clock.advance(1);
      }
      const first = await hold(caller, { ids: [ids[position]] });
      await hold(caller, { filter: { user_id: "jon" } });
      const by = service.callerOf(caller.secret);
      const { id } = await by.call(contracts.deleteUser, { params: { user_id } });
      await service.settle();
      for (let i = 0; i < 4; i++) {
        clock.advance(65_000);
        await service.sweep();
      }
      const left = "SELECT id FROM conversations WHERE organization_id = ?1 AND deleted_at_ms IS NULL";
      expect(await selectRows(left, organizationId)).toEqual([]);
      // Each is counted once, also those that were not purged when the deletion went over its list again.
      const counted = "SELECT conversation_count FROM organization_counters WHERE organization_id = ?1";
      expect(await selectRows(counted, organizationId)).toEqual([{ conversation_count: 0 }]);
      expect(await operationOf(caller, id)).toMatchObject({ soft_deleted: 4, held: 0 });
    },
  );
});

describe("a held memory", () => {
  test("is flagged where its source is deleted, and keeps its quotation until the lift", async () => {
    const { caller, organizationId } = await open();
    await caller.call(contracts.updateOrganization, {
      params: { organization_id: "current" },
      body: { on_source_deleted: "delete" },
    });
    const conversation_id = await seedConversation(caller, TEXTS);
    const [first, second] = await messagesOf(caller, conversation_id);
    const sources = [
      { message_id: first?.id, quote: "harbour" },
      { message_id: second?.id, quote: "zeppelin" },
    ];
    const held = await capture(caller, "Held.", { sources });
    const free = await capture(caller, "Free.", { sources: sources.slice(0, 1) });
    const id = await hold(caller, { ids: [held] });
    const ofMessage = (message_id = "") => ({ conversation_id, message_id });
    await caller.call(contracts.updateMessage, {
      params: ofMessage(second?.id),
      body: { content: "Edited." },
    });
    const receipt = await caller.call(contracts.deleteMessage, { params: ofMessage(first?.id) });
    expect(receipt).toMatchObject({ memories_flagged: 1, memories_deleted: 1 });
    const sourcesOf = async () =>
      (await caller.call(contracts.getMemory, { params: { memory_id: held } })).sources.map(
        ({ state, quote }) => [state, quote],
      );
    expect(await sourcesOf()).toEqual([
      ["deleted", "harbour"],
      ["edited", "zeppelin"],
    ]);
    expect(await caller.fail(contracts.getMemory, { params: { memory_id: free } })).toMatchObject({
      status: 404,
    });
    await lift(caller, id);
    expect(await sourcesOf()).toEqual([
      ["deleted", null],
      ["edited", null],
    ]);
    expect(
      await selectRows(
        "SELECT 1 FROM memory_sources WHERE organization_id = ?1 AND is_quote_held = 1",
        organizationId,
      ),
    ).toEqual([]);
  });
});

describe("an import", () => {
  test("adds to what is held, and refuses the lines that would change it", async () => {
    const { caller } = await open();
    const note = await memory("1", "Held.", { version: 5 });
    const lines = [conversation("1", { last_sequence: 5 }), message("1", 1), message("1", 4), note];
    await send(caller, lines);
    const versionOf = ({ id }: contracts.MemoryLine, version: number) => ({
      ...Object.fromEntries(
        Object.keys(contracts.MemoryVersionLine.shape).map((name) => [
          name,
          note[name as keyof typeof note] ?? null,
        ]),
      ),
      ...{ type: "memory_version", memory_id: id, version, replaced_at: note.updated_at },
    });
    await hold(caller, { filter: {} });
    const more = [message("1", 2), versionOf(note, 3), message("1", 5), conversation("2"), message("2", 1)];
    const answer = await send(caller, [...more, ...lines]);
    expect(answer.problems.map(({ line, code }) => [line, code])).toEqual([
      [1, "held"],
      [2, "held"],
    ]);
    expect(answer).toMatchObject({ messages: { created: 2 }, conversations: { created: 1 } });
  });
});

describe("an organization with a hold", () => {
  test("is deleted only by the operator with `force`, which is audited and named, and can be canceled", async () => {
    const { caller, organizationId, service, idle } = await open();
    const operator = service.callerOf(env.ADMIN_TOKEN);
    const id = await seedConversation(caller, TEXTS, { user_id: "maria" });
    const active = await hold(caller, { ids: [id] });
    const lifted = await hold(caller, { filter: {} });
    await lift(caller, lifted);
    const erasure = await caller.call(contracts.deleteUser, { params: { user_id: "maria" } });
    const waits = () => selectRow("SELECT waits_for_hold AS waits FROM operations WHERE id = ?1", erasure.id);
    const params = { organization_id: organizationId };
    for (const by of [caller, operator]) {
      const { code, detail } = await by.fail(contracts.deleteOrganization, { params });
      expect([code, detail.includes(active), detail.includes(lifted)]).toEqual(["held", true, false]);
    }
    const force = { params, query: { force: "true" } };
    expect(await caller.fail(contracts.deleteOrganization, force)).toMatchObject({ code: "forbidden" });
    const deletion = await operator.call(contracts.deleteOrganization, force);
    expect(deletion.overridden_holds).toEqual([active]);
    // What waits for the hold does not go on: a cancellation restores the hold.
    expect(await waits()).toEqual({ waits: 1 });
    await operator.call(contracts.cancelOperation, { params: { operation_id: deletion.id } });
    expect(
      await caller.fail(contracts.deleteConversation, { params: { conversation_id: id } }),
    ).toMatchObject({
      code: "held",
    });
    const status = async (query: object = {}) =>
      (await caller.call(contracts.listHolds, { query: { ...query } })).items.map((one) => one.status);
    expect((await status()).sort()).toEqual(["active", "lifted"]);
    const { items } = await caller.call(contracts.listAuditEvents, { query: { action: "hold.lifted" } });
    expect(items.find(({ operation_id }) => operation_id === deletion.id)).toMatchObject({
      ...{ key_id: null, target_id: organizationId },
    });
    const again = await operator.call(contracts.deleteOrganization, force);
    await idle();
    expect(await operator.call(contracts.getOperation, { params: { operation_id: again.id } })).toMatchObject(
      {
        status: "succeeded",
        overridden_holds: [active],
      },
    );
    expect(
      await selectRow("SELECT completed_at_ms > 0 AS ended FROM operations WHERE id = ?1", erasure.id),
    ).toEqual({
      ended: 1,
    });
    const kept = await selectRows<{ action: string }>(
      "SELECT action FROM audit_events WHERE operation_id = ?1 ORDER BY action",
      again.id,
    );
    expect(kept.map(({ action }) => action)).toEqual(["hold.lifted", "organization.deleted"]);
    for (const table of ["holds", "hold_items", "conversations", "messages"])
      expect(await selectRows(`SELECT 1 FROM ${table} WHERE organization_id = ?1`, organizationId)).toEqual(
        [],
      );
  });

  test("is not moved", async () => {
    const { caller, organizationId, service } = await open({}, {}, "d1");
    const id = await hold(caller, { filter: {} });
    const operator = service.callerOf(env.ADMIN_TOKEN);
    const request = { params: { organization_id: organizationId }, body: { place: "cell" } };
    const { code, detail } = await operator.fail(contracts.moveOrganization, request);
    expect([code, detail.includes(id)]).toEqual(["held", true]);
  });
});
