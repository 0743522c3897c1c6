import * as contracts from "@engram/spec";
import { describe, expect, test } from "vitest";
import type { Env } from "../../src/invocation.ts";
import { SERVICE_LIMITS, type ServiceLimits } from "../../src/limits.ts";
import { recordedEvent } from "../../src/platform/recorded-events.ts";
import { prepare } from "../../src/platform/sql.ts";
import { type Caller, createKey, createOrganization, operator, seedConversation } from "../support/client.ts";
import { env } from "../support/env.ts";
import { conversation, memory, message, send } from "../support/imports.ts";
import { Clock, Service, selectRow, selectRows, sweepUntilIdle } from "../support/invocations.ts";
import type { RequestParts } from "../support/requests.ts";
import { someTurns } from "../support/runtime.ts";

const list = (caller: Caller, query: RequestParts["query"] = {}) =>
  caller.call(contracts.listEvents, { query });

const subjectOf = (event: contracts.Event) =>
  event.conversation_id ?? event.memory_id ?? event.operation_id ?? event.key_id;
/** The parts of an event that a test compares: its type, subject, and message sequences if it has any. */
const brief = (event: contracts.Event) => [
  event.type,
  subjectOf(event),
  ...[event.first_sequence, event.last_sequence].filter((sequence) => sequence !== null),
];

/** An organization, and a function that returns the events since its last call. */
async function open(bindings: Partial<Env> = {}, limits: Partial<ServiceLimits> = {}) {
  const { secret, organizationId } = await createOrganization();
  const clock = new Clock();
  const served = new Service(bindings, clock, limits);
  const caller = served.callerOf(secret);
  let { after } = await list(caller, { after: "now" });
  const news = async () => {
    await served.settle();
    const page = await list(caller, { after, limit: 500 });
    after = page.after;
    return page.items.map(brief);
  };
  const newsBut = async (...types: string[]) => (await news()).filter(([type]) => !types.includes(`${type}`));
  return { secret, organizationId, clock, service: served, caller, news, newsBut };
}

const user = (content: string, more: object = {}) => ({ role: "user", content, ...more });

describe("the event log", () => {
  test("has an event for each change of a conversation, and none for a request that changes nothing", async () => {
    const { caller, news } = await open();
    const { id } = await caller.call(contracts.createConversation, { body: { external_id: "thread" } });
    expect(await news()).toEqual([["conversation.created", id]]);
    await caller.call(contracts.createConversation, { body: { external_id: "thread" } });
    expect(await news()).toEqual([]);
    const params = { conversation_id: id };
    await caller.call(contracts.updateConversation, { params, body: { title: "Harbour" } });
    expect(await news()).toEqual([["conversation.updated", id]]);
    await caller.call(contracts.deleteConversation, { params });
    await caller.fail(contracts.deleteConversation, { params });
    expect(await news()).toEqual([["conversation.deleted", id]]);
  });

  test("has one event for an append, whatever its length, and none if all its messages are stored already", async () => {
    const { caller, news, newsBut } = await open();
    const params = { conversation_id: await seedConversation(caller) };
    await news();
    const body = { messages: [user("one", { external_id: "1" }), user("two"), user("three")] };
    const headers = { "idempotency-key": "append" };
    await caller.call(contracts.appendMessages, { params, body, headers });
    await caller.call(contracts.appendMessages, { params, body, headers });
    expect(await news()).toEqual([
      ["messages.appended", params.conversation_id, 1, 3],
      ["messages.indexed", params.conversation_id, 3],
    ]);
    const known = { messages: [user("one", { external_id: "1" })] };
    await caller.call(contracts.appendMessages, { params, body: known });
    expect(await news()).toEqual([]);
    const partly = { messages: [...known.messages, user("four")] };
    await caller.call(contracts.appendMessages, { params, body: partly });
    expect(await newsBut("messages.indexed")).toEqual([["messages.appended", params.conversation_id, 4, 4]]);
  });

  test("has an event for each change of messages", async () => {
    const { caller, newsBut } = await open();
    const id = await seedConversation(caller, ["one", "two", "three", "four"]);
    const params = { conversation_id: id };
    const { items } = await caller.call(contracts.listMessages, { params });
    const [, second] = items;
    await newsBut();
    const one = { params: { ...params, message_id: second?.id ?? "" } };
    await caller.call(contracts.updateMessage, { ...one, body: { content: "zwei" } });
    expect(await newsBut("messages.indexed")).toEqual([["messages.updated", id, 2, 2]]);
    await caller.call(contracts.updateMessage, { ...one, body: { metadata: { a: 1 } } });
    expect(await newsBut("messages.indexed")).toEqual([["messages.updated", id, 2, 2]]);
    await caller.call(contracts.deleteMessage, one);
    expect(await newsBut("messages.indexed")).toEqual([["messages.deleted", id, 2, 2]]);
    const end = { expected_last_sequence: 4, from_sequence: 3, messages: [user("drei")] };
    await caller.call(contracts.replaceMessages, { params, body: end });
    expect(await newsBut("messages.indexed")).toEqual([
      ["messages.deleted", id, 3, 4],
      ["messages.appended", id, 5, 5],
    ]);
    const nothing = { expected_last_sequence: 5, from_sequence: 6, messages: [user("vier")] };
    await caller.call(contracts.replaceMessages, { params, body: nothing });
    expect(await newsBut("messages.indexed")).toEqual([["messages.appended", id, 6, 6]]);
  });

  test("has one event for a fork, with the sequences of its messages", async () => {
    const { caller, newsBut } = await open();
    const id = await seedConversation(caller, ["one", "two", "three"]);
    await newsBut();
    const params = { conversation_id: id };
    const fork = await caller.call(contracts.forkConversation, { params, body: { sequence: 2 } });
    expect(await newsBut("messages.indexed")).toEqual([["conversation.created", fork.id, 1, 2]]);
  });

  test("has an event for each memory that is captured, changed or deleted", async () => {
    const { caller, news } = await open();
    const body = { content: "The walrus sings.", external_id: "walrus" };
    const { id } = await caller.call(contracts.createMemory, { body });
    expect(await news()).toEqual([["memory.created", id]]);
    await caller.call(contracts.updateMemory, { params: { memory_id: id }, body: { tags: ["sea"] } });
    await caller.call(contracts.putMemory, { body: { ...body, content: "The walrus sleeps." } });
    expect(await news()).toEqual([
      ["memory.updated", id],
      ["memory.updated", id],
    ]);
    const bulk = { memories: [body, { content: "Two" }, { content: "Three" }] };
    const { items } = await caller.call(contracts.createMemories, {
      body: { memories: [{ ...body, content: "The walrus sleeps." }, ...bulk.memories.slice(1)] },
    });
    expect(await news()).toEqual([
      ["memory.updated", id],
      ["memory.created", items[1]?.id],
      ["memory.created", items[2]?.id],
    ]);
    await caller.call(contracts.deleteMemory, { params: { memory_id: id } });
    expect(await news()).toEqual([["memory.deleted", id]]);
  });

  test("has an event for each memory that a text model enriches", async () => {
    const answer = { response: { summary: "It sings.", tags: ["sea", "song", "walrus"] } };
    const AI = {
      run: async (model: string, input: never) => (model === "test" ? answer : env.AI.run(model, input)),
    };
    const { caller, news } = await open({ AI: AI as never, ENRICHMENT_MODEL: "test" });
    const { id } = await caller.call(contracts.createMemory, { body: { content: "The walrus sings." } });
    expect(await news()).toEqual([
      ["memory.created", id],
      ["memory.updated", id],
    ]);
  });

  test("has an event for each conversation and memory of a bulk deletion, and for the end of the operation", async () => {
    const { caller, clock, news, newsBut, organizationId, service } = await open();
    const user_id = "user_1";
    const ids = [];
    for (let i = 0; i < 3; i++) ids.push(await seedConversation(caller, [], { user_id, tags: ["a"] }));
    await seedConversation(caller, [], { user_id: "user_2" });
    await news();
    const [first, ...others] = ids;
    await caller.call(contracts.deleteConversation, { params: { conversation_id: first ?? "" } });
    const body = { filter: { tags_any: ["a"] } };
    const bulk = (await caller.call(contracts.deleteConversations, { body })) as contracts.Operation;
    const deleted = await news();
    expect(deleted[0]).toEqual(["conversation.deleted", first]);
    // Conversations of the same time are deleted in the order of their ids, which is random.
    expect(deleted.slice(1)).toEqual(others.sort().map((id) => ["conversation.deleted", id]));
    const noted = await caller.call(contracts.createMemory, { body: { content: "A note.", user_id } });
    const last = await seedConversation(caller, [], { user_id });
    await news();
    const gone = await caller.call(contracts.deleteUser, { params: { user_id } });
    expect(await news()).toEqual([
      ["conversation.deleted", last],
      ["memory.deleted", noted.id],
    ]);
    await sweepUntilIdle(service, clock, organizationId);
    const ended = await newsBut("messages.indexed");
    expect(ended).toHaveLength(3);
    expect(ended).toEqual(
      expect.arrayContaining([
        ["operation.updated", bulk.id],
        ["operation.updated", gone.id],
      ]),
    );
    await sweepUntilIdle(service, clock, organizationId);
    expect(await news()).toEqual([]);
  });

  test("has an event for each conversation and memory of an import, and for the end of the operation", async () => {
    const { caller, newsBut } = await open();
    const [one, two] = [conversation("1", { last_sequence: 2 }), conversation("2")];
    const note = await memory("1", "A note.");
    const begun = await caller.call(contracts.createImport, { body: { lines: 7 } });
    const part = (after_line: number, last: boolean) => ({
      operation_id: begun.id,
      after_line: `${after_line}`,
      last: `${last}`,
    });
    const lines = [one, message("1", 1), message("1", 2), two, note];
    expect((await send(caller, lines, part(0, false))).problems).toEqual([]);
    expect(await newsBut("messages.indexed")).toEqual([
      ["conversation.created", one.id, 1, 2],
      ["conversation.created", two.id],
      ["memory.created", note.id],
    ]);
    await send(caller, lines, part(0, false));
    expect(await newsBut("messages.indexed")).toEqual([]);
    await send(caller, [message("2", 5), message("2", 6)], part(5, true));
    expect(await newsBut("messages.indexed")).toEqual([
      ["operation.updated", begun.id],
      ["messages.appended", two.id, 5, 6],
    ]);
  });

  test("has one event for a canceled operation", async () => {
    const { caller, clock, news, service } = await open();
    const begun = await caller.call(contracts.createImport, { body: {} });
    const params = { operation_id: begun.id };
    await caller.call(contracts.cancelOperation, { params });
    await caller.call(contracts.cancelOperation, { params });
    expect(await news()).toEqual([["operation.updated", begun.id]]);
    const abandoned = await caller.call(contracts.createImport, { body: {} });
    clock.advance(8 * 24 * 3_600_000);
    await service.sweep();
    await service.sweep();
    expect(await news()).toEqual([["operation.updated", abandoned.id]]);
  });

  test("has an event for each key that is created, rotated or revoked", async () => {
    const { caller, news } = await open();
    const key = await createKey(caller, { scopes: ["read"] });
    const next = await caller.call(contracts.rotateKey, {
      params: { key_id: key.keyId },
      body: { overlap_seconds: 0 },
    });
    const revoked = { params: { key_id: next.id } };
    await caller.call(contracts.revokeKey, revoked);
    await caller.call(contracts.revokeKey, revoked);
    expect(await news()).toEqual([
      ["key.created", key.keyId],
      ["key.rotated", key.keyId],
      ["key.created", next.id],
      ["key.revoked", next.id],
    ]);
  });

  test("has an event when all messages of a conversation are searchable by meaning, and not earlier", async () => {
    const { caller, clock, news, service } = await open({ INDEX_QUIET_SECONDS: "5" });
    const params = { conversation_id: await seedConversation(caller) };
    await news();
    const messages = ["1", "2", "3", "4", "5", "6", "7"].map((text) => user(text));
    await caller.call(contracts.appendMessages, { params, body: { messages } });
    // The first window is indexed, and the second is incomplete.
    expect(await news()).toEqual([["messages.appended", params.conversation_id, 1, 7]]);
    await clock.pass(6_000);
    await service.settle();
    expect(await news()).toEqual([["messages.indexed", params.conversation_id, 7]]);
  });

  test("numbers events in each organization from 1 without gaps, also under concurrent writes", async () => {
    const { caller } = await open();
    const ids = await Promise.all([1, 2, 3].map(() => seedConversation(caller)));
    await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        caller.call(contracts.appendMessages, {
          params: { conversation_id: ids[i % 3] ?? "" },
          body: { messages: [user(`${i}`)] },
        }),
      ),
    );
    const { items, oldest } = await list(caller, { limit: 500 });
    expect(oldest).toBe(1);
    expect(items.map(({ sequence }) => sequence)).toEqual(items.map((_, i) => i + 1));
    expect(items[0]?.type).toBe("key.created");
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
    const appends = await list(caller, { type: "messages.appended", limit: 500 });
    expect(appends.items).toHaveLength(30);
  });

  test("writes one row per event", async () => {
    const { organizationId } = await open();
    const events = [1, 2].map((nowMs) =>
      recordedEvent("key.created", { organizationId, subjectId: "key", nowMs }),
    );
    const written = await env.DB.batch(events.map(({ sql }) => prepare(env.DB, sql)));
    expect(written.map(({ meta }) => meta.rows_written)).toEqual([1, 1]);
    const pruned = await env.DB.prepare("DELETE FROM events WHERE organization_id = ? AND sequence = 1")
      .bind(organizationId)
      .run();
    expect(pruned.meta.rows_written).toBe(1);
  });

  test("contains no content, names or addresses", async () => {
    const { caller, organizationId, service } = await open();
    const marks = { user_id: "maria@example.com", agent_id: "secret-agent", title: "Zeppelin" };
    const id = await seedConversation(caller, ["The zeppelin lands."], marks);
    await caller.call(contracts.createMemory, { body: { content: "Zeppelin", user_id: marks.user_id } });
    await caller.call(contracts.deleteConversation, { params: { conversation_id: id } });
    await service.settle();
    const rows = await selectRows("SELECT * FROM events WHERE organization_id = ?", organizationId);
    expect(rows.length).toBeGreaterThan(4);
    expect(JSON.stringify(rows)).not.toMatch(/maria|secret-agent|zeppelin/i);
  });
});

describe("events are kept", () => {
  const DAY_MS = 24 * 3_600_000;

  test("for seven days, and then deleted from the start of the log, except the newest", async () => {
    const { caller, clock, service } = await open();
    await seedConversation(caller);
    clock.advance(4 * DAY_MS);
    const id = await seedConversation(caller);
    clock.advance(4 * DAY_MS);
    await service.sweep();
    const { items, oldest, after } = await list(caller);
    expect(items.map(brief)).toEqual([["conversation.created", id]]);
    expect([oldest, after]).toEqual([3, 3]);
    clock.advance(30 * DAY_MS);
    await service.sweep();
    expect((await list(caller)).oldest).toBe(3);
    await seedConversation(caller);
    expect((await list(caller)).after).toBe(4);
  });

  test("up to a maximum number, and deleted beyond it in steps", async () => {
    const { caller, service } = await open({}, { eventsKept: 5, eventPruneRows: 2 });
    for (let i = 0; i < 9; i++) await seedConversation(caller);
    const oldest = async () => {
      await service.sweep();
      return (await list(caller)).oldest;
    };
    // Other organizations of this file can take part of a sweep.
    const seen = [
      await oldest(),
      await oldest(),
      await oldest(),
      await oldest(),
      await oldest(),
      await oldest(),
    ];
    expect(Math.max(...seen)).toBe(6);
    expect(seen[0]).toBeLessThanOrEqual(3);
  });

  test("until their organization is purged", async () => {
    const { caller, clock, organizationId, service } = await open({}, { eventPurgeRows: 3 });
    for (let i = 0; i < 8; i++) await seedConversation(caller, ["one"]);
    await caller.call(contracts.deleteOrganization, { params: { organization_id: organizationId } });
    await sweepUntilIdle(service, clock, organizationId);
    const left = await selectRow<{ rows: number }>(
      "SELECT count(*) AS rows FROM events WHERE organization_id = ?",
      organizationId,
    );
    expect(left.rows).toBe(0);
  });

  test("in order if the deletion of their organization is canceled", async () => {
    const { caller, clock, news, organizationId, service } = await open();
    const id = await seedConversation(caller);
    await news();
    const { id: operation_id } = await caller.call(contracts.deleteOrganization, {
      params: { organization_id: organizationId },
    });
    // Step by step, because a deletion that is complete cannot be canceled. Some steps may be of other organizations.
    const limits = { ...SERVICE_LIMITS, purgeInvocationSteps: 1 };
    const rows = "SELECT 1 FROM conversations WHERE organization_id = ?1";
    await expect
      .poll(async () => {
        await service.purgeApart({ limits });
        return selectRows(rows, organizationId);
      })
      .toEqual([]);
    await operator.call(contracts.cancelOperation, { params: { operation_id } });
    clock.advance(10_000);
    expect(await news()).toEqual([
      ["conversation.deleted", id],
      ["operation.updated", operation_id],
    ]);
  });
});

describe("listEvents", () => {
  test("continues from a cursor that also covers events left out by the filters", async () => {
    const { caller } = await open();
    const start = (await list(caller, { after: "now" })).after;
    const [one, two] = [await seedConversation(caller), await seedConversation(caller)];
    const first = await list(caller, { after: start, limit: 1 });
    expect(first).toMatchObject({ after: start + 1, caught_up: false });
    expect(first.items.map(brief)).toEqual([["conversation.created", one]]);
    const second = await list(caller, { after: first.after });
    expect(second).toMatchObject({ after: start + 2, caught_up: true });
    expect(second.items.map(brief)).toEqual([["conversation.created", two]]);
    const none = await list(caller, { after: start, type: ["memory.created", "memory.deleted"] });
    expect(none).toMatchObject({ items: [], after: start + 2, caught_up: true });
    const filtered = await list(caller, { after: start, conversation_id: two });
    expect(filtered.items.map(brief)).toEqual([["conversation.created", two]]);
    const both = await list(caller, { type: ["key.created", "conversation.created"] });
    expect(both.items).toHaveLength(3);
  });

  test("reads a limited number of events per request, and reports that more follow", async () => {
    const { caller } = await open({}, { eventPageRows: 3 });
    const ids = [];
    for (let i = 0; i < 5; i++) ids.push(await seedConversation(caller));
    const page = await list(caller, { after: 0, type: "memory.created", wait_seconds: 5 });
    expect(page).toMatchObject({ items: [], after: 3, caught_up: false });
    const last = { conversation_id: ids[4] ?? "" };
    expect(await list(caller, { after: 0, ...last })).toMatchObject({ items: [], after: 3 });
    expect((await list(caller, { after: 3, ...last })).items).toHaveLength(1);
    expect(await list(caller, { after: page.after, type: "memory.created" })).toMatchObject({
      after: 6,
      caught_up: true,
    });
  });

  test("filters by the agent and user of conversations and memories", async () => {
    const { caller } = await open();
    const of = { agent_id: "a", user_id: "u" };
    const queries: RequestParts["query"][] = [{ agent_id: "a" }, { user_id: "u" }, of];
    const id = await seedConversation(caller, [], of);
    await seedConversation(caller, [], { agent_id: "b" });
    const note = await caller.call(contracts.createMemory, { body: { content: "A note.", ...of } });
    for (const query of queries) {
      const { items } = await list(caller, query);
      expect(items.map(brief)).toEqual([
        ["conversation.created", id],
        ["memory.created", note.id],
      ]);
      expect(items[0]).toMatchObject(of);
    }
  });

  test("returns null for agent and user once the conversation is purged", async () => {
    const { caller, clock, organizationId, service } = await open();
    const id = await seedConversation(caller, ["one"], { agent_id: "a", user_id: "u" });
    const bound = await createKey(caller, { scopes: ["read"], agent_id: "a" });
    await caller.call(contracts.deleteConversation, { params: { conversation_id: id } });
    const query = { conversation_id: id };
    const before = (await list(caller, query)).items;
    expect(before.at(-1)).toMatchObject({ type: "conversation.deleted", agent_id: "a", user_id: "u" });
    expect((await list(bound, query)).items).toEqual(before);
    await sweepUntilIdle(service, clock, organizationId);
    const { items } = await list(caller, query);
    expect(items.map(brief)).toEqual(before.map(brief));
    expect(items.every(({ agent_id, user_id }) => agent_id === null && user_id === null)).toBe(true);
    expect((await list(bound, query)).items).toEqual([]);
  });

  test("returns only events that the key may read", async () => {
    const { caller } = await open();
    const other = await createOrganization();
    const theirs = await seedConversation(other, ["one"]);
    expect((await list(caller, { conversation_id: theirs })).items).toEqual([]);
    const mine = await seedConversation(caller, ["one"], { agent_id: "a", user_id: "u" });
    await seedConversation(caller, ["one"], { agent_id: "b", user_id: "v" });
    await caller.call(contracts.createMemory, { body: { content: "For everyone." } });
    await caller.call(contracts.createImport, { body: {} });
    const plain = await createKey(caller, { scopes: ["read"] });
    const ofPlain = (await list(plain, { limit: 500 })).items;
    expect(ofPlain.length).toBeGreaterThan(5);
    expect(ofPlain.filter(({ type }) => type.startsWith("key."))).toEqual([]);
    expect((await list(plain, { type: "key.created" })).items).toEqual([]);
    for (const binding of [{ agent_id: "a" }, { user_id: "u" }]) {
      const bound = await createKey(caller, { scopes: ["read", "write", "delete"], ...binding });
      const { items } = await list(bound, { limit: 500 });
      expect(items.length).toBeGreaterThanOrEqual(2);
      expect(items.map(({ conversation_id }) => conversation_id)).toEqual(items.map(() => mine));
      const note = await bound.call(contracts.createMemory, { body: { content: "A note." } });
      const body = { filter: { tags_any: ["x"] } };
      const { id } = (await bound.call(contracts.deleteMemories, { body })) as contracts.Operation;
      const all = (await list(bound, { limit: 500 })).items.map(subjectOf);
      expect(new Set(all)).toEqual(new Set([mine, note.id]));
      await bound.call(contracts.getOperation, { params: { operation_id: id } });
    }
  });

  test("rejects a position whose events are deleted, and one after the newest event", async () => {
    const { caller, clock, service } = await open();
    for (let i = 0; i < 3; i++) await seedConversation(caller);
    const { after: newest } = await list(caller);
    clock.advance(8 * 24 * 3_600_000);
    await service.sweep();
    for (const after of [0, newest - 2, newest + 1])
      expect(await caller.fail(contracts.listEvents, { query: { after } })).toMatchObject({
        code: "cursor_expired",
        status: 410,
      });
    expect((await list(caller, { after: newest - 1 })).items).toHaveLength(1);
    expect((await list(caller, { after: newest })).items).toEqual([]);
  });

  test("rejects an invalid position, type, limit or wait", async () => {
    const { caller } = await open();
    const invalid: RequestParts["query"][] = [
      { after: "-1" },
      { after: "1.5" },
      { after: "then" },
      { type: "memory.forgotten" },
      { limit: 0 },
      { limit: 501 },
      { wait_seconds: 26 },
    ];
    for (const query of invalid)
      expect(await caller.fail(contracts.listEvents, query === undefined ? {} : { query })).toMatchObject({
        code: "validation_failed",
      });
  });

  test("waits for an event of the given type, and returns it", async () => {
    const caller = await createOrganization();
    const id = await seedConversation(caller);
    const { after } = await list(caller, { after: "now" });
    const waiting = list(caller, { after, wait_seconds: 20, type: "messages.appended" });
    await someTurns();
    await seedConversation(caller);
    await caller.call(contracts.appendMessages, {
      params: { conversation_id: id },
      body: { messages: [user("one")] },
    });
    const { items } = await waiting;
    expect(items.map(brief)).toEqual([["messages.appended", id, 1, 1]]);
  });

  test("returns no events when the wait ends, with a position that covers events of other types", async () => {
    const caller = await createOrganization();
    const start = (await list(caller, { after: "now" })).after;
    await seedConversation(caller);
    const page = await list(caller, { after: start, wait_seconds: 1, type: "memory.created" });
    expect(page).toMatchObject({ items: [], after: start + 1, caught_up: true });
  });

  test("returns no event to a key whose organization is deleted while the request waits", async () => {
    const owner = await createOrganization();
    await seedConversation(owner);
    const { after } = await list(owner, { after: "now" });
    const waiting = owner.fail(contracts.listEvents, { query: { after, wait_seconds: 20 } });
    await someTurns();
    await owner.call(contracts.deleteOrganization, { params: { organization_id: owner.organizationId } });
    expect(await waiting).toMatchObject({ code: "unauthenticated", status: 401 });
  });

  test("returns no event to a key that is revoked while the request waits", async () => {
    const owner = await createOrganization();
    const key = await createKey(owner, { scopes: ["read"] });
    const id = await seedConversation(owner);
    const { after } = await list(owner, { after: "now" });
    const waiting = key.fail(contracts.listEvents, { query: { after, wait_seconds: 20 } });
    await someTurns();
    await owner.call(contracts.revokeKey, { params: { key_id: key.keyId } });
    await owner.call(contracts.updateConversation, {
      params: { conversation_id: id },
      body: { title: "later" },
    });
    expect(await waiting).toMatchObject({ code: "unauthenticated", status: 401 });
  });
});
