import * as contracts from "@engram/spec";
import { describe, expect, test } from "vitest";
import { createOrganization, seedConversation } from "../support/client.ts";
import { RowsRead } from "../support/counting.ts";
import { env } from "../support/env.ts";
import { Clock, Service, selectRow } from "../support/invocations.ts";
import { isInCells } from "../support/places.ts";

const STEP = 20;

const AI = {
  run: async (_: string, { text }: { text?: string[] }) =>
    text === undefined
      ? { response: { summary: "A note.", tags: ["one", "two", "three"] } }
      : { data: text.map(() => Array.from({ length: Number(env.EMBEDDING_DIMENSIONS) }, () => 0.1)) },
};

/** An organization, and a service with small steps that counts the rows it reads. */
async function openSmall() {
  const { secret, organizationId } = await createOrganization();
  const rows = new RowsRead();
  const clock = new Clock();
  const service = new Service({ DB: rows.db, AI: AI as never, ENRICHMENT_MODEL: "test/writer" }, clock, {
    repairStepConversations: STEP,
    backfillStepJobs: STEP,
    queueSweepOperations: 1,
    queueSweepSteps: 1,
  });
  const caller = service.callerOf(secret);
  const get = (operation_id: string) => caller.call(contracts.getOperation, { params: { operation_id } });
  const sweep = async () => {
    clock.advance(60_000);
    await service.sweepAt(isInCells ? organizationId : undefined);
  };
  /** Conversations or memories with one message each, without words or vectors. */
  const fill = async (kind: "conversation" | "note", from: number, to: number) => {
    const insert = (sql: string, ...values: unknown[]) =>
      env.DB.prepare(sql)
        .bind(...values)
        .run();
    await insert(
      `WITH RECURSIVE n (i) AS (SELECT CAST(?2 AS INTEGER) UNION ALL SELECT i + 1 FROM n WHERE i < ?3)
       INSERT INTO conversations (organization_id, id, kind, content_hash, message_count, last_sequence,
                                  created_at_ms, updated_at_ms)
       SELECT ?1, 'c' || printf('%05d', i), ?4, iif(?4 = 'note', 'hash ' || i, NULL), 1, 1, i, i FROM n`,
      organizationId,
      from,
      to,
      kind,
    );
    await insert(
      `INSERT INTO messages (row_key, organization_id, conversation_id, id, sequence, role, content, content_bytes,
                             term_count, model_tokens, created_at_ms, stored_at_ms)
       SELECT (row_key << 24) + 1, organization_id, id, 'msg_' || row_key, 1, 'user', 'a note', 6, 0, 0, 0, 0
         FROM conversations AS c WHERE organization_id = ?1
          AND NOT EXISTS (SELECT 1 FROM messages AS m WHERE m.row_key = (c.row_key << 24) + 1)`,
      organizationId,
    );
  };
  const count = async (table: string) =>
    (
      await selectRow<{ count: number }>(
        `SELECT count(*) AS count FROM ${table} WHERE organization_id = ?1`,
        organizationId,
      )
    ).count;
  return { caller, organizationId, rows, get, sweep, fill, count, service };
}

describe.each([
  {
    name: "a repair",
    contract: contracts.repairIndex,
    kind: "conversation",
    jobs: "index_jobs",
  },
  {
    name: "a backfill",
    contract: contracts.enrichMemories,
    kind: "note",
    jobs: "enrichment_jobs",
  },
] as const)("$name in several steps", ({ contract, kind, jobs }) => {
  test("the operation queues some items before its response and the rest in sweeps, and completes when all are done", async () => {
    const { caller, get, sweep, fill, count } = await openSmall();
    await fill(kind, 1, 45);
    const { id, progress } = await caller.call(contract, { body: {} });
    expect(progress).toEqual({ done: 0, total: null });
    expect(await count(jobs)).toBe(STEP);
    // The operation does not include later items.
    await fill(kind, 60, 60);
    await env.DB.prepare("UPDATE conversations SET enriched_by = 'other' WHERE id = 'c00060'").run();
    const seen: unknown[] = [];
    for (let i = 0; i < 20 && (await get(id)).status === "running"; i++) {
      await sweep();
      expect(await count(jobs)).toBeLessThanOrEqual(2 * STEP);
      seen.push(await get(id));
    }
    expect(seen).toContainEqual(
      expect.objectContaining({ progress: expect.objectContaining({ total: null }) }),
    );
    expect(await get(id)).toMatchObject({ status: "succeeded", progress: { done: 45, total: 45 } });
    expect(await count(jobs)).toBe(0);
  });

  test("the repair or backfill continues after steps that find nothing to queue", async () => {
    const { caller, organizationId, get, sweep, fill } = await openSmall();
    await fill(kind, 1, 65);
    await env.DB.prepare(
      `UPDATE conversations SET last_sequence = 0, enriched_by = 'test/writer'
        WHERE organization_id = ?1 AND id <= 'c00060'`,
    )
      .bind(organizationId)
      .run();
    const { id, progress } = await caller.call(contract, { body: {} });
    expect(progress).toEqual({ done: 0, total: null });
    for (let i = 0; i < 20 && (await get(id)).status === "running"; i++) await sweep();
    expect(await get(id)).toMatchObject({ status: "succeeded", progress: { done: 5, total: 5 } });
  });

  test("the repair or backfill takes no further step when it is canceled", async () => {
    const { caller, get, sweep, fill, count } = await openSmall();
    await fill(kind, 1, 45);
    const { id } = await caller.call(contract, { body: {} });
    const canceled = { status: "canceled", progress: { done: 0, total: null } };
    const params = { operation_id: id };
    expect(await caller.call(contracts.cancelOperation, { params })).toMatchObject(canceled);
    expect(await count(jobs)).toBe(0);
    await sweep();
    expect(await count(jobs)).toBe(0);
    expect(await get(id)).toMatchObject({ ...canceled, completed_at: expect.any(String) });
  });

  test("the operation costs the same to start, to read and to cancel, however much is stored", async () => {
    const measure = async (stored: number) => {
      const { caller, rows, get, sweep, fill } = await openSmall();
      await fill(kind, 1, stored);
      rows.reset();
      const { id } = await caller.call(contract, { body: {} });
      await get(id);
      await caller.call(contracts.cancelOperation, { params: { operation_id: id } });
      await sweep();
      return rows.total;
    };
    const before = await measure(100);
    expect(await measure(400)).toBeLessThanOrEqual(before + 20);
  });
});

test("a repair is joined while it still queues conversations, and pauses queuing while enough are pending", async () => {
  const { caller, sweep, fill, count, service, get } = await openSmall();
  await fill("conversation", 1, 100);
  const { id } = await caller.call(contracts.repairIndex, { body: {} });
  const down = { run: async () => Promise.reject(new Error("down")) };
  const idle = new Service({ AI: down as never }, new Clock(), { repairStepConversations: STEP });
  for (let i = 0; i < 3; i++) await idle.sweep();
  expect(await count("index_jobs")).toBe(STEP);
  await env.DB.prepare("DELETE FROM index_jobs WHERE operation_id = ?1").bind(id).run();
  expect(await caller.call(contracts.repairIndex, { body: {} })).toMatchObject({ id, status: "running" });
  await service.settle();
  for (let i = 0; i < 20 && (await get(id)).status === "running"; i++) await sweep();
  expect(await get(id)).toMatchObject({ status: "succeeded", progress: { done: 100, total: 100 } });
});

test("a repair of one conversation reads no other", async () => {
  const { caller, rows, fill } = await openSmall();
  await fill("conversation", 1, 300);
  const conversation_id = await seedConversation(caller, ["1"]);
  rows.reset();
  const { progress } = await caller.call(contracts.repairIndex, { body: { conversation_id } });
  expect(progress).toEqual({ done: 0, total: 1 });
  expect(rows.most.rows, rows.most.sql).toBeLessThan(20);
});
