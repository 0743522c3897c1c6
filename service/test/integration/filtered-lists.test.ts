import * as contracts from "@engram/spec";
import type { RouteConfig } from "@hono/zod-openapi";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { scale } from "../../../proof/support/scale.ts";
import {
  type Caller,
  createKey,
  createOrganization,
  readPages,
  seedConversation,
} from "../support/client.ts";
import { RowsRead } from "../support/counting.ts";
import { env } from "../support/env.ts";
import { open, Service } from "../support/invocations.ts";
import type { RequestParts } from "../support/requests.ts";

type Scalar = string | number | boolean;
const KEYS = ["a", "b", "a.b", 'q"', "back\\slash", "$.a", "[0]", "", "a\u0000b", "é", "e\u0301", "'", "?1"];
const SCALARS: Scalar[] = ["", "1", "true", "a", "\u0000", "é", 0, 1, -1, 1.5, 0.1, true, false];
const scalar = fc.constantFrom(...SCALARS);
const stored = fc.dictionary(
  fc.constantFrom(...KEYS),
  fc.oneof(
    { weight: 4, arbitrary: scalar },
    fc.constantFrom<unknown>(null, [], {}, [1], { a: 1 }, { a: "a" }),
  ),
  { maxKeys: 5 },
);
const wanted = fc.dictionary(fc.constantFrom(...KEYS), scalar, { minKeys: 1, maxKeys: 2 });

/** The meaning of a metadata filter. */
const allows = (filter: Record<string, Scalar>, metadata: Record<string, unknown>) =>
  Object.entries(filter).every(([key, value]) => Object.hasOwn(metadata, key) && metadata[key] === value);

/** Every item of a list, and the number of pages that were read. */
async function readAll(caller: Caller, contract: RouteConfig, query: RequestParts["query"]) {
  const pages = await readPages(caller, contract, { query });
  const ids = pages.flatMap((page) => (page as { items: { id: string }[] }).items.map(({ id }) => id));
  return { ids, pages: pages.length };
}

describe("a metadata filter", () => {
  test("matches what an exact comparison matches, in lists, searches and dry runs", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(stored, { minLength: 1, maxLength: 8 }),
        fc.array(wanted, { minLength: 6, maxLength: 6 }),
        async (documents, filters) => {
          const { caller } = await open({}, { filteredConversations: 3 });
          const whole = new Service().callerOf(caller.secret);
          const conversations = new Map<string, Record<string, unknown>>();
          const memories = new Map<string, Record<string, unknown>>();
          for (const [i, metadata] of documents.entries()) {
            conversations.set(await seedConversation(caller, [`apple ${i}`], { metadata }), metadata);
            const body = { content: `apple ${i}`, metadata };
            memories.set((await caller.call(contracts.createMemory, { body })).id, metadata);
          }
          for (const filter of filters) {
            const of = (stored: typeof memories) =>
              [...stored].flatMap(([id, metadata]) => (allows(filter, metadata) ? [id] : [])).sort();
            const title = JSON.stringify(filter);
            const query = { metadata: title, limit: 2 };
            const listed = await readAll(caller, contracts.listConversations, query);
            expect(listed.ids.sort(), title).toEqual(of(conversations));
            const remembered = await readAll(caller, contracts.listMemories, query);
            expect(remembered.ids.sort(), title).toEqual(of(memories));
            const body = { query: "apple", mode: "keyword", limit: 50, metadata: filter };
            const { results } = await whole.call(contracts.search, { body });
            const found = results.map((result) =>
              "conversation_id" in result ? result.conversation_id : "",
            );
            expect(found.sort(), title).toEqual(of(conversations));
            const dryRun = { filter: { metadata: filter }, dry_run: true };
            expect(await caller.call(contracts.deleteConversations, { body: dryRun })).toMatchObject({
              conversations: of(conversations).length,
            });
            expect(await caller.call(contracts.deleteMemories, { body: dryRun })).toMatchObject({
              memories: of(memories).length,
            });
          }
        },
      ),
      { numRuns: scale(8, 2), endOnFailure: true },
    );
  });

  const dryRun = (metadata: object) => ({ body: { filter: { metadata }, dry_run: true } });
  const asked = (metadata: object) => ({ body: { query: "apple", metadata } });
  const listed = (metadata: object) => ({ query: { metadata: JSON.stringify(metadata) } });
  test.for([
    [contracts.listConversations, listed],
    [contracts.listMemories, listed],
    [contracts.search, asked],
    [contracts.searchMemories, asked],
    [contracts.deleteConversations, dryRun],
    [contracts.deleteMemories, dryRun],
  ] as const)("is refused with more than 16 values by %#", async ([contract, partsOf]) => {
    const caller = await createOrganization();
    const values = (count: number) =>
      partsOf(Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i])));
    await caller.call(contract, values(16));
    expect(await caller.fail(contract, values(17))).toMatchObject({
      code: "validation_failed",
      errors: [{ message: "must have at most 16 values" }],
    });
  });
});

/** Store conversations and as many memories, each with a message, metadata and a tag. */
async function insertMany(organizationId: string, from: number, count: number): Promise<void> {
  const { results } = await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT ?2 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?2 + ?3)
     INSERT INTO conversations (organization_id, id, kind, metadata, tags, message_count, last_sequence, content_hash,
                                created_at_ms, updated_at_ms, last_message_at_ms)
     SELECT ?1, kind || '_' || ?1 || i, CASE kind WHEN 'conv' THEN 'conversation' ELSE 'note' END,
            json_object('place', i), '["x"]', 1, 1, CASE kind WHEN 'mem' THEN printf('%064d', i) END, i, i, i
       FROM n CROSS JOIN (SELECT 'conv' AS kind UNION ALL SELECT 'mem') RETURNING row_key`,
  )
    .bind(organizationId, from, count)
    .all<{ row_key: number }>();
  await env.DB.prepare(
    `INSERT INTO messages (row_key, organization_id, conversation_id, id, sequence, role, content, content_bytes,
                           term_count, model_tokens, created_at_ms, stored_at_ms)
     SELECT (c.row_key << 24) + 1, ?1, c.id, 'msg_' || c.id, 1, 'user', 'x', 1, 0, 0, 1, 1
       FROM json_each(?2) AS n CROSS JOIN conversations AS c ON c.row_key = n.value`,
  )
    .bind(organizationId, JSON.stringify(results.map(({ row_key }) => row_key)))
    .run();
}

describe("a list", () => {
  const NOTHING = [
    { metadata: '{"place":-1}' },
    { tags_any: "y" },
    { tags_all: ["x", "y"] },
    { created_before: "1960-01-01T00:00:00Z" },
  ];
  const LISTS: [RouteConfig, object][] = [
    ...NOTHING.flatMap((query): [RouteConfig, object][] => [
      ...["created_at", "updated_at", "last_message_at"].map((sort): [RouteConfig, object] => [
        contracts.listConversations,
        { ...query, sort },
      ]),
      ...["created_at", "updated_at"].map((sort): [RouteConfig, object] => [
        contracts.listMemories,
        { ...query, sort },
      ]),
    ]),
    [contracts.listConversations, { agent_id: "unknown", sort: "last_message_at" }],
    [contracts.listConversations, { agent_id: "unknown", user_id: "unknown" }],
    [contracts.listConversations, { sort: "last_message_at" }],
    [contracts.listMemories, { source: "nowhere" }],
    [contracts.listConversations, { message_id: "msg_00000000000000000000" }],
    [contracts.listMemories, { kind: "summary" }],
  ];

  test("reads at most as many rows as its limits allow, however many conversations are stored", async () => {
    const rows = new RowsRead();
    const most = 20;
    const limits = { filteredConversations: most, scannedConversations: most };
    const { caller, organizationId } = await open({ DB: rows.db }, limits);
    const read = async () => {
      const counts: [string, number][] = [];
      for (const [contract, query] of LISTS) {
        rows.reset();
        await caller.call(contract, { query: { limit: 5, include_total: "true", ...query } });
        counts.push([`${contract.operationId} ${JSON.stringify(query)}`, rows.most.rows]);
      }
      return counts;
    };
    await insertMany(organizationId, 0, 30);
    const few = await read();
    await insertMany(organizationId, 30, 300);
    const many = await read();
    // The scan, the rows of each conversation that it finds, and its end.
    for (const [title, count] of many) expect(count, title).toBeLessThanOrEqual(5 * most);
    expect(many).toEqual(few);
  });

  test("reads few rows to find the conversation of a message", async () => {
    const rows = new RowsRead();
    const { caller, organizationId } = await open({ DB: rows.db });
    await insertMany(organizationId, 0, 300);
    const conversation_id = await seedConversation(caller, ["x"]);
    const { items } = await caller.call(contracts.listMessages, { params: { conversation_id } });
    await insertMany(organizationId, 300, 600);
    for (const sort of ["created_at", "updated_at", "last_message_at"]) {
      rows.reset();
      const query = { message_id: items[0]?.id ?? "", sort };
      const found = await caller.call(contracts.listConversations, { query });
      expect(found.items.map(({ id }) => id)).toEqual([conversation_id]);
      expect(rows.most.rows).toBeLessThan(20);
    }
  });

  test("continues after what it has read, page by page, until all matches are found", async () => {
    const { caller, organizationId } = await open({}, { filteredConversations: 20 });
    await insertMany(organizationId, 0, 90);
    for (const order of ["asc", "desc"]) {
      for (const contract of [contracts.listConversations, contracts.listMemories]) {
        const query = { metadata: '{"place":45}', order, include_total: "true" };
        const { items, next_cursor, total } = await caller.call(contract, { query });
        expect([items.length, typeof next_cursor, total]).toEqual([0, "string", null]);
        const { ids, pages } = await readAll(caller, contract, { ...query });
        expect([ids.length, pages]).toEqual([1, 5]);
      }
    }
    const all = await readAll(caller, contracts.listConversations, { tags_any: "x", limit: 7 });
    expect([all.ids.length, new Set(all.ids).size]).toEqual([90, 90]);
  });

  test("counts the whole list when no filter narrows it, and null beyond what one request reads", async () => {
    const { caller } = await open({}, { filteredConversations: 3, scannedConversations: 5 });
    const total = async (query: object) =>
      (await caller.call(contracts.listConversations, { query: { include_total: "true", ...query } })).total;
    for (let i = 0; i < 2; i++) await seedConversation(caller, [], { user_id: "u", tags: ["x"] });
    expect([await total({}), await total({ user_id: "u" }), await total({ tags_any: "x" })]).toEqual([
      2, 2, 2,
    ]);
    for (let i = 0; i < 2; i++) await seedConversation(caller, [], { user_id: "u", tags: ["x"] });
    expect([await total({}), await total({ user_id: "u" }), await total({ tags_any: "x" })]).toEqual([
      4,
      4,
      null,
    ]);
    for (let i = 0; i < 2; i++) await seedConversation(caller, [], { user_id: "u", tags: ["x"] });
    expect([await total({}), await total({ user_id: "u" }), await total({ tags_any: "x" })]).toEqual([
      6,
      null,
      null,
    ]);
  });
});

test("lists of audit events, operations and usage read a limited number of rows per page, and lose none", async () => {
  const { caller, organizationId, idle } = await open();
  for (let n = 0; n < 4; n++) {
    await createKey(caller, { scopes: ["read"] });
    await caller.call(contracts.deleteConversation, {
      params: { conversation_id: await seedConversation(caller, ["gone"]) },
    });
  }
  await caller.call(contracts.repairIndex, { body: {} });
  await idle();
  const day = (n: number) => `2026-10-0${n}`;
  for (let n = 1; n <= 6; n++) {
    await env.DB.prepare("INSERT INTO usage VALUES (?1, ?2, ?3, 1, 0, 0, 0, 0, NULL, 0)")
      .bind(organizationId, day(n), n % 3 === 0 ? "key_rare" : "key_usual")
      .run();
  }
  const bounded = new Service({}, undefined, { scannedRows: 2 }).callerOf(caller.secret);
  const lists = [
    [contracts.listAuditEvents, { action: "key.created" }, 5],
    [contracts.listOperations, { type: "repair_index" }, 1],
    [contracts.listUsage, { key_id: "key_rare" }, 2],
  ] as const;
  for (const [contract, filter, count] of lists) {
    const pages = await readPages<RouteConfig>(bounded, contract, { query: { ...filter, limit: 2 } });
    const items = pages.flatMap((page) => (page as { items: unknown[] }).items);
    expect(items).toEqual((await caller.call(contract, { query: { ...filter } })).items);
    expect(items).toHaveLength(count);
    expect(pages.length).toBeGreaterThan(count / 2);
  }
});
