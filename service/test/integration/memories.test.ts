import * as contracts from "@engram/spec";
import { describe, expect, test } from "vitest";
import type { ServiceLimits } from "../../src/limits.ts";
import { type Caller, callerOf, createKey, createOrganization, readPages } from "../support/client.ts";
import { readAs } from "../support/contract.ts";
import { env } from "../support/env.ts";
import { Clock, Service, selectRows, sweepUntilIdle } from "../support/invocations.ts";

const content = "Maria prefers refunds to her card, never store credit.";
const ALL: contracts.Scope[] = ["read", "write", "search", "delete"];

/** An organization of a service with its own clock and without a text model. */
async function open(limits: Partial<ServiceLimits> = {}) {
  const { secret, organizationId } = await createOrganization();
  const clock = new Clock();
  const service = new Service({ ENRICHMENT_MODEL: "" }, clock, limits);
  // These requests use the test's clock; those that wait for indexing use the real one.
  const caller = service.callerOf(secret);
  const idle = () => sweepUntilIdle(service, clock, organizationId);
  return { caller, clock, idle, organizationId, prompt: callerOf(secret) };
}

describe("createMemory", () => {
  test("stores every field unchanged", async () => {
    const caller = await createOrganization();
    const note = "  # Ünïcødé\r\n\r\n\u0000 😀\n```\n  code\n```\n ";
    const given = {
      content: note,
      source: "slack",
      agent_id: "bot",
      tags: ["b", "a"],
      summary: " short ",
      metadata: { ticket: "T-1", nested: { a: [1, null] } },
      created_at: "2020-02-29T12:00:00.123Z",
    };
    const memory = await caller.call(contracts.createMemory, { body: given });
    expect(memory).toMatchObject({ ...given, kind: "note" });
    const { chunks, ...got } = await caller.call(contracts.getMemory, { params: { memory_id: memory.id } });
    expect(got).toEqual(memory);
    expect(chunks.map(({ start, end }) => note.slice(start, end)).join("")).toBe(note);
  });

  test("returns the existing memory for the same content of the agent, with only a new update time", async () => {
    const { caller, clock } = await open();
    const first = await caller.call(contracts.createMemory, {
      body: { content, tags: ["one"], summary: "One." },
    });
    clock.advance(1_000);
    const again = await caller.fetch(contracts.createMemory, { body: { content, tags: ["two"] } });
    expect(again.status).toBe(200);
    const second = (await again.json()) as contracts.Memory;
    expect(second).toEqual({ ...first, updated_at: second.updated_at });
    expect(Date.parse(second.updated_at)).toBe(Date.parse(first.updated_at) + 1_000);
    clock.advance(1_000);
    const body = { memories: [{ content }, { content: "another" }] };
    const { items: bulk } = await caller.call(contracts.createMemories, { body });
    expect(bulk[0]).toMatchObject({ id: first.id });
    const third = await caller.call(contracts.getMemory, { params: { memory_id: first.id } });
    expect(Date.parse(third.updated_at)).toBe(Date.parse(first.updated_at) + 2_000);
    await caller.call(contracts.deleteMemory, { params: { memory_id: bulk[1]?.id ?? "" } });
    const { items } = await caller.call(contracts.listMemories);
    expect(items).toHaveLength(1);
  });

  test("rejects empty or too long content, and with a bound key a memory of another agent", async () => {
    const caller = await createOrganization();
    for (const bad of ["", "x".repeat(1_000_001)]) {
      expect(await caller.fail(contracts.createMemory, { body: { content: bad } })).toMatchObject({
        code: "validation_failed",
      });
    }
    const bound = await createKey(caller, { scopes: ALL, agent_id: "bot" });
    const body = { content, agent_id: "other" };
    expect(await bound.fail(contracts.createMemory, { body })).toMatchObject({ code: "forbidden" });
    expect(await bound.call(contracts.createMemory, { body: { content } })).toMatchObject({
      agent_id: "bot",
    });
  });

  test("creates a new memory after the one with the same content was deleted", async () => {
    const caller = await createOrganization();
    const first = await caller.call(contracts.createMemory, { body: { content } });
    await caller.call(contracts.deleteMemory, { params: { memory_id: first.id } });
    const again = await caller.fetch(contracts.createMemory, { body: { content } });
    expect(again.status).toBe(201);
    expect(((await again.json()) as contracts.Memory).id).not.toBe(first.id);
  });
});

describe("createMemories", () => {
  test("returns the items in order, stores repeated content once, and reports existing memories", async () => {
    const caller = await createOrganization();
    const { id } = await caller.call(contracts.createMemory, { body: { content } });
    const memories = [{ content: "one" }, { content }, { content: "two" }, { content: "one" }];
    const { items } = await caller.call(contracts.createMemories, { body: { memories } });
    expect(items.map(({ created }) => created)).toEqual([true, false, true, false]);
    expect(items[1]?.id).toBe(id);
    expect(items[3]?.id).toBe(items[0]?.id);
    expect((await caller.call(contracts.listMemories)).items).toHaveLength(3);
  });

  test("stores 1,000 memories, and the last is found by its words at once", async () => {
    const caller = await createOrganization();
    const memories = Array.from({ length: 1_000 }, (_, i) => ({
      content: `Locker ${i} holds item ${i * 7}.`,
    }));
    const { items } = await caller.call(contracts.createMemories, { body: { memories } });
    expect(items.every(({ created }) => created)).toBe(true);
    const body = { query: "locker 999", mode: "keyword", limit: 1 };
    const { results } = await caller.call(contracts.searchMemories, { body });
    expect(results[0]?.memory.id).toBe(items[999]?.id);
    // Otherwise the sweeps of other tests would index them.
    await caller.call(contracts.deleteMemories, { body: { all: true } });
  });

  test("stores the same content once for concurrent requests, single and bulk, in any order", async () => {
    const caller = await createOrganization();
    const contents = Array.from({ length: 20 }, (_, i) => `Captured together: ${i}.`);
    const orders = contents.slice(0, 10).map((_, at) => [...contents.slice(at), ...contents.slice(0, at)]);
    const [alone, bulk] = await Promise.all([
      Promise.all(
        orders.map(async () => {
          const response = await caller.fetch(contracts.createMemory, { body: { content: contents[0] } });
          const { id } = await readAs(contracts.createMemory, response);
          return { content: contents[0], id, created: response.status === 201 };
        }),
      ),
      Promise.all(
        orders.map(async (order) => {
          const body = { memories: order.map((content) => ({ content })) };
          const { items } = await caller.call(contracts.createMemories, { body });
          return items.map(({ id, created }, i) => ({ content: order[i], id, created }));
        }),
      ),
    ]);
    for (const [content, items] of Map.groupBy([...alone, ...bulk.flat()], ({ content }) => content)) {
      expect(new Set(items.map(({ id }) => id)).size, content).toBe(1);
      expect(items.filter(({ created }) => created).length, content).toBe(1);
    }
    const { items } = await caller.call(contracts.listMemories, { query: { limit: 100 } });
    expect(items).toHaveLength(contents.length);
  });

  test("stores all memories or none", async () => {
    const caller = await createOrganization();
    const memories = [{ content: "fine" }, { content: "" }];
    expect(await caller.fail(contracts.createMemories, { body: { memories } })).toMatchObject({
      code: "validation_failed",
    });
    expect((await caller.call(contracts.listMemories)).items).toEqual([]);
  });
});

describe("listMemories", () => {
  test("pages through all memories, newest first, and counts them", async () => {
    const caller = await createOrganization();
    const memories = Array.from({ length: 7 }, (_, i) => ({
      content: `note ${i}`,
      created_at: new Date(Date.UTC(2026, 0, 1 + (i % 3))).toISOString(),
    }));
    const { items: made } = await caller.call(contracts.createMemories, { body: { memories } });
    const pages = await readPages(caller, contracts.listMemories, {
      query: { limit: 2, include_total: true },
    });
    expect(new Set(pages.map(({ total }) => total))).toEqual(new Set([7]));
    const seen = pages.flatMap(({ items }) => items.map(({ id }) => id));
    expect(seen.toSorted()).toEqual(made.map(({ id }) => id).toSorted());
    const times = await Promise.all(
      seen.map(
        async (memory_id) => (await caller.call(contracts.getMemory, { params: { memory_id } })).created_at,
      ),
    );
    expect(times).toEqual(times.toSorted().reverse());
  });

  test("filters by agent, kind, source, tags, time and metadata", async () => {
    const caller = await createOrganization();
    const memories = [
      { content: "a", agent_id: "x", tags: ["t", "u"], created_at: "2026-01-01T00:00:00Z" },
      { content: "b", source: "s", kind: "summary", tags: ["t"], created_at: "2026-02-01T00:00:00Z" },
      { content: "c", metadata: { n: 1 }, created_at: "2026-03-01T00:00:00Z" },
    ];
    await caller.call(contracts.createMemories, { body: { memories } });
    const found = async (query: Record<string, string | string[]>) =>
      (await caller.call(contracts.listMemories, { query })).items.map((memory) => memory.content).sort();
    expect(await found({ agent_id: "x" })).toEqual(["a"]);
    expect(await found({ kind: "summary" })).toEqual(["b"]);
    expect(await found({ kind: "note" })).toEqual(["a", "c"]);
    expect(await found({ source: "s" })).toEqual(["b"]);
    expect(await found({ tags_any: ["t", "z"] })).toEqual(["a", "b"]);
    expect(await found({ tags_all: ["t", "u"] })).toEqual(["a"]);
    expect(await found({ metadata: '{"n":1}' })).toEqual(["c"]);
    expect(await found({ created_before: "2026-02-01T00:00:00Z" })).toEqual(["a"]);
    expect(await found({ created_after: "2026-02-01T00:00:00Z" })).toEqual(["b", "c"]);
    const asked = { query: { kind: "wish" } };
    expect(await caller.fail(contracts.listMemories, asked)).toMatchObject({ code: "validation_failed" });
  });

  test("ends a page before its content is too large, and continues after it", async () => {
    const caller = await createOrganization();
    const memories = ["a", "b", "c", "d", "e", "f"].map((letter) => ({ content: letter }));
    await caller.call(contracts.createMemories, { body: { memories } });
    // As if they were long, so that indexing takes time.
    await env.DB.prepare("UPDATE messages SET content_bytes = 900000 WHERE organization_id = ?1")
      .bind(caller.organizationId)
      .run();
    const first = await caller.call(contracts.listMemories);
    expect(first.items).toHaveLength(2);
    const rest = await caller.call(contracts.listMemories, { query: { cursor: first.next_cursor ?? "" } });
    expect(rest.items).toHaveLength(2);
    expect(rest.next_cursor).not.toBeNull();
    expect(await caller.fail(contracts.listMemories, { query: { cursor: "nonsense" } })).toMatchObject({
      code: "invalid_cursor",
    });
  });
});

describe("updateMemory", () => {
  test("changes the given fields, and finds the new words but not the old ones", async () => {
    const caller = await createOrganization();
    const memory = await caller.call(contracts.createMemory, { body: { content, tags: ["a"], source: "s" } });
    const params = { memory_id: memory.id };
    const changed = await caller.call(contracts.updateMemory, {
      params,
      body: { content: "Maria now wants a voucher.", source: null },
    });
    expect(changed).toMatchObject({ content: "Maria now wants a voucher.", tags: ["a"], source: null });
    expect(changed.content_hash).not.toBe(memory.content_hash);
    const search = async (query: string) =>
      (await caller.call(contracts.searchMemories, { body: { query, mode: "keyword" } })).results.length;
    expect([await search("voucher"), await search("credit")]).toEqual([1, 0]);
    // Its own content is no conflict.
    await caller.call(contracts.updateMemory, { params, body: { content: "Maria now wants a voucher." } });
    await caller.call(contracts.createMemory, { body: { content } });
    expect((await caller.call(contracts.listMemories)).items).toHaveLength(2);
  });
});

describe("deleteMemory", () => {
  test("hides the memory at once and purges it completely, with a receipt", async () => {
    const { caller, prompt, idle } = await open();
    const { id } = await prompt.call(contracts.createMemory, { body: { content, wait: "indexed" } });
    const params = { memory_id: id };
    const receipt = await caller.call(contracts.deleteMemory, { params });
    expect(receipt).toMatchObject({ type: "delete_memory", target_id: id, status: "running" });
    expect(await caller.fail(contracts.getMemory, { params })).toMatchObject({ code: "not_found" });
    const { results } = await caller.call(contracts.searchMemories, { body: { query: "refunds" } });
    expect(results).toEqual([]);
    await idle();
    const done = await caller.call(contracts.getOperation, { params: { operation_id: receipt.id } });
    expect(done).toMatchObject({ status: "succeeded" });
    expect(await caller.fail(contracts.deleteMemory, { params })).toMatchObject({ code: "not_found" });
  });
});

describe("deleteMemories", () => {
  test("deletes an agent's memories, and keeps all others and every conversation", async () => {
    const caller = await createOrganization();
    await caller.call(contracts.createConversation, { body: { agent_id: "x" } });
    const memories = [{ content: "a", agent_id: "x" }, { content: "b", agent_id: "x" }, { content: "c" }];
    await caller.call(contracts.createMemories, { body: { memories } });
    const filter = { agent_id: "x" };
    const dry = await caller.call(contracts.deleteMemories, { body: { filter, dry_run: true } });
    expect(dry).toEqual({ memories: 2, held: 0, complete: true });
    const done = await caller.call(contracts.deleteMemories, { body: { filter } });
    expect(done).toMatchObject({ type: "delete_memories", progress: { done: 2, total: 2 } });
    expect((await caller.call(contracts.listMemories)).items.map((memory) => memory.content)).toEqual(["c"]);
    expect((await caller.call(contracts.listConversations)).items).toHaveLength(1);
  });

  test("deletes all memories of the organization with a receipt, in several steps", async () => {
    const limits = { softDeleteStepConversations: 100, purgeStepConversations: 100 };
    const { caller, idle, organizationId } = await open(limits);
    await caller.call(contracts.createConversation, { body: {} });
    for (let part = 0; part < 2; part++) {
      const memories = Array.from({ length: 55 }, (_, i) => ({ content: `note ${part} ${i}` }));
      await caller.call(contracts.createMemories, { body: { memories } });
    }
    await idle();
    const vectors = await selectRows<{ vector_id: string }>(
      "SELECT vector_id FROM conversation_chunks WHERE organization_id = ?1",
      organizationId,
    );
    const known = async () => {
      const ids = vectors.map(({ vector_id }) => vector_id);
      const slices = Array.from({ length: Math.ceil(ids.length / 20) }, (_, i) =>
        ids.slice(20 * i, 20 * i + 20),
      );
      return (await Promise.all(slices.map((slice) => env.VECTORIZE.getByIds(slice)))).flat().length;
    };
    expect([vectors.length, await known()]).toEqual([110, 110]);
    const parts = { body: { all: true }, headers: { "idempotency-key": "k" } };
    const receipt = await caller.call(contracts.deleteMemories, parts);
    expect(receipt).toMatchObject({ progress: { total: 110 } });
    expect(
      await caller.fail(contracts.deleteMemories, { ...parts, body: { all: true, dry_run: false } }),
    ).toMatchObject({ code: "idempotency_mismatch" });
    await idle();
    expect(await caller.call(contracts.listMemories, { query: { include_total: "true" } })).toMatchObject({
      total: 0,
    });
    expect(await known()).toBe(0);
    const { id: operation_id } = receipt as contracts.Operation;
    expect(await caller.call(contracts.getOperation, { params: { operation_id } })).toMatchObject({
      status: "succeeded",
      progress: { done: 110, total: 110 },
      soft_deleted: 110,
      rows_deleted_at: expect.any(String),
      vectors_deleted_at: expect.any(String),
    });
    expect((await caller.call(contracts.listConversations)).items).toHaveLength(1);
  });

  test("requires either a filter or `all`", async () => {
    const caller = await createOrganization();
    for (const body of [{}, { filter: {} }, { filter: { source: "s" }, all: true }, { all: false }]) {
      expect(await caller.fail(contracts.deleteMemories, { body })).toMatchObject({
        code: "validation_failed",
      });
    }
  });
});

describe("searchMemories", () => {
  test("returns the whole memory, the matching chunk and the offsets of its words", async () => {
    const caller = await createOrganization();
    await caller.call(contracts.createMemory, { body: { content, wait: "indexed" } });
    const answer = await caller.call(contracts.searchMemories, {
      body: { query: "store credit", explain: true },
    });
    expect(answer).toMatchObject({ degraded: [], pending: 0 });
    const [result] = answer.results;
    expect(result?.memory.content).toBe(content);
    expect(result?.chunk).toMatchObject({ ordinal: 0, start: 0, end: content.length, overlap_start: 0 });
    expect(result?.highlights.map(({ start, end }) => content.slice(start, end))).toEqual([
      "store",
      "credit",
    ]);
    expect(result?.explanation).toBeDefined();
    expect(await caller.fail(contracts.searchMemories, { body: { query: "" } })).toMatchObject({
      code: "validation_failed",
    });
  });

  test("applies filters before ranking, tags_any and tags_all included, in every mode", async () => {
    const caller = await createOrganization();
    // More chunks near the query than the vector store returns at once.
    const near = "Where does the zeppelin land? The zeppelin lands at the gate.\n\n".repeat(4_000);
    const rare = { content: "The zeppelin lands at gate 149.", tags: ["rare", "gate"], source: "radio" };
    const memories = [{ content: near, tags: ["gate"], source: "post" }, rare];
    await caller.call(contracts.createMemories, { body: { memories, wait: "indexed" } });
    const { items } = await caller.call(contracts.listMemories);
    const whole = await caller.call(contracts.getMemory, { params: { memory_id: items[1]?.id ?? "" } });
    expect(whole.chunks.length).toBeGreaterThan(100);
    for (const mode of ["hybrid", "keyword", "semantic"])
      for (const filter of [{ tags_any: ["rare"] }, { tags_all: ["rare", "gate"] }, { source: "radio" }]) {
        const body = { query: "where does the zeppelin land", mode, limit: 3, ...filter };
        const { results } = await caller.call(contracts.searchMemories, { body });
        expect(results.map(({ memory }) => memory.content)).toEqual([rare.content]);
      }
  });

  test("finds memories by meaning with a filter that most memories match", async () => {
    const { caller, clock, idle } = await open();
    const oldest = { content: "The zeppelin lands at noon.", tags: ["log"], source: "radio" };
    await caller.call(contracts.createMemory, { body: oldest });
    clock.advance(1_000);
    const memories = Array.from({ length: 250 }, (_, i) => ({ ...oldest, content: `Cake recipe ${i}.` }));
    await caller.call(contracts.createMemories, { body: { memories } });
    await idle();
    const find = async (filter: object) => {
      const body = { query: "when does the zeppelin land", mode: "semantic", limit: 1, ...filter };
      const { results, degraded } = await caller.call(contracts.searchMemories, { body });
      return [results[0]?.memory.content, degraded];
    };
    expect(await find({ kind: "note" })).toEqual([oldest.content, []]);
    for (const filter of [{ tags_any: ["log"] }, { source: "radio" }])
      expect(await find(filter)).toEqual([oldest.content, ["semantic_partial"]]);
    expect(await find({ kind: "summary" })).toEqual([undefined, []]);
  });

  test("filters by kind, metadata, agent and time", async () => {
    const caller = await createOrganization();
    const memories = [
      { content: "zeppelin one", agent_id: "x", metadata: { gate: 1 }, created_at: "2026-01-01T00:00:00Z" },
      { content: "zeppelin two", kind: "summary", metadata: { gate: 2 }, created_at: "2026-02-01T00:00:00Z" },
    ];
    await caller.call(contracts.createMemories, { body: { memories, wait: "indexed" } });
    const filters: [filter: object, found: string[]][] = [
      [{ kind: "note" }, ["zeppelin one"]],
      [{ kind: "summary" }, ["zeppelin two"]],
      [{ metadata: { gate: 2 } }, ["zeppelin two"]],
      [{ metadata: { gate: "2" } }, []],
      [{ agent_id: "x" }, ["zeppelin one"]],
      [{ created_after: "2026-01-15T00:00:00Z" }, ["zeppelin two"]],
      [{ created_before: "2026-01-15T00:00:00Z" }, ["zeppelin one"]],
    ];
    for (const mode of ["hybrid", "keyword", "semantic"])
      for (const [filter, found] of filters) {
        const body = { query: "zeppelin", mode, ...filter };
        const { results } = await caller.call(contracts.searchMemories, { body });
        expect([filter, results.map(({ memory }) => memory.content)]).toEqual([filter, found]);
      }
  });

  test("with a key bound to an agent finds only that agent's memories, whatever the body says", async () => {
    const caller = await createOrganization();
    for (const agent_id of ["a", "b"]) {
      const body = { content: `The zeppelin of ${agent_id}`, agent_id, wait: "indexed" };
      await caller.call(contracts.createMemory, { body });
    }
    const bound = await createKey(caller, { scopes: ALL, agent_id: "a" });
    for (const mode of ["hybrid", "keyword", "semantic"])
      for (const asked of [{}, { agent_id: "a" }, { agent_id: "b" }]) {
        const { results } = await bound.call(contracts.searchMemories, {
          body: { query: "zeppelin", mode, ...asked },
        });
        const seen = results.map(({ memory }) => memory.agent_id);
        expect(seen).toEqual(asked.agent_id === "b" ? [] : ["a"]);
      }
    expect((await bound.call(contracts.listMemories)).items.map(({ agent_id }) => agent_id)).toEqual(["a"]);
  });
});

describe("memory operations with a key bound to an agent", () => {
  const zebras = ["A zebra crossed the road.", "Zebra stripes, zebra ears.", "No animal here."];
  const openAgents = async (others: string[]) => {
    const { caller, idle } = await open();
    const memories = [
      ...zebras.map((content) => ({ content, agent_id: "a" })),
      ...others.map((content) => ({ content, agent_id: "b" })),
    ];
    await caller.call(contracts.createMemories, { body: { memories } });
    await idle();
    return { caller, bound: await createKey(caller, { scopes: ALL, agent_id: "a" }) };
  };

  test("find the agent's memories by meaning although the vector store returns only another agent's", async () => {
    const louder = Array.from({ length: 150 }, (_, i) => `Zebra stripes, zebra ears, zebra ${i}.`);
    const { bound } = await openAgents(louder);
    const body = { query: "zebra stripes", mode: "semantic" };
    const { results, degraded } = await bound.call(contracts.searchMemories, { body });
    expect(results.map(({ memory }) => memory.content).sort()).toEqual([...zebras].sort());
    expect(degraded).toEqual([]);
  });

  test("return scores that do not depend on other agents' memories", async () => {
    const scores = async (others: string[]) => {
      const { bound } = await openAgents(others);
      const body = { query: "zebra stripes", mode: "keyword", explain: true };
      const { results } = await bound.call(contracts.searchMemories, { body });
      return results.map(({ score, relevance, explanation }) => ({ score, relevance, explanation }));
    };
    const [beside, apart] = [
      await scores(Array.from({ length: 20 }, (_, i) => `zebra zebra stripes ${i}`)),
      await scores(Array.from({ length: 20 }, (_, i) => `walrus walrus tusks ${i}`)),
    ];
    expect(beside).toHaveLength(2);
    expect(beside).toEqual(apart);
  });

  test("delete all memories of the agent and nothing else", async () => {
    const { caller, bound } = await openAgents(["b's"]);
    await caller.call(contracts.createMemory, { body: { content: "no agent's" } });
    const receipt = await bound.call(contracts.deleteMemories, { body: { all: true } });
    expect(receipt).toMatchObject({ progress: { done: 3, total: 3 } });
    const { items } = await caller.call(contracts.listMemories);
    expect(items.map((memory) => memory.content).sort()).toEqual(["b's", "no agent's"]);
  });
});

describe("search", () => {
  test("finds conversations, memories, or both in one ranking", async () => {
    const caller = await createOrganization();
    const { id } = await caller.call(contracts.createConversation, { body: {} });
    await caller.call(contracts.appendMessages, {
      params: { conversation_id: id },
      body: { messages: [{ role: "user", content: "A walrus swam by." }], wait: "indexed" },
    });
    await caller.call(contracts.createMemory, {
      body: { content: "The walrus eats oysters.", wait: "indexed" },
    });
    const types = async (more: object) => {
      const { results } = (await caller.call(contracts.search, {
        body: { query: "what does the walrus eat? oysters", ...more },
      })) as contracts.SearchAnswer;
      return results.map(({ type }) => type);
    };
    for (const mode of ["hybrid", "keyword", "semantic"]) {
      expect(await types({ mode })).toEqual(["messages"]);
      expect(await types({ mode, in: ["conversations"] })).toEqual(["messages"]);
      expect(await types({ mode, in: ["memories"] })).toEqual(["memory"]);
      expect(await types({ mode, in: ["conversations", "memories"] })).toEqual(["memory", "messages"]);
      expect(await types({ mode, in: ["conversations", "memories"], roles: ["user"] })).toEqual(["messages"]);
      expect(await types({ mode, in: ["conversations", "memories"], conversation_id: id })).toEqual([
        "messages",
      ]);
    }
  });

  test("rejects the id of a memory as a conversation id", async () => {
    const caller = await createOrganization();
    const { id } = await caller.call(contracts.createMemory, {
      body: { content: "The walrus eats oysters." },
    });
    for (const corpora of [["conversations"], ["memories"], ["conversations", "memories"]]) {
      const body = { query: "walrus", in: corpora, conversation_id: id };
      expect(await caller.fail(contracts.search, { body }), corpora.join()).toMatchObject({
        code: "validation_failed",
        errors: [{ path: "conversation_id", message: expect.stringContaining("id of a memory") }],
      });
    }
    const body = { query: "walrus", conversation_id: id };
    expect(await caller.fail(contracts.searchMemories, { body })).toMatchObject({
      code: "validation_failed",
    });
  });
});

describe("the chunk of a memory search result", () => {
  const paragraph = (word: string) => `# ${word}\n\n${`The ${word} swims. `.repeat(150)}\n\n`;
  const text = paragraph("otter") + paragraph("walrus") + paragraph("heron");
  const find = async (caller: Caller) => {
    const body = { query: "walrus", mode: "semantic" };
    const { results } = await caller.call(contracts.searchMemories, { body });
    const [result] = results;
    const { chunks } = await caller.call(contracts.getMemory, {
      params: { memory_id: result?.memory.id ?? "" },
    });
    return {
      chunk: result?.chunk,
      chunks: chunks.map(({ indexed, ...chunk }) => chunk),
      content: result?.memory.content,
    };
  };

  test("is read from its stored row, not computed again", async () => {
    const caller = await createOrganization();
    await caller.call(contracts.createMemory, { body: { content: text, wait: "indexed" } });
    const found = await find(caller);
    expect(found.chunks.length).toBeGreaterThan(2);
    expect(found.chunks).toContainEqual(found.chunk);
    expect(found.content?.slice(found.chunk?.start, found.chunk?.end)).toContain("walrus");
    const moved = "UPDATE conversation_chunks SET text_start = text_start + 1 WHERE organization_id = ?1";
    await env.DB.prepare(moved).bind(caller.organizationId).run();
    const again = await find(caller);
    expect(again.chunk).toEqual({ ...found.chunk, start: (found.chunk?.start ?? 0) + 1 });
    // The memory itself is read without splitting it, either.
    expect(again.chunks).toEqual(found.chunks.map((chunk) => ({ ...chunk, start: chunk.start + 1 })));
  });

  test("has new offsets when text before it has changed", async () => {
    const caller = await createOrganization();
    await caller.call(contracts.createMemory, { body: { content: text, wait: "indexed" } });
    const before = await find(caller);
    const { items } = await caller.call(contracts.listMemories);
    const params = { memory_id: items[0]?.id ?? "" };
    await caller.call(contracts.updateMemory, {
      params,
      body: { content: text.replace("# otter", "# sea otter") },
    });
    await expect.poll(() => caller.call(contracts.getIndexStatus)).toMatchObject({ pending: 0 });
    const after = await find(caller);
    expect(after.chunks).toContainEqual(after.chunk);
    expect(after.chunk?.start).toBe((before.chunk?.start ?? 0) + "sea ".length);
  });

  test("is null until changed content is indexed", async () => {
    const { caller, clock, idle, organizationId } = await open();
    await caller.call(contracts.createMemory, { body: { content: text } });
    await idle();
    await env.DB.prepare(
      `INSERT INTO index_jobs (organization_id, conversation_id, from_sequence, to_sequence, due_at_ms)
       SELECT ?1, id, 1, 1, ?2 FROM conversations WHERE organization_id = ?1`,
    )
      .bind(organizationId, clock.nowMs())
      .run();
    await env.DB.prepare("UPDATE conversation_chunks SET text_start = 0 WHERE organization_id = ?1")
      .bind(organizationId)
      .run();
    const waiting = await find(caller);
    expect(waiting.chunk).toBeNull();
    expect(waiting.chunks.map(({ start, end }) => text.slice(start, end)).join("")).toBe(text);
    await idle();
    expect((await find(caller)).chunk).not.toBeNull();
  });
});

describe("a memory", () => {
  test("is unknown to all operations on conversations and messages", async () => {
    const caller = await createOrganization();
    const { id } = await caller.call(contracts.createMemory, { body: { content } });
    const params = { conversation_id: id, message_id: id.replace("mem_", "msg_") };
    const messages = [{ role: "user", content: "x" }];
    for (const [contract, parts] of [
      [contracts.getConversation, {}],
      [contracts.updateConversation, { body: { title: "x" } }],
      [contracts.deleteConversation, {}],
      [contracts.forkConversation, { body: {} }],
      [contracts.appendMessages, { body: { messages } }],
      [contracts.replaceMessages, { body: { expected_last_sequence: 1, from_sequence: 1, messages } }],
      [contracts.listMessages, {}],
      [contracts.getMessage, {}],
      [contracts.updateMessage, { body: { content: "x" } }],
      [contracts.deleteMessage, {}],
      [contracts.getIndexStatus, { query: { conversation_id: id } }],
      [contracts.repairIndex, { body: { conversation_id: id } }],
    ] as const) {
      expect(await caller.fail(contract, { params, ...parts }), contract.path).toMatchObject({
        code: "not_found",
      });
    }
    const list = await caller.call(contracts.listConversations, { query: { include_total: "true" } });
    expect(list).toMatchObject({ items: [], total: 0 });
    const filter = { created_after: "2000-01-01T00:00:00Z" };
    const dry = await caller.call(contracts.deleteConversations, { body: { filter, dry_run: true } });
    expect(dry).toEqual({ conversations: 0, messages: 0, held: 0, complete: true });
    const lines = await caller.call(contracts.exportData);
    expect(lines).toMatchObject([{ type: "memory" }, { type: "end", conversations: 0, messages: 0 }]);
    expect((await caller.call(contracts.getMemory, { params: { memory_id: id } })).content).toBe(content);
  });

  test("does not affect the results for conversations", async () => {
    const caller = await createOrganization();
    const { id } = await caller.call(contracts.createConversation, { body: {} });
    const messages = ["A walrus swam by.", "It rained.", "The walrus came back."].map((text) => ({
      role: "user",
      content: text,
    }));
    await caller.call(contracts.appendMessages, {
      params: { conversation_id: id },
      body: { messages, wait: "indexed" },
    });
    const ask = async (mode: string) =>
      (await caller.call(contracts.search, { body: { query: "walrus", mode } })).results;
    const before = [await ask("hybrid"), await ask("keyword"), await ask("semantic")];
    const memories = Array.from({ length: 50 }, (_, i) => ({ content: `walrus ${i}` }));
    await caller.call(contracts.createMemories, { body: { memories, wait: "indexed" } });
    expect([await ask("hybrid"), await ask("keyword"), await ask("semantic")]).toEqual(before);
  });
});
