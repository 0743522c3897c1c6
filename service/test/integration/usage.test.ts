import * as contracts from "@engram/spec";
import { afterEach, describe, expect, test } from "vitest";
import { createApp } from "../../src/app.ts";
import type { Env } from "../../src/invocation.ts";
import { openIsolate } from "../../src/isolate.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { UsageCounts } from "../../src/usage/counts.ts";
import { upsertUsage } from "../../src/usage/queries.ts";
import {
  BASE_URL,
  type Caller,
  callerOf,
  createKey,
  createOrganization,
  operator,
  readPages,
  seedConversation,
} from "../support/client.ts";
import { Ledger } from "../support/counting.ts";
import { databaseWith } from "../support/deletions.ts";
import { env } from "../support/env.ts";
import { exportOnce } from "../support/exports.ts";
import { Clock, Service, selectRow, sweepUntilIdle } from "../support/invocations.ts";
import { connect, type Send } from "../support/mcp.ts";
import { isInCells } from "../support/places.ts";
import { type RequestParts, toRequest } from "../support/requests.ts";
import { DAY_MS, dayOf, MINUTE_MS, open } from "../support/usage.ts";

afterEach(() => env.CONTROL.clearFaults());

const SECOND_MS = 1_000;
const NOTHING = { requests: 0, messages: 0, message_bytes: 0, searches: 0, embeddings: 0, errors: 0 };

const say = (content: string, more: object = {}) => ({ role: "user", content, ...more });

async function append(caller: Caller, conversation_id: string, messages: object[], more: RequestParts = {}) {
  const parts = { params: { conversation_id }, body: { messages }, ...more };
  return caller.call(contracts.appendMessages, parts);
}

describe("usage", () => {
  test("counts what was stored, searched and embedded, and each request once, without repeats", async () => {
    const { keyId, clock, service, caller, pass, usage } = await open();
    const { id } = await caller.call(contracts.createConversation, { body: {} });
    const once = { headers: { "idempotency-key": "once" } };
    // 1 and 4 bytes, and the first chunk.
    await append(caller, id, [say("a"), say("🐳")], once);
    await append(caller, id, [say("a"), say("🐳")], once);
    await service.settle();
    // 3 bytes. A message whose external id exists is not stored, and the chunk grows.
    await append(caller, id, [say("né", { external_id: "m-3" })]);
    await service.settle();
    await append(caller, id, [say("né", { external_id: "m-3" })]);
    await service.settle();
    for (const mode of ["hybrid", "semantic", "keyword"]) {
      await caller.call(contracts.search, { body: { query: "whale", mode } });
    }
    await caller.fail(contracts.search, { body: {} });
    await pass(MINUTE_MS);
    expect(await usage()).toEqual([
      // Two texts for the chunk, and one for the query, which two modes embed.
      {
        day: dayOf(clock),
        key_id: keyId,
        requests: 9,
        messages: 3,
        message_bytes: 8,
        searches: 3,
        embeddings: 3,
        errors: 1,
      },
    ]);
  });

  test("counts memories as messages, and existing ones not again", async () => {
    const { keyId, clock, service, caller, pass, usage } = await open({ ENRICHMENT_MODEL: "" });
    const body = { content: "a" };
    const { id } = await caller.call(contracts.createMemory, { body });
    await caller.call(contracts.createMemory, { body });
    await service.settle();
    const memories = ["a", "🐳", "🐳"].map((content) => ({ content }));
    await caller.call(contracts.createMemories, { body: { memories } });
    await service.settle();
    await caller.call(contracts.updateMemory, { params: { memory_id: id }, body: { content: "né" } });
    await caller.call(contracts.searchMemories, { body: { query: "whale" } });
    await pass(MINUTE_MS);
    expect(await usage()).toEqual([
      // A text for each content of a memory, and the query.
      {
        day: dayOf(clock),
        key_id: keyId,
        requests: 5,
        messages: 2,
        message_bytes: 8,
        searches: 1,
        embeddings: 4,
        errors: 0,
      },
    ]);
  });

  test("counts replacements, updated content, forks, and an append that waits for indexing", async () => {
    const { keyId, clock, caller, pass, usage } = await open();
    const { id } = await caller.call(contracts.createConversation, { body: {} });
    const params = { conversation_id: id };
    const body = { messages: [say("one", { parts: [{ type: "text" }] }), say("two")], wait: "indexed" };
    const { message_ids } = await caller.call(contracts.appendMessages, { params, body });
    const replace = {
      expected_last_sequence: 2,
      from_sequence: 2,
      messages: [say("three")],
      wait: "indexed",
    };
    const again = { params, body: replace, headers: { "idempotency-key": "once" } };
    await caller.call(contracts.replaceMessages, again);
    await caller.call(contracts.replaceMessages, again);
    const message = { conversation_id: id, message_id: message_ids[0] ?? "" };
    await caller.call(contracts.updateMessage, { params: message, body: { content: "eleven" } });
    await caller.call(contracts.updateMessage, { params: message, body: { metadata: { a: 1 } } });
    const fork = { params, body: {}, headers: { "idempotency-key": "fork" } };
    await caller.call(contracts.forkConversation, fork);
    await caller.call(contracts.forkConversation, fork);
    await pass(MINUTE_MS);
    expect(await usage()).toEqual([
      {
        day: dayOf(clock),
        key_id: keyId,
        requests: 8,
        messages: 5,
        message_bytes: 28,
        searches: 0,
        embeddings: 4,
        errors: 0,
      },
    ]);
  });

  test("counts imported items, and existing ones not again", async () => {
    const source = await createOrganization();
    await seedConversation(source, ["hello", "né"]);
    const body = { content: "noted", tags: [], summary: "" };
    await source.call(contracts.createMemory, { body });
    const { lines } = await exportOnce(source);
    const { keyId, clock, caller, pass, usage } = await open();
    const rawBody = lines.map((line) => JSON.stringify(line)).join("\n");
    await caller.call(contracts.importLines, { rawBody });
    await caller.call(contracts.importLines, { rawBody });
    await pass(MINUTE_MS);
    const stored = { messages: 3, message_bytes: 13, searches: 0, embeddings: 2, errors: 0 };
    expect(await usage()).toEqual([{ day: dayOf(clock), key_id: keyId, requests: 2, ...stored }]);
  });

  test("counts an MCP tool call as one request, whatever it calls", async () => {
    const { owner, keyId, clock, service, pass, usage } = await open();
    let sent = 0;
    const through: Send = (path, init) => {
      sent += 1;
      return service.send(path, init);
    };
    const { call } = await connect(owner.secret, undefined, through);
    const { body } = await call<{ id: string }>("create_conversation", {});
    await call("append_messages", { conversation_id: body.id, messages: [say("hello")] });
    await pass(MINUTE_MS);
    expect(sent).toBeGreaterThan(1);
    expect(await usage()).toEqual([
      {
        ...NOTHING,
        day: dayOf(clock),
        key_id: keyId,
        requests: sent,
        messages: 1,
        message_bytes: 5,
        embeddings: 1,
      },
    ]);
  });

  test("counts a key's rejected requests, and none without a valid key", async () => {
    const { owner, keyId, clock, service, pass, usage } = await open();
    const reader = await createKey(owner, { scopes: ["read"] });
    const params = { organization_id: owner.organizationId };
    await service.callerOf(reader.secret).fail(contracts.search, { body: { query: "x" } });
    await service.callerOf(env.ADMIN_TOKEN).call(contracts.getOrganization, { params });
    await service.callerOf(`engram_sk_live_${"0".repeat(38)}`).fail(contracts.listKeys);
    await service.callerOf("").call(contracts.getHealth);
    await service.callerOf(owner.secret).fail(contracts.getKey, { params: { key_id: "key_none" } });
    await pass(MINUTE_MS);
    const day = dayOf(clock);
    expect(await usage()).toEqual([
      { ...NOTHING, day, key_id: reader.keyId, requests: 1, errors: 1 },
      { ...NOTHING, day, key_id: keyId, requests: 1, errors: 1 },
    ]);
  });

  test("counts what the sweep embeds, without a key, at once", async () => {
    const { keyId, clock, service, caller, pass, usage } = await open();
    const { id } = await caller.call(contracts.createConversation, { body: {} });
    await env.CONTROL.setFault({ ai: "3040" });
    await append(caller, id, [say("hello")]);
    await pass(MINUTE_MS);
    await env.CONTROL.clearFaults();
    await service.sweep();
    const day = dayOf(clock);
    expect(await usage()).toEqual([
      { ...NOTHING, day, key_id: keyId, requests: 2, messages: 1, message_bytes: 5 },
      { ...NOTHING, day, key_id: null, embeddings: 1 },
    ]);
  });

  test("is counted per day in UTC", async () => {
    const { keyId, clock, pass, usage, ask } = await open();
    const first = dayOf(clock);
    clock.advance(DAY_MS / 2 - 1);
    await ask();
    clock.advance(1);
    await ask();
    await ask();
    await pass(MINUTE_MS);
    expect(await usage()).toEqual([
      { ...NOTHING, day: dayOf(clock), key_id: keyId, requests: 2 },
      { ...NOTHING, day: first, key_id: keyId, requests: 1 },
    ]);
  });
});

describe("usage is written", () => {
  /** An isolate that records every write of usage, and can reject it. */
  async function openNoted() {
    const writesMs: number[] = [];
    const database = { isDown: false };
    const DB = databaseWith("INTO usage", async () => {
      writesMs.push(opened.clock.nowMs());
      if (database.isDown) throw new Error("D1_ERROR: D1 DB is overloaded.");
    });
    const opened = await open({ DB });
    return { ...opened, writesMs, database };
  }

  test.for([2, 10, 20])("once a minute if requests come every %i seconds", async (seconds) => {
    const { pass, ask, usage, writesMs } = await openNoted();
    const requests = (5 * 60) / seconds;
    for (let i = 0; i < requests; i++) {
      await ask();
      await pass(seconds * SECOND_MS);
    }
    expect(writesMs.length).toBeGreaterThanOrEqual(4);
    const gaps = writesMs.slice(1).map((ms, i) => ms - (writesMs[i] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(MINUTE_MS);
    await pass(MINUTE_MS);
    expect(await usage()).toMatchObject([{ requests }]);
  });

  test("once for keys of several organizations", async () => {
    const { service, pass, ask, usage, writesMs } = await openNoted();
    const others = [await createOrganization(), await createOrganization()];
    await ask();
    for (const { secret } of others) await service.callerOf(secret).call(contracts.listConversations);
    await pass(MINUTE_MS);
    // For each database.
    expect(writesMs).toHaveLength(isInCells ? 3 : 1);
    for (const other of others) {
      expect((await other.call(contracts.listUsage)).items).toMatchObject([{ requests: 1 }]);
    }
    expect(await usage()).toMatchObject([{ requests: 1 }]);
  });

  test("before the last request's background time ends, if no other request comes", async () => {
    const { clock, pass, ask, usage, writesMs } = await openNoted();
    await ask();
    const beginMs = clock.nowMs();
    await pass(20 * SECOND_MS);
    expect(await usage()).toEqual([]);
    await pass(2 * SECOND_MS);
    expect(writesMs).toEqual([beginMs + 22 * SECOND_MS]);
    expect(await usage()).toMatchObject([{ requests: 1 }]);
  });

  test("even if indexing after the last response takes longer than that request may wait", async () => {
    const slow: Env["AI"] = {
      run: async (model, input) => {
        await clock.pass(27 * SECOND_MS);
        return env.AI.run(model, input);
      },
    };
    const { clock, service, caller, pass, usage } = await open({ AI: slow });
    const { id } = await caller.call(contracts.createConversation, { body: {} });
    await append(caller, id, [say("hello")]);
    await service.settle();
    await pass(0);
    expect(await usage()).toMatchObject([{ requests: 2, messages: 1, embeddings: 1 }]);
  });

  test("within the lifetime of a request, because nothing else keeps the Worker alive", async () => {
    const { secret } = await createOrganization();
    const waits: (() => void)[] = [];
    const after = async (_: number, work: () => Promise<void>) => {
      await new Promise<void>((resolve) => waits.push(resolve));
      await work();
    };
    const kept: Promise<unknown>[] = [];
    const context = { waitUntil: (work: Promise<unknown>) => kept.push(work) } as unknown as ExecutionContext;
    const [path, init] = toRequest(contracts.listConversations, {
      headers: { authorization: `Bearer ${secret}` },
    });
    const app = createApp(openIsolate({ ...systemRuntime, after }));
    const response = await app.fetch(new Request(`${BASE_URL}${path}`, init), env, context);
    // The response has arrived, and the background work has not ended.
    expect(response.status).toBe(200);
    expect([kept.length, waits.length]).toEqual([1, 1]);
    expect(await Promise.race([kept[0], "waits"])).toBe("waits");
    waits[0]?.();
    for (const work of kept) await work;
    expect(kept).toHaveLength(2);
    expect((await callerOf(secret).call(contracts.listUsage)).items).toMatchObject([{ requests: 1 }]);
  });

  test("with the next write if the database rejects it, without an error for a caller", async () => {
    const { clock, pass, ask, usage, writesMs, database, caller } = await openNoted();
    database.isDown = true;
    await ask();
    await pass(MINUTE_MS);
    expect(writesMs).toHaveLength(1);
    // No further request until that of another caller.
    await pass(10 * MINUTE_MS);
    expect(writesMs).toHaveLength(1);
    expect((await caller.fetch(contracts.listConversations)).status).toBe(200);
    await pass(MINUTE_MS);
    expect(await usage()).toEqual([]);
    database.isDown = false;
    await ask();
    const usedMs = clock.nowMs();
    await pass(MINUTE_MS);
    expect(await usage()).toMatchObject([{ requests: 3 }]);
    const { items } = await caller.call(contracts.listKeys);
    expect(items[0]?.last_used_at).toBe(new Date(usedMs).toISOString());
  });

  test("never for an organization that was purged meanwhile", async () => {
    const { owner, clock, service, pass, ask } = await open();
    await ask();
    const params = { organization_id: owner.organizationId };
    await operator.call(contracts.deleteOrganization, { params });
    await sweepUntilIdle(new Service({}, clock), clock, owner.organizationId);
    await pass(MINUTE_MS);
    await service.settle();
    expect(await rowsOf(owner.organizationId)).toBe(0);
  });

  test("in one statement per table for thousands of keys", async () => {
    const ledger = new Ledger();
    const counts = new UsageCounts();
    for (let i = 0; i < 5_000; i++) {
      counts.add({ organizationId: `org_${i}`, keyId: `key_${i}` }, { requests: 1 }, Date.now());
    }
    await upsertUsage(ledger.bindings.DB, counts.take());
    expect([ledger.violations, ledger.statements]).toEqual([[], 2]);
  });
});

describe("last_used_at of a key", () => {
  const lastUsed = async ({ owner, keyId }: { owner: Caller; keyId: string }) =>
    (await owner.call(contracts.getKey, { params: { key_id: keyId } })).last_used_at;

  test("is null before its first use, and then the time of the last, to the minute", async () => {
    const opened = await open();
    const { owner, clock, service, pass, ask } = opened;
    const other = await createKey(owner, { scopes: ["read"] });
    // Work after a response is not counted as a use.
    const behind = new UsageCounts();
    behind.add(
      { organizationId: owner.organizationId, keyId: opened.keyId },
      { embeddings: 1 },
      clock.nowMs(),
    );
    await upsertUsage(env.DB, behind.take());
    expect(await lastUsed(opened)).toBeNull();
    await ask();
    const firstMs = clock.nowMs();
    await pass(10 * SECOND_MS);
    // Not yet: it is written together with the usage, once a minute.
    expect(await lastUsed(opened)).toBeNull();
    await pass(15 * SECOND_MS);
    expect(await lastUsed(opened)).toBe(new Date(firstMs).toISOString());
    await ask();
    await pass(MINUTE_MS);
    expect(await lastUsed(opened)).toBe(new Date(firstMs + 25 * SECOND_MS).toISOString());
    // Rejected, but still counted as a use.
    await service.callerOf(other.secret).fail(contracts.listKeys);
    const refusedMs = clock.nowMs();
    await pass(MINUTE_MS);
    expect(await lastUsed({ owner, keyId: other.keyId })).toBe(new Date(refusedMs).toISOString());
  });

  test("never goes back when another isolate writes late", async () => {
    const opened = await open();
    const { owner, keyId, clock, pass, ask } = opened;
    await ask();
    const early = new UsageCounts();
    early.add({ organizationId: owner.organizationId, keyId }, { requests: 1 }, clock.nowMs() - 1_000);
    const usedMs = clock.nowMs();
    await pass(MINUTE_MS);
    await upsertUsage(env.DB, early.take());
    expect(await lastUsed(opened)).toBe(new Date(usedMs).toISOString());
  });
});

const rowsOf = async (organizationId: string) =>
  (
    await selectRow<{ count: number }>(
      "SELECT count(*) AS count FROM usage WHERE organization_id = ?1",
      organizationId,
    )
  ).count;

describe("list usage", () => {
  /** Three days of two keys, the newest last. */
  async function seed() {
    const owner = await createOrganization();
    const { organizationId } = owner;
    const counts = new UsageCounts();
    const days = ["2026-10-31", "2026-11-01", "2026-11-02"];
    for (const [i, day] of days.entries()) {
      for (const keyId of ["key_a", "key_b", null]) {
        counts.add({ organizationId, keyId }, { embeddings: i + 1 }, Date.parse(`${day}T12:00:00Z`));
      }
    }
    await upsertUsage(env.DB, counts.take());
    const told = async (query: Record<string, string | number | boolean> = {}) =>
      (await owner.call(contracts.listUsage, { query })).items.map(({ day, key_id }) => [day, key_id]);
    return { owner, told };
  }

  test("returns the newest day first, without gaps or repeats, and a total on request", async () => {
    const { owner, told } = await seed();
    const all = await told();
    expect(all).toHaveLength(9);
    expect(all.slice(0, 4)).toEqual([
      ["2026-11-02", "key_b"],
      ["2026-11-02", "key_a"],
      ["2026-11-02", null],
      ["2026-11-01", "key_b"],
    ]);
    const pages = await readPages(owner, contracts.listUsage, { query: { limit: 2 } });
    expect(pages.flatMap(({ items }) => items.map(({ day, key_id }) => [day, key_id]))).toEqual(all);
  });

  test("filters by days, both ends included, and by key", async () => {
    const { told } = await seed();
    const days = async (query: Record<string, string>) => [
      ...new Set((await told(query)).map(([day]) => day)),
    ];
    expect(await days({ from: "2026-11-01" })).toEqual(["2026-11-02", "2026-11-01"]);
    expect(await days({ to: "2026-11-01" })).toEqual(["2026-11-01", "2026-10-31"]);
    expect(await days({ from: "2026-11-01", to: "2026-11-01" })).toEqual(["2026-11-01"]);
    expect(await days({ from: "2026-11-02", to: "2026-11-01" })).toEqual([]);
    expect(await told({ key_id: "key_a", from: "2026-11-01" })).toEqual([
      ["2026-11-02", "key_a"],
      ["2026-11-01", "key_a"],
    ]);
    expect(await told({ key_id: "key_none" })).toEqual([]);
  });

  test("returns nothing of another organization, and is deleted with its own", async () => {
    const { owner } = await seed();
    const other = await createOrganization();
    expect((await other.call(contracts.listUsage)).items).toEqual([]);
    expect((await other.call(contracts.listUsage, { query: { key_id: "key_a" } })).items).toEqual([]);
    const clock = new Clock();
    expect(await rowsOf(owner.organizationId)).toBe(9);
    await operator.call(contracts.deleteOrganization, { params: { organization_id: owner.organizationId } });
    await sweepUntilIdle(new Service({}, clock), clock, owner.organizationId);
    expect(await rowsOf(owner.organizationId)).toBe(0);
  });

  test.for([
    ["a day that does not exist", { from: "2026-02-30" }, "validation_failed"],
    ["a time in place of a day", { to: "2026-11-02T00:00:00Z" }, "validation_failed"],
  ] as const)("rejects %s", async ([, query, code]) => {
    const { owner } = await seed();
    expect(await owner.fail(contracts.listUsage, { query })).toMatchObject({ code });
  });

  test("rejects a cursor for other days", async () => {
    const { owner } = await seed();
    const { next_cursor } = await owner.call(contracts.listUsage, { query: { limit: 2 } });
    const query = { limit: 2, cursor: next_cursor ?? "", from: "2026-11-01" };
    expect(await owner.fail(contracts.listUsage, { query })).toMatchObject({ code: "invalid_cursor" });
  });
});
