import * as contracts from "@engram/spec";
import { afterEach, describe, expect, test } from "vitest";
import { purgeConversations, selectSoftDeletedConversations } from "../../src/deletions/purge-queries.ts";
import { selectDueDeletions } from "../../src/deletions/vector-deletions-queries.ts";
import * as enrichment from "../../src/enrichment/queries.ts";
import { claimedWork, queuedRange, selectDueConversations } from "../../src/jobs/queries.ts";
import { SERVICE_LIMITS, type ServiceLimits } from "../../src/limits.ts";
import { selectRunningOperations, updateFinishedOperations } from "../../src/operations/ends-queries.ts";
import { selectSteppedOperations } from "../../src/operations/queries.ts";
import { selectDeletedOrganizations } from "../../src/organizations/queries.ts";
import { batch, run, sql } from "../../src/platform/sql.ts";
import { createOrganization, seedConversation } from "../support/client.ts";
import { RowsRead } from "../support/counting.ts";
import { env } from "../support/env.ts";
import { Clock, Service, selectRow, selectRows } from "../support/invocations.ts";

const NOW_MS = 1_000_000;
const LIMIT = 20;

/** Runs a statement over `n`, the numbers from `from` to `to`, for the organization ?1. */
const insertEach = (organizationId: string, from: number, to: number, sql: string) =>
  env.DB.prepare(
    `WITH RECURSIVE n (i) AS (SELECT CAST(?2 AS INTEGER) UNION ALL SELECT i + 1 FROM n WHERE i < ?3) ${sql}`,
  )
    .bind(organizationId, from, to)
    .run();

const insertMemories = async (organizationId: string, from: number, to: number) => {
  await insertEach(
    organizationId,
    from,
    to,
    `INSERT INTO conversations (organization_id, id, kind, content_hash, message_count, created_at_ms, updated_at_ms)
     SELECT ?1, 'mem_' || i, 'note', 'hash ' || i, 1, i, i FROM n`,
  );
  await env.DB.prepare(
    `INSERT INTO messages (row_key, organization_id, conversation_id, id, sequence, role, content, content_bytes,
                           term_count, model_tokens, created_at_ms, stored_at_ms)
     SELECT (row_key << 24) + 1, organization_id, id, 'msg_' || row_key, 1, 'user', 'a note', 6, 0, 0, 0, 0
       FROM conversations AS c WHERE organization_id = ?1
        AND NOT EXISTS (SELECT 1 FROM messages AS m WHERE m.row_key = (c.row_key << 24) + 1)`,
  )
    .bind(organizationId)
    .run();
};

type Round = Parameters<typeof selectDueDeletions>[1]["round"];

interface Queue {
  name: string;
  /** Inserts rows into the queue of an organization. */
  fill(organizationId: string, from: number, to: number): Promise<unknown>;
  /** The rows that a sweep reads: organizations in the order in which they are served. */
  read(db: D1Database, round: Round): Promise<string[]>;
}

const queues: Queue[] = [
  {
    name: "vectors to be deleted",
    fill: (...range) =>
      insertEach(
        ...range,
        `INSERT INTO vector_deletions (organization_id, vector_id, conversation_id, queued_at_ms, due_at_ms)
         SELECT ?1, ?1 || i, 'conv', i, i FROM n`,
      ),
    read: async (db, round) =>
      (await selectDueDeletions(db, { nowMs: NOW_MS, limit: LIMIT, round })).map((row) => row.organizationId),
  },
  {
    name: "conversations to be indexed",
    fill: (...range) =>
      insertEach(
        ...range,
        `INSERT INTO index_jobs (organization_id, conversation_id, from_sequence, to_sequence, due_at_ms)
         SELECT ?1, 'conv_' || i, 1, 1, i FROM n`,
      ),
    read: async (db, round) =>
      (await selectDueConversations(db, { nowMs: NOW_MS, limit: LIMIT, round })).map(
        (row) => row.organizationId,
      ),
  },
  {
    name: "conversations to be purged",
    fill: (...range) =>
      insertEach(
        ...range,
        `INSERT INTO conversations (organization_id, id, created_at_ms, updated_at_ms, deleted_at_ms)
         SELECT ?1, 'conv_hidden' || i, i, i, i FROM n`,
      ),
    read: async (db, round) =>
      (await selectSoftDeletedConversations(db, { limit: LIMIT, round })).softDeleted.map(
        (row) => row.organizationId,
      ),
  },
  {
    name: "memories to be described",
    fill: async (...range) => {
      await insertMemories(...range);
      await insertEach(
        ...range,
        "INSERT INTO enrichment_jobs (organization_id, memory_id, pass, due_at_ms) SELECT ?1, 'mem_' || i, 2, i FROM n",
      );
    },
    read: async (db, round) => {
      expect(await enrichment.hasDueEnrichmentJobs(db, { nowMs: NOW_MS, round })).toBe(true);
      const input = { organizationId: null, nowMs: NOW_MS, untilMs: NOW_MS, limit: LIMIT, bytesMax: 1_000 };
      const claimed = await enrichment.claimEnrichmentJobs(db, { ...input, round });
      return claimed.map((row) => row.organizationId);
    },
  },
  {
    name: "deletions by a filter",
    fill: (...range) =>
      insertEach(
        ...range,
        `INSERT INTO operations (organization_id, id, type, target_id, created_at_ms, filter, done, total)
         SELECT ?1, ?1 || i, 'delete_memories', ?1, i, '{}', 0, 1 FROM n`,
      ),
    read: async (db, round) =>
      (await selectSteppedOperations(db, { types: ["delete_memories"], limit: LIMIT, round })).map(
        (row) => row.owner.organizationId,
      ),
  },
];

let used: string[] = [];
afterEach(async () => {
  for (const table of [
    "vector_deletions",
    "index_jobs",
    "enrichment_jobs",
    "operations",
    "messages",
    "conversations",
    "conversation_chunks",
  ])
    await env.DB.prepare(`DELETE FROM ${table} WHERE organization_id IN (SELECT value FROM json_each(?1))`)
      .bind(JSON.stringify(used))
      .run();
  used = [];
});
/** In D1, whose queues organizations share. */
const openOrganization = async () => {
  const caller = await createOrganization("test", "d1");
  used.push(caller.organizationId);
  return caller;
};

const round = { organizationsMax: 10, rowsMax: 40, chance: 0 };

describe.each(queues)("the queue of $name", ({ fill, read }) => {
  test("is read at a constant cost per sweep, however long it is", async () => {
    const { organizationId } = await openOrganization();
    const rows = new RowsRead();
    await fill(organizationId, 1, 200);
    expect(await read(rows.db, round)).toHaveLength(LIMIT);
    const { total } = rows;
    rows.reset();
    await fill(organizationId, 201, 800);
    await read(rows.db, round);
    expect(rows.total).toBeLessThanOrEqual(total + 5);
    expect(rows.most.rows).toBeLessThan(20 * round.rowsMax);
  });

  test("is processed round-robin among organizations, however long one organization's part is", async () => {
    const [many, one] = [await openOrganization(), await openOrganization()];
    await fill(many.organizationId, 1, 200);
    await fill(one.organizationId, 300, 300);
    const first: string[] = [];
    for (const chance of [0, 0.2, 0.4, 0.6, 0.8]) {
      const served = await read(env.DB, { ...round, chance });
      expect(served.slice(0, 2).sort()).toEqual([many.organizationId, one.organizationId].sort());
      expect(served).toHaveLength(LIMIT);
      first.push(served[0] ?? "");
    }
    expect(new Set(first).size).toBe(2);
  });

  test("serves every organization in the end, even if there are more than one sweep can serve", async () => {
    const organizations = [];
    for (let i = 0; i < 4; i++) {
      const { organizationId } = await openOrganization();
      await fill(organizationId, 1, 1);
      organizations.push(organizationId);
    }
    const served = new Set<string>();
    for (let i = 0; i < 40; i++) {
      const few = { ...round, organizationsMax: 2, chance: i / 40 };
      for (const one of await read(env.DB, few)) served.add(one);
    }
    expect([...served].sort()).toEqual(organizations.sort());
  });
});

describe("the closing of receipts", () => {
  const insertReceipts = (organizationId: string, from: number, to: number) =>
    insertEach(
      organizationId,
      from,
      to,
      `INSERT INTO operations
         (organization_id, id, type, target_id, conversation_id, created_at_ms, rows_deleted_at_ms)
       SELECT ?1, 'op_' || i, 'delete_message', 'msg', 'conv', i, i FROM n`,
    );
  const insertVectors = queues[0]?.fill as Queue["fill"];
  const insertJobs = (organizationId: string, from: number, to: number) =>
    insertEach(
      organizationId,
      from,
      to,
      `INSERT INTO index_jobs (organization_id, conversation_id, from_sequence, to_sequence, due_at_ms)
       SELECT ?1, 'conv', 1, 1, i FROM n`,
    );

  test("of one conversation reads rows in linear proportion to the receipts", async () => {
    const { organizationId } = await openOrganization();
    const rows = new RowsRead();
    const readBy = async (from: number, to: number) => {
      // Vectors that were queued after every receipt, so that none of them counts.
      await insertVectors(organizationId, 10_000 + from, 10_000 + to);
      await insertJobs(organizationId, from, to);
      await insertReceipts(organizationId, from, to);
      await env.DB.prepare("UPDATE operations SET completed_at_ms = NULL WHERE organization_id = ?1")
        .bind(organizationId)
        .run();
      rows.reset();
      const running = await selectRunningOperations(rows.db, { round: { ...round, rowsMax: 10_000 } });
      await updateFinishedOperations(rows.db, running, NOW_MS);
      return rows.total;
    };
    const once = await readBy(1, 200);
    const twice = await readBy(201, 400);
    const { open } = await selectRow<{ open: number }>(
      "SELECT count(*) AS open FROM operations WHERE organization_id = ?1 AND completed_at_ms IS NULL",
      organizationId,
    );
    expect(open).toBe(0);
    expect(twice).toBeLessThan(2.2 * once);
  });

  test("checks a limited number of receipts per sweep, and eventually each one", async () => {
    const [many, one] = [await openOrganization(), await openOrganization()];
    // All but the last wait, because their rows still exist.
    await insertReceipts(many.organizationId, 1, 300);
    await env.DB.prepare(
      "UPDATE operations SET rows_deleted_at_ms = NULL WHERE organization_id = ?1 AND id <> 'op_300'",
    )
      .bind(many.organizationId)
      .run();
    await env.DB.prepare(
      `INSERT INTO operations (organization_id, id, type, target_id, conversation_id, created_at_ms, rows_deleted_at_ms)
       VALUES (?1, 'op_one', 'delete_message', 'msg', 'conv', 1, 1)`,
    )
      .bind(one.organizationId)
      .run();
    const rows = new RowsRead();
    const sweep = async (chance: number) => {
      const running = await selectRunningOperations(rows.db, { round: { ...round, rowsMax: 20, chance } });
      expect(running.length).toBeLessThanOrEqual(40);
      await updateFinishedOperations(rows.db, running, NOW_MS);
    };
    const isOpen = async (id: string) =>
      (
        await selectRow<{ at: number | null }>(
          "SELECT completed_at_ms AS at FROM operations WHERE id = ?1",
          id,
        )
      ).at === null;
    await sweep(0);
    expect([await isOpen("op_one"), await isOpen("op_300")]).toEqual([false, true]);
    for (let i = 0; i < 100 && (await isOpen("op_300")); i++) await sweep(i / 100);
    expect(await isOpen("op_300")).toBe(false);
    expect(rows.most.rows).toBeLessThan(1_000);
  });
});

test("deleted organizations are purged round-robin", async () => {
  const ids: string[] = [];
  for (let i = 0; i < 4; i++) ids.push((await openOrganization()).organizationId);
  await env.DB.prepare(
    "UPDATE organizations SET deleted_at_ms = 1, operation_id = 'op' WHERE id IN (SELECT value FROM json_each(?1))",
  )
    .bind(JSON.stringify(ids))
    .run();
  const served = new Set<string>();
  for (let i = 0; i < 20; i++) {
    const some = await selectDeletedOrganizations(env.DB, { limit: 1, round: { ...round, chance: i / 20 } });
    for (const { id } of some) served.add(id);
  }
  expect([...served].sort()).toEqual(ids.sort());
  await env.DB.prepare("UPDATE organizations SET deleted_at_ms = NULL, operation_id = NULL").run();
});

test("no statement of a sweep reads more rows than its limits allow, however much is queued", async () => {
  const { organizationId } = await openOrganization();
  const small: Partial<ServiceLimits> = {
    sweepOrganizations: 10,
    sweepRows: 40,
    purgeStepConversations: 20,
    purgeStepMessages: 20,
    purgeSweepSteps: 2,
    deleteRoundVectors: 20,
    closeSweepOperations: 20,
    enrichRunMemories: 10,
    filteredConversations: 20,
    scannedConversations: 20,
    softDeleteStepConversations: 20,
  };
  const rows = new RowsRead();
  const clock = new Clock();
  const sweep = async (from: number, to: number) => {
    for (const { fill } of queues) await fill(organizationId, from, to);
    rows.reset();
    const service = new Service({ ENRICHMENT_MODEL: "test/writer" }, clock, small);
    await service.sweep({ db: rows.db });
    return rows.most;
  };
  expect((await sweep(1, 300)).rows).toBeLessThan(1_500);
  const { rows: most, sql } = await sweep(301, 900);
  expect(most, sql).toBeLessThan(1_500);
});

test("a capture costs the same, whatever other organizations have queued", async () => {
  const [many, one] = [await openOrganization(), await openOrganization()];
  const rows = new RowsRead();
  const AI = { run: async () => ({ response: { summary: "A note.", tags: ["one", "two", "three"] } }) };
  const service = new Service({ DB: rows.db, AI: AI as never, ENRICHMENT_MODEL: "test/writer" });
  const caller = service.callerOf(one.secret);
  const capture = async (content: string) => {
    rows.reset();
    await caller.call(contracts.createMemory, { body: { content } });
    await service.settle();
    return rows.total;
  };
  const insertBackfill = async (from: number, to: number) => {
    await queues[3]?.fill(many.organizationId, from, to);
    await env.DB.prepare(
      "UPDATE enrichment_jobs SET operation_id = 'op_backfill', pass = 1 WHERE organization_id = ?1",
    )
      .bind(many.organizationId)
      .run();
  };
  await capture("first");
  await insertBackfill(1, 100);
  const before = await capture("second");
  await insertBackfill(101, 600);
  expect(await capture("third")).toBeLessThan(before + 20);
});

test("an enrichment run processes at most its limit of bytes, shared equally among organizations, and the rest later", async () => {
  const [many, one] = [await openOrganization(), await openOrganization()];
  const fill = queues[3]?.fill as Queue["fill"];
  await fill(many.organizationId, 1, 10);
  await fill(one.organizationId, 100, 103);
  await env.DB.prepare("UPDATE messages SET content_bytes = 1000 WHERE organization_id = ?1")
    .bind(many.organizationId)
    .run();
  const claim = async (bytesMax: number, organizationId: string | null = null) => {
    const claimed = await enrichment.claimEnrichmentJobs(env.DB, {
      organizationId,
      nowMs: NOW_MS,
      untilMs: 2 * NOW_MS,
      limit: 60,
      bytesMax,
      round,
    });
    return [many, one].map(
      (owner) => claimed.filter((job) => job.organizationId === owner.organizationId).length,
    );
  };
  // Each organization gets half of 4,000 bytes.
  expect(await claim(4_000)).toEqual([2, 4]);
  expect(await claim(1)).toEqual([1, 0]);
  expect(await claim(3_500, many.organizationId)).toEqual([3, 0]);
  expect(await claim(1_000_000)).toEqual([4, 0]);
  await fill(many.organizationId, 20, 20);
  await fill(one.organizationId, 120, 120);
  expect((await claim(1)).toSorted()).toEqual([0, 1]);
  expect((await claim(1)).toSorted()).toEqual([0, 1]);
  expect(await claim(1_000_000)).toEqual([0, 0]);
});

test("a purge deletes a long conversation and its chunks in steps, and ends when both are gone", async () => {
  const { organizationId } = await openOrganization();
  await insertEach(
    organizationId,
    1,
    50,
    `INSERT INTO conversation_chunks (organization_id, id, conversation_id, vector_id, window_start, start_sequence,
                                      end_sequence, model, text_hash)
     SELECT ?1, 'chk_' || i, 'conv_long', ?1 || 'v' || i, 3 * i - 2, 3 * i - 2, 3 * i + 2, 'model', '' FROM n`,
  );
  await env.DB.prepare(
    `INSERT INTO conversations (organization_id, id, created_at_ms, updated_at_ms, deleted_at_ms, operation_id)
     VALUES (?1, 'conv_long', 1, 1, 1, 'op_long')`,
  )
    .bind(organizationId)
    .run();
  // Queued before the deletion, with a clock that was ahead.
  await insertEach(
    organizationId,
    1,
    30,
    `INSERT INTO vector_deletions (organization_id, vector_id, conversation_id, queued_at_ms, due_at_ms)
     SELECT ?1, ?1 || 'old' || i, 'conv_long', 5, 5 FROM n`,
  );
  const rows = new RowsRead();
  const left = async () => {
    const { softDeleted: hidden } = await selectSoftDeletedConversations(env.DB, { limit: LIMIT, round });
    rows.reset();
    await purgeConversations(rows.db, hidden, { limit: 20, nowMs: NOW_MS });
    expect(rows.most.rows).toBeLessThan(200);
    return selectRow<object>(
      `SELECT (SELECT count(*) FROM conversation_chunks WHERE organization_id = ?1) AS chunks,
              (SELECT count(*) FROM vector_deletions WHERE organization_id = ?1
                  AND operation_id = 'op_long' AND queued_at_ms = 0) AS vectors,
              (SELECT count(*) FROM conversations WHERE organization_id = ?1) AS conversations`,
      organizationId,
    );
  };
  expect(await left()).toEqual({ chunks: 30, vectors: 40, conversations: 1 });
  expect(await left()).toEqual({ chunks: 10, vectors: 70, conversations: 1 });
  expect(await left()).toEqual({ chunks: 0, vectors: 80, conversations: 0 });
});

test("the deletion of a message costs the same, however many vector deletions its conversation has queued", async () => {
  const { secret, organizationId } = await openOrganization();
  const rows = new RowsRead();
  const service = new Service({ DB: rows.db });
  const caller = service.callerOf(secret);
  const id = await seedConversation(caller, ["1", "2", "3", "4", "5", "6"]);
  await service.settle();
  const params = { conversation_id: id };
  const { items } = await caller.call(contracts.listMessages, { params });
  const remove = async (at: number) => {
    rows.reset();
    await caller.call(contracts.deleteMessage, { params: { ...params, message_id: items[at]?.id ?? "" } });
    return rows.total;
  };
  const before = await remove(0);
  await insertEach(
    organizationId,
    1,
    500,
    `INSERT INTO vector_deletions (organization_id, vector_id, conversation_id, queued_at_ms, due_at_ms)
     SELECT ?1, ?1 || 'v' || i, (SELECT id FROM conversations WHERE organization_id = ?1), 1, 9e15 FROM n`,
  );
  expect(await remove(1)).toBeLessThan(before + 100);
  await service.settle();
});

test("the deletion of a message reads only the chunks around it, however long the conversation is", async () => {
  const { secret, organizationId } = await openOrganization();
  const rows = new RowsRead();
  const caller = new Service({ DB: rows.db }).callerOf(secret);
  const id = await seedConversation(caller, ["1", "2", "3", "4", "5", "6"]);
  await insertEach(
    organizationId,
    10,
    500,
    `INSERT INTO conversation_chunks (organization_id, id, conversation_id, vector_id, window_start, start_sequence,
                                      end_sequence, model, text_hash)
     SELECT ?1, 'chk_' || i, (SELECT id FROM conversations WHERE organization_id = ?1), ?1 || 'v' || i, 3 * i - 2,
            3 * i - 2, 3 * i + 2, 'model', '' FROM n`,
  );
  const params = { conversation_id: id };
  const { items } = await caller.call(contracts.listMessages, { params });
  rows.reset();
  await caller.call(contracts.deleteMessage, { params: { ...params, message_id: items[1]?.id ?? "" } });
  expect(rows.most.rows, rows.most.sql).toBeLessThan(100);
});

test("a repair finds the queued repair without reading other operations", async () => {
  const { secret, organizationId } = await openOrganization();
  const rows = new RowsRead();
  const caller = new Service({ DB: rows.db }).callerOf(secret);
  await seedConversation(caller, ["1"]);
  await insertEach(
    organizationId,
    1,
    500,
    `INSERT INTO operations (organization_id, id, type, target_id, created_at_ms)
     SELECT ?1, 'a' || ?1 || i, 'delete_message', ?1, i FROM n`,
  );
  const first = await caller.call(contracts.repairIndex, { body: {} });
  rows.reset();
  expect(await caller.call(contracts.repairIndex, { body: {} })).toMatchObject({ id: first.id });
  expect(rows.most.rows, rows.most.sql).toBeLessThan(100);
});

test("vector deletions of a conversation wait while it is being indexed, and do not delay others", async () => {
  const { organizationId } = await openOrganization();
  const clock = new Clock();
  const service = new Service({}, clock, { deleteRoundVectors: 2, deleteSweepRounds: 2, sweepRows: 2 });
  const insert = (vectors: string, conversation: string) =>
    env.DB.prepare(
      `INSERT INTO vector_deletions (organization_id, vector_id, conversation_id, queued_at_ms, due_at_ms)
       SELECT ?1, ?1 || value, ?3, 0, 0 FROM json_each(?2)`,
    )
      .bind(organizationId, vectors, conversation)
      .run();
  await insert('["a", "b"]', "conv_held");
  await insert('["c"]', "conv_free");
  const heldUntilMs = clock.nowMs() + 50_000;
  await env.DB.prepare(
    `INSERT INTO index_jobs (organization_id, conversation_id, from_sequence, to_sequence, due_at_ms, lease_until_ms)
     VALUES (?1, 'conv_held', 1, 1, 9e15, ?2)`,
  )
    .bind(organizationId, heldUntilMs)
    .run();
  await service.sweep();
  const due = await selectRows(
    "SELECT due_at_ms, sent_at_ms FROM vector_deletions WHERE organization_id = ?1 ORDER BY vector_id",
    organizationId,
  );
  const held = { due_at_ms: heldUntilMs, sent_at_ms: null };
  expect(due).toEqual([
    held,
    held,
    { due_at_ms: clock.nowMs() + SERVICE_LIMITS.deleteConfirmMs, sent_at_ms: clock.nowMs() },
  ]);
});

describe("the queue of one conversation", () => {
  const openQueue = async () => {
    const { organizationId } = await createOrganization();
    const due = { organizationId, conversationId: "conv_1" };
    const queue = (first: number, last: number) =>
      run(env.DB, queuedRange({ ...due, nowMs: 0 }, sql`SELECT ${first} AS first, ${last} AS last`));
    const ranges = async () => {
      const sql = "SELECT from_sequence, to_sequence FROM index_jobs WHERE organization_id = ?1 ORDER BY id";
      const jobs = await selectRows<{ from_sequence: number; to_sequence: number }>(sql, organizationId);
      return jobs.map(({ from_sequence, to_sequence }) => [from_sequence, to_sequence]);
    };
    const claim = () =>
      batch(env.DB, claimedWork([due], { id: "run", nowMs: 1, untilMs: 2, isEarly: false, jobsMax: 100 }));
    return { queue, ranges, claim };
  };

  test("has one job for many appends, and another for messages that a run may not have read", async () => {
    const { queue, ranges, claim } = await openQueue();
    for (let sequence = 1; sequence <= 30; sequence++) await queue(sequence, sequence);
    await queue(12, 12);
    expect(await ranges()).toEqual([[1, 30]]);
    await claim();
    for (const sequence of [31, 32, 30]) await queue(sequence, sequence);
    expect(await ranges()).toEqual([
      [1, 30],
      [30, 32],
    ]);
  });

  test("does not grow with updates all over the conversation", async () => {
    const { queue, ranges } = await openQueue();
    for (let sequence = 1; sequence <= 1_000; sequence += 10) await queue(sequence, sequence);
    const jobs = await ranges();
    expect(jobs.length).toBe(20);
    expect(jobs.at(-1)).toEqual([191, 991]);
  });

  test("stays empty if there is nothing to index", async () => {
    const { ranges, queue } = await openQueue();
    await queue(null as never, null as never);
    expect(await ranges()).toEqual([]);
  });
});

test("one sweep deletes all due vectors, in invocations of a few rounds each", async () => {
  const { organizationId } = await openOrganization();
  const clock = new Clock();
  const limits = { deleteRoundVectors: 2, deleteSweepRounds: 2, deleteInvocationRounds: 3, sweepRows: 2 };
  const service = new Service({}, clock, limits);
  const vectors = JSON.stringify(Array.from({ length: 30 }, (_, i) => i));
  await env.DB.prepare(
    `INSERT INTO vector_deletions (organization_id, vector_id, conversation_id, queued_at_ms, due_at_ms)
     SELECT ?1, ?1 || value, 'conv_gone', 0, 0 FROM json_each(?2)`,
  )
    .bind(organizationId, vectors)
    .run();
  const left = () =>
    selectRows("SELECT sent_at_ms FROM vector_deletions WHERE organization_id = ?1", organizationId);
  await service.sweep();
  expect(await left()).toEqual(Array.from({ length: 30 }, () => ({ sent_at_ms: clock.nowMs() })));
  clock.advance(SERVICE_LIMITS.deleteConfirmMs);
  await service.sweep();
  expect(await left()).toEqual([]);
});
