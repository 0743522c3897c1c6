import * as contracts from "@engram/spec";
import { afterEach, describe, expect, test } from "vitest";
import { operator, seedConversation } from "../support/client.ts";
import { databaseWith, openIndexed, TEXTS } from "../support/deletions.ts";
import { env } from "../support/env.ts";
import { exportOnce } from "../support/exports.ts";
import { send } from "../support/imports.ts";
import {
  existingVectors,
  Service,
  selectChunks,
  selectPostings,
  selectRow,
  selectRows,
  vectorsOf,
} from "../support/invocations.ts";

const HOUR_MS = 3_600_000;

afterEach(async () => {
  await env.CONTROL.clearFaults();
  await env.CONTROL.setVisibilityDelayMs(0);
  await env.CONTROL.flush();
});

/** Pages of the keyword index that contain a word. */
async function pagesWith(word: string): Promise<number> {
  const { count } = await selectRow<{ count: number }>(
    "SELECT count(*) AS count FROM message_words_data WHERE instr(block, CAST(?1 AS BLOB)) > 0",
    word,
  );
  return count;
}

describe("from the next request on, without waiting for the purge,", () => {
  test("no response contains a deleted message, although the vector store still returns it", async () => {
    const { caller, params, message, found } = await openIndexed();
    expect(await found("semantic")).toEqual([1, 2, 3, 4]);
    await env.CONTROL.setVisibilityDelayMs(HOUR_MS);
    await caller.call(contracts.deleteMessage, { params: message });
    expect(await caller.fail(contracts.getMessage, { params: message })).toMatchObject({ code: "not_found" });
    const { items } = await caller.call(contracts.listMessages, { params });
    expect(items.map(({ sequence }) => sequence)).toEqual([1, 3, 4]);
    const conversation = await caller.call(contracts.getConversation, { params });
    expect(JSON.stringify(conversation)).not.toContain("zeppelin");
    expect(await found("keyword")).not.toContain(2);
    expect(await found("semantic")).not.toContain(2);
    expect(await found("hybrid")).not.toContain(2);
    expect(await caller.fail(contracts.deleteMessage, { params: message })).toMatchObject({
      code: "not_found",
    });
  });

  test("no response contains a deleted conversation, although its rows and vectors still exist", async () => {
    const { caller, organizationId, params, message, found } = await openIndexed();
    await env.CONTROL.setVisibilityDelayMs(HOUR_MS);
    await caller.call(contracts.deleteConversation, { params });
    for (const contract of [
      contracts.getConversation,
      contracts.listMessages,
      contracts.deleteConversation,
    ]) {
      expect(await caller.fail(contract, { params })).toMatchObject({ code: "not_found" });
    }
    const append = { params, body: { messages: [{ role: "user", content: "Late." }] } };
    expect(await caller.fail(contracts.appendMessages, append)).toMatchObject({ code: "not_found" });
    expect(await caller.fail(contracts.getMessage, { params: message })).toMatchObject({ code: "not_found" });
    expect(await caller.call(contracts.listConversations)).toMatchObject({ items: [] });
    for (const mode of ["keyword", "semantic", "hybrid"]) expect(await found(mode)).toEqual([]);
    expect(await vectorsOf(organizationId)).toHaveLength(1);
    expect(await caller.call(contracts.getIndexStatus)).toMatchObject({ messages: 0, chunks: 0, pending: 0 });
  });
});

describe("a deletion", () => {
  test("of a message removes its row and terms at once, and its vectors later", async () => {
    const { caller, organizationId, message, idle } = await openIndexed();
    const { row_key } = await selectRow<{ row_key: number }>(
      "SELECT row_key FROM messages WHERE id = ?1",
      message.message_id,
    );
    const before = await selectChunks(organizationId);
    expect((await selectPostings(organizationId)).filter(({ doc }) => doc === row_key)).toHaveLength(5);
    await caller.call(contracts.deleteMessage, { params: message });
    expect(await selectRows("SELECT id FROM messages WHERE id = ?1", message.message_id)).toEqual([]);
    expect((await selectPostings(organizationId)).filter(({ doc }) => doc === row_key)).toEqual([]);
    await idle();
    expect(await existingVectors(before.map(({ vector_id }) => vector_id))).toEqual([]);
    const after = (await selectChunks(organizationId)).map(({ vector_id }) => vector_id);
    expect(after).toHaveLength(1);
    expect(await vectorsOf(organizationId)).toEqual(after);
  });

  test("of a conversation leaves no rows in any table, and no words in the database file", async () => {
    const { caller, organizationId, params, idle, id } = await openIndexed();
    await seedConversation(caller, ["This one stays."]);
    const one = { messages: [{ role: "user", content: "Xylophones." }] };
    await caller.call(contracts.appendMessages, { params, body: one });
    expect(await pagesWith("xylophon")).toBeGreaterThan(0);
    await caller.call(contracts.deleteConversation, { params });
    await idle();
    for (const table of ["messages", "conversation_chunks", "index_jobs"]) {
      expect(await selectRows(`SELECT 1 FROM ${table} WHERE conversation_id = ?1`, id), table).toEqual([]);
    }
    expect(await selectRows("SELECT 1 FROM conversations WHERE id = ?1", id)).toEqual([]);
    expect((await selectPostings(organizationId)).map(({ term }) => term.replace(/^\d+~/, ""))).toEqual([
      "one",
      "stay",
      "this",
    ]);
    expect(await pagesWith("xylophon")).toBe(0);
    expect(await vectorsOf(organizationId)).toHaveLength(1);
  });

  test("of one message among a thousand leaves no words in the database file", async () => {
    const { caller, params, idle } = await openIndexed();
    for (let batch = 0; batch < 5; batch++) {
      const messages = Array.from({ length: 200 }, (_, i) => ({
        role: "user",
        content: `Note ${batch} ${i}.`,
      }));
      await caller.call(contracts.appendMessages, { params, body: { messages } });
    }
    const body = { messages: [{ role: "user", content: "Quokkas." }] };
    const { message_ids } = await caller.call(contracts.appendMessages, { params, body });
    await idle();
    await caller.call(contracts.deleteMessage, { params: { ...params, message_id: message_ids[0] ?? "" } });
    expect(await pagesWith("quok")).toBeGreaterThan(0);
    await idle();
    expect(await pagesWith("quok")).toBe(0);
    const search = {
      body: { query: "note", mode: "keyword", limit: 50, neighbors: { before: 0, after: 0 } },
    };
    expect((await caller.call(contracts.search, search)).results).toHaveLength(50);
  });

  test("of an organization leaves only the receipt, readable by the operator, and the audit event", async () => {
    const { caller, organizationId, idle } = await openIndexed();
    const { number } = await selectRow<{ number: number }>(
      "SELECT number FROM organizations WHERE id = ?1",
      organizationId,
    );
    await seedConversation(caller, ["Another conversation."], { external_id: "x" });
    const headers = { "idempotency-key": "k" };
    await caller.call(contracts.createConversation, { body: {}, headers });
    const params = { organization_id: organizationId };
    const { id: operation_id, progress } = await caller.call(contracts.deleteOrganization, { params });
    expect(progress).toEqual({ done: 0, total: 3 });
    await idle();
    const { results } = await env.DB.prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%organization_id TEXT%'",
    ).all<{ name: string }>();
    expect(results.length).toBeGreaterThanOrEqual(8);
    const stays = { operations: 1, audit_events: 1 };
    const rowsOf = (name: string) =>
      selectRows(`SELECT 1 FROM ${name} WHERE organization_id = ?1`, organizationId);
    for (const { name } of results) {
      expect([name, (await rowsOf(name)).length]).toEqual([name, { [name]: 0, ...stays }[name]]);
    }
    expect(await selectRows("SELECT 1 FROM organizations WHERE id = ?1", organizationId)).toEqual([]);
    expect(await selectRows("SELECT 1 FROM message_postings WHERE term LIKE ?1", `${number}~%`)).toEqual([]);
    expect(await vectorsOf(organizationId)).toEqual([]);
    expect(await operator.call(contracts.getOperation, { params: { operation_id } })).toMatchObject({
      status: "succeeded",
      progress: { done: 3, total: 3 },
    });
  });

  test("purges 1,000 messages at a time", async () => {
    await env.CONTROL.setFault({ ai: "3040" });
    const { caller, params, service, clock, organizationId } = await openIndexed();
    for (const count of [1_000, 1_000, 500]) {
      const messages = Array.from({ length: count }, (_, i) => ({ role: "user", content: `m${i}` }));
      await caller.call(contracts.appendMessages, { params, body: { messages } });
    }
    await service.settle();
    await caller.call(contracts.deleteConversation, { params });
    const left: number[] = [];
    const count = "SELECT count(*) AS count FROM messages WHERE organization_id = ?1";
    const DB = databaseWith("DELETE FROM messages", async () => {
      left.push((await selectRow<{ count: number }>(count, organizationId)).count);
    });
    const purging = new Service({ DB: Object.assign(Object.create(env.DB), DB) }, clock);
    await purging.sweep();
    expect(left).toEqual([2_504, 1_504, 504]);
    expect((await selectRow<{ count: number }>(count, organizationId)).count).toBe(0);
  });

  test("of messages keeps their sequences unused, and updates the counters", async () => {
    const { caller, organizationId, params, message } = await openIndexed();
    const organization = { params: { organization_id: organizationId } };
    await caller.call(contracts.deleteMessage, { params: message });
    const replace = { expected_last_sequence: 4, from_sequence: 3, messages: [] };
    await caller.call(contracts.replaceMessages, { params, body: replace });
    const body = { messages: [{ role: "user", content: "Five words are in here" }] };
    expect(await caller.call(contracts.appendMessages, { params, body })).toMatchObject({
      first_sequence: 5,
    });
    const counters = () =>
      selectRow(
        `SELECT o.conversation_count AS conversations, o.message_count AS messages, o.term_count AS tokens,
                (SELECT count(*) FROM messages WHERE organization_id = ?1) AS rows,
                (SELECT sum(term_count) FROM conversations WHERE organization_id = ?1 AND deleted_at_ms IS NULL) AS sum
           FROM organization_counters AS o WHERE o.organization_id = ?1`,
        organizationId,
      );
    const tokens = (await selectPostings(organizationId)).length;
    expect(await counters()).toEqual({ conversations: 1, messages: 2, tokens, rows: 2, sum: tokens });
    expect(await caller.call(contracts.getOrganization, organization)).toMatchObject({
      conversation_count: 1,
      message_count: 2,
    });
    expect(await caller.call(contracts.getConversation, { params })).toMatchObject({
      message_count: 2,
      last_sequence: 5,
    });
    await caller.call(contracts.deleteConversation, { params });
    expect(await counters()).toMatchObject({ conversations: 0, messages: 0, tokens: 0, sum: null });
    expect(await caller.call(contracts.getOrganization, organization)).toMatchObject({
      conversation_count: 0,
      message_count: 0,
    });
  });
});

describe("concurrent sweeps", () => {
  test("purge everything that was deleted, and nothing else", async () => {
    const { caller, organizationId, params, message, service, clock, idle } = await openIndexed();
    const kept = await seedConversation(caller, TEXTS);
    const gone = await Promise.all(Array.from({ length: 5 }, () => seedConversation(caller, TEXTS)));
    await caller.call(contracts.deleteMessage, { params: message });
    for (const conversation_id of gone)
      await caller.call(contracts.deleteConversation, { params: { conversation_id } });
    await caller.call(contracts.repairIndex, { body: {} });
    for (let i = 0; i < 6; i++) {
      clock.advance(30_000);
      await Promise.all(Array.from({ length: 4 }, () => service.sweep()));
    }
    await idle();
    const chunks = await selectChunks(organizationId);
    expect(chunks.map(({ conversation_id }) => conversation_id).sort()).toEqual(
      [kept, params.conversation_id].sort(),
    );
    expect(await vectorsOf(organizationId)).toEqual(chunks.map(({ vector_id }) => vector_id).sort());
    expect(await caller.call(contracts.getIndexStatus)).toMatchObject({
      messages: 7,
      chunks: 2,
      pending: 0,
      deletions_pending: 0,
    });
  });
});

describe("a vector deletion that the store executes late, after a response with an error,", () => {
  test.for([
    ["without a repeated request", 0],
    ["with a repeated request", 1],
  ] as const)("%s, is undone by indexing again if an import has restored the message", async ([, more]) => {
    const late: string[][] = [];
    const VECTORIZE = Object.assign(Object.create(env.VECTORIZE), {
      upsert: (vectors: VectorizeVector[]) => env.VECTORIZE.upsert(vectors),
      query: (vector: number[], options: VectorizeQueryOptions) => env.VECTORIZE.query(vector, options),
      getByIds: (ids: string[]) => env.VECTORIZE.getByIds(ids),
      deleteByIds: async (ids: string[]) => {
        if (late.length > 0) return env.VECTORIZE.deleteByIds(ids);
        late.push(ids);
        throw new Error("VECTOR_ERROR: Status + 500");
      },
    });
    const { caller, message, clock, service, idle, organizationId } = await openIndexed({ VECTORIZE });
    const before = await vectorsOf(organizationId);
    const told = await exportOnce(caller);
    await caller.call(contracts.deleteMessage, { params: message });
    await service.settle();
    await service.sweep();
    expect(late).toEqual([before]);
    for (let i = 0; i < more; i++) {
      clock.advance(1_000);
      await service.sweep();
    }
    await send(caller, [...told.lines, told.end]);
    await service.settle();
    expect(await vectorsOf(organizationId)).toEqual(expect.arrayContaining(before));
    await env.VECTORIZE.deleteByIds(late[0] ?? []);
    expect(await caller.call(contracts.getIndexStatus, {})).toMatchObject({ pending: 4 });
    await idle();
    expect(await vectorsOf(organizationId)).toEqual(before);
    expect(await caller.call(contracts.getIndexStatus, {})).toMatchObject({ pending: 0 });
  });

  // Found by seed 3758 of the simulator: the first confirmed sweep undid the record of the other sweep's request.
  test("is undone by indexing again, even if a concurrent sweep's deletion was confirmed", async () => {
    const late: string[][] = [];
    const { promise: arrival, resolve: arrive } = Promise.withResolvers<void>();
    const VECTORIZE = Object.assign(Object.create(env.VECTORIZE), {
      upsert: (vectors: VectorizeVector[]) => env.VECTORIZE.upsert(vectors),
      query: (vector: number[], options: VectorizeQueryOptions) => env.VECTORIZE.query(vector, options),
      getByIds: (ids: string[]) => env.VECTORIZE.getByIds(ids),
      deleteByIds: async (ids: string[]) => {
        if (late.push(ids) === 1) await arrival;
        return env.VECTORIZE.deleteByIds(ids);
      },
    });
    const { caller, message, service, idle, organizationId } = await openIndexed({ VECTORIZE });
    const before = await vectorsOf(organizationId);
    const told = await exportOnce(caller);
    await caller.call(contracts.deleteMessage, { params: message });
    await service.settle();
    const sweeps = [service.sweep(), service.sweep()];
    await Promise.race(sweeps);
    await send(caller, [...told.lines, told.end]);
    await service.settle();
    expect(await vectorsOf(organizationId)).toEqual(expect.arrayContaining(before));
    arrive();
    await Promise.all(sweeps);
    expect(late[0]).toEqual(before);
    await idle();
    expect(await vectorsOf(organizationId)).toEqual(before);
  });

  test("delays nothing once the store has confirmed the deletion", async () => {
    const { caller, message, service, organizationId } = await openIndexed();
    const before = await vectorsOf(organizationId);
    const told = await exportOnce(caller);
    await caller.call(contracts.deleteMessage, { params: message });
    await service.settle();
    await service.sweep();
    await send(caller, [...told.lines, told.end]);
    await service.settle();
    expect(await vectorsOf(organizationId)).toEqual(expect.arrayContaining(before));
    expect(await caller.call(contracts.getIndexStatus, {})).toMatchObject({ pending: 0 });
  });
});
