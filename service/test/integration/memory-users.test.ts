import * as contracts from "@engram/spec";
import { describe, expect, test } from "vitest";
import { EXPORT_START, exportPage } from "../../src/transfer/exports-queries.ts";
import {
  type Caller,
  createKey,
  createOrganization,
  readPages,
  seedConversation,
} from "../support/client.ts";
import { Clock, Service, selectRows, sweepUntilIdle } from "../support/invocations.ts";

const content = "Prefers tea without milk.";
const ALL: contracts.Scope[] = ["read", "write", "search", "delete"];

const create = (caller: Caller, body: object) =>
  caller.call(contracts.createMemory, { body: { content, ...body } });
const put = (caller: Caller, body: object) =>
  caller.call(contracts.putMemory, { body: { external_id: "diet", content, ...body } });
const contentsOf = async (caller: Caller, query: Record<string, string> = {}) =>
  (await caller.call(contracts.listMemories, { query })).items.map((memory) => memory.content).sort();

describe("the user of a memory", () => {
  test("can store the same content as another user or agent", async () => {
    const caller = await createOrganization();
    const ids = new Set<string>();
    const owners = [{}, { user_id: "maria" }, { user_id: "jon" }, { user_id: "maria", agent_id: "bot" }];
    for (const owner of [...owners, ...owners]) ids.add((await create(caller, owner)).id);
    expect(ids.size).toBe(4);
    const memories = owners.map((owner) => ({ content, ...owner }));
    const { items } = await caller.call(contracts.createMemories, { body: { memories } });
    expect(items.map(({ id, created }) => [ids.has(id ?? ""), created])).toEqual(
      owners.map(() => [true, false]),
    );
  });

  test("is an exact filter, which memories without a user do not match", async () => {
    const caller = await createOrganization();
    for (const owner of [
      {},
      { user_id: "maria" },
      { user_id: "maria", agent_id: "bot" },
      { user_id: "Maria" },
    ])
      await create(caller, { ...owner, wait: "indexed" });
    const counted = { query: { user_id: "maria", include_total: true } };
    expect(await caller.call(contracts.listMemories, counted)).toMatchObject({ total: 2 });
    for (const mode of ["hybrid", "keyword", "semantic"]) {
      const body = { query: "tea without milk", mode, user_id: "maria" };
      const { results } = await caller.call(contracts.searchMemories, { body });
      expect(results.map(({ memory }) => memory.user_id)).toEqual(["maria", "maria"]);
    }
    const filter = { user_id: "maria" };
    expect(await caller.call(contracts.deleteMemories, { body: { filter, dry_run: true } })).toMatchObject({
      memories: 2,
    });
    await caller.call(contracts.deleteMemories, { body: { filter } });
    expect(await contentsOf(caller)).toHaveLength(2);
  });

  test("filters a search of conversations and memories", async () => {
    const caller = await createOrganization();
    for (const user_id of ["maria", "jon"]) {
      await seedConversation(caller, [`${user_id} drinks tea without milk`], { user_id });
      await create(caller, { content: `${user_id}: tea without milk`, user_id, wait: "indexed" });
    }
    const find = async (body: object) => {
      const { results } = (await caller.call(contracts.search, {
        body: { query: "tea without milk", ...body },
      })) as contracts.SearchAnswer;
      return results
        .map((one) => (one.type === "memory" ? one.memory.content : (one.messages[0]?.content ?? "")))
        .sort();
    };
    for (const mode of ["hybrid", "keyword", "semantic"]) {
      const both = { mode, user_id: "maria", in: ["conversations", "memories"] };
      expect(await find(both)).toEqual(["maria drinks tea without milk", "maria: tea without milk"]);
      expect(await find({ mode, user_id: "maria" })).toEqual(["maria drinks tea without milk"]);
      expect(await find({ ...both, in: ["memories"] })).toEqual(["maria: tea without milk"]);
    }
  });

  test("can be set on a memory without one, and on its vector", async () => {
    const caller = await createOrganization();
    const { id: memory_id } = await create(caller, { wait: "indexed" });
    const params = { memory_id };
    const given = await caller.call(contracts.updateMemory, { params, body: { user_id: "maria" } });
    expect(given).toMatchObject({ content, user_id: "maria" });
    const find = async () => {
      const body = { query: "tea without milk", mode: "semantic", user_id: "maria" };
      return (await caller.call(contracts.searchMemories, { body })).results.length;
    };
    await expect.poll(find).toBe(1);
    // Giving the same user again is no conflict; another user is.
    await caller.call(contracts.updateMemory, { params, body: { user_id: "maria" } });
    expect(await caller.fail(contracts.updateMemory, { params, body: { user_id: "jon" } })).toMatchObject({
      code: "user_conflict",
    });
  });

  test("cannot be set if the user already has the content or the external id", async () => {
    const caller = await createOrganization();
    const { id } = await create(caller, {});
    await create(caller, { user_id: "maria" });
    const { id: named } = await put(caller, { content: "one" });
    await put(caller, { content: "two", user_id: "maria" });
    for (const [memory_id, code] of [
      [id, "content_conflict"],
      [named, "external_id_conflict"],
    ] as const) {
      const request = { params: { memory_id }, body: { user_id: "maria" } };
      expect(await caller.fail(contracts.updateMemory, request)).toMatchObject({ code });
    }
  });
});

describe("the external id of a memory", () => {
  test("is unique per agent and user, and allows the same content again", async () => {
    const caller = await createOrganization();
    const first = await create(caller, { external_id: "a" });
    expect(await create(caller, { external_id: "a" })).toMatchObject({ id: first.id });
    const others = [{ external_id: "b" }, { external_id: "a", user_id: "maria" }, {}];
    const ids = await Promise.all(others.map(async (other) => (await create(caller, other)).id));
    expect(new Set([first.id, ...ids]).size).toBe(4);
    expect(await contentsOf(caller, { external_id: "a" })).toHaveLength(2);
    const body = { content: "Coffee.", external_id: "a" };
    expect(await caller.fail(contracts.createMemory, { body })).toMatchObject({
      code: "external_id_conflict",
    });
    const stored = { memories: [{ content: "new" }, body] };
    expect(await caller.fail(contracts.createMemories, { body: stored })).toMatchObject({
      code: "external_id_conflict",
    });
    const twice = { memories: ["one", "two"].map((text) => ({ content: text, external_id: "c" })) };
    expect(await caller.fail(contracts.createMemories, { body: twice })).toMatchObject({
      code: "external_id_conflict",
    });
    expect(await contentsOf(caller)).toEqual([content, content, content, content]);
  });

  test("makes a put replace all fields, under the same id", async () => {
    const caller = await createOrganization();
    const body = {
      external_id: "diet",
      content,
      tags: ["a"],
      summary: "Tea.",
      source: "chat",
      user_id: "maria",
    };
    const response = await caller.fetch(contracts.putMemory, {
      body: { ...body, created_at: "2026-01-01T00:00:00.000Z" },
    });
    expect(response.status).toBe(201);
    const first = (await response.json()) as contracts.Memory;
    const again = await caller.fetch(contracts.putMemory, { body });
    expect(again.status).toBe(200);
    expect(await again.json()).toEqual({ ...first, updated_at: expect.any(String) });
    const parts = [{ type: "text", text: "Coffee." }];
    const second = await put(caller, { content: "Coffee.", user_id: "maria", kind: "summary", parts });
    expect(second).toMatchObject({
      ...{ id: first.id, content: "Coffee.", kind: "summary", parts, created_at: first.created_at },
      ...{ source: null, summary: null, tags: [], metadata: {} },
    });
    const { results } = await caller.call(contracts.searchMemories, {
      body: { query: "coffee tea", mode: "keyword" },
    });
    expect(results.map(({ memory }) => memory.content)).toEqual(["Coffee."]);
    expect(await put(caller, { content: "Jon's", user_id: "jon" })).not.toMatchObject({ id: first.id });
  });

  test("makes a put with If-Match replace only that version", async () => {
    const caller = await createOrganization();
    // With tags and summary, no text model changes the version.
    const body = { external_id: "diet", content, tags: [], summary: "Tea." };
    for (const other of ['"1"', 'W/"1"', "*"]) {
      const absent = await caller.fail(contracts.putMemory, { body, headers: { "if-match": other } });
      expect(absent).toMatchObject({ code: "precondition_failed" });
    }
    const etag = (await caller.fetch(contracts.putMemory, { body })).headers.get("etag") ?? "";
    const headers = { "if-match": `W/${etag}, "9999"` };
    const changed = { ...body, content: "Coffee." };
    expect(await caller.call(contracts.putMemory, { body: changed, headers })).toMatchObject(changed);
    expect(await caller.fail(contracts.putMemory, { body, headers })).toMatchObject({
      code: "precondition_failed",
    });
    expect(await contentsOf(caller)).toEqual(["Coffee."]);
  });

  test("is stored once by concurrent puts, with the content of one of them", async () => {
    const caller = await createOrganization();
    const texts = Array.from({ length: 6 }, (_, i) => `version ${i}`);
    const stored = await Promise.all(texts.map((text) => put(caller, { content: text })));
    expect(new Set(stored.map(({ id }) => id)).size).toBe(1);
    const left = await contentsOf(caller);
    expect(left).toHaveLength(1);
    expect(texts).toContain(left[0]);
    const [row] = await selectRows(
      "SELECT memory_count FROM organization_counters WHERE organization_id = ?1",
      caller.organizationId,
    );
    expect(row).toEqual({ memory_count: 1 });
  });
});

describe("parts of a memory", () => {
  const parts = { type: "preference", value: { drink: "tea", milk: false } };

  test("are returned unchanged, and allow empty content", async () => {
    const caller = await createOrganization();
    const { id: memory_id } = await create(caller, { content: "", parts });
    const memory = await caller.call(contracts.getMemory, { params: { memory_id } });
    expect(memory).toMatchObject({ content: "", parts, chunks: [] });
    expect((await caller.call(contracts.listMemories)).items[0]).toMatchObject({ parts });
    const refused = await caller.fail(contracts.createMemory, { body: { content: "" } });
    expect(refused).toMatchObject({ code: "validation_failed", errors: [{ path: "content" }] });
    const request = { params: { memory_id }, body: { content: "Tea." } };
    expect(await caller.call(contracts.updateMemory, request)).toMatchObject({ content: "Tea.", parts });
    const { results } = await caller.call(contracts.searchMemories, {
      body: { query: "tea", mode: "keyword" },
    });
    expect(results[0]?.memory).toMatchObject({ parts });
  });
});

describe("a key bound to a user", () => {
  test("reads, writes and finds only that user's data", async () => {
    const caller = await createOrganization();
    const conversations: Record<string, string> = {};
    for (const user_id of ["maria", "jon"]) {
      conversations[user_id] = await seedConversation(caller, [`${user_id} drinks tea`], { user_id });
      await create(caller, { content: `${user_id} drinks tea`, user_id, wait: "indexed" });
    }
    const bound = await createKey(caller, { scopes: ALL, user_id: "maria" });
    expect(await contentsOf(bound)).toEqual(["maria drinks tea"]);
    expect(await contentsOf(bound, { user_id: "jon" })).toEqual([]);
    for (const mode of ["hybrid", "keyword", "semantic"]) {
      const body = { query: "drinks tea", mode, in: ["conversations", "memories"] };
      const { results } = (await bound.call(contracts.search, { body })) as contracts.SearchAnswer;
      expect(JSON.stringify(results)).not.toContain("jon");
      expect(results).toHaveLength(2);
    }
    const params = { conversation_id: conversations.jon ?? "" };
    expect(await bound.fail(contracts.getConversation, { params })).toMatchObject({ code: "not_found" });
    expect(await bound.fail(contracts.listMessages, { params })).toMatchObject({ code: "not_found" });
    const body = { messages: [{ role: "user" as const, content: "hello" }] };
    expect(await bound.fail(contracts.appendMessages, { params, body })).toMatchObject({ code: "not_found" });
    expect(await create(bound, {})).toMatchObject({ user_id: "maria" });
    for (const contract of [contracts.createMemory, contracts.putMemory, contracts.createConversation]) {
      const named = contract === contracts.createConversation ? {} : { content, external_id: "x" };
      const answer = await bound.fail(contract, { body: { ...named, user_id: "jon" } });
      expect(answer).toMatchObject({ code: "forbidden" });
    }
    const operation = await caller.call(contracts.deleteConversation, { params });
    const mine = { operation_id: operation.id };
    expect(await bound.fail(contracts.getOperation, { params: mine })).toMatchObject({ code: "not_found" });
    expect(await bound.call(contracts.listOperations)).toMatchObject({ items: [] });
    expect(await bound.fail(contracts.listUsers)).toMatchObject({ code: "forbidden" });
    const other = { user_id: "jon" };
    expect(await bound.fail(contracts.deleteUser, { params: other })).toMatchObject({ code: "forbidden" });
  });

  test("cannot use another key's cursor, and sees no operation of another user", async () => {
    const caller = await createOrganization();
    for (const user_id of ["maria", "jon"])
      for (const text of ["one", "two"]) await create(caller, { content: text, user_id });
    const bound = (user_id: string) => createKey(caller, { scopes: ALL, user_id });
    const [maria, jon] = [await bound("maria"), await bound("jon")];
    const query = { limit: "1" };
    const { next_cursor } = await maria.call(contracts.listMemories, { query });
    const next = { query: { ...query, cursor: next_cursor ?? "" } };
    expect((await maria.call(contracts.listMemories, next)).items).toHaveLength(1);
    for (const other of [jon, caller])
      expect(await other.fail(contracts.listMemories, next)).toMatchObject({ code: "invalid_cursor" });
    const deleted = await maria.call(contracts.deleteMemories, { body: { all: true } });
    const params = { operation_id: "id" in deleted ? deleted.id : "" };
    expect(await maria.call(contracts.getOperation, { params })).toMatchObject({ soft_deleted: 2 });
    for (const contract of [contracts.getOperation, contracts.cancelOperation])
      expect(await jon.fail(contract, { params })).toMatchObject({ code: "not_found" });
    expect(await contentsOf(caller)).toEqual(["one", "two"]);
  });

  test("can be bound to an agent too, but cannot have the scope `admin`", async () => {
    const caller = await createOrganization();
    for (const owner of [{ user_id: "maria" }, { agent_id: "bot" }, { user_id: "maria", agent_id: "bot" }])
      await create(caller, { content: JSON.stringify(owner), ...owner });
    const bound = await createKey(caller, { scopes: ALL, user_id: "maria", agent_id: "bot" });
    expect(await contentsOf(bound)).toEqual(['{"user_id":"maria","agent_id":"bot"}']);
    const body = { name: "wrong", scopes: ["admin"], user_id: "maria" };
    expect(await caller.fail(contracts.createKey, { body })).toMatchObject({ code: "forbidden" });
    const params = { key_id: bound.keyId };
    const rotated = await caller.call(contracts.rotateKey, { params, body: {} });
    expect(rotated).toMatchObject({ user_id: "maria", agent_id: "bot" });
  });
});

describe("users", () => {
  test("are listed in pages, whatever characters their ids have", async () => {
    const caller = await createOrganization();
    const ids = ["a", "é", "мария", "山田", "🙂"];
    for (const user_id of ids) await create(caller, { user_id });
    const pages = await readPages(caller, contracts.listUsers, { query: { limit: 1 } });
    expect(pages.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(ids);
  });

  test("are listed by id with their counts, until their last item is deleted", async () => {
    const caller = await createOrganization();
    await seedConversation(caller, ["hello"], { user_id: "b" });
    const created_at = "2024-05-06T07:08:09.000Z";
    await create(caller, { user_id: "a", created_at });
    for (const user_id of ["b", "c/d é"]) await create(caller, { user_id });
    await create(caller, {});
    const { items } = await caller.call(contracts.listUsers);
    expect(items.map(({ first_seen_at: _, last_seen_at: __, ...user }) => user)).toEqual([
      { id: "a", conversation_count: 0, memory_count: 1 },
      { id: "b", conversation_count: 1, memory_count: 1 },
      { id: "c/d é", conversation_count: 0, memory_count: 1 },
    ]);
    expect(items.every(({ last_seen_at }) => Date.parse(last_seen_at ?? "") > Date.now() - 60_000)).toBe(
      true,
    );
    expect(items[0]?.first_seen_at).toBe(created_at);
    expect(
      items.every(({ first_seen_at, last_seen_at }) => (first_seen_at ?? "z") <= (last_seen_at ?? "")),
    ).toBe(true);
    const first = await caller.call(contracts.listUsers, { query: { limit: 2 } });
    const query = { limit: 2, cursor: first.next_cursor ?? "" };
    const second = await caller.call(contracts.listUsers, { query });
    expect([...first.items, ...second.items]).toEqual(items);
    expect(second.next_cursor).toBeNull();
    const get = (user_id: string) => ({ params: { user_id } });
    for (const user of items) expect(await caller.call(contracts.getUser, get(user.id))).toEqual(user);
    const none = { conversation_count: 0, memory_count: 0, first_seen_at: null, last_seen_at: null };
    expect(await caller.call(contracts.getUser, get("nobody"))).toEqual({ id: "nobody", ...none });
    const stranger = await createOrganization();
    expect(await stranger.call(contracts.getUser, get("a"))).toEqual({ id: "a", ...none });
    expect(await caller.fail(contracts.listUsers, { query: { cursor: "x" } })).toMatchObject({
      code: "invalid_cursor",
    });
    expect(await caller.fail(contracts.listUsers, { query: { limit: 0 } })).toMatchObject({
      code: "validation_failed",
    });
    await caller.call(contracts.deleteUser, { params: { user_id: "c/d é" } });
    expect((await caller.call(contracts.listUsers)).items.map(({ id }) => id)).toEqual(["a", "b"]);
    expect(await caller.call(contracts.getUser, get("c/d é"))).toEqual({ id: "c/d é", ...none });
  });

  test("are deleted with one receipt for conversations and memories, and nothing of others", async () => {
    const { secret, organizationId } = await createOrganization();
    const clock = new Clock();
    const service = new Service({ ENRICHMENT_MODEL: "" }, clock, {
      softDeleteStepConversations: 2,
      scannedConversations: 3,
    });
    const caller = service.callerOf(secret);
    const texts = Array.from({ length: 5 }, (_, i) => `text ${i}`);
    for (const user_id of ["maria", "jon"]) {
      for (const text of texts) {
        const { id } = await caller.call(contracts.createConversation, { body: { user_id } });
        const body = { messages: [{ role: "user" as const, content: text }] };
        await caller.call(contracts.appendMessages, { params: { conversation_id: id }, body });
        await create(caller, { content: text, user_id });
      }
    }
    const receipt = await caller.call(contracts.deleteUser, { params: { user_id: "maria" } });
    expect(receipt).toMatchObject({ type: "delete_user", target_id: "maria", progress: { total: null } });
    await sweepUntilIdle(service, clock, organizationId);
    const done = await caller.call(contracts.getOperation, { params: { operation_id: receipt.id } });
    expect(done).toMatchObject({
      status: "succeeded",
      progress: { done: 10, total: 10 },
      soft_deleted: 10,
      rows_deleted_at: expect.any(String),
      vectors_deleted_at: expect.any(String),
    });
    const rows = await selectRows(
      "SELECT user_id, count(*) AS count FROM conversations WHERE organization_id = ?1 GROUP BY user_id",
      organizationId,
    );
    expect(rows).toEqual([{ user_id: "jon", count: 10 }]);
    const { items } = await caller.call(contracts.listAuditEvents, { query: { action: "user.deleted" } });
    expect(items).toMatchObject([{ target_id: "maria", operation_id: receipt.id }]);
  });

  test("with little data are deleted before the response, and an unknown user gets a receipt too", async () => {
    const caller = await createOrganization();
    const conversation_id = await seedConversation(caller, ["hello"], { user_id: "maria" });
    const { id: memory_id } = await create(caller, { user_id: "maria" });
    const receipt = await caller.call(contracts.deleteUser, { params: { user_id: "maria" } });
    expect(receipt).toMatchObject({ progress: { done: 2, total: 2 } });
    const gone = [
      await caller.fail(contracts.getConversation, { params: { conversation_id } }),
      await caller.fail(contracts.getMemory, { params: { memory_id } }),
    ];
    expect(gone.map(({ code }) => code)).toEqual(["not_found", "not_found"]);
    const none = await caller.call(contracts.deleteUser, { params: { user_id: "unknown" } });
    expect(none).toMatchObject({ progress: { done: 0, total: 0 } });
    const long = { user_id: "x".repeat(300) };
    expect(await caller.fail(contracts.deleteUser, { params: long })).toMatchObject({
      code: "not_found",
    });
  });

  test("are exported with their conversations and memories, in pages, and nothing of others", async () => {
    const { secret, organizationId } = await createOrganization();
    const caller = new Service({ ENRICHMENT_MODEL: "" }, undefined, { exportStepRows: 2 }).callerOf(secret);
    for (const user_id of ["maria", "jon", "maria"]) {
      const { id: conversation_id } = await caller.call(contracts.createConversation, { body: { user_id } });
      const messages = ["one", "two", "three"].map((text) => ({ role: "user" as const, content: text }));
      await caller.call(contracts.appendMessages, { params: { conversation_id }, body: { messages } });
      await create(caller, { content: crypto.randomUUID(), user_id });
    }
    await create(caller, {});
    const exported = async (query: Record<string, string | number>) => {
      const text = await (await caller.fetch(contracts.exportData, { query })).text();
      return text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as contracts.ExportLine);
    };
    /** The conversation or memory of a line. */
    const headOf = (line: Exclude<contracts.ExportLine, { type: "end" }>): string =>
      line.type === "message" ? line.conversation_id : "memory_id" in line ? line.memory_id : line.id;
    const all = await exported({});
    const of = new Map(
      all.flatMap((line) =>
        "user_id" in line && line.type !== "memory_version" ? [[headOf(line), line.user_id]] : [],
      ),
    );
    const ofMaria = all.filter((line) => line.type !== "end" && of.get(headOf(line)) === "maria");
    const lines = await exported({ user_id: "maria" });
    expect(lines.slice(0, -1)).toEqual(ofMaria);
    expect(lines.at(-1)).toEqual({
      type: "end",
      complete: true,
      conversations: 2,
      messages: 6,
      memories: 2,
      memory_versions: 0,
      recalls: 0,
    });
    for (const [i, line] of ofMaria.entries()) {
      const after: Record<string, string | number> =
        line.type === "message"
          ? { after: line.conversation_id, after_sequence: line.sequence }
          : { after: "id" in line ? line.id : "" };
      const rest = await exported({ user_id: "maria", ...after });
      expect(rest.slice(0, -1), `after line ${i + 1}`).toEqual(ofMaria.slice(i + 1));
    }
    expect(await exported({ user_id: "unknown" })).toMatchObject([{ type: "end", conversations: 0 }]);
    const { items } = await caller.call(contracts.listAuditEvents, { query: { action: "data.exported" } });
    expect(new Set(items.map(({ target_id }) => target_id))).toEqual(
      new Set([organizationId, "maria", "unknown"]),
    );
  });

  // The query plan of an export without a user is in exports.test.ts.
  test("are exported without a sort and without reading data of others", async () => {
    const { sql } = exportPage(
      { organizationId: "o", userId: "u", moment: null, firstRecallId: "" },
      EXPORT_START,
      {
        ...{ pageRows: 2, pageBytes: 9, pageValues: 9 },
      },
    );
    const plan = (
      await selectRows<{ detail: string }>(
        `EXPLAIN QUERY PLAN ${sql.texts.reduce((text, next, i) => `${text}?${i}${next}`)}`,
        ...sql.values.map(() => 1),
      )
    ).map(({ detail }) => detail);
    const found = plan.slice(0, plan.indexOf("SCAN found"));
    expect(found.filter((text) => /USING INDEX|TEMP B-TREE/.test(text))).toEqual([
      "SEARCH c USING INDEX sqlite_autoindex_conversations_1 (organization_id=? AND id=?)",
      "SEARCH u USING INDEX conversations_of_users (organization_id=? AND user_id=? AND id>?)",
      "SEARCH m USING INDEX sqlite_autoindex_messages_2 (organization_id=? AND conversation_id=? AND sequence>?) LEFT-JOIN",
    ]);
  });

  test("get no new data from a key bound to them after their deletion", async () => {
    const caller = await createOrganization();
    const bound = await createKey(caller, { scopes: ALL, user_id: "maria" });
    await create(bound, { content: "before" });
    await caller.call(contracts.deleteUser, { params: { user_id: "maria" } });
    expect(await bound.fail(contracts.createMemory, { body: { content: "after" } })).toMatchObject({
      code: "forgotten",
    });
    expect(await contentsOf(caller)).toEqual([]);
  });

  test("are deleted for one agent only with a key bound to that agent", async () => {
    const caller = await createOrganization();
    for (const agent_id of ["a", "b"])
      await create(caller, { content: agent_id, agent_id, user_id: "maria" });
    const bound = await createKey(caller, { scopes: ALL, agent_id: "a" });
    expect(await bound.call(contracts.deleteUser, { params: { user_id: "maria" } })).toMatchObject({
      progress: { done: 1 },
    });
    expect(await contentsOf(caller)).toEqual(["b"]);
  });
});
