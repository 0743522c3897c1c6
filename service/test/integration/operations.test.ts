import * as contracts from "@engram/spec";
import { describe, expect, test } from "vitest";
import { createKey, createOrganization, operator, seedConversation } from "../support/client.ts";
import { env } from "../support/env.ts";
import { open, selectRows, texts } from "../support/invocations.ts";

const ABSENT = { operation_id: "op_00000000000000000000" };

describe("list operations", () => {
  const contract = contracts.listOperations;

  test("returns them in pages, newest first, filtered by type and status", async () => {
    const { caller, idle } = await open();
    for (const text of ["1", "2", "3"]) {
      const conversation_id = await seedConversation(caller, [text]);
      await caller.call(contracts.deleteConversation, { params: { conversation_id } });
    }
    await idle();
    await seedConversation(caller, ["4"]);
    const repair = await caller.call(contracts.repairIndex, { body: {} });
    const first = await caller.call(contract, { query: { limit: "3" } });
    expect(first).toMatchObject({ items: [{ id: repair.id }, {}, {}] });
    const second = await caller.call(contract, { query: { limit: "3", cursor: first.next_cursor ?? "" } });
    expect(second).toMatchObject({ next_cursor: null, items: [{ type: "delete_conversation" }] });
    const ids = [...first.items, ...second.items].map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort().reverse());
    const running = await caller.call(contract, { query: { status: "running" } });
    expect(running).toMatchObject({ items: [{ id: repair.id }] });
    const deletions = await caller.call(contract, { query: { type: "delete_conversation" } });
    expect(deletions.items.map(({ status }) => status)).toEqual(["succeeded", "succeeded", "succeeded"]);
  });
});

describe("an index repair", () => {
  test("reports how many conversations are indexed again, and when it is complete", async () => {
    const { caller, append, service, idle } = await open();
    for (let i = 0; i < 3; i++) {
      const { id } = await caller.call(contracts.createConversation, { body: {} });
      await append(id, texts(1, 5));
    }
    await service.settle();
    const repair = await caller.call(contracts.repairIndex, { body: {} });
    const params = { operation_id: repair.id };
    const get = () => caller.call(contracts.getOperation, { params });
    expect(await get()).toMatchObject({ status: "running", progress: { done: 0, total: 3 }, reindexed: 0 });
    await idle();
    expect(await get()).toMatchObject({
      status: "succeeded",
      progress: { done: 3, total: 3 },
      reindexed: 3,
      failed: 0,
      problem: null,
      completed_at: expect.any(String),
    });
    expect((await caller.fail(contracts.cancelOperation, { params })).code).toBe("not_cancelable");
  });

  test("that is canceled leaves the other conversations as they were", async () => {
    const { caller, status, service } = await open();
    await seedConversation(caller, texts(1, 5));
    await seedConversation(caller, texts(1, 5));
    const repair = await caller.call(contracts.repairIndex, { body: {} });
    expect(await status()).toMatchObject({ pending: 10 });
    const params = { operation_id: repair.id };
    expect(await caller.call(contracts.cancelOperation, { params })).toMatchObject({
      status: "canceled",
      progress: { done: 0, total: 2 },
    });
    expect(await status()).toMatchObject({ pending: 0, chunks: 2 });
    await service.sweep();
    expect(await caller.call(contracts.getOperation, { params })).toMatchObject({
      status: "canceled",
      progress: { done: 0, total: 2 },
      completed_at: expect.any(String),
    });
  });

  test("that is canceled keeps jobs of messages that were never indexed", async () => {
    const { caller, status, service, clock, idle } = await open();
    await env.CONTROL.setFault({ ai: "3040" });
    const conversation_id = await seedConversation(caller, texts(1, 5));
    await service.settle();
    clock.advance(60_000);
    const repair = await caller.call(contracts.repairIndex, { body: { conversation_id } });
    // A second repair does not remove the jobs of the first either.
    const again = await caller.call(contracts.repairIndex, { body: {} });
    for (const { id } of [repair, again])
      await caller.fetch(contracts.cancelOperation, { params: { operation_id: id } });
    expect(await status()).toMatchObject({ pending: 5, chunks: 0 });
    await env.CONTROL.clearFaults();
    await idle();
    expect(await status()).toMatchObject({ pending: 0, chunks: 1 });
  });

  test("adds no jobs when it is requested repeatedly during an outage of the model", async () => {
    const { caller, organizationId, status, service, clock, idle } = await open();
    await seedConversation(caller, texts(1, 5));
    await idle();
    await env.CONTROL.setFault({ ai: "3040" });
    for (let i = 0; i < 6; i++) {
      await caller.call(contracts.repairIndex, { body: {} });
      // Several times the length of a lease and of the wait after a failure.
      clock.advance(300_000);
      await service.sweep();
      clock.advance(300_000);
    }
    const jobs = await selectRows("SELECT 1 FROM index_jobs WHERE organization_id = ?1", organizationId);
    expect(jobs.length).toBeLessThanOrEqual(2);
    await env.CONTROL.clearFaults();
    await idle();
    expect(await status()).toMatchObject({ pending: 0, chunks: 1 });
  });

  test("that is canceled still completes conversations that an interrupted run had begun", async () => {
    const { caller, status, service, clock, idle } = await open();
    const conversation_id = await seedConversation(caller, texts(1, 5));
    await service.settle();
    const repair = await caller.call(contracts.repairIndex, { body: { conversation_id } });
    // As a run leaves it when it dies before the vectors are stored.
    await env.DB.batch([
      env.DB.prepare(
        `UPDATE index_jobs SET attempts = 1, lease_id = 'dead', lease_until_ms = ?2 WHERE operation_id = ?1`,
      ).bind(repair.id, clock.nowMs() - 1),
      env.DB.prepare("UPDATE conversation_chunks SET indexed_at_ms = NULL WHERE conversation_id = ?1").bind(
        conversation_id,
      ),
    ]);
    await caller.call(contracts.cancelOperation, { params: { operation_id: repair.id } });
    expect(await status()).toMatchObject({ pending: 5, chunks: 0 });
    await idle();
    expect(await status()).toMatchObject({ pending: 0, chunks: 1 });
  });
});

describe("cancel operation", () => {
  const contract = contracts.cancelOperation;

  test("rejects operations of one step, and those of another organization", async () => {
    const caller = await createOrganization();
    const conversation_id = await seedConversation(caller, ["1"]);
    const { id } = await caller.call(contracts.deleteConversation, { params: { conversation_id } });
    const params = { operation_id: id };
    expect((await caller.fail(contract, { params })).code).toBe("not_cancelable");
    expect((await caller.fail(contract, { params: ABSENT })).code).toBe("not_found");
    await seedConversation(caller, ["2"], { agent_id: "a" });
    const repair = await caller.call(contracts.repairIndex, { body: {} });
    const running = { params: { operation_id: repair.id } };
    expect((await (await createOrganization()).fail(contract, running)).code).toBe("not_found");
    const bound = await createKey(caller, { scopes: ["write"], agent_id: "a" });
    expect((await bound.fail(contract, running)).code).toBe("not_found");
    expect(await caller.call(contract, running)).toMatchObject({ status: "canceled" });
  });

  test("accepts the operator's token for any organization, and writes an audit event only for an organization's deletion", async () => {
    // Of an organization in a cell, the operator finds its deletion only.
    const caller = await createOrganization("test", "d1");
    await seedConversation(caller, ["1"], { agent_id: "a" });
    const { id } = await caller.call(contracts.repairIndex, { body: {} });
    const canceled = await operator.call(contract, { params: { operation_id: id } });
    expect(canceled).toMatchObject({ id, status: "canceled", progress: { done: 0, total: 1 } });
    expect(await caller.call(contracts.getOperation, { params: { operation_id: id } })).toEqual(canceled);
    const { items } = await caller.call(contracts.listAuditEvents);
    expect(items.map(({ action }) => action)).toEqual(["key.created"]);
  });
});
