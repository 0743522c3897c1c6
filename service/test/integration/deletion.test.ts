import * as contracts from "@engram/spec";
import { afterEach, describe, expect, test } from "vitest";
import type { AiBinding } from "../../src/ports/embedder.ts";
import { createOrganization, operator, seedConversation } from "../support/client.ts";
import { env } from "../support/env.ts";
import {
  Clock,
  existingVectors,
  selectChunks,
  selectPostings,
  selectRow,
  selectRows,
  Service,
  sweepUntilIdle,
  vectorsOf,
} from "../support/invocations.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const TEXTS = ["We met at the harbour.", "The zeppelin lands at noon.", "Bring an umbrella.", "See you there."];

afterEach(async () => {
  await env.CONTROL.clearFaults();
  await env.CONTROL.setVisibilityDelayMs(0);
  await env.CONTROL.flush();
});

/** An organization served with a clock of its own, with a conversation that is indexed. */
async function open(bindings: ConstructorParameters<typeof Service>[0] = {}) {
  const { secret, organizationId } = await createOrganization();
  const clock = new Clock();
  const service = new Service(bindings, clock);
  const caller = service.callerOf(secret);
  const id = await seedConversation(caller, TEXTS);
  await service.settle();
  const params = { conversation_id: id };
  const { items } = await caller.call(contracts.listMessages, { params });
  const message = { ...params, message_id: items[1]?.id ?? "" };
  const operation = (operation_id: string) => caller.call(contracts.getOperation, { params: { operation_id } });
  const found = async (mode: string) => {
    const { results } = await caller.call(contracts.search, { body: { query: "When does the zeppelin land?", mode } });
    return results.flatMap(({ messages }) => messages.map(({ sequence }) => sequence)).sort();
  };
  const idle = () => sweepUntilIdle(service, clock, organizationId);
  return { secret, organizationId, clock, service, caller, id, params, message, operation, found, idle };
}

/** The database, with something done before each batch that holds a statement. */
function databaseWith(fragment: string, before: () => Promise<void>): D1Database {
  const marked = new WeakSet<D1PreparedStatement>();
  return {
    prepare: (sql: string) => {
      const statement = env.DB.prepare(sql);
      const bind = statement.bind.bind(statement);
      statement.bind = (...values: unknown[]) => {
        const bound = bind(...values);
        if (sql.includes(fragment)) marked.add(bound);
        return bound;
      };
      return statement;
    },
    batch: async (statements: D1PreparedStatement[]) => {
      if (statements.some((statement) => marked.has(statement))) await before();
      return env.DB.batch(statements);
    },
  } as unknown as D1Database;
}

/** The model, answering only when it is let. */
function gatedAi() {
  let isAsked = () => {};
  let release = () => {};
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const AI: AiBinding = {
    run: async (...input) => {
      isAsked();
      await gate;
      return env.AI.run(...input);
    },
  };
  return { AI, asked, release };
}

describe("from the next request on", () => {
  test("a deleted message is answered nowhere, while the vector store still names it", async () => {
    const { caller, params, message, found } = await open();
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
    expect(await caller.fail(contracts.deleteMessage, { params: message })).toMatchObject({ code: "not_found" });
  });

  test("a deleted conversation is answered nowhere, while its rows and vectors are still there", async () => {
    const { caller, organizationId, params, message, found } = await open();
    await env.CONTROL.setVisibilityDelayMs(HOUR_MS);
    await caller.call(contracts.deleteConversation, { params });
    for (const contract of [contracts.getConversation, contracts.listMessages, contracts.deleteConversation]) {
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

  test("no key of a deleted organization is let in", async () => {
    const { caller, organizationId, params } = await open();
    const other = await caller.call(contracts.createKey, { body: { name: "other", scopes: ["read"] } });
    await caller.call(contracts.deleteOrganization, { params: { organization_id: organizationId } });
    for (const key of [caller, new Service().callerOf(other.secret)]) {
      expect(await key.fail(contracts.getConversation, { params })).toMatchObject({ code: "unauthenticated" });
    }
  });
});

describe("what was deleted", () => {
  test("leaves neither row nor word nor vector behind, a message at once but for its vectors", async () => {
    const { caller, organizationId, message, idle } = await open();
    const { number } = await selectRow<{ number: number }>("SELECT number FROM messages WHERE id = ?1", message.message_id);
    const before = await selectChunks(organizationId);
    expect((await selectPostings(organizationId)).filter(({ doc }) => doc === number)).toHaveLength(5);
    await caller.call(contracts.deleteMessage, { params: message });
    expect(await selectRows("SELECT id FROM messages WHERE id = ?1", message.message_id)).toEqual([]);
    expect((await selectPostings(organizationId)).filter(({ doc }) => doc === number)).toEqual([]);
    await idle();
    expect(await existingVectors(before.map(({ vector_id }) => vector_id))).toEqual([]);
    const after = (await selectChunks(organizationId)).map(({ vector_id }) => vector_id);
    expect(after).toHaveLength(1);
    expect(await vectorsOf(organizationId)).toEqual(after);
  });

  test("leaves nothing of a conversation in any table, nor its words in the file of the index", async () => {
    const { caller, organizationId, params, idle, id } = await open();
    await caller.call(contracts.createConversation, { body: { title: "stays" } });
    const inFile = async () =>
      (await selectRow<{ found: number }>("SELECT count(*) AS found FROM message_words_data WHERE instr(block, CAST('zeppelin' AS BLOB)) > 0")).found;
    const earlier = await inFile();
    expect(earlier).toBeGreaterThan(0);
    await caller.call(contracts.deleteConversation, { params });
    await idle();
    for (const table of ["messages", "conversation_chunks", "index_jobs"]) {
      expect(await selectRows(`SELECT 1 FROM ${table} WHERE conversation_id = ?1`, id), table).toEqual([]);
    }
    expect(await selectRows("SELECT 1 FROM conversations WHERE id = ?1", id)).toEqual([]);
    expect(await selectPostings(organizationId)).toEqual([]);
    expect(await inFile()).toBeLessThan(earlier);
    expect(await vectorsOf(organizationId)).toEqual([]);
    expect(await caller.call(contracts.listConversations)).toMatchObject({ items: [{ title: "stays" }] });
  });

  test("leaves nothing of an organization in any table but its receipt, which the operator can read", async () => {
    const { caller, organizationId, idle } = await open();
    const { number } = await selectRow<{ number: number }>("SELECT number FROM organizations WHERE id = ?1", organizationId);
    await seedConversation(caller, ["Another conversation."], { external_id: "x" });
    const headers = { "idempotency-key": "k" };
    await caller.call(contracts.createConversation, { body: {}, headers });
    const params = { organization_id: organizationId };
    const { id: operation_id } = await caller.call(contracts.deleteOrganization, { params });
    await idle();
    const { results } = await env.DB.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%organization_id TEXT%'").all<{ name: string }>();
    expect(results.length).toBeGreaterThanOrEqual(8);
    for (const { name } of results.filter((table) => table.name !== "operations")) {
      expect(await selectRows(`SELECT 1 FROM ${name} WHERE organization_id = ?1`, organizationId), name).toEqual([]);
    }
    expect(await selectRows("SELECT 1 FROM organizations WHERE id = ?1", organizationId)).toEqual([]);
    expect(await selectRows("SELECT 1 FROM message_postings WHERE term LIKE ?1", `${number}~%`)).toEqual([]);
    expect(await vectorsOf(organizationId)).toEqual([]);
    expect(await operator.call(contracts.getOperation, { params: { operation_id } })).toMatchObject({ status: "succeeded" });
  });

  test("goes a thousand messages at a time", async () => {
    await env.CONTROL.setFault({ ai: "3040" });
    const { caller, params, service, clock, organizationId } = await open();
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

  test("never gives its sequence numbers away again, and counters tell what is there", async () => {
    const { caller, organizationId, params, message } = await open();
    const organization = { params: { organization_id: organizationId } };
    await caller.call(contracts.deleteMessage, { params: message });
    const replace = { expected_last_sequence: 4, from_sequence: 3, messages: [] };
    await caller.call(contracts.replaceMessages, { params, body: replace });
    const body = { messages: [{ role: "user", content: "Five words are in here" }] };
    expect(await caller.call(contracts.appendMessages, { params, body })).toMatchObject({ first_sequence: 5 });
    const counters = () =>
      selectRow(
        `SELECT o.conversation_count AS conversations, o.message_count AS messages, o.token_count AS tokens,
                (SELECT count(*) FROM messages WHERE organization_id = ?1) AS rows,
                (SELECT sum(token_count) FROM conversations WHERE organization_id = ?1 AND deleted_at_ms IS NULL) AS sum
           FROM organization_counters AS o WHERE o.organization_id = ?1`,
        organizationId,
      );
    const tokens = (await selectPostings(organizationId)).length;
    expect(await counters()).toEqual({ conversations: 1, messages: 2, tokens, rows: 2, sum: tokens });
    expect(await caller.call(contracts.getOrganization, organization)).toMatchObject({ conversation_count: 1, message_count: 2 });
    expect(await caller.call(contracts.getConversation, { params })).toMatchObject({ message_count: 2, last_sequence: 5 });
    await caller.call(contracts.deleteConversation, { params });
    expect(await counters()).toMatchObject({ conversations: 0, messages: 0, tokens: 0, sum: null });
    expect(await caller.call(contracts.getOrganization, organization)).toMatchObject({ conversation_count: 0, message_count: 0 });
  });
});

describe("a receipt", () => {
  test("is filled in as each part is gone, the vectors only when the store no longer has them", async () => {
    const { caller, params, clock, service, operation } = await open();
    await env.CONTROL.setVisibilityDelayMs(HOUR_MS);
    const opened = await caller.call(contracts.deleteConversation, { params });
    const running = { status: "running", completed_at: null, vectors_deleted_at: null };
    expect(opened).toMatchObject({ ...running, type: "delete_conversation", target_id: params.conversation_id, rows_deleted_at: null, recoverable_until: null });
    clock.advance(60_000);
    await service.sweep();
    const rowsGone = clock.nowMs();
    const iso = (ms: number) => new Date(ms).toISOString();
    const halfway = { ...running, rows_deleted_at: iso(rowsGone), recoverable_until: iso(rowsGone + 30 * DAY_MS) };
    expect(await operation(opened.id)).toMatchObject(halfway);
    for (let i = 0; i < 3; i++) {
      clock.advance(60_000);
      await service.sweep();
    }
    expect(await operation(opened.id)).toMatchObject(halfway);
    await env.CONTROL.flush();
    clock.advance(60_000);
    await service.sweep();
    const all = iso(clock.nowMs());
    expect(await operation(opened.id)).toMatchObject({ ...halfway, status: "succeeded", completed_at: all, vectors_deleted_at: all });
  });

  test("of a message names its rows at once", async () => {
    const { caller, message, idle, operation, clock } = await open();
    const receipt = await caller.call(contracts.deleteMessage, { params: message });
    expect(receipt).toMatchObject({ type: "delete_message", status: "running", rows_deleted_at: new Date(clock.nowMs()).toISOString() });
    await idle();
    expect(await operation(receipt.id)).toMatchObject({ status: "succeeded", target_id: message.message_id });
  });

  test("of an organization waits for vectors that earlier changes left to be deleted", async () => {
    const { caller, organizationId, message, params, service, clock } = await open();
    await env.CONTROL.setVisibilityDelayMs(HOUR_MS);
    await caller.call(contracts.deleteMessage, { params: message });
    await service.settle();
    await caller.call(contracts.deleteConversation, { params });
    await service.sweep();
    const { id: operation_id } = await caller.call(contracts.deleteOrganization, { params: { organization_id: organizationId } });
    const receipt = () => operator.call(contracts.getOperation, { params: { operation_id } });
    for (let i = 0; i < 4; i++) {
      clock.advance(65_000);
      await service.sweep();
    }
    expect(await receipt()).toMatchObject({ status: "running", vectors_deleted_at: null });
    await env.CONTROL.flush();
    await sweepUntilIdle(service, clock, organizationId);
    expect(await receipt()).toMatchObject({ status: "succeeded" });
    expect(await vectorsOf(organizationId)).toEqual([]);
  });
});

describe("an indexing run that overlaps a deletion", () => {
  const appended = ["The password is swordfish.", "Forget that again."];
  const start = async (bindings: ConstructorParameters<typeof Service>[0]) => {
    const opened = await open();
    const indexing = new Service(bindings, opened.clock);
    const body = { messages: appended.map((content) => ({ role: "user", content })) };
    const { message_ids } = await indexing.callerOf(opened.secret).call(contracts.appendMessages, { params: opened.params, body });
    return { ...opened, indexing, secretMessage: { ...opened.params, message_id: message_ids[0] ?? "" } };
  };

  test.for(["message", "conversation", "organization"])("leaves no orphan vector of a %s", async (what) => {
    const { AI, asked, release } = gatedAi();
    const { caller, organizationId, params, secretMessage, indexing, service, idle } = await start({ AI });
    await asked;
    const deletion = {
      message: () => caller.call(contracts.deleteMessage, { params: secretMessage }),
      conversation: () => caller.call(contracts.deleteConversation, { params }),
      organization: () => caller.call(contracts.deleteOrganization, { params: { organization_id: organizationId } }),
    }[what];
    await deletion?.();
    await service.sweep();
    release();
    await indexing.settle();
    await idle();
    const chunks = (await selectChunks(organizationId)).map(({ vector_id }) => vector_id);
    expect(chunks).toHaveLength(what === "message" ? 2 : 0);
    expect(await vectorsOf(organizationId)).toEqual(chunks.toSorted());
  });

  test("puts no vector up for a message that went between its reading and its writing", async () => {
    const planning = { before: async () => {} };
    const DB = databaseWith("INSERT INTO conversation_chunks", () => planning.before());
    const { secret, organizationId, clock } = await createOrganization().then((o) => ({ ...o, clock: new Clock() }));
    const plain = new Service({}, clock);
    const indexing = new Service({ DB }, clock);
    const id = await seedConversation(plain.callerOf(secret));
    const body = { messages: appended.map((content) => ({ role: "user", content })) };
    let receipt = "";
    planning.before = async () => {
      planning.before = async () => {};
      const { items } = await plain.callerOf(secret).call(contracts.listMessages, { params: { conversation_id: id } });
      const params = { conversation_id: id, message_id: items[0]?.id ?? "" };
      receipt = (await plain.callerOf(secret).call(contracts.deleteMessage, { params })).id;
    };
    await indexing.callerOf(secret).call(contracts.appendMessages, { params: { conversation_id: id }, body });
    await indexing.settle();
    expect(receipt).not.toBe("");
    await plain.settle();
    const chunks = await selectChunks(organizationId);
    expect(await vectorsOf(organizationId)).toEqual(chunks.map(({ vector_id }) => vector_id));
    await sweepUntilIdle(plain, clock, organizationId);
    const [chunk] = await selectChunks(organizationId);
    expect(chunk).toMatchObject({ start_sequence: 2, end_sequence: 2 });
    expect(await vectorsOf(organizationId)).toEqual([chunk?.vector_id]);
  });
});

describe("sweeps that overlap", () => {
  test("do no harm: what is to go goes, what is to stay stays", async () => {
    const { caller, organizationId, params, message, service, clock, idle } = await open();
    const kept = await seedConversation(caller, TEXTS);
    const gone = await Promise.all(Array.from({ length: 5 }, () => seedConversation(caller, TEXTS)));
    await caller.call(contracts.deleteMessage, { params: message });
    for (const conversation_id of gone) await caller.call(contracts.deleteConversation, { params: { conversation_id } });
    await caller.call(contracts.repairIndex, { body: {} });
    for (let i = 0; i < 6; i++) {
      clock.advance(30_000);
      await Promise.all(Array.from({ length: 4 }, () => service.sweep()));
    }
    await idle();
    const chunks = await selectChunks(organizationId);
    expect(chunks.map(({ conversation_id }) => conversation_id).sort()).toEqual([kept, params.conversation_id].sort());
    expect(await vectorsOf(organizationId)).toEqual(chunks.map(({ vector_id }) => vector_id).sort());
    expect(await caller.call(contracts.getIndexStatus)).toMatchObject({ messages: 7, chunks: 2, pending: 0, deletions_pending: 0 });
  });
});
