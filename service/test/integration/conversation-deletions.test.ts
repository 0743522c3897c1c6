import * as contracts from "@engram/spec";
import { describe, expect, test } from "vitest";
import { createKey, createOrganization, seedConversation } from "../support/client.ts";
import { RowsRead } from "../support/counting.ts";
import { databaseWith, insertConversations } from "../support/deletions.ts";
import { env } from "../support/env.ts";
import { open, Service, selectRow, selectRows, vectorsOf } from "../support/invocations.ts";

const contract = contracts.deleteConversations;
const deletionOf = (filter: object, more: object = {}) => ({ body: { filter, ...more } });

/** Purges all but a few of the deleted conversations, which are empty. Sweeps would take long for that. */
const purgeMost = (organizationId: string) =>
  env.DB.prepare(
    "DELETE FROM conversations WHERE organization_id = ?1 AND deleted_at_ms IS NOT NULL AND row_key % 50 > 0",
  )
    .bind(organizationId)
    .run();

/** A service whose Worker dies after its response. */
function dyingService(): Service {
  let steps = 0;
  const DB = databaseWith("conversation_count - count(*)", async () => {
    steps += 1;
    if (steps > 1) throw new Error("the Worker is gone");
  });
  return new Service({ DB: Object.assign(Object.create(env.DB), DB) });
}

const countersOf = (organizationId: string) =>
  selectRow(
    `SELECT conversation_count AS conversations, message_count AS messages, term_count AS tokens
       FROM organization_counters WHERE organization_id = ?1`,
    organizationId,
  );

describe("delete conversations by a filter", () => {
  test("hides all conversations that match all conditions, and no others, from the next request on", async () => {
    const { caller, organizationId, idle } = await open();
    const one = { user_id: "u-1", tags: ["old", "billing"], metadata: { ticket: 7 } };
    const gone = await seedConversation(caller, ["The zeppelin lands."], one);
    const kept = [
      await seedConversation(caller, ["The zeppelin stays."], { ...one, tags: ["billing"] }),
      await seedConversation(caller, ["A zeppelin of others."], { ...one, user_id: "u-2" }),
      await seedConversation(caller, ["No zeppelin here."], { ...one, metadata: { ticket: "7" } }),
    ];
    const filter = { user_id: "u-1", tags_all: ["old", "billing"], metadata: { ticket: 7 } };
    const counted = await caller.call(contract, deletionOf(filter, { dry_run: true }));
    expect(counted).toEqual({ conversations: 1, messages: 1, held: 0, complete: true });
    expect((await caller.call(contracts.listConversations)).items).toHaveLength(4);
    const receipt = await caller.call(contract, deletionOf(filter));
    expect(receipt).toMatchObject({
      type: "delete_conversations",
      status: "running",
      target_id: organizationId,
      progress: { done: 1, total: 1 },
      rows_deleted_at: null,
    });
    const { items } = await caller.call(contracts.listConversations);
    expect(items.map(({ id }) => id).sort()).toEqual(kept.sort());
    const params = { conversation_id: gone };
    expect((await caller.fail(contracts.getConversation, { params })).code).toBe("not_found");
    const { results } = await caller.call(contracts.search, { body: { query: "zeppelin" } });
    expect(results.map(({ conversation_id }) => conversation_id).sort()).toEqual(kept.sort());
    await idle();
    expect(await selectRows("SELECT 1 FROM conversations WHERE id = ?1", gone)).toEqual([]);
    expect(await vectorsOf(organizationId)).toHaveLength(3);
    const closed = await caller.call(contracts.getOperation, {
      params: { operation_id: `${"id" in receipt && receipt.id}` },
    });
    expect(closed).toMatchObject({
      status: "succeeded",
      completed_at: expect.any(String),
      rows_deleted_at: expect.any(String),
      vectors_deleted_at: expect.any(String),
      recoverable_until: expect.any(String),
    });
    const { items: events } = await caller.call(contracts.listAuditEvents, {
      query: { action: "conversations.deleted" },
    });
    expect(events).toMatchObject([{ target_id: organizationId, operation_id: closed.id }]);
  });

  test("continues after the response with 1,000 conversations per step, and counts its progress", async () => {
    const { caller, organizationId, service, idle } = await open();
    await insertConversations(organizationId, 2_500, "many");
    const kept = await seedConversation(caller, ["This one stays."], { user_id: "other" });
    const receipt = await caller.call(contract, deletionOf({ user_id: "many" }));
    expect(receipt).toMatchObject({ progress: { done: 1_000, total: 2_500 } });
    await service.settle();
    const params = { operation_id: `${"id" in receipt && receipt.id}` };
    expect(await caller.call(contracts.getOperation, { params })).toMatchObject({
      status: "running",
      progress: { done: 2_500, total: 2_500 },
    });
    expect(await countersOf(organizationId)).toMatchObject({ conversations: 1, messages: 1 });
    const { items } = await caller.call(contracts.listConversations);
    expect(items.map(({ id }) => id)).toEqual([kept]);
    await purgeMost(organizationId);
    await idle();
    expect(await caller.call(contracts.getOperation, { params })).toMatchObject({ status: "succeeded" });
  });

  test("is continued by the sweep if the Worker dies, and keeps conversations created later", async () => {
    const { caller, organizationId, service } = await open();
    await insertConversations(organizationId, 1_200, "many");
    const receipt = await dyingService()
      .callerOf(caller.secret)
      .call(contract, deletionOf({ user_id: "many" }));
    expect(receipt).toMatchObject({ progress: { done: 1_000, total: 1_200 } });
    expect(await countersOf(organizationId)).toMatchObject({ conversations: 200 });
    const later = await seedConversation(caller, [], { user_id: "many" });
    await service.sweep();
    const { items } = await caller.call(contracts.listConversations);
    expect(items.map(({ id }) => id)).toEqual([later]);
    await purgeMost(organizationId);
  });

  test("continues even if another deletion fails at every attempt", async () => {
    const { caller, organizationId, service } = await open();
    await insertConversations(organizationId, 1_010, "broken");
    await insertConversations(organizationId, 1_020, "many");
    const dying = () => dyingService().callerOf(caller.secret);
    const broken = await dying().call(contract, deletionOf({ user_id: "broken" }));
    await dying().call(contract, deletionOf({ user_id: "many" }));
    await env.DB.prepare(`UPDATE operations SET filter = '{"tagsAny":"no list"}' WHERE id = ?1`)
      .bind("id" in broken && broken.id)
      .run();
    await service.sweep();
    const { items } = await caller.call(contracts.listConversations, { query: { limit: 100 } });
    expect(items.map(({ user_id }) => user_id)).toEqual(Array(10).fill("broken"));
    await env.DB.prepare("UPDATE operations SET filter = NULL WHERE organization_id = ?1")
      .bind(organizationId)
      .run();
    await purgeMost(organizationId);
  });

  test("continues after the conversations it has read, even if few of them match the filter", async () => {
    const rows = new RowsRead();
    const limits = { filteredConversations: 20, softDeleteStepConversations: 2 };
    const { caller, organizationId, service } = await open({ DB: rows.db }, limits);
    await insertConversations(organizationId, 70, "many");
    const marked = await env.DB.prepare(
      `UPDATE conversations SET metadata = '{"gone":true}'
        WHERE organization_id = ?1 AND (row_key % 10 = 3 OR row_key % 23 < 3) RETURNING id`,
    )
      .bind(organizationId)
      .all<{ id: string }>();
    const kept = 70 - marked.results.length;
    const receipt = await caller.call(contract, deletionOf({ metadata: { gone: true } }));
    expect(receipt).toMatchObject({ status: "running", progress: { done: 2, total: null } });
    rows.reset();
    await service.settle();
    // Each step reads at most the limit of a scan, and nothing that an earlier step has read.
    expect(rows.most.rows).toBeLessThan(10 * 20);
    const params = { operation_id: `${"id" in receipt && receipt.id}` };
    const done = marked.results.length;
    expect(await caller.call(contracts.getOperation, { params })).toMatchObject({
      progress: { done, total: done },
    });
    expect(await countersOf(organizationId)).toMatchObject({ conversations: kept });
    const left = await caller.call(contracts.listConversations, {
      query: { limit: 100, include_total: "true" },
    });
    expect([left.total, left.items.some(({ metadata }) => metadata.gone)]).toEqual([kept, false]);
    await purgeMost(organizationId);
  });

  test("reads the same number of conversations when ten times as many are stored", async () => {
    const rows = new RowsRead();
    const limits = { filteredConversations: 20, scannedConversations: 20 };
    const { caller, organizationId, service } = await open({ DB: rows.db }, limits);
    const filters = [
      { metadata: { gone: true } },
      { tags_any: ["x"] },
      { created_before: "1960-01-01T00:00:00Z" },
    ];
    const read = async () => {
      const counts: number[] = [];
      for (const filter of filters) {
        for (const dry_run of [true, false]) {
          rows.reset();
          await caller.call(contract, deletionOf(filter, { dry_run }));
          await service.settle();
          counts.push(rows.most.rows);
        }
      }
      return counts;
    };
    await insertConversations(organizationId, 40, "many");
    const few = await read();
    await insertConversations(organizationId, 400, "others");
    expect(await read()).toEqual(few);
    expect(Math.max(...few)).toBeLessThan(10 * 20);
  });

  test("counts in a dry run up to a limited number of reads, and says if the count is incomplete", async () => {
    const limits = { filteredConversations: 5, dryRunSteps: 3 };
    const { caller, organizationId } = await open({}, limits);
    await insertConversations(organizationId, 14, "many");
    await env.DB.prepare("UPDATE conversations SET tags = '[\"x\"]' WHERE organization_id = ?1")
      .bind(organizationId)
      .run();
    const count = () => caller.call(contract, deletionOf({ tags_any: ["x"] }, { dry_run: true }));
    expect(await count()).toEqual({ conversations: 14, messages: 0, held: 0, complete: true });
    await insertConversations(organizationId, 4, "more");
    // The oldest fifteen.
    expect(await count()).toMatchObject({ conversations: 11, complete: false });
    expect(await caller.call(contract, deletionOf({ user_id: "more" }, { dry_run: true }))).toMatchObject({
      conversations: 4,
      complete: true,
    });
  });

  test("stops when it is canceled", async () => {
    const { caller, organizationId, service, idle } = await open();
    await insertConversations(organizationId, 1_100, "many");
    const receipt = await dyingService()
      .callerOf(caller.secret)
      .call(contract, deletionOf({ user_id: "many" }));
    const params = { operation_id: `${"id" in receipt && receipt.id}` };
    const canceled = await caller.call(contracts.cancelOperation, { params });
    expect(canceled).toMatchObject({
      status: "canceled",
      progress: { done: 1_000, total: 1_100 },
      soft_deleted: 1_000,
    });
    expect(await caller.call(contracts.cancelOperation, { params })).toEqual(canceled);
    await service.sweep();
    expect((await caller.call(contracts.listConversations, { query: { include_total: "true" } })).total).toBe(
      100,
    );
    await purgeMost(organizationId);
    await idle();
    expect(await caller.call(contracts.getOperation, { params })).toMatchObject({
      status: "canceled",
      completed_at: expect.any(String),
      rows_deleted_at: expect.any(String),
      vectors_deleted_at: expect.any(String),
    });
  });

  test("deletes only the agent's conversations with a key bound to an agent", async () => {
    const caller = await createOrganization();
    await seedConversation(caller, [], { agent_id: "a", user_id: "u" });
    const kept = await seedConversation(caller, [], { agent_id: "b", user_id: "u" });
    const bound = await createKey(caller, { scopes: ["delete", "read"], agent_id: "a" });
    const receipt = await bound.call(contract, deletionOf({ user_id: "u" }));
    expect(receipt).toMatchObject({ progress: { done: 1, total: 1 } });
    const { items } = await caller.call(contracts.listConversations);
    expect(items.map(({ id }) => id)).toEqual([kept]);
    expect((await bound.call(contracts.listOperations)).items).toEqual([receipt]);
    const other = await createKey(caller, { scopes: ["read"], agent_id: "b" });
    expect((await other.call(contracts.listOperations)).items).toEqual([]);
  });

  test("deletes nothing of another organization", async () => {
    const [one, other] = [await createOrganization(), await createOrganization()];
    await seedConversation(one, ["mine"], { user_id: "same" });
    await seedConversation(other, ["theirs"], { user_id: "same" });
    expect(await one.call(contract, deletionOf({ user_id: "same" }))).toMatchObject({
      progress: { total: 1 },
    });
    expect((await other.call(contracts.listConversations)).items).toHaveLength(1);
    expect(await countersOf(other.organizationId)).toMatchObject({ conversations: 1, messages: 1 });
  });

  test("returns the same receipt for a repeat with its idempotency key, and deletes nothing that was created since", async () => {
    const caller = await createOrganization();
    await seedConversation(caller, [], { user_id: "u" });
    const parts = { ...deletionOf({ user_id: "u" }), headers: { "idempotency-key": "k" } };
    const first = await caller.call(contract, parts);
    await seedConversation(caller, [], { user_id: "u" });
    expect(await caller.call(contract, parts)).toEqual(first);
    expect((await caller.call(contracts.listConversations)).items).toHaveLength(1);
  });

  test.for([{}, { tags_any: [] }, { tags_all: [] }, { metadata: {} }, { color: "red" }])(
    "rejects a filter without a condition: %j",
    async (filter) => {
      const caller = await createOrganization();
      await seedConversation(caller);
      expect((await caller.fail(contract, deletionOf(filter))).code).toBe("validation_failed");
      expect((await caller.call(contracts.listConversations)).items).toHaveLength(1);
    },
  );
});
