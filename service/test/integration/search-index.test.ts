import * as contracts from "@engram/spec";
import { describe, expect, test } from "vitest";
import { indexTogether } from "../../src/indexing/run.ts";
import { type Caller, createKey, createOrganization, seedConversation } from "../support/client.ts";
import { env } from "../support/env.ts";
import { open, Service, selectRows } from "../support/invocations.ts";

describe("get index status", () => {
  const contract = contracts.getIndexStatus;

  test("reports on the organization, on one conversation or on one agent", async () => {
    const own = await createOrganization();
    const one = await seedConversation(own, ["1", "2", "3"], { agent_id: "bot" });
    await seedConversation(own, ["1", "2", "3", "4", "5", "6"]);
    const all = await own.call(contract);
    expect(all).toMatchObject({ messages: 9, pending: 0, failed: 0, chunks: 3, chunks_of_other_models: 0 });
    expect(await own.call(contract, { query: { conversation_id: one } })).toMatchObject({
      messages: 3,
      chunks: 1,
    });
    const bot = await createKey(own, { scopes: ["read"], agent_id: "bot" });
    expect(await bot.call(contract)).toMatchObject({ messages: 3, chunks: 1 });
  });
});

describe("repair index", () => {
  const contract = contracts.repairIndex;

  test("queues one conversation, or all that have messages", async () => {
    const own = await createOrganization();
    const one = await seedConversation(own, ["1", "2", "3"]);
    await seedConversation(own, ["1"]);
    await seedConversation(own);
    expect(await own.call(contract, { body: { conversation_id: one } })).toMatchObject({
      type: "repair_index",
      status: "running",
      target_id: one,
      progress: { done: 0, total: 1 },
    });
    expect(await own.call(contract, { body: {} })).toMatchObject({
      target_id: own.organizationId,
      progress: { done: 0, total: 2 },
    });
    expect(await own.call(contracts.getIndexStatus)).toMatchObject({ pending: 4, chunks: 2 });
  });

  test("embeds and stores every vector again, whatever its table says", async () => {
    const own = await createOrganization();
    await seedConversation(own, ["The zeppelin lands at noon.", "Good to know.", "1", "2", "3", "4"]);
    const { results: vectors } = await env.DB.prepare(
      "SELECT vector_id FROM conversation_chunks WHERE organization_id = ?1",
    )
      .bind(own.organizationId)
      .all<{ vector_id: string }>();
    const ids = vectors.map(({ vector_id }) => vector_id);
    await env.VECTORIZE.deleteByIds(ids);
    expect(await env.VECTORIZE.getByIds(ids)).toEqual([]);
    await own.call(contract, { body: {} });
    await new Service({}).sweep();
    expect((await env.VECTORIZE.getByIds(ids)).map(({ id }) => id).sort()).toEqual(ids.sort());
  });

  test("joins a queued or running repair of the same scope, and starts another after it ended", async () => {
    const { caller: own, append, idle, organizationId, service, clock } = await open();
    const ids = [
      await seedConversation(own, [], { agent_id: "bot" }),
      await seedConversation(own, [], { agent_id: "bot" }),
    ];
    for (const id of ids) await append(id, ["1", "2"]);
    await idle();
    const bot = service.callerOf((await createKey(own, { scopes: ["write"], agent_id: "bot" })).secret);
    const repair = async (by: Caller, body: object, headers = {}) =>
      (await by.call(contract, { body, headers })).id;
    const jobs = () =>
      selectRows("SELECT id, operation_id FROM index_jobs WHERE organization_id = ?1", organizationId);
    const all = await repair(own, {});
    const queued = await jobs();
    expect(await repair(own, {})).toBe(all);
    expect(await repair(own, {}, { "idempotency-key": "again" })).toBe(all);
    expect(await repair(own, {}, { "idempotency-key": "again" })).toBe(all);
    expect(await jobs()).toEqual(queued);
    // Another scope starts another repair.
    const ofBot = await repair(bot, {});
    const ofOne = await repair(own, { conversation_id: ids[0] });
    const ofOneByBot = await repair(bot, { conversation_id: ids[0] });
    expect(new Set([all, ofBot, ofOne, ofOneByBot]).size).toBe(4);
    expect(await repair(bot, { conversation_id: ids[0] })).toBe(ofOneByBot);
    // A run has begun its job, which stays after the cancellation.
    await env.DB.prepare("UPDATE index_jobs SET attempts = 1 WHERE operation_id = ?1").bind(ofOneByBot).run();
    await own.call(contracts.cancelOperation, { params: { operation_id: ofOneByBot } });
    expect(await repair(bot, { conversation_id: ids[0] })).not.toBe(ofOneByBot);
    await idle();
    const next = await repair(own, {});
    expect(next).not.toBe(all);
    // A run has one conversation, and both are still pending.
    await indexTogether(service.context(), [{ organizationId, conversationId: ids[0] ?? "" }], 1);
    expect(await repair(own, {})).toBe(next);
    // An outage does not end the repair.
    await env.CONTROL.setFault({ ai: "3040" });
    await indexTogether(service.context(), [{ organizationId, conversationId: ids[1] ?? "" }], 1);
    await env.CONTROL.clearFaults();
    clock.advance(1_000);
    expect(await repair(own, {})).toBe(next);
    await idle();
    expect(await repair(own, {})).not.toBe(next);
    await idle();
  });
});
