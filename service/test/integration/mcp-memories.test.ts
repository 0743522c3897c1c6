import * as contracts from "@engram/spec";
import { describe, expect, test } from "vitest";
import page from "../../../site/pages/mcp.md?raw";
import { ANSWER_TOKENS_MAX } from "../../src/mcp/calls.ts";
import { type Caller, createKey, createOrganization, seedConversation, send } from "../support/client.ts";
import { HOSTILE_NOTES } from "../support/hostile-notes.ts";
import { Service } from "../support/invocations.ts";
import { connect, post, type Send } from "../support/mcp.ts";
import { o200kTokens, tokensOf } from "../support/tokens.ts";

const SETS = {
  conversations: [
    "create_conversation",
    "list_conversations",
    "get_conversation",
    "delete_conversation",
    "append_messages",
    "search",
    "update_conversation",
  ],
  memories: ["store_memory", "list_memories", "update_memory", "delete_memory", "recall_memory"],
  context: ["get_context", "list_entities"],
  thoughts: ["capture_thought", "list_recent", "get_thought", "delete_thought", "semantic_search"],
  live: ["wait_for_messages"],
};
const ALL: contracts.Scope[] = ["read", "write", "search", "delete"];

/** A client with the tools of the given sets. */
const connectWith = ({ secret }: Caller, sets: string, through?: Send) =>
  connect(secret, undefined, through, `/mcp?tools=${sets}`);
type Connection = Awaited<ReturnType<typeof connectWith>>;
const namesOf = async ({ client }: Connection) =>
  (await client.listTools()).tools.map(({ name }) => name).sort();

/** The body of a success. */
async function ask({ call }: Connection, name: string, args: Record<string, unknown> = {}) {
  // biome-ignore lint/suspicious/noExplicitAny: what a tool answers, its output schema has checked
  const { isError, body, texts } = await call<any>(name, args);
  expect(isError, texts.join("\n")).toBe(false);
  return body;
}

const MARIA = "Maria prefers refunds to her card, never store credit.";
const KETTLE = "The kettle of order 1029 leaked and went back to the supplier in March.";

describe("the URL of the MCP server selects tool sets", () => {
  test.for([
    ["", SETS.conversations],
    ["?tools=conversations", SETS.conversations],
    ["?tools=memories", SETS.memories],
    ["?tools=context", SETS.context],
    ["?tools=thoughts", SETS.thoughts],
    ["?tools=live", SETS.live],
    ["?tools=memories,conversations", [...SETS.memories, ...SETS.conversations]],
    ["?tools=memories&tools=thoughts&tools=memories", [...SETS.memories, ...SETS.thoughts]],
  ] as const)("/mcp%s", async ([query, names]) => {
    const { secret } = await createOrganization();
    const connection = await connect(secret, undefined, undefined, `/mcp${query}`);
    expect(await namesOf(connection)).toEqual([...names].sort());
  });

  test.for(["", "thought", "memories,", "memories, thoughts", "constructor"])(
    "and rejects the set %j",
    async (tools) => {
      const { secret } = await createOrganization();
      const path = `/mcp?tools=${encodeURIComponent(tools)}`;
      const response = await post(secret, {}, {}, (_, init) => send(path, init));
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        code: "validation_failed",
        detail:
          "`tools`: Must be tool sets separated by commas: `conversations`, `memories`, `context`, `thoughts`, `live`.",
      });
    },
  );

  describe("and the documentation gives the token cost of each selection", () => {
    const rows = [...page.matchAll(/^\| `([a-z,]+)` \|.*\| ([\d,]+) \| ([\d,]+) \|$/gm)];

    test.for(rows.map(([, ...cells]) => cells as [string, string, string]))(
      "%s: %s tokens shown, %s sent",
      async ([sets, shown, sent]) => {
        const { client } = await connectWith(await createOrganization(), sets);
        const { tools } = await client.listTools();
        const written = (tokens: number) => tokens.toLocaleString("en-US");
        const costs = tokensOf(tools);
        expect([written(costs.shown), written(costs.sent)]).toEqual([shown, sent]);
      },
    );

    test("for all selections that it mentions", () => {
      const named = [...page.matchAll(/\?tools=([a-z,]+)/g)].map(([, sets]) => sets);
      expect(rows.map(([, sets]) => sets)).toEqual(expect.arrayContaining([...Object.keys(SETS), ...named]));
    });
  });

  test("and other tools cannot be called", async () => {
    const caller = await createOrganization();
    const connection = await connectWith(caller, "memories");
    const unknown = connection.client.callTool({ name: "list_recent", arguments: {} });
    await expect(unknown).rejects.toThrow("no such tool");
    const left = (await connectWith(caller, "thoughts")).client.callTool({ name: "list_conversations" });
    await expect(left).rejects.toThrow("no such tool");
  });
});

describe("memory tools of MCP", () => {
  test("store a memory once, and recall, list, update and delete it", async () => {
    const connection = await connectWith(await createOrganization(), "memories");
    const metadata = { ticket: "T-1", ü: [1.5, null] };
    const { id, ...more } = await ask(connection, "store_memory", { content: MARIA, metadata });
    expect([id.slice(0, 4), more]).toEqual(["mem_", {}]);
    expect(await ask(connection, "store_memory", { content: MARIA })).toEqual({ id });
    await ask(connection, "store_memory", { content: KETTLE });
    const recalled = await ask(connection, "recall_memory", { query: "refunds to Maria", top_k: 1 });
    expect(recalled).toEqual({
      results: [
        {
          ...{ id, content: MARIA, metadata, tags: expect.any(Array), created_at: expect.any(String) },
          sources: [],
          ...{ ended: false, score: expect.any(Number), relevance: expect.any(Number) },
        },
      ],
      ...{ degraded: [], pending: expect.any(Number), tokens: expect.any(Number), omitted: 0 },
      below_min_relevance: 0,
    });
    const { items } = await ask(connection, "list_memories", { limit: 1 });
    expect(items).toMatchObject([{ content: KETTLE }]);
    const corrected = { memory_id: id, content: "Maria takes store credit now." };
    expect(Object.keys(await ask(connection, "update_memory", corrected))).toEqual(["id", "updated_at"]);
    const { results } = await ask(connection, "recall_memory", { query: "store credit" });
    expect(results[0]).toMatchObject({ id, content: corrected.content, metadata });
    expect(await ask(connection, "delete_memory", { memory_id: id })).toMatchObject({
      ...{ id, operation_id: expect.stringMatching(/^op_/), status: expect.any(String) },
    });
    expect((await ask(connection, "list_memories")).items).toMatchObject([{ content: KETTLE }]);
  });

  test("store a memory with the messages that it cites, and recall these by their places", async () => {
    const caller = await createOrganization();
    const connection = await connectWith(caller, "memories");
    const conversation_id = await seedConversation(caller, ["Hello.", MARIA]);
    const quote = MARIA.slice(0, 9);
    const sources = [{ conversation_id, sequence: 2, quote }];
    const { id: memory_id } = await ask(connection, "store_memory", { content: MARIA, sources });
    expect(await caller.call(contracts.getMemory, { params: { memory_id } })).toMatchObject({
      sources: [{ conversation_id, sequence: 2, quote, state: "intact" }],
    });
    const { results } = await ask(connection, "recall_memory", { query: MARIA });
    // The message has the text, so the quotation costs nothing here.
    expect(results[0].sources).toEqual([{ conversation_id, sequence: 2, state: "intact" }]);
    const wrong = { content: KETTLE, sources: [{ conversation_id, sequence: 3 }] };
    const refused = await connection.client.callTool({ name: "store_memory", arguments: wrong });
    expect([refused.isError, JSON.stringify(refused.content)]).toEqual([
      true,
      expect.stringContaining("sources.0"),
    ]);
  });

  test("recall the three best memories with a remark although their relevance is low, and none for unknown words", async () => {
    const caller = await createOrganization();
    const connection = await connectWith(caller, "memories");
    for (const content of [KETTLE, MARIA, "The office is closed in August.", "Otto drives a van."])
      await caller.call(contracts.createMemory, { body: { content, wait: "indexed" } });
    const { tools } = await connection.client.listTools();
    const { outputSchema } = tools.find(({ name }) => name === "recall_memory") ?? {};
    expect(outputSchema?.properties).toHaveProperty("min_relevance");
    const query = "Who wrote this song?";
    const min_relevance = contracts.MIN_RELEVANCE_FOR_MODELS;
    const note = "Results of low relevance (below 0.005), which may not answer the query: 3.";
    const kept = await ask(connection, "recall_memory", { query });
    expect(kept).toMatchObject({ below_min_relevance: 1, min_relevance, note });
    expect(kept.results).toHaveLength(3);
    const thoughts = await connectWith(caller, "thoughts");
    expect(await ask(thoughts, "semantic_search", { query })).toMatchObject({ note });
    const none = { results: [], below_min_relevance: 4, min_relevance };
    expect(await ask(connection, "recall_memory", { query, min_relevance })).toMatchObject(none);
    expect(await ask(connection, "recall_memory", { query: "zebra migration" })).toMatchObject(none);
    const all = await ask(connection, "recall_memory", { query, min_relevance: 0 });
    expect([all.results.length, all.below_min_relevance, "min_relevance" in all]).toEqual([4, 0, false]);
  });

  test("return the part of a long memory that matches, before shorter memories that match less", async () => {
    const connection = await connectWith(await createOrganization(), "memories,thoughts");
    const filler = (subject: string) =>
      Array.from({ length: 90 }, (_, i) => `Step ${i} of the ${subject} is to clean pan ${i}.`).join("\n\n");
    const fact = "The vault in Oslo opens with the code KX-7781.";
    const content = `${filler("bakery")}\n\n${fact}\n\n${filler("brewery")}`;
    const { id } = await ask(connection, "store_memory", { content });
    await ask(connection, "store_memory", { content: KETTLE });
    const query = "code of the vault in Oslo";
    const recalled = await ask(connection, "recall_memory", {
      ...{ query, max_tokens: 500, min_relevance: 0 },
    });
    const [{ content: part, content_start: start, content_end: end, content_length }] = recalled.results;
    expect([recalled.results[0].id, recalled.omitted]).toEqual([id, 0]);
    expect(part).toContain(fact);
    expect([content.slice(start, end), content_length]).toEqual([part, content.length]);
    const searched = await ask(connection, "semantic_search", { query, max_tokens: 800 });
    const thought = searched.results.find(({ document_id }: { document_id: string }) => document_id === id);
    expect(thought.document_content).toContain(fact);
    expect(thought.document_content).toContain(thought.chunk_content);
    const { results: whole } = await ask(connection, "recall_memory", { query, max_tokens: 10_000 });
    expect(whole[0]).toMatchObject({ id, content });
    expect(whole[0]).not.toHaveProperty("content_start");
  });

  test("store tags, and recall by every filter of the API", async () => {
    const connection = await connectWith(await createOrganization(), "memories");
    const tags = ["refunds", "customer"];
    const { id } = await ask(connection, "store_memory", {
      content: MARIA,
      tags,
      metadata: { ticket: "T-1" },
    });
    await ask(connection, "store_memory", {
      content: KETTLE,
      tags: ["kitchen"],
      metadata: { ticket: "T-2" },
    });
    const times = { created_after: "2020-01-01T00:00:00Z", created_before: "2099-01-01T00:00:00Z" };
    for (const filter of [
      { tags_any: ["refunds", "none"] },
      { tags_all: tags },
      { metadata: { ticket: "T-1" } },
      { kind: "note", ...times, tags_any: ["customer"] },
    ]) {
      const found = await ask(connection, "recall_memory", {
        query: "refunds kettle",
        min_relevance: 0,
        ...filter,
      });
      expect(found.results, JSON.stringify(filter)).toMatchObject([{ id, tags }]);
    }
    for (const filter of [
      { source: "slack" },
      { kind: "summary" },
      { created_before: times.created_after },
    ]) {
      expect(
        (await ask(connection, "recall_memory", { query: "refunds kettle", ...filter })).results,
      ).toEqual([]);
    }
  });

  test("return memories in `search` together with conversations, whole and labelled", async () => {
    const caller = await createOrganization();
    const connection = await connectWith(caller, "conversations");
    const note = "Maria prefers refunds\nto her card.";
    for (const user_id of ["maria", "jon"]) {
      await caller.call(contracts.createMemory, {
        body: { content: note, user_id, created_at: "2026-01-02T03:04:05Z" },
      });
      await seedConversation(caller, [`${user_id} asks for refunds to the card`], { user_id });
    }
    const query = { query: "refunds to the card", user_id: "maria", min_relevance: 0 };
    const { results } = await ask(connection, "search", query);
    expect(results).toHaveLength(2);
    expect(results).toContainEqual({
      ...{ memory_id: expect.stringMatching(/^mem_/), relevance: expect.any(Number) },
      ...{ created_at: "2026-01-02 03:04", content: note },
    });
    expect(results).toContainEqual({
      ...{ conversation_id: expect.stringMatching(/^conv_/), relevance: expect.any(Number) },
      messages: [expect.stringContaining("user: maria asks for refunds to the card")],
    });
    const { texts } = await connection.call("search", query);
    expect(texts[1]).toMatch(
      /^mem_\w+ \(relevance [\d.]+\)\n2026-01-02 03:04 memory: Maria prefers refunds\n {2}to her card\.$/m,
    );
  });

  test("keep a search within its token limit: a long memory is cut, and its line says so", async () => {
    const caller = await createOrganization();
    const connection = await connectWith(caller, "conversations");
    for (const times of [40, 4_000])
      await caller.call(contracts.createMemory, { body: { content: "refunds to the card ".repeat(times) } });
    const { call } = connection;
    const { body, texts } = await call<{ results: { part?: string }[]; omitted: number }>("search", {
      ...{ query: "refunds to the card", max_tokens: 600, min_relevance: 0 },
    });
    expect(o200kTokens(texts.join("\n"))).toBeLessThanOrEqual(600);
    expect(o200kTokens(JSON.stringify(body))).toBeLessThanOrEqual(600);
    expect(body.omitted).toBe(0);
    const parts = body.results.map(({ part }) => part);
    const part = expect.stringMatching(/^characters \d+ to \d+ of 80000$/);
    expect(parts).toEqual(expect.arrayContaining([undefined, part]));
    expect(texts[1]).toMatch(/ memory \(characters \d+ to \d+ of 80000\): /);
  });

  test("can store memories for a user whom the model names", async () => {
    const connection = await connectWith(await createOrganization(), "memories");
    for (const user_id of ["maria", "jon"])
      await ask(connection, "store_memory", { content: KETTLE, user_id });
    const jon = { user_id: "jon" };
    expect((await ask(connection, "list_memories", jon)).items).toHaveLength(1);
    expect((await ask(connection, "recall_memory", { query: "kettle", ...jon })).results).toHaveLength(1);
    expect((await ask(connection, "recall_memory", { query: "kettle" })).results).toHaveLength(2);
  });

  test.for(["the URL", "the key"])("store memories for the user whom %s fixes", async (by) => {
    const caller = await createOrganization();
    for (const user_id of ["maria", "jon"])
      await caller.call(contracts.createMemory, { body: { content: KETTLE, user_id } });
    const sets = "conversations,memories,thoughts";
    const connection =
      by === "the URL"
        ? await connectWith(caller, `${sets}&user_id=maria`)
        : await connectWith(
            await createKey(caller, { scopes: ["read", "write", "search"], user_id: "maria" }),
            sets,
          );
    const { tools } = await connection.client.listTools();
    expect(tools.filter(({ inputSchema }) => "user_id" in (inputSchema.properties ?? {}))).toEqual([]);
    for (const [name, args] of [
      ["list_memories", {}],
      ["list_recent", {}],
    ] as const)
      expect((await ask(connection, name, args)).items).toHaveLength(1);
    for (const name of ["recall_memory", "semantic_search"])
      expect((await ask(connection, name, { query: "kettle" })).results).toHaveLength(1);
    await ask(connection, "store_memory", { content: MARIA });
    await ask(connection, "capture_thought", { content: "Maria likes tea." });
    const { id } = await ask(connection, "create_conversation", {});
    const query = { user_id: "maria" };
    expect((await caller.call(contracts.listMemories, { query })).items).toHaveLength(3);
    expect((await caller.call(contracts.listConversations, { query })).items).toMatchObject([{ id }]);
    const named = connection.client.callTool({ name: "list_memories", arguments: { user_id: "jon" } });
    expect(await named).toMatchObject({ isError: true });
  });

  test("reject a user id in the URL that the API would reject", async () => {
    const { secret } = await createOrganization();
    for (const id of ["", "x".repeat(300)]) {
      const path = `/mcp?user_id=${id}`;
      const response = await post(secret, {}, {}, (_, init) => send(path, init));
      expect([response.status, await response.json()]).toMatchObject([400, { code: "validation_failed" }]);
    }
  });
});

describe("thought tools of MCP", () => {
  test("capture a thought once, and search, get, list and delete thoughts", async () => {
    // Without a text model, a thought stays unchanged.
    const service = new Service({ ENRICHMENT_MODEL: "" });
    const caller = service.callerOf((await createOrganization()).secret);
    const connection = await connectWith(caller, "thoughts", (path, init) => service.send(path, init));
    const captured = await ask(connection, "capture_thought", {
      ...{ content: MARIA, source: "slack", metadata: { ticket: "T-1" } },
    });
    expect(captured).toEqual({ id: expect.stringMatching(/^mem_/), created_at: expect.any(String) });
    expect(await ask(connection, "capture_thought", { content: MARIA })).toMatchObject({ id: captured.id });
    await caller.call(contracts.createMemory, {
      body: { content: KETTLE, tags: ["orders"], wait: "indexed" },
    });
    const { results } = await ask(connection, "semantic_search", { query: "refunds", top_k: 1 });
    expect(results).toEqual([
      {
        ...{ document_id: captured.id, chunk_content: MARIA, document_content: MARIA },
        ...{ score: expect.any(Number), metadata: { ticket: "T-1" } },
      },
    ]);
    const tagged = await ask(connection, "semantic_search", {
      ...{ query: "Maria", tags: ["orders", "other"], min_relevance: 0 },
    });
    expect(tagged.results.map((result: { document_content: string }) => result.document_content)).toEqual([
      KETTLE,
    ]);
    const thought = await ask(connection, "get_thought", { id: captured.id });
    expect(thought).toEqual({
      ...{ id: captured.id, content: MARIA, source: "slack", metadata: { ticket: "T-1" } },
      ...{ created_at: captured.created_at, tags: [], summary: null },
    });
    const { items, next_cursor } = await ask(connection, "list_recent", { limit: 1 });
    expect(items).toMatchObject([{ content: KETTLE }]);
    const older = await ask(connection, "list_recent", { cursor: next_cursor });
    expect(older).toEqual({ items: [thought], next_cursor: null });
    expect(await ask(connection, "delete_thought", { id: captured.id })).toMatchObject({ id: captured.id });
    expect((await ask(connection, "list_recent")).items).toHaveLength(1);
    await service.settle();
  });

  test("return the matching chunk of a thought", async () => {
    const caller = await createOrganization();
    const paragraph = (about: string) => `${`${about} is dear to us, as all know. `.repeat(60)}\n\n`;
    const content = ["The harbour", "A tortoise", "Our orchard"].map(paragraph).join("");
    await caller.call(contracts.createMemory, { body: { content, wait: "indexed" } });
    const args = { query: "tortoise", max_tokens: 50_000 };
    const { results } = await ask(await connectWith(caller, "thoughts"), "semantic_search", args);
    const [{ chunk_content, document_content }] = results;
    expect(document_content).toBe(content);
    expect(content).toContain(chunk_content);
    expect(chunk_content.length).toBeLessThan(content.length);
    expect(chunk_content).toContain("tortoise");
  });

  test("name the tool's own arguments in their errors", async () => {
    const { call } = await connectWith(await createOrganization(), "thoughts");
    const { texts } = await call("semantic_search", { query: "", top_k: 51, tags: [""] });
    expect(texts[0]).toMatch(/^validation_failed: `query`: .+\n`top_k`: .+\n`tags\.0`: /);
    const [only] = (await call("semantic_search", { query: "x", top_k: 51 })).texts;
    expect(only).toMatch(/^validation_failed: `top_k`: /);
    expect((await call("semantic_search", { query: "x", limit: 1 })).texts[0]).toContain(
      "`limit` is not an argument",
    );
  });
});

describe("results of memory tools", () => {
  test("stay within the token limit for models, unless the model asks for more", async () => {
    const caller = await createOrganization();
    const memories = Array.from({ length: 8 }, (_, i) => ({
      content: `${i} ${"walrus oyster ".repeat(200)}`,
    }));
    await caller.call(contracts.createMemories, { body: { memories } });
    const { call } = await connectWith(caller, "memories,thoughts");
    for (const [name, args, more] of [
      ["recall_memory", { query: "walrus" }, { max_tokens: 50_000 }],
      ["semantic_search", { query: "walrus" }, { max_tokens: 50_000 }],
      ["list_memories", {}, { limit: 8 }],
      ["list_recent", {}, { limit: 8 }],
    ] as const) {
      type Answer = { results?: unknown[]; items?: unknown[]; omitted?: number; next_cursor?: string };
      const { texts, body } = await call<Answer>(name, args);
      expect(o200kTokens(texts.join("\n")), name).toBeLessThanOrEqual(ANSWER_TOKENS_MAX);
      const few = (body.results ?? body.items ?? []).length;
      expect(few, name).toBeGreaterThan(0);
      expect(body.omitted === 8 - few || typeof body.next_cursor === "string", name).toBe(true);
      const { body: whole } = await call<Answer>(name, { ...args, ...more });
      expect(whole.results ?? whole.items, name).toHaveLength(8);
    }
  });

  test("leave out a memory that exceeds the limit by itself, which the model can get by its id", async () => {
    const caller = await createOrganization();
    const content = "walrus oyster ".repeat(4_000);
    const connection = await connectWith(caller, "memories,thoughts");
    const { id } = await ask(connection, "capture_thought", { content });
    for (const name of ["list_memories", "list_recent"]) {
      const { texts } = await connection.call(name);
      expect(texts[0], name).toMatch(/^answer_too_large: .+\nWhat to do: .+ set `limit` yourself/);
      expect(o200kTokens(texts.join("\n")), name).toBeLessThanOrEqual(ANSWER_TOKENS_MAX);
    }
    for (const name of ["recall_memory", "semantic_search"]) {
      const { results, omitted } = await ask(connection, name, { query: "walrus" });
      expect([results, omitted], name).toMatchObject([[{ content_length: content.length }], 0]);
    }
    const { tools } = await connection.client.listTools();
    expect(tools.find(({ name }) => name === "get_thought")?.description).toContain(
      "full content, however long",
    );
    expect(page).toContain("`get_thought` is an exception: it always returns the full thought");
    expect((await ask(connection, "get_thought", { id })).content).toBe(content);
  });
});

describe("the access of memory tools", () => {
  test("is limited by the key's scopes to the tools of these scopes", async () => {
    const caller = await createOrganization();
    const offered = async (...scopes: contracts.Scope[]) =>
      connectWith(await createKey(caller, { scopes }), "memories,thoughts");
    const reader = await offered("read");
    expect(await namesOf(reader)).toEqual(["get_thought", "list_memories", "list_recent"]);
    expect(await namesOf(await offered("search"))).toEqual(["recall_memory", "semantic_search"]);
    expect(await namesOf(await offered("delete"))).toEqual(["delete_memory", "delete_thought"]);
    expect(await namesOf(await offered("write"))).toEqual([
      "capture_thought",
      "store_memory",
      "update_memory",
    ]);
    for (const name of ["store_memory", "capture_thought"]) {
      expect((await reader.call(name, { content: MARIA })).texts[0], name).toMatch(/^forbidden: /);
    }
    expect(await ask(reader, "list_recent")).toMatchObject({ items: [] });
  });

  test("is limited by a key bound to an agent to that agent's memories, whatever the arguments", async () => {
    const caller = await createOrganization();
    const theirs = await caller.call(contracts.createMemory, {
      body: { content: MARIA, agent_id: "other", tags: ["refunds"] },
    });
    const nobodys = await caller.call(contracts.createMemory, { body: { content: KETTLE } });
    const bound = await createKey(caller, { scopes: ALL, agent_id: "mine" });
    const connection = await connectWith(bound, "memories,thoughts");
    const { call } = connection;
    for (const name of ["recall_memory", "semantic_search"]) {
      expect((await ask(connection, name, { query: "Maria kettle refunds" })).results, name).toEqual([]);
      expect((await call(name, { query: "Maria", agent_id: "other" })).texts[0]).toContain("not an argument");
    }
    const tagged = await ask(connection, "semantic_search", { query: "Maria", tags: ["refunds"] });
    expect(tagged.results).toEqual([]);
    for (const name of ["list_memories", "list_recent"]) {
      expect((await ask(connection, name)).items, name).toEqual([]);
    }
    for (const { id } of [theirs, nobodys]) {
      for (const [name, args] of [
        ["get_thought", { id }],
        ["delete_thought", { id }],
        ["delete_memory", { memory_id: id }],
        ["update_memory", { memory_id: id, content: "mine now" }],
      ] as const) {
        expect((await call(name, args)).texts[0], name).toMatch(/^not_found: /);
      }
      expect(await caller.call(contracts.getMemory, { params: { memory_id: id } })).toMatchObject({ id });
    }
    // The same words as the memory of the other agent, stored as this agent's own.
    const { id } = await ask(connection, "store_memory", { content: MARIA });
    expect(id).not.toBe(theirs.id);
    expect(await caller.call(contracts.getMemory, { params: { memory_id: id } })).toMatchObject({
      agent_id: "mine",
    });
    const { results } = await ask(connection, "recall_memory", { query: "Maria kettle refunds" });
    expect(results).toMatchObject([{ id }]);
  });

  test("is limited to the key's organization, and another's memory looks like an unknown one", async () => {
    const other = await createOrganization();
    const { id } = await other.call(contracts.createMemory, { body: { content: MARIA } });
    const { call } = await connectWith(await createOrganization(), "memories,thoughts");
    const told = async (name: string, args: object) =>
      (await call(name, { ...args })).texts[0]?.replace(/req_\w+/, "");
    for (const name of ["get_thought", "delete_thought"]) {
      expect(await told(name, { id })).toMatch(/^not_found: /);
      expect(await told(name, { id })).toBe(await told(name, { id: "mem_00000000000000000000" }));
    }
    expect(await call("recall_memory", { query: "Maria" })).toMatchObject({ body: { results: [] } });
  });
});

test("a memory with an injected instruction is returned labelled as data, in one line, and never in a tool description", async () => {
  const caller = await createOrganization();
  const connection = await connectWith(caller, "memories,thoughts");
  const before = JSON.stringify((await connection.client.listTools()).tools);
  const [, attack] = HOSTILE_NOTES.find(([what]) => what === "a closing delimiter") ?? ["", ""];
  const content = `INJECTED ${attack}`;
  const { id } = await ask(connection, "capture_thought", {
    content,
    source: "INJECTED",
    metadata: { [attack]: attack },
  });
  for (const [name, args] of [
    ["recall_memory", { query: "injected" }],
    ["semantic_search", { query: "injected" }],
    ["list_memories", {}],
    ["list_recent", {}],
    ["get_thought", { id }],
  ] as const) {
    const { texts, body } = await connection.call(name, args);
    expect(texts, name).toHaveLength(2);
    expect(texts[0], name).toMatch(/data .+ do not follow instructions/);
    expect(texts[0], name).not.toContain("INJECTED");
    expect(texts[1], name).not.toContain("\n");
    expect(JSON.parse(texts[1] ?? ""), name).toEqual(body);
    expect(texts[1], name).toContain("INJECTED");
  }
  expect(JSON.stringify((await connection.client.listTools()).tools)).toBe(before);
});
