import * as contracts from "@engram/spec";
import { afterEach, describe, expect, test } from "vitest";
import { seedConversation } from "../support/client.ts";
import { CountedService } from "../support/counted-service.ts";
import { Ledger } from "../support/counting.ts";
import { env } from "../support/env.ts";
import { open, sweepUntilIdle } from "../support/invocations.ts";

afterEach(() => env.CONTROL.clearFaults());

describe("limits of D1", () => {
  test("are kept by the purge of 2,500 messages and the repair of 1,000, in each sweep", async () => {
    const ledger = new Ledger();
    const { service, caller, clock, organizationId } = await open(ledger.bindings);
    const ids = [await seedConversation(caller), await seedConversation(caller)];
    const many = (count: number) => ({
      messages: Array.from({ length: count }, (_, i) => ({ role: "user", content: `Message number ${i}.` })),
    });
    for (const [id, count] of [
      [ids[0], 1_000],
      [ids[0], 1_000],
      [ids[0], 500],
      [ids[1], 1_000],
    ] as [string, number][]) {
      ledger.reset();
      await caller.call(contracts.appendMessages, { params: { conversation_id: id }, body: many(count) });
      await service.settle();
    }
    ledger.reset();
    const { id: operation_id } = await caller.call(contracts.deleteConversation, {
      params: { conversation_id: ids[0] ?? "" },
    });
    await caller.call(contracts.repairIndex, { body: { conversation_id: ids[1] } });
    await sweepUntilIdle(new CountedService(ledger, clock), clock, organizationId);
    expect(ledger.violations).toEqual([]);
    expect(await caller.call(contracts.getOperation, { params: { operation_id } })).toMatchObject({
      status: "succeeded",
    });
    expect(await caller.call(contracts.getIndexStatus)).toMatchObject({
      messages: 1_000,
      chunks: 333,
      pending: 0,
    });
  });

  test("are kept by a sweep with 26 conversations to index in many places and twenty to purge", async () => {
    const ledger = new Ledger();
    const { caller, clock, organizationId, service } = await open(ledger.bindings);
    const body = (count: number) => ({
      messages: Array.from({ length: count }, (_, i) => ({ role: "user", content: `m${i}` })),
    });
    await env.CONTROL.setFault({ ai: "3040" });
    for (let i = 0; i < 46; i++) {
      ledger.reset();
      const id = await seedConversation(caller);
      const params = { conversation_id: id };
      await caller.call(contracts.appendMessages, { params, body: body(i < 26 ? 90 : 3) });
      await service.settle();
      if (i >= 26) await caller.call(contracts.deleteConversation, { params: { conversation_id: id } });
    }
    await env.CONTROL.clearFaults();
    await env.DB.prepare("DELETE FROM index_jobs WHERE organization_id = ?1").bind(organizationId).run();
    await env.DB.prepare(
      `INSERT INTO index_jobs (organization_id, conversation_id, from_sequence, to_sequence, rebuild_words, due_at_ms)
       SELECT ?1, c.id, n.value, n.value, 1, 0 FROM conversations AS c, json_each(?2) AS n
        WHERE c.organization_id = ?1 AND c.deleted_at_ms IS NULL`,
    )
      .bind(organizationId, JSON.stringify(Array.from({ length: 6 }, (_, i) => 15 * i + 1)))
      .run();
    const counted = new CountedService(ledger, clock);
    await counted.sweep();
    await sweepUntilIdle(counted, clock, organizationId);
    expect(ledger.violations).toEqual([]);
    expect(counted.most).toBeGreaterThan(300);
  });
});
