import * as contracts from "@engram/spec";
import { expect, test } from "vitest";
import { UsageCounts } from "../../src/usage/counts.ts";
import { upsertUsage } from "../../src/usage/queries.ts";
import {
  appendText,
  type Caller,
  createKey,
  createOrganization,
  readPages,
  seedConversation,
} from "../support/client.ts";
import { env } from "../support/env.ts";
import { Service, selectRow } from "../support/invocations.ts";
import { connect, post, type Send } from "../support/mcp.ts";
import { dayOf, MINUTE_MS, open } from "../support/usage.ts";

type Query = Record<string, string | number | boolean | string[]>;
type Group = Record<string, string | number | null>;

async function groups(caller: Caller, group_by: string | string[], more: Query = {}): Promise<Group[]> {
  const { items } = await caller.call(contracts.listUsage, { query: { group_by, ...more } });
  return items as Group[];
}

/** The requests of each group, by its other values. */
const requestsOf = (items: Group[], ...names: string[]) =>
  items.map((item) => [...names.map((name) => item[name]), item.requests]);

test("usage by operation has the requests of each and what they stored, searched and embedded", async () => {
  const { owner, keyId, clock, service, caller, pass } = await open();
  const { id } = await caller.call(contracts.createConversation, { body: {} });
  const params = { conversation_id: id };
  await appendText(caller, params.conversation_id, "né");
  await service.settle();
  await caller.call(contracts.search, { body: { query: "whale" } });
  await caller.fail(contracts.search, { body: {} });
  await pass(MINUTE_MS);
  // Into the same row.
  await caller.call(contracts.search, { body: { query: "whale", mode: "keyword" } });
  await pass(MINUTE_MS);
  const none = { requests: 0, messages: 0, message_bytes: 0, searches: 0, embeddings: 0, errors: 0 };
  const items = [
    { operation: "appendMessages", ...none, requests: 1, messages: 1, message_bytes: 3, embeddings: 1 },
    { operation: "createConversation", ...none, requests: 1 },
    { operation: "search", ...none, requests: 3, searches: 2, embeddings: 1, errors: 1 },
  ];
  expect(await groups(owner, "operation")).toEqual(items);
  const { rows } = await selectRow<{ rows: number }>(
    "SELECT count(*) AS rows FROM usage WHERE organization_id = ?1",
    owner.organizationId,
  );
  expect(rows).toBe(1);
  const all = { day: dayOf(clock), key_id: keyId, tool: null };
  expect(await groups(owner, ["tool", "operation", "key", "day"])).toEqual(
    items.map((item) => ({ ...all, ...item })),
  );
  const sums = { requests: 5, messages: 1, message_bytes: 3, searches: 2, embeddings: 2, errors: 1 };
  expect(await groups(owner, "day")).toEqual([{ day: dayOf(clock), ...sums }]);
  expect(await groups(owner, "key")).toEqual([{ key_id: keyId, ...sums }]);
  expect(await groups(owner, ["key", "tool"])).toEqual([{ key_id: keyId, tool: null, ...sums }]);
});

test("usage by operation writes one row for a write that uses several operations", async () => {
  const { organizationId } = await createOrganization();
  const written = async (operations: string[]) => {
    const counts = new UsageCounts();
    for (const operation of operations)
      counts.add({ organizationId, keyId: null, place: { operation, tool: null } }, { requests: 1 }, 0);
    let rows = 0;
    const batch = async (statements: D1PreparedStatement[]) => {
      const results = await env.DB.batch(statements);
      for (const { meta } of results) rows += meta.rows_written;
      return results;
    };
    const prepare = (sql: string) => env.DB.prepare(sql);
    await upsertUsage({ prepare, batch } as unknown as D1Database, counts.take());
    return rows;
  };
  expect(await written(["search"])).toBe(1);
  expect(await written(Array.from({ length: 80 }, (_, i) => `operation${i}`))).toBe(1);
});

test("usage by tool counts a call of an MCP tool once, and usage by operation counts its operation", async () => {
  const { owner, service, pass, caller } = await open();
  const conversation_id = await seedConversation(
    owner,
    [..."abcdefgh"].map((text) => text.repeat(9_000)),
  );
  const through: Send = (path, init) => service.send(path, init);
  const { call } = await connect(owner.secret, undefined, through);
  await call("create_conversation", {});
  await call("create_conversation", {});
  await caller.call(contracts.createConversation, { body: {} });
  // A response that is too long, after which the tool sends another request.
  await call("get_conversation", { conversation_id });
  // Rejected before an operation is called.
  expect((await call("get_conversation", { nothing: 1 })).isError).toBe(true);
  await pass(MINUTE_MS);
  const found = requestsOf(await groups(owner, ["operation", "tool"]), "operation", "tool");
  expect(found.filter(([operation]) => operation !== "mcp")).toEqual([
    ["createConversation", null, 1],
    ["createConversation", "create_conversation", 2],
    ["getConversation", "get_conversation", 1],
  ]);
  expect(found.filter(([operation]) => operation === "mcp")).toEqual([["mcp", null, expect.any(Number)]]);
  const byTool = requestsOf(await groups(owner, "tool"), "tool");
  expect(byTool.slice(1)).toEqual([
    ["create_conversation", 2],
    ["get_conversation", 1],
  ]);
  // The three calls are part of requests to /mcp, which count too.
  const [total] = requestsOf(await groups(owner, "day"));
  expect(found.reduce((sum, [, , requests]) => sum + Number(requests), 0)).toBe(Number(total?.[0]) + 3);
});

test("usage by tool counts each tool call of one MCP request, and usage by key the request once", async () => {
  const { owner, service, pass } = await open();
  const calls = [1, 2, 3].map((id) => ({
    ...{ jsonrpc: "2.0", id, method: "tools/call" },
    params: { name: "create_conversation", arguments: {} },
  }));
  const through: Send = (path, init) => service.send(path, init);
  const response = await post(owner.secret, calls, {}, through);
  // The tools run while the response is read.
  await response.text();
  await pass(MINUTE_MS);
  expect(requestsOf(await groups(owner, "tool"), "tool")).toEqual([
    [null, 1],
    ["create_conversation", 3],
  ]);
  expect(requestsOf(await groups(owner, "key"))).toEqual([[1]]);
});

test("usage has no operation or tool named by a caller's text", async () => {
  const { owner, service, pass } = await open();
  const through: Send = (path, init) => service.send(path, init);
  const headers = { "mcp-call": "evil", "x-operation": "evil" };
  const unknown = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "evil", arguments: {} } };
  await post(owner.secret, unknown, headers, through);
  await service.callerOf(owner.secret).call(contracts.listKeys, { headers });
  await service.send("/v1/evil", { headers: { authorization: `Bearer ${owner.secret}` } });
  await pass(MINUTE_MS);
  expect(requestsOf(await groups(owner, ["operation", "tool"]), "operation", "tool")).toEqual([
    ["listKeys", null, 1],
    ["mcp", null, 1],
  ]);
});

/** Two days of two keys and of no key, each with two operations and a tool. */
async function seed() {
  const owner = await createOrganization();
  const { organizationId } = owner;
  const counts = new UsageCounts();
  for (const day of ["2026-11-01", "2026-11-02"]) {
    const nowMs = Date.parse(`${day}T12:00:00Z`);
    counts.add({ organizationId, keyId: null }, { embeddings: 1 }, nowMs);
    for (const keyId of ["key_a", "key_b"]) {
      for (const [operation, tool] of [
        ["search", null],
        ["search", "search_messages"],
        ["listKeys", null],
      ] as const) {
        counts.add({ organizationId, keyId, place: { operation, tool } }, { requests: 1 }, nowMs);
      }
    }
  }
  await upsertUsage(env.DB, counts.take());
  return owner;
}

const DIMENSIONS = ["day", "key", "operation", "tool"];
/** Every set of dimensions. */
const SETS = Array.from({ length: 15 }, (_, i) => ({
  group_by: DIMENSIONS.filter((_, bit) => ((i + 1) >> bit) & 1),
}));

test.for(SETS)(
  "usage by $group_by is paged without gaps, also when usage is added meanwhile",
  async ({ group_by }) => {
    const owner = await seed();
    const all = await groups(owner, group_by);
    const pages = await readPages(owner, contracts.listUsage, { query: { group_by, limit: 1 } });
    expect(pages.flatMap(({ items }) => items)).toEqual(all);
    expect(all.reduce((sum, { requests }) => sum + Number(requests), 0)).toBe(12);
    // In a group before the cursor, so that a cursor by position would repeat an item.
    const { next_cursor } = await owner.call(contracts.listUsage, { query: { group_by, limit: 1 } });
    if (next_cursor === null) return;
    const counts = new UsageCounts();
    const by = { organizationId: owner.organizationId, keyId: "key_0", place: { operation: "a", tool: "a" } };
    counts.add(by, { requests: 1 }, Date.parse("2026-11-03T12:00:00Z"));
    await upsertUsage(env.DB, counts.take());
    const rest = await groups(owner, group_by, { cursor: next_cursor });
    if (group_by[0] === "day") expect(rest).toEqual(all.slice(1));
    expect(rest).not.toContainEqual(all[0]);
  },
);

test("usage is sorted by day, newest first, then by key, operation and tool", async () => {
  const owner = await seed();
  expect(requestsOf(await groups(owner, ["operation", "day"]), "day", "operation")).toEqual([
    ["2026-11-02", null, 0],
    ["2026-11-02", "listKeys", 2],
    ["2026-11-02", "search", 4],
    ["2026-11-01", null, 0],
    ["2026-11-01", "listKeys", 2],
    ["2026-11-01", "search", 4],
  ]);
  expect(requestsOf(await groups(owner, "key"), "key_id")).toEqual([
    [null, 0],
    ["key_a", 6],
    ["key_b", 6],
  ]);
});

test("usage sums include only the days and the key of the query", async () => {
  const owner = await seed();
  const search = async (more: Query) =>
    requestsOf(await groups(owner, "operation", more), "operation").find(([name]) => name === "search")?.[1];
  expect(await search({})).toBe(8);
  expect(await search({ from: "2026-11-02" })).toBe(4);
  expect(await search({ to: "2026-11-01", key_id: "key_a" })).toBe(2);
  expect(await search({ key_id: "key_none" })).toBeUndefined();
});

test("usage without an operation is a group of its own, also when more is added", async () => {
  const owner = await createOrganization();
  const { organizationId } = owner;
  await env.DB.prepare(
    `INSERT INTO usage (organization_id, day, key_id, requests, messages, message_bytes, searches, embeddings)
     VALUES (?1, '2026-11-02', 'key_a', 5, 4, 3, 2, 1)`,
  )
    .bind(organizationId)
    .run();
  const earlier = { requests: 5, messages: 4, message_bytes: 3, searches: 2, embeddings: 1, errors: 0 };
  expect(await groups(owner, "operation")).toEqual([{ operation: null, ...earlier }]);
  const counts = new UsageCounts();
  const by = { organizationId, keyId: "key_a", place: { operation: "search", tool: null } };
  counts.add(by, { requests: 1, searches: 1 }, Date.parse("2026-11-02T12:00:00Z"));
  await upsertUsage(env.DB, counts.take());
  expect(await groups(owner, "operation")).toEqual([
    { operation: null, ...earlier },
    {
      operation: "search",
      requests: 1,
      messages: 0,
      message_bytes: 0,
      searches: 1,
      embeddings: 0,
      errors: 0,
    },
  ]);
});

test("usage of more rows than one request may read is rejected, and of fewer days accepted", async () => {
  const owner = await seed();
  const bounded = new Service({}, undefined, { usageGroupRows: 3 }).callerOf(owner.secret);
  for (const group_by of ["day", "operation"]) {
    const problem = await bounded.fail(contracts.listUsage, { query: { group_by } });
    expect(problem).toMatchObject({ code: "validation_failed", errors: [{ path: "from" }] });
    expect(problem.detail).toContain("more than 3 rows");
    expect(await groups(bounded, group_by, { from: "2026-11-02" })).not.toEqual([]);
  }
});

test("usage of another organization cannot be read, and its cursor is rejected", async () => {
  const owner = await seed();
  const other = await createOrganization();
  expect(await groups(other, ["key", "operation"])).toEqual([]);
  const query = { group_by: "operation", limit: 1 };
  const { next_cursor } = await owner.call(contracts.listUsage, { query });
  for (const [caller, changed] of [
    [other, {}],
    [owner, { group_by: "tool" }],
    [owner, { group_by: ["operation", "tool"] }],
    [owner, { from: "2026-11-01" }],
  ] as [Caller, Query][]) {
    const problem = await caller.fail(contracts.listUsage, {
      query: { ...query, cursor: next_cursor ?? "", ...changed },
    });
    expect(problem).toMatchObject({ code: "invalid_cursor" });
  }
});

test.for(["", "agent", "day,key"])("usage cannot be grouped by %j", async (group_by) => {
  const owner = await createOrganization();
  expect(await owner.fail(contracts.listUsage, { query: { group_by } })).toMatchObject({
    code: "validation_failed",
  });
});

test("usage by user has the sums of the keys that are bound to each, and no row more is written for it", async () => {
  const { owner, service, pass } = await open();
  const bound = async (user_id: string, more: object = {}) =>
    service.callerOf((await createKey(owner, { scopes: ["search", "read"], user_id, ...more })).secret);
  const [maria, mariasBot, jon] = [
    await bound("maria"),
    await bound("maria", { agent_id: "bot" }),
    await bound("jon"),
  ];
  for (const by of [maria, maria, mariasBot, jon])
    await by.call(contracts.search, { body: { query: "whale", mode: "keyword" } });
  // A filter names a user, but the key is bound to none.
  const unbound = service.callerOf(owner.secret);
  await unbound.call(contracts.search, { body: { query: "whale", mode: "keyword", user_id: "maria" } });
  await pass(MINUTE_MS);
  const searches = async (by: string[], more: Query = {}) =>
    (await groups(owner, by, more)).map(({ user_id, searches: count }) => [user_id, count]);
  expect(await searches(["user"])).toEqual([
    [null, 1],
    ["jon", 1],
    ["maria", 3],
  ]);
  expect(await searches(["user", "operation", "tool"])).toEqual(await searches(["user"]));
  const first = await owner.call(contracts.listUsage, { query: { group_by: ["user"], limit: 2 } });
  expect(await searches(["user"], { cursor: first.next_cursor ?? "" })).toEqual([["maria", 3]]);
  expect(await groups(await createOrganization(), ["user"])).toEqual([]);
  const { rows } = await selectRow<{ rows: number }>(
    "SELECT count(*) AS rows FROM usage WHERE organization_id = ?1",
    owner.organizationId,
  );
  expect(rows).toBe(4);
});
