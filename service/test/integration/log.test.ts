import * as contracts from "@engram/spec";
import { afterEach, describe, expect, test } from "vitest";
import type { AiBinding } from "../../src/platform/ai.ts";
import { createKey, createOrganization, seedConversation, send } from "../support/client.ts";
import { readAs } from "../support/contract.ts";
import { env } from "../support/env.ts";
import { Clock, Service } from "../support/invocations.ts";
import { captureLog } from "../support/log.ts";
import { isInCells } from "../support/places.ts";
import { requestFor } from "../support/requests.ts";
import { createWorld, operations } from "../support/worlds.ts";

afterEach(() => env.CONTROL.clearFaults());

const MARK = "walrus-8213";
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe("the log line of a request", () => {
  test("has the caller, the operation, the result and the cost", async () => {
    const caller = await createOrganization();
    await seedConversation(caller, ["The zeppelin lands at noon."]);
    const { items } = await caller.call(contracts.listKeys);
    const lines = captureLog();
    const response = await caller.fetch(contracts.search, { body: { query: "zeppelin" } });
    expect(lines).toEqual([
      {
        time: expect.stringMatching(TIME),
        level: "info",
        event: "request",
        method: "POST",
        path: "/v1/search",
        request_id: response.headers.get("x-request-id"),
        operation: "search",
        organization_id: caller.organizationId,
        key_prefix: items[0]?.prefix,
        status: 200,
        code: null,
        duration_ms: expect.any(Number),
        // The pending messages with the postings of the words, the lengths of those messages, and the rows.
        d1_calls: 3,
        rows_read: expect.any(Number),
        rows_written: 0,
        ai_calls: 1,
        // The query, and whether it finds the message just stored. A cell has vectors of its own.
        vectorize_calls: isInCells ? 0 : 2,
      },
    ]);
    expect(lines[0]?.rows_read).toBeGreaterThan(0);
  });

  test("has the same number of rows as D1 reports, for every method of the binding", async () => {
    const { secret } = await createOrganization();
    const answered: D1Result[] = [];
    let calls = 0;
    const note = (results: D1Result[]) => {
      calls += 1;
      answered.push(...results);
      return results;
    };
    const spy = (statement: D1PreparedStatement): D1PreparedStatement =>
      new Proxy(statement, {
        get: (target, name) => {
          if (name === "bind") return (...values: unknown[]) => spy(target.bind(...values));
          if (name === "all") return async () => note([await target.all()])[0];
          if (name === "inner") return target;
          throw new Error(`${String(name)} is not counted`);
        },
      });
    const DB = {
      prepare: (sql: string) => spy(env.DB.prepare(sql)),
      batch: async (statements: (D1PreparedStatement & { inner: D1PreparedStatement })[]) =>
        note(await env.DB.batch(statements.map(({ inner }) => inner))),
    } as unknown as D1Database;
    const clock = new Clock();
    const service = new Service({ DB }, clock);
    clock.advance(10_000);
    const lines = captureLog();
    await service.fetch(secret, contracts.createConversation, { body: { title: "x" } });
    const total = (name: "rows_read" | "rows_written") =>
      answered.reduce((sum, { meta }) => sum + meta[name], 0);
    expect(lines[0]).toMatchObject({
      d1_calls: calls,
      rows_read: total("rows_read"),
      rows_written: total("rows_written"),
    });
    expect(total("rows_written")).toBeGreaterThan(0);
  });

  test("has the problem of a rejected request, and no caller without authentication", async () => {
    const reader = await createKey(await createOrganization(), { scopes: ["read"] });
    const lines = captureLog();
    await reader.fetch(contracts.search, { body: { query: "x" } });
    await send("/v1/keys");
    await send("/nothing");
    expect(lines.map(({ operation, status, code }) => [operation, status, code])).toEqual([
      ["search", 403, "forbidden"],
      ["listKeys", 401, "unauthenticated"],
      [null, 404, "not_found"],
    ]);
    expect(lines[1]).toMatchObject({ organization_id: null, key_prefix: null, d1_calls: 0 });
  });

  test("names routes outside the contract, and there is one for each call of an MCP tool", async () => {
    const { secret } = await createOrganization();
    const lines = captureLog();
    for (const path of ["/docs", "/docs/docs.js", "/openapi.json", "/llms.txt"]) await send(path);
    const message = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "list_conversations", arguments: {} },
    };
    const headers = {
      authorization: `Bearer ${secret}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    const response = await send("/mcp", { method: "POST", headers, body: JSON.stringify(message) });
    expect(await response.text()).toContain("next_cursor");
    expect(lines.map(({ operation }) => operation).sort()).toEqual(
      ["docs", "docs", "openapi", "llms", "mcp", "listConversations"].sort(),
    );
  });
});

describe("the path in the log", () => {
  const id = "conv_06e3tqz8m1k4v9x2c7d0";
  test.for([
    ["GET", `/v1/conversations/${id}/messages?limit=1&user_id=${MARK}`, `/v1/conversations/${id}/messages`],
    ["HEAD", "/v1/keys/?cursor=x", "/v1/keys"],
    ["DELETE", `/v1/users/${MARK}`, "/v1/users/*"],
    ["GET", "/v1/users/conv_maria@example.com", "/v1/users/*"],
    ["GET", `/v1/entities/ent_${"0".repeat(32)}/mentions`, "/v1/entities/*/mentions"],
    ["POST", "/api/v1/memories", "/*/v1/memories"],
    ["GET", "/v1/memories/mem_06e3tqz8m1k4v9x2c7d0%2F..", "/v1/memories/*"],
    ["GET", "/wp-login.php", "/*"],
    ["GET", "/", "/"],
    ["GET", "/v1".repeat(20), `${"/v1".repeat(11)}/*`],
    ["OPTIONS", `/v1/${MARK}`, "/v1/*"],
  ] as const)(
    "has words of routes and ids of the service, no query and no other text: %s %s",
    async ([method, path, logged]) => {
      const lines = captureLog();
      await send(path, { method });
      expect(lines).toMatchObject([{ event: "request", method, path: logged }]);
    },
  );
});

describe("every log line", () => {
  test("has a time by the clock, a level and, if it belongs to a request, its id, method and path", async () => {
    const { secret } = await createOrganization();
    const clock = new Clock();
    const service = new Service({}, clock);
    await env.CONTROL.setFault({ ai: "3007" });
    const lines = captureLog();
    const response = await service.callerOf(secret).fetch(contracts.search, { body: { query: MARK } });
    expect(lines.map(({ event, level }) => [event, level])).toEqual([
      ["search degraded", "error"],
      ["request", "info"],
    ]);
    const belongs = {
      request_id: response.headers.get("x-request-id"),
      method: "POST",
      path: "/v1/search",
      time: new Date(clock.nowMs()).toISOString(),
    };
    expect(lines).toMatchObject([belongs, belongs]);
  });
});

describe("the log lines of background work", () => {
  test("count indexing separately, with the id of the request that started it", async () => {
    const { secret } = await createOrganization();
    const service = new Service({});
    const caller = service.callerOf(secret);
    const { id } = await caller.call(contracts.createConversation, { body: {} });
    const lines = captureLog();
    const body = { messages: [{ role: "user", content: "hello" }] };
    await caller.call(contracts.appendMessages, { params: { conversation_id: id }, body });
    await service.settle();
    expect(lines).toEqual([
      expect.objectContaining({ event: "request", operation: "appendMessages", d1_calls: 1, ai_calls: 0 }),
      expect.objectContaining({ event: "index", ai_calls: 1, vectorize_calls: isInCells ? 0 : 1 }),
    ]);
    expect(lines[1]?.request_id).toBe(lines[0]?.request_id);
    expect(lines[1]?.rows_written).toBeGreaterThan(0);
  });

  test("are one per cron run, and one more for each part that failed", async () => {
    const lines = captureLog();
    const worker = await import("../../src/worker.ts");
    const DB = {
      ...env.DB,
      prepare: (sql: string) => {
        if (sql.includes("idempotency_keys")) throw new Error("no such table");
        return env.DB.prepare(sql);
      },
      batch: (statements: D1PreparedStatement[]) => env.DB.batch(statements),
    } as unknown as D1Database;
    const context = { waitUntil: () => {} } as unknown as ExecutionContext;
    await worker.default.scheduled({} as ScheduledController, { ...env, DB }, context);
    expect(lines).toEqual([
      {
        time: expect.stringMatching(TIME),
        level: "error",
        event: "sweep failed",
        part: "forgetIdempotencyKeys",
        error: "Error: no such table",
      },
      expect.objectContaining({ event: "sweep", ai_calls: 0 }),
    ]);
  });

  test("give the reason of a search without vectors, with its request id", async () => {
    const caller = await createOrganization();
    await env.CONTROL.setFault({ ai: "3007" });
    const lines = captureLog();
    await caller.call(contracts.search, { body: { query: MARK } });
    const [degraded, request] = lines;
    expect(degraded).toMatchObject({ event: "search degraded", request_id: request?.request_id });
    expect(degraded?.error).toContain("3007");
    expect(request).toMatchObject({ event: "request", ai_calls: 1, vectorize_calls: 0 });
  });

  test("show that a search calls a busy model twice, and the code if both calls fail", async () => {
    const { secret, organizationId } = await createOrganization();
    let failures = Number.POSITIVE_INFINITY;
    const AI: AiBinding = {
      run: async (model, input) => {
        if (failures-- > 0) throw new Error("3021: rate limiting: inference request per min rate reached");
        return env.AI.run(model, input);
      },
    };
    const caller = new Service({ AI }).callerOf(secret);
    const lines = captureLog();
    const search = async (mode: string) => caller.fetch(contracts.search, { body: { query: MARK, mode } });
    expect(await readAs(contracts.search, await search("hybrid"))).toMatchObject({ degraded: ["semantic"] });
    const refused = await search("semantic");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
    failures = 1;
    expect(await readAs(contracts.search, await search("semantic"))).toMatchObject({ degraded: [] });
    const failed = { error: "PortFailure: embedding_failed: code 3021" };
    const request = { event: "request", organization_id: organizationId, ai_calls: 2 };
    // Data of earlier tests may still be indexed.
    expect(lines.filter(({ event }) => event !== "index")).toEqual([
      expect.objectContaining({ event: "search degraded", ...failed }),
      expect.objectContaining(request),
      expect.objectContaining({ event: "request failed", ...failed, code: "unavailable" }),
      expect.objectContaining(request),
      expect.objectContaining(request),
    ]);
  });
});

describe("log lines", () => {
  test("never contain content, names, filters or secrets, whatever the result", async () => {
    const { caller, ids } = await createWorld();
    const texts = { title: MARK, user_id: MARK, external_id: MARK, tags: [MARK], metadata: { [MARK]: MARK } };
    const conversation = await seedConversation(caller, [{ role: "user", name: MARK, content: MARK }], texts);
    const lines = captureLog();
    const sent: (string | null)[] = [];
    const ask = async (response: Promise<Response>) =>
      sent.push((await response).headers.get("x-request-id"));
    const forKeys = operations.filter(([name]) => name !== "deleteOrganization");
    for (const [name, contract] of forKeys) {
      const asked = requestFor(name, { ...ids, conversation_id: conversation });
      const body = typeof asked.body === "object" ? { ...asked.body, [MARK]: MARK } : undefined;
      await ask(caller.fetch(contract, asked));
      await ask(caller.fetch(contract, { ...asked, body, headers: { "idempotency-key": MARK } }));
      await ask(caller.fetch(contract, { ...asked, query: { ...asked.query, user_id: MARK, cursor: MARK } }));
    }
    // A missing migration: the database's message about a statement must not reach the log with its values.
    const withoutTable = {
      prepare: (sql: string) => env.DB.prepare(sql.replaceAll(/\bconversations\b/g, "no_such_table")),
      batch: (statements: D1PreparedStatement[]) => env.DB.batch(statements),
    } as unknown as D1Database;
    const service = new Service({ DB: withoutTable });
    const statuses = new Set<number>();
    for (const [name, contract] of forKeys) {
      const asked = requestFor(name, { ...ids, conversation_id: conversation });
      const parts = {
        ...asked,
        query: { ...asked.query, user_id: MARK },
        headers: { "idempotency-key": MARK },
      };
      for (const each of [{ ...asked, headers: parts.headers }, parts]) {
        const response = await service.fetch(caller.secret, contract, each);
        statuses.add(response.status);
        await ask(Promise.resolve(response));
        await response.text().catch(() => "cut off");
      }
    }
    await service.settle();
    expect(statuses).toContain(500);
    expect(JSON.stringify(lines.filter(({ event }) => event === "request failed"))).toContain(
      "no_such_table",
    );
    await ask(service.fetch(MARK, contracts.search, { body: { query: MARK } }));
    const text = JSON.stringify(lines);
    expect(text).not.toContain(MARK);
    expect(text.match(/engram_sk_live_\w+/g)?.filter((key) => key.length > 20)).toEqual([]);
    const requests = lines.filter(({ event }) => event === "request").map(({ request_id }) => request_id);
    expect(requests).toEqual(sent);
  });
});

describe("the Server-Timing header", () => {
  test("reports the total time, the called bindings and the rows, also to pages of other origins", async () => {
    const caller = await createOrganization();
    const response = await caller.fetch(contracts.search, {
      body: { query: "zeppelin" },
      headers: { origin: "https://page.example" },
    });
    // A cell has vectors of its own.
    const called = ["\\d", "1", "1"].slice(0, isInCells ? 2 : 3);
    const calls = called.map((count, i) => `${["d1", "ai", "vectorize"][i]};dur=\\d+;desc="calls: ${count}"`);
    expect(response.headers.get("server-timing")).toMatch(
      new RegExp(`^total;dur=\\d+, ${calls.join(", ")}, sql;dur=\\d+, rows;desc="read: \\d+, written: 0"$`),
    );
    expect(response.headers.get("access-control-expose-headers")).toContain("server-timing");
    expect((await send("/health")).headers.get("server-timing")).toMatch(/^total;dur=\d+$/);
  });

  test("reports the same rows as the log", async () => {
    const caller = await createOrganization();
    const lines = captureLog();
    const body = { title: "Zeppelins" };
    const response = await caller.fetch(contracts.createConversation, { body });
    const [line] = lines.filter(({ event }) => event === "request");
    expect(line?.rows_written).toBeGreaterThan(0);
    expect(response.headers.get("server-timing")).toContain(
      `rows;desc="read: ${line?.rows_read}, written: ${line?.rows_written}"`,
    );
  });

  test("is on rejections too, and adds up repeated slow calls", async () => {
    const clock = new Clock();
    const AI = {
      run: () => {
        clock.advance(1_200);
        throw new Error("3007: Request timeout");
      },
    };
    const { secret } = await createOrganization();
    const response = await new Service({ AI }, clock).fetch(secret, contracts.search, {
      body: { query: "zeppelin", mode: "semantic" },
    });
    expect(response.status).toBe(503);
    expect(response.headers.get("server-timing")).toMatch(/^total;dur=1200, .*ai;dur=1200;desc="calls: 1"/);
  });
});
