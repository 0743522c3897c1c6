import * as contracts from "@engram/spec";
import { describe, expect, test } from "vitest";
import { type Caller, createKey, createOrganization, seedConversation } from "../support/client.ts";
import { readProblem } from "../support/contract.ts";
import { databaseWith } from "../support/deletions.ts";
import { fullItem } from "../support/document.ts";
import { env } from "../support/env.ts";
import * as lines from "../support/imports.ts";
import { Clock, open, Service, selectRow } from "../support/invocations.ts";

const contract = contracts.forkConversation;
const forkOf = (conversation_id: string, body: object = {}) => ({ params: { conversation_id }, body });

async function messagesOf(caller: Caller, conversation_id: string) {
  const { items } = await caller.call(contracts.listMessages, { params: { conversation_id } });
  return items;
}

/** The fields that a message and its copy have in common. */
const copied = ({ id: _, conversation_id: __, stored_at: ___, ...rest }: contracts.Message) => rest;

const RICH = [
  { role: "user", content: "  The zeppelin\u0000 lands at noon 🎈\n", name: "Ana", metadata: { a: [1] } },
  { role: "assistant", content: "x".repeat(5_000), parts: [{ type: "text", text: "x" }], external_id: "e-2" },
  fullItem("NewMessage"),
  { role: "user", content: "The submarine dives at dusk." },
];

describe("fork a conversation", () => {
  test("copies all messages exactly under new ids, and leaves the original unchanged", async () => {
    const { caller, idle } = await open();
    // What is shared belongs to no user.
    const given: Record<string, unknown> = { ...fullItem("CreateConversationBody"), shared: false };
    const { external_id: _, expires_at: __, ...like } = given;
    const id = await seedConversation(caller, RICH, given);
    const before = await caller.call(contracts.getConversation, { params: { conversation_id: id } });
    const fork = await caller.call(contract, forkOf(id));
    expect(fork).toMatchObject({
      ...like,
      external_id: null,
      expires_at: null,
      message_count: 4,
      last_sequence: 4,
    });
    const messages = await messagesOf(caller, fork.id);
    expect(messages.map(copied)).toEqual(before.messages.items.map(copied));
    const ids = [...messages, ...before.messages.items].map((message) => message.id);
    expect(new Set(ids).size).toBe(8);
    expect(await caller.call(contracts.getConversation, { params: { conversation_id: id } })).toEqual(before);
    const search = (mode: string) =>
      caller.call(contracts.search, { body: { query: "zeppelin", mode, conversation_id: fork.id } });
    expect((await search("keyword")).results).toHaveLength(1);
    await idle();
    expect((await search("semantic")).results).not.toEqual([]);
    expect(await caller.call(contracts.getIndexStatus)).toMatchObject({ pending: 0, failed: 0 });
  });

  test("ends at the given sequence, keeps gaps, and changes independently of the original", async () => {
    const caller = await createOrganization();
    const id = await seedConversation(caller, ["1", "2", "3", "4", "5"]);
    const [, second] = await messagesOf(caller, id);
    await caller.call(contracts.deleteMessage, {
      params: { conversation_id: id, message_id: second?.id ?? "" },
    });
    const fork = await caller.call(contract, forkOf(id, { sequence: 3, title: "fork", external_id: "f" }));
    expect(fork).toMatchObject({ title: "fork", external_id: "f", message_count: 2, last_sequence: 3 });
    const append = {
      params: { conversation_id: fork.id },
      body: { messages: [{ role: "user", content: "mine" }] },
    };
    expect(await caller.call(contracts.appendMessages, append)).toMatchObject({ first_sequence: 4 });
    const contents = async (of: string) =>
      (await messagesOf(caller, of)).map(({ sequence, content }) => [sequence, content]);
    expect(await contents(fork.id)).toEqual([
      [1, "1"],
      [3, "3"],
      [4, "mine"],
    ]);
    expect(await contents(id)).toEqual([
      [1, "1"],
      [3, "3"],
      [4, "4"],
      [5, "5"],
    ]);
    expect(await caller.call(contract, forkOf(id, { sequence: 0 }))).toMatchObject({
      message_count: 0,
      last_sequence: 0,
    });
    expect(
      await selectRow(
        `SELECT o.message_count = (SELECT count(*) FROM messages AS m WHERE m.organization_id = ?1) AS messages,
                o.term_count = (SELECT sum(term_count) FROM conversations AS c WHERE c.organization_id = ?1) AS tokens,
                o.conversation_count AS conversations
           FROM organization_counters AS o WHERE o.organization_id = ?1`,
        caller.organizationId,
      ),
    ).toEqual({ messages: 1, tokens: 1, conversations: 3 });
  });

  test("copies a conversation of many pages", async () => {
    const caller = await createOrganization();
    const { id } = await caller.call(contracts.createConversation, { body: {} });
    for (let batch = 0; batch < 3; batch++) {
      const messages = Array.from({ length: 800 }, (_, i) => ({
        role: "user",
        content: `note ${batch} ${i}`,
      }));
      await caller.call(contracts.appendMessages, { params: { conversation_id: id }, body: { messages } });
    }
    const fork = await caller.call(contract, forkOf(id));
    expect(fork).toMatchObject({ message_count: 2_400, last_sequence: 2_400 });
    const body = {
      query: "note",
      mode: "keyword",
      conversation_id: fork.id,
      limit: 50,
      neighbors: { before: 0, after: 0 },
    };
    expect((await caller.call(contracts.search, { body })).results).toHaveLength(50);
  });

  test("starts over if a message is changed while the conversation is read", async () => {
    const caller = await createOrganization();
    const id = await seedConversation(caller, ["before"]);
    const [message] = await messagesOf(caller, id);
    let changed = false;
    const DB = databaseWith("source_changed", async () => {
      if (changed) return;
      changed = true;
      await caller.call(contracts.updateMessage, {
        params: { conversation_id: id, message_id: message?.id ?? "" },
        body: { content: "after" },
      });
    });
    const racing = new Service({ DB: Object.assign(Object.create(env.DB), DB) }).callerOf(caller.secret);
    const fork = await racing.call(contract, forkOf(id));
    expect((await messagesOf(caller, fork.id)).map(({ content }) => content)).toEqual(["after"]);
    const body = { query: "after", mode: "keyword", conversation_id: fork.id };
    expect((await caller.call(contracts.search, { body })).results).toHaveLength(1);
  });

  test("starts over if a message is replaced while the conversation is read", async () => {
    const caller = await createOrganization();
    const id = await seedConversation(caller, ["before"]);
    const [message] = await messagesOf(caller, id);
    const other = { ...lines.message("2", 1, { content: "after" }), conversation_id: id };
    let changed = false;
    const DB = databaseWith("source_changed", async () => {
      if (changed) return;
      changed = true;
      const params = { conversation_id: id, message_id: message?.id ?? "" };
      await caller.call(contracts.deleteMessage, { params });
      expect((await lines.send(caller, [other])).problems).toEqual([]);
    });
    const racing = new Service({ DB: Object.assign(Object.create(env.DB), DB) }).callerOf(caller.secret);
    const fork = await racing.call(contract, forkOf(id));
    const body = { query: "after", mode: "keyword", conversation_id: fork.id };
    expect((await caller.call(contracts.search, { body })).results).toHaveLength(1);
  });

  test("copies a conversation whose messages have the largest update times", async () => {
    const caller = await createOrganization();
    const id = await seedConversation(
      caller,
      Array.from({ length: 5 }, (_, i) => `${i}`),
    );
    // Times so large that their sum exceeds 2^53, as that of some 5,000 current times does.
    await env.DB.prepare("UPDATE messages SET updated_at_ms = 4000000000000001 WHERE organization_id = ?1")
      .bind(caller.organizationId)
      .run();
    expect((await caller.call(contract, forkOf(id))).message_count).toBe(5);
  });

  test("fails with 503 if messages change faster than they can be copied", async () => {
    const caller = await createOrganization();
    const id = await seedConversation(caller, ["before"]);
    const [message] = await messagesOf(caller, id);
    const params = { conversation_id: id, message_id: message?.id ?? "" };
    let round = 0;
    const clock = new Clock();
    const DB = databaseWith("source_changed", async () => {
      clock.advance(1);
      round += 1;
      await new Service({}, clock).callerOf(caller.secret).call(contracts.updateMessage, {
        params,
        body: { content: `after ${round}` },
      });
    });
    const racing = new Service({ DB: Object.assign(Object.create(env.DB), DB) });
    const response = await racing.fetch(caller.secret, contract, forkOf(id));
    expect(response.headers.get("retry-after")).toBe("2");
    expect(await readProblem(contract, response)).toMatchObject({ code: "unavailable" });
    expect(round).toBe(5);
    expect((await caller.call(contracts.listConversations)).items).toHaveLength(1);
  });

  test("returns the same response for a repeat after the original is deleted, and 404 after the fork is deleted", async () => {
    const caller = await createOrganization();
    const id = await seedConversation(caller, ["1"]);
    const parts = { ...forkOf(id), headers: { "idempotency-key": "k" } };
    const first = await caller.call(contract, parts);
    await caller.call(contracts.deleteConversation, { params: { conversation_id: id } });
    const again = await caller.fetch(contract, parts);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(await again.json()).toEqual(first);
    await caller.call(contracts.deleteConversation, { params: { conversation_id: first.id } });
    expect((await caller.fail(contract, parts)).code).toBe("not_found");
  });

  test("returns the first response to a concurrent repeat, even if the original is deleted meanwhile", async () => {
    const caller = await createOrganization();
    const id = await seedConversation(caller, ["1"]);
    const parts = { ...forkOf(id), headers: { "idempotency-key": "k" } };
    let first: contracts.Conversation | undefined;
    const DB = databaseWith("source_changed", async () => {
      first = await caller.call(contract, parts);
      await caller.call(contracts.deleteConversation, { params: { conversation_id: id } });
    });
    const racing = new Service({ DB: Object.assign(Object.create(env.DB), DB) });
    const again = await racing.fetch(caller.secret, contract, parts);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(await again.json()).toEqual(first);
  });

  test("rejects a conversation of 40,000 messages with the latest times as too large", async () => {
    const caller = await createOrganization();
    const id = await seedConversation(caller, ["1"]);
    const [message] = await messagesOf(caller, id);
    // 40,000 messages with the latest possible time, so that the sum of their times exceeds 64 bits.
    await env.DB.prepare(
      `WITH RECURSIVE n (sequence) AS (SELECT 2 UNION ALL SELECT sequence + 1 FROM n WHERE sequence < 40000)
       INSERT INTO messages (row_key, organization_id, conversation_id, id, sequence, role, content, content_bytes,
                             term_count, model_tokens, created_at_ms, stored_at_ms)
       SELECT m.row_key - 1 + n.sequence, m.organization_id, m.conversation_id, m.id || n.sequence, n.sequence, m.role,
              m.content, m.content_bytes, m.term_count, m.model_tokens, 253402300799999, 253402300799999
         FROM n CROSS JOIN messages AS m ON m.organization_id = ?1 AND m.id = ?2`,
    )
      .bind(caller.organizationId, message?.id)
      .run();
    await env.DB.prepare("UPDATE conversations SET last_sequence = 40000 WHERE organization_id = ?1")
      .bind(caller.organizationId)
      .run();
    expect((await caller.fail(contract, forkOf(id))).code).toBe("too_many_messages");
    expect((await caller.call(contract, forkOf(id, { sequence: 5 }))).message_count).toBe(5);
  });

  test("can take an external id that only another user or agent has", async () => {
    const caller = await createOrganization();
    const names = { external_id: "case-7" };
    await seedConversation(caller, ["1"], { ...names, agent_id: "bot" });
    const source = await seedConversation(caller, ["1"], { user_id: "maria" });
    const alice = await createKey(caller, { scopes: ["write"], user_id: "alice" });
    await alice.call(contracts.createConversation, { body: names });
    const fork = await caller.call(contract, forkOf(source, names));
    expect(fork).toMatchObject({ ...names, user_id: "maria" });
    expect((await caller.fail(contract, forkOf(source, names))).code).toBe("external_id_conflict");
  });

  test("rejects conflicts and unknown ids, and stores nothing", async () => {
    const caller = await createOrganization();
    const id = await seedConversation(caller, ["1"], { external_id: "taken" });
    expect((await caller.fail(contract, forkOf(id, { sequence: 2 }))).code).toBe("sequence_conflict");
    expect((await caller.fail(contract, forkOf(id, { external_id: "taken" }))).code).toBe(
      "external_id_conflict",
    );
    expect((await caller.fail(contract, forkOf("conv_absent"))).code).toBe("not_found");
    expect((await (await createOrganization()).fail(contract, forkOf(id))).code).toBe("not_found");
    const bound = await createKey(caller, { scopes: ["write"], agent_id: "a" });
    expect((await bound.fail(contract, forkOf(id))).code).toBe("not_found");
    await env.DB.prepare("UPDATE messages SET content_bytes = 9000000 WHERE conversation_id = ?1")
      .bind(id)
      .run();
    expect((await caller.fail(contract, forkOf(id))).code).toBe("payload_too_large");
    expect((await caller.call(contracts.listConversations)).items).toHaveLength(1);
  });
});
