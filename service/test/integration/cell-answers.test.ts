import { runInDurableObject } from "cloudflare:test";
import * as contracts from "@engram/spec";
import type { RouteConfig } from "@hono/zod-openapi";
import { afterEach, describe, expect, test, vi } from "vitest";
import { isPassed } from "../../src/cell-requests.ts";
import { writeUsage } from "../../src/usage/service.ts";
import { CellCalls, cellOf, createIn } from "../support/cells.ts";
import { createKey, seedConversation } from "../support/client.ts";
import { env } from "../support/env.ts";
import { Clock, Service } from "../support/invocations.ts";
import { captureLog } from "../support/log.ts";
import { connect } from "../support/mcp.ts";
import { type RequestParts, requestFor, seedIds } from "../support/requests.ts";
import { callOf, isForOperator, isWrite, operations, scopesOf } from "../support/worlds.ts";

afterEach(() => env.CONTROL.clearFaults());

const PASSED = operations.filter(([, contract]) => isPassed(contract));
const TEXTS = ["The zeppelin lands at noon.", "Bring an umbrella to the zeppelin."];
const SEARCH = { query: 'When does "the zeppelin" land?' };

/** An organization in a cell, and a Worker whose calls of cells are recorded. Its key is known to the Worker. */
async function open(bindings = {}) {
  const owner = await createIn("cell");
  const cells = new CellCalls();
  const service = new Service({ CELLS: cells.namespace, ...bindings }, new Clock());
  const caller = service.callerOf(owner.secret);
  const conversationId = await seedConversation(owner, TEXTS, { tags: ["flight"] });
  await caller.call(contracts.getMe);
  return { owner, organizationId: owner.organizationId, cells, service, caller, conversationId };
}

describe("a request that only reads", () => {
  const requests: [string, RouteConfig, (conversationId: string) => RequestParts][] = [
    ["a hybrid search with a phrase", contracts.search, () => ({ body: SEARCH })],
    [
      "a reranked search with a receipt",
      contracts.search,
      () => ({ body: { ...SEARCH, rerank: true, record: true } }),
    ],
    ["a search of memories", contracts.searchMemories, () => ({ body: SEARCH })],
    [
      "a context with a stable part and a receipt",
      contracts.getContext,
      (conversation_id) => ({ body: { ...SEARCH, conversation_id, layout: "stable", record: true } }),
    ],
    [
      "a filtered list of the past",
      contracts.listConversations,
      () => ({ query: { tags_any: "flight", as_of: new Date().toISOString() } }),
    ],
    ["a page of messages", contracts.listMessages, (conversation_id) => ({ params: { conversation_id } })],
    [
      "entities of a conversation",
      contracts.listEntities,
      (conversation_id) => ({ query: { conversation_id } }),
    ],
  ];

  test.for(requests)("takes one call of the cell: %s", async ([, contract, parts]) => {
    const { cells, caller, conversationId } = await open();
    expect(await cells.of(() => caller.call(contract, parts(conversationId)))).toEqual(["answer"]);
  });

  test("would take several from the Worker", async () => {
    const { cells, caller } = await open();
    await caller.call(contracts.search, { body: SEARCH });
    const passed = cells.passed.at(-1);
    if (passed === undefined) throw new Error("nothing was passed");
    expect((await cells.of(() => cells.answerHere(passed))).length).toBeGreaterThan(3);
  });

  test("takes one of its own for a key that the Worker does not know yet", async () => {
    const { owner, cells } = await open();
    const other = new Service({ CELLS: cells.namespace }).callerOf(owner.secret);
    expect(await cells.of(() => other.call(contracts.search, { body: SEARCH }))).toEqual(["run", "answer"]);
  });

  test("is not passed for an organization in D1", async () => {
    const { cells, service } = await open();
    const { secret } = await createIn("d1");
    const work = () => service.callerOf(secret).call(contracts.search, { body: SEARCH });
    expect(await cells.of(work)).toEqual([]);
  });
});

test("operations that only read are passed, but for those of the operator, streams, waits and the hub", () => {
  const isRead = ([, one]: (typeof operations)[number]) => !isWrite(one) && scopesOf(one) !== null;
  const names = (list: typeof operations) => list.map(([name]) => name).sort();
  const passed = new Set(names(PASSED));
  expect(names(operations.filter(isRead)).filter((name) => !passed.has(name))).toEqual([
    "exportData",
    "getArchiveLines",
    "getOperation",
    "getOrganization",
    "listEvents",
    "listPresences",
    "streamEvents",
  ]);
  expect(names(PASSED.filter(([, one]) => isForOperator(one) || isWrite(one)))).toEqual([
    "replayRecall",
    "runEvaluation",
  ]);
});

describe("every operation that is passed", () => {
  const OF_WORKER = ["server-timing", "x-request-id"];
  /** Without what differs from one request to the next. */
  const comparable = (status: number, headers: Iterable<[string, string]>, body: ArrayBuffer) => ({
    status,
    headers: [...headers].filter(([name]) => !OF_WORKER.includes(name)),
    text: new TextDecoder().decode(body).replace(/"(replayed_at|run_at)":"[^"]+"/g, '"$1":""'),
  });

  test("has the response that the Worker would give by itself", async () => {
    const owner = await createIn("cell");
    const ids = await seedIds(callOf(owner), owner.organizationId);
    // The response to a run contains the run before it.
    await owner.call(contracts.runEvaluation, { params: { ...ids } });
    const cells = new CellCalls();
    const service = new Service({ CELLS: cells.namespace });
    const failed: string[] = [];
    for (const [name, contract] of PASSED) {
      const parts = requestFor(name, ids);
      const params = { ...parts.params, memory_id: "mem_0", conversation_id: "conv_0" };
      for (const sent of [parts, { ...parts, params }, { ...parts, query: { limit: "x" } }]) {
        const response = await service.fetch(owner.secret, contract, sent);
        const passed = cells.passed.pop();
        if (passed === undefined) throw new Error(`${name} was not passed`);
        const here = await cells.answerHere(passed);
        expect(comparable(response.status, response.headers, await response.arrayBuffer()), name).toEqual(
          comparable(here.status, here.headers, here.body),
        );
        if (sent === parts && here.status !== 200) failed.push(name);
      }
    }
    expect(failed).toEqual([]);
  });

  test("has only the headers of its response for HEAD", async () => {
    const { owner, cells, service } = await open();
    const init = { method: "HEAD", headers: { authorization: `Bearer ${owner.secret}` } };
    const response = await service.send("/v1/conversations", init);
    expect([response.status, await response.text()]).toEqual([200, ""]);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(cells.calls.at(-1)).toBe("answer");
  });
});

describe("the Worker passes", () => {
  test("what limits an MCP request, and the tool", async () => {
    const { owner, cells, service, organizationId } = await open();
    for (const user_id of ["ann", "bob"]) {
      const content = `${user_id} flies with the zeppelin.`;
      await owner.call(contracts.createMemory, { body: { content, user_id, tags: [], summary: "" } });
    }
    const through = (path: string, init: RequestInit) => service.send(path, init);
    const path = "/mcp?tools=memories&user_id=ann";
    const mcp = await connect(owner.secret, undefined, through, path);
    const calls = await cells.of(async () => {
      for (const [tool, args] of [
        ["list_memories", {}],
        ["recall_memory", { query: "zeppelin" }],
      ] as const) {
        const found = JSON.stringify(await mcp.call(tool, args));
        expect(found).toContain("ann flies");
        expect(found).not.toContain("bob flies");
      }
    });
    expect(calls).toEqual(["answer", "answer"]);
    expect(cells.passed.at(-1)).toMatchObject({
      tool: "recall_memory",
      principal: { organizationId, userId: "ann" },
    });
    expect(cells.passed.at(-1)?.principal.scopes).not.toContain("admin");
  });

  test("no credential of the client", async () => {
    const { cells, caller, owner } = await open();
    const headers = { cookie: "a=b", "cf-access-jwt-assertion": "x", "x-other": "kept" };
    await caller.call(contracts.listConversations, { headers });
    const names = cells.passed.at(-1)?.headers.map(([name]) => name);
    expect(names).toContain("x-other");
    expect(JSON.stringify(cells.passed)).not.toContain(owner.secret);
    for (const name of ["authorization", "cookie", "cf-access-jwt-assertion"])
      expect(names).not.toContain(name);
  });

  test("no request without the scope, and none beyond a rate limit, which counts each once", async () => {
    const { owner } = await open();
    const seen: string[] = [];
    const limiter = (max: number) => ({
      limit: async ({ key }: { key: string }) => ({ success: seen.push(key) <= max }),
    });
    const cells = new CellCalls();
    // The cells of this service have its limiters.
    const service = new Service({ KEY_RATE_LIMIT: limiter(4), ORGANIZATION_RATE_LIMIT: limiter(4) });
    const caller = service.callerOf(owner.secret);
    await caller.call(contracts.search, { body: SEARCH });
    expect(seen).toHaveLength(2);
    await caller.call(contracts.search, { body: SEARCH });
    const refused = await caller.fail(contracts.search, { body: SEARCH });
    expect(refused).toMatchObject({ code: "rate_limited" });
    const writer = await createKey(owner, { scopes: ["write"] });
    const recorded = new Service({ CELLS: cells.namespace }).callerOf(writer.secret);
    expect(await recorded.fail(contracts.search, { body: SEARCH })).toMatchObject({ code: "forbidden" });
    expect(cells.calls).toEqual(["run"]);
  });

  test("no body that is too large, of another type or not UTF-8", async () => {
    const { cells, caller } = await open();
    const json = { "content-type": "application/json" };
    const bodies: [RequestParts, string][] = [
      [{ rawBody: "x".repeat(contracts.BODY_BYTES_MAX + 1) }, "payload_too_large"],
      [{ rawBody: "{}", headers: { "content-type": "text/plain" } }, "unsupported_media_type"],
      [{ rawBody: new Uint8Array([0xff]) as never, headers: json }, "invalid_json"],
    ];
    for (const [parts, code] of bodies)
      expect(
        await cells.of(async () =>
          expect(await caller.fail(contracts.search, parts)).toMatchObject({ code }),
        ),
      ).toEqual([]);
    const invalid = await caller.fail(contracts.search, { rawBody: "{", headers: json });
    expect(invalid).toMatchObject({ code: "invalid_json" });
  });
});

test("a key that is revoked ends at once in the cell, though the Worker knows it", async () => {
  const { owner, cells, service } = await open();
  const key = await createKey(owner, { scopes: ["read", "search"] });
  const reader = service.callerOf(key.secret);
  await reader.call(contracts.search, { body: SEARCH });
  await owner.call(contracts.revokeKey, { params: { key_id: key.keyId } });
  const calls = await cells.of(async () => {
    expect(await reader.fail(contracts.search, { body: SEARCH })).toMatchObject({ code: "unauthenticated" });
  });
  expect(calls).toEqual(["answer"]);
  // Of nothing, so that no database call checks the key.
  expect(await reader.fail(contracts.getContext, { body: {} })).toMatchObject({ code: "unauthenticated" });
});

describe("a passed request is counted and logged once", () => {
  test("in usage, with what the cell embeds and searches", async () => {
    const { service, caller, organizationId } = await open();
    await caller.call(contracts.search, { body: SEARCH });
    await caller.fail(contracts.getMemory, { params: { memory_id: "mem_0" } });
    await writeUsage(service.context());
    const [counted] = await runInDurableObject(cellOf(organizationId), (_, { storage }) =>
      Array.from(
        storage.sql.exec(
          "SELECT requests, errors, searches, embeddings FROM usage WHERE key_id <> '' AND requests > 0",
        ),
      ),
    );
    // With the one that made the key known.
    expect(counted).toEqual({ requests: 3, errors: 1, searches: 1, embeddings: 1 });
  });

  test("in the log, with the costs in the cell, and with its errors under the same id", async () => {
    const { owner, caller, organizationId } = await open();
    const lines = captureLog();
    const response = await caller.fetch(contracts.search, { body: SEARCH });
    const request_id = response.headers.get("x-request-id");
    const ofRequest = { event: "request", request_id, organization_id: organizationId, operation: "search" };
    expect(lines).toEqual([expect.objectContaining({ ...ofRequest, status: 200, code: null, ai_calls: 1 })]);
    expect(lines[0]?.d1_calls).toBeGreaterThan(2);
    expect(lines[0]?.rows_read).toBeGreaterThan(0);
    expect(response.headers.get("server-timing")).toMatch(
      /^total;dur=\d+, d1;dur=\d+;desc="calls: \d+", ai;/,
    );
    await env.CONTROL.setFault({ ai: "3007" });
    lines.length = 0;
    await caller.call(contracts.search, { body: { query: "another zeppelin" } });
    expect(lines.map(({ event }) => event).sort()).toEqual(["request", "search degraded"]);
    expect(new Set(lines.map((line) => line.request_id)).size).toBe(1);
    lines.length = 0;
    await caller.fail(contracts.getMemory, { params: { memory_id: "mem_0" } });
    expect(lines).toEqual([expect.objectContaining({ event: "request", status: 404, code: "not_found" })]);
    expect(owner.organizationId).toBe(organizationId);
  });
});

test("an answered request leaves neither work nor a timer that keeps the cell in memory", async () => {
  const { cells, caller, organizationId, conversationId } = await open();
  const body = { ...SEARCH, conversation_id: conversationId, layout: "stable", record: true };
  await caller.call(contracts.getContext, { body });
  await caller.call(contracts.search, { body: { ...SEARCH, rerank: true, record: true } });
  const waiting: Promise<unknown>[] = [];
  await runInDurableObject(cellOf(organizationId), (_, state) => {
    state.waitUntil = (work) => void waiting.push(work);
  });
  const timers = new Set<unknown>();
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  vi.stubGlobal("setTimeout", (work: () => void, ms: number) => {
    const timer = set(() => {
      timers.delete(timer);
      work();
    }, ms);
    timers.add(timer);
    return timer;
  });
  vi.stubGlobal("clearTimeout", (timer: never) => {
    timers.delete(timer);
    clear(timer);
  });
  try {
    for (const passed of cells.passed) {
      const { status } = await env.CELLS.getByName(organizationId).answer(passed);
      expect(status).toBe(200);
      expect(timers.size).toBe(0);
    }
  } finally {
    vi.unstubAllGlobals();
  }
  expect(waiting).toEqual([]);
});

describe("if the object of a cell", () => {
  test("was reset, it is asked again once", async () => {
    const { cells, caller, organizationId } = await open();
    const stale = env.CELLS.getByName(organizationId);
    await stale.run([]);
    const abort = (_: unknown, state: DurableObjectState) => state.abort("reset by a test");
    await runInDurableObject(cellOf(organizationId), abort).catch(() => {});
    let asked = 0;
    cells.answer = (cell, passed) => (++asked === 1 ? stale : cell).answer(passed);
    const { results } = await caller.call(contracts.search, { body: SEARCH });
    expect(results.length).toBeGreaterThan(0);
    expect(asked).toBe(2);
  });

  test.for([
    ["is reset again and again", { durableObjectReset: true }, 2],
    ["cannot be reached", { retryable: true }, 2],
    ["is overloaded", { overloaded: true, retryable: true }, 1],
  ] as const)("%s, the request may be sent later", async ([, properties, times]) => {
    const { cells, caller } = await open();
    cells.answer = () => Promise.reject(Object.assign(new Error("secret of the object"), properties));
    const calls = await cells.of(async () => {
      const response = await caller.fetch(contracts.search, { body: SEARCH });
      expect(response.headers.get("retry-after")).toBe("2");
      expect(await response.json()).toMatchObject({ status: 503, code: "unavailable" });
    });
    expect(calls).toHaveLength(times);
  });

  test("is of a version before that lacks the method, the request may be sent later", async () => {
    const { cells, caller } = await open();
    const message = 'The RPC receiver does not implement the method "answer".';
    cells.answer = () => Promise.reject(new TypeError(message));
    const problem = await caller.fail(contracts.search, { body: SEARCH });
    expect(problem).toMatchObject({ status: 503, code: "unavailable" });
    expect(problem.detail).toContain("being deployed");
  });

  test("throws an error of its own, the request fails without its text", async () => {
    const { cells, caller } = await open();
    cells.answer = () => Promise.reject(new TypeError("secret of the object"));
    const calls = await cells.of(async () => {
      const problem = await caller.fail(contracts.search, { body: SEARCH });
      expect(problem).toMatchObject({ status: 500, code: "internal" });
      expect(JSON.stringify(problem)).not.toContain("secret");
    });
    expect(calls).toHaveLength(1);
  });
});
