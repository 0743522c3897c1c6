import * as contracts from "@engram/spec";
import { beforeAll, describe, expect, test } from "vitest";
import { countModelTokens } from "../../src/text/model-tokens.ts";
import { type Caller, createKey, createOrganization, seedConversation } from "../support/client.ts";
import { connect } from "../support/mcp.ts";

const contract = contracts.getContext;
const SCOPES: contracts.Scope[] = ["read", "write", "search", "delete"];

const contextOf = (by: Caller, body: object) => by.call(contract, { body });
const remember = (by: Caller, content: string, more: object = {}) =>
  by.call(contracts.createMemory, { body: { content, ...more, wait: "indexed" } });
/** The contents of each part. */
const contentsOf = ({ messages, memories, results }: contracts.ContextAnswer) => ({
  messages: messages.items.map(({ content }) => content),
  memories: memories.items.map(({ content }) => content),
  results: results.items.map((result) => result.messages.map(({ content }) => content)),
});
const costOf = (text: string) => Math.max(countModelTokens(text), countModelTokens(JSON.stringify(text)));

test("rejects too small and too large a budget, another kind of id and an empty query", async () => {
  const caller = await createOrganization();
  for (const [field, value] of [
    ["max_tokens", contracts.CONTEXT_TOKENS_MIN - 1],
    ["max_tokens", contracts.CONTEXT_TOKENS_MAX + 1],
    ["conversation_id", "mem_06e3tqz8m1k4v9x2c7d0"],
    ["query", ""],
  ] as const) {
    const { errors } = await caller.fail(contract, { body: { [field]: value } });
    expect(errors?.map(({ path }) => path)).toEqual([field]);
  }
});

test("gathers the newest messages, the memories of the user and what a search finds, each once", async () => {
  const caller = await createOrganization();
  const user_id = "maria";
  const earlier = await seedConversation(
    caller,
    ["The refund of the kettle was sent on Tuesday.", { role: "assistant", content: "I noted it." }],
    { user_id, title: "Kettle" },
  );
  const conversation_id = await seedConversation(caller, ["Hello.", "And the refund of my kettle?"], {
    user_id,
  });
  const found = await remember(caller, "Wants refunds on her card.", { user_id });
  const newest = await remember(caller, "Allergic to walnuts.", { user_id });
  const min_relevance = 0.2;
  const asked = { query: "refund of the kettle", conversation_id, user_id, min_relevance };
  const context = await contextOf(caller, asked);
  expect(contentsOf(context)).toEqual({
    messages: ["Hello.", "And the refund of my kettle?"],
    memories: ["Wants refunds on her card.", "Allergic to walnuts."],
    results: [["The refund of the kettle was sent on Tuesday.", "I noted it."]],
  });
  expect(context.memories.items.map(({ id, relevance }) => [id, relevance])).toEqual([
    [found.id, expect.any(Number)],
    [newest.id, null],
  ]);
  expect(context.results.items[0]).toMatchObject({ conversation_id: earlier, title: "Kettle" });
  expect(context).toMatchObject({ degraded: [], pending: 0, results: { omitted: 0 } });
  const shown = ["Hello.", "my kettle?", "on her card", "walnuts", "on Tuesday", "noted it"];
  for (const text of shown) expect(context.text.split(text), text).toHaveLength(2);
  for (const id of [earlier, conversation_id, found.id, newest.id]) expect(context.text).toContain(id);
  // Parts without a weight are not searched for.
  const alone = await contextOf(caller, {
    ...asked,
    shares: { messages: 0, memories: 1, results: 0 },
  });
  expect(contentsOf(alone)).toEqual({ messages: [], memories: contentsOf(context).memories, results: [] });
  expect(alone.messages.omitted).toBe(2);
});

test("names the messages that a memory cites, and returns their quotations beside it", async () => {
  const caller = await createOrganization();
  const user_id = "maria";
  const conversation_id = await seedConversation(caller, ["Hi.", "I am allergic to walnuts."], { user_id });
  const sources = [{ conversation_id, sequence: 2, quote: "allergic to walnuts" }];
  await caller.call(contracts.createMemory, { body: { content: "No nuts at all.", user_id, sources } });
  const { text, memories } = await caller.call(contracts.getContext, { body: { user_id } });
  expect(text).toContain(`(from [2] of ${conversation_id}): No nuts at all.`);
  expect(text).not.toContain("allergic");
  expect(memories.items[0]?.sources).toMatchObject([{ ...sources[0], state: "intact" }]);
});

test("leaves out and counts results below the relevance that a model would take for an answer", async () => {
  const caller = await createOrganization();
  await seedConversation(caller, ["The kettle leaks.", "We deploy with wrangler.", "The cat is asleep."]);
  const query = "Which zebra won the chess tournament in Lisbon?";
  const context = await contextOf(caller, { query });
  expect(context).toMatchObject({ text: "", tokens: 0, results: { items: [] } });
  const { below_min_relevance } = context.results;
  expect(below_min_relevance).toBeGreaterThan(0);
  const all = await contextOf(caller, { query, min_relevance: 0 });
  expect(all.results).toMatchObject({ below_min_relevance: 0 });
  expect(all.results.items).toHaveLength(below_min_relevance);
});

test("has the three best memories although their relevance is low, marked and however many messages rank higher", async () => {
  const caller = await createOrganization();
  const user_id = "lena";
  const contents = ["Refunds on her card.", "Red kettle.", "Hates calls.", "Gold tier.", "Sleeps late."];
  for (const content of contents) await remember(caller, content, { user_id });
  for (let i = 0; i < 25; i++)
    await seedConversation(caller, [`Zebra number ${i} is in Lisbon.`, "Fine."], { user_id });
  // Another user's memories are not found.
  await remember(caller, "Zebra of another user.", { user_id: "otto" });
  const asked = { query: "Which zebra won the chess tournament in Lisbon?", user_id, max_tokens: 4_000 };
  const { memories, text } = await contextOf(caller, asked);
  const found = memories.items.filter(({ relevance }) => relevance !== null);
  expect(found).toHaveLength(3);
  for (const { id, content } of found)
    expect(text).toMatch(new RegExp(`^${id} \\S+ \\S+ \\(low relevance\\): ${content}$`, "m"));
  // The newest memories of the user are there too, unmarked.
  expect(memories.items.map(({ content }) => content).sort()).toEqual([...contents].sort());
  expect(text.split("low relevance")).toHaveLength(4);
  const exact = await contextOf(caller, {
    ...asked,
    min_relevance: contracts.MIN_RELEVANCE_FOR_MODELS,
  });
  expect(exact.memories.items.filter(({ relevance }) => relevance !== null)).toEqual([]);
  expect(exact.text).not.toContain("low relevance");
});

test("without a user or agent, has no memories but those that the query finds", async () => {
  const caller = await createOrganization();
  await remember(caller, "Maria is allergic to walnuts.", { user_id: "maria" });
  await remember(caller, "The office is closed in August.");
  expect(contentsOf(await contextOf(caller, {})).memories).toEqual([]);
  expect(
    contentsOf(await contextOf(caller, { query: "office in August", min_relevance: 0.2 })).memories,
  ).toEqual(["The office is closed in August."]);
});

test("without a share of messages, has none of the excluded conversation, and all else that matches", async () => {
  const caller = await createOrganization();
  const owner = { user_id: "maria" };
  const thread = await seedConversation(caller, ["The walrus sang."], { ...owner, external_id: "chat-1" });
  await seedConversation(caller, ["The walrus slept."], owner);
  await remember(caller, "Likes the walrus.", owner);
  const body = { query: "walrus", ...owner, shares: { messages: 0 } };
  for (const exclude_conversation of [thread, "chat-1"])
    expect(contentsOf(await contextOf(caller, { ...body, exclude_conversation }))).toEqual({
      messages: [],
      memories: ["Likes the walrus."],
      results: [["The walrus slept."]],
    });
  const repeated = await contextOf(caller, { ...body, conversation_id: thread });
  expect(contentsOf(repeated).results.flat().sort()).toEqual(["The walrus sang.", "The walrus slept."]);
  // The newest messages of a conversation are not search results.
  const own = { ...owner, query: "walrus", conversation_id: thread, exclude_conversation: thread };
  expect(contentsOf(await contextOf(caller, own))).toMatchObject({
    messages: ["The walrus sang."],
    results: [["The walrus slept."]],
  });
});

test("with metadata, has only the memories and conversations with these values, and the newest messages", async () => {
  const caller = await createOrganization();
  const user_id = "ann";
  const shop = { metadata: { project: "shop" }, user_id };
  const other = { metadata: { project: "bank", is_old: true }, user_id };
  await seedConversation(caller, ["The refund job of the shop runs at noon."], shop);
  await seedConversation(caller, ["The refund job of the bank runs at midnight."], other);
  await seedConversation(caller, ["A customer asked when the refund job runs."], { user_id });
  await remember(caller, "The shop's refund job is written in Go.", shop);
  await remember(caller, "The bank's refund job is written in Rust.", other);
  const conversation_id = await seedConversation(caller, ["When does the refund job run?"], { user_id });
  const asked = { query: "refund job", user_id, conversation_id, min_relevance: 0 };
  expect(contentsOf(await contextOf(caller, { ...asked, metadata: { project: "shop" } }))).toEqual({
    messages: ["When does the refund job run?"],
    memories: ["The shop's refund job is written in Go."],
    results: [["The refund job of the shop runs at noon."]],
  });
  const { memories } = await contextOf(caller, { user_id, metadata: { project: "bank", is_old: true } });
  expect(memories.items.map(({ content }) => content)).toEqual(["The bank's refund job is written in Rust."]);
  expect((await contextOf(caller, { ...asked, metadata: { project: "none" } })).results.items).toEqual([]);
});

describe("the budget", () => {
  let caller: Caller;
  const user_id = "maria";
  let conversation_id: string;
  beforeAll(async () => {
    caller = await createOrganization();
    const said = (i: number) =>
      `Message ${i} on refunds, "quoted", 日本語 and\n\tcode_${i}(x); `.repeat(1 + (i % 7));
    const messages = Array.from({ length: 60 }, (_, i) => said(i));
    conversation_id = await seedConversation(caller, messages, { user_id });
    await seedConversation(caller, messages, { user_id });
    for (let i = 0; i < 20; i++) await remember(caller, `Refund preference ${i}: ${said(i)}`, { user_id });
  });

  test.for([contracts.CONTEXT_TOKENS_MIN, 500, 1_000, 2_000, 4_000, 8_000, 20_000])(
    "of %i tokens is never exceeded, as text or as JSON, over HTTP and MCP",
    async (max_tokens) => {
      const body = { query: "refunds", conversation_id, user_id, max_tokens };
      const { text, tokens, messages } = await contextOf(caller, body);
      expect(tokens).toBe(text === "" ? 0 : costOf(text));
      expect(tokens).toBeLessThanOrEqual(max_tokens);
      expect(tokens).toBeGreaterThan(0.7 * Math.min(max_tokens, 8_000) - 150);
      expect(messages.items.length + messages.omitted).toBe(60);
      const { call } = await connect(caller.secret, undefined, undefined, "/mcp?tools=context");
      const answer = await call<{ text: string }>("get_context", body);
      if (max_tokens < 500) {
        expect(answer.texts[0]).toMatch(/^validation_failed: `max_tokens`: Must be at least \d+/);
        return;
      }
      expect(answer.texts[1]).toBe(answer.body.text);
      const read = answer.texts.join("\n");
      expect(countModelTokens(read)).toBeLessThanOrEqual(max_tokens);
      expect(countModelTokens(`${answer.texts[0]}\n${JSON.stringify(answer.body)}`)).toBeLessThanOrEqual(
        max_tokens,
      );
    },
  );
});

describe("what a request reaches", () => {
  test("another organization's conversation is absent, and none of its data is in the context", async () => {
    const other = await createOrganization();
    const theirs = await seedConversation(other, ["The walrus was here."], { user_id: "maria" });
    await remember(other, "The walrus likes oysters.", { user_id: "maria" });
    const caller = await createOrganization();
    const absent = await caller.fail(contract, { body: { conversation_id: "conv_00000000000000000000" } });
    const { request_id: _, ...foreign } = await caller.fail(contract, { body: { conversation_id: theirs } });
    expect(foreign).toEqual({ ...absent, request_id: undefined });
    expect(await contextOf(caller, { query: "walrus", user_id: "maria" })).toMatchObject({ text: "" });
  });

  test("a key that is bound to a user or an agent gets that one's data alone", async () => {
    const caller = await createOrganization();
    const owners = [
      { user_id: "maria", agent_id: "bot" },
      { user_id: "jon", agent_id: "helper" },
    ];
    const [maria = "", jon = ""] = await Promise.all(
      owners.map((owner) => seedConversation(caller, [`${owner.user_id} saw a walrus.`], owner)),
    );
    for (const owner of owners) await remember(caller, `${owner.user_id} feeds the walrus.`, owner);
    for (const bound of [{ user_id: "maria" }, { agent_id: "bot" }]) {
      const key = await createKey(caller, { scopes: SCOPES, ...bound });
      const context = await contextOf(key, { query: "walrus", conversation_id: maria });
      expect(contentsOf(context)).toEqual({
        messages: ["maria saw a walrus."],
        memories: ["maria feeds the walrus."],
        results: [],
      });
      expect((await key.fail(contract, { body: { conversation_id: jon } })).code).toBe("not_found");
      const { text } = await contextOf(key, { query: "walrus", user_id: "jon" });
      expect(text).not.toContain("jon");
    }
  });

  test("a conversation of another user or agent than the request names is absent; one of nobody is not", async () => {
    const caller = await createOrganization();
    const mine = await seedConversation(caller, ["Hi."], { user_id: "maria", agent_id: "bot" });
    const nobodys = await seedConversation(caller, ["Hello."]);
    for (const named of [{ user_id: "jon" }, { agent_id: "helper" }]) {
      const body = { conversation_id: mine, ...named };
      expect((await caller.fail(contract, { body })).code).toBe("not_found");
      const context = await contextOf(caller, { conversation_id: nobodys, ...named });
      expect(contentsOf(context).messages).toEqual(["Hello."]);
    }
    const { call } = await connect(caller.secret, undefined, undefined, "/mcp?tools=context&user_id=jon");
    expect((await call("get_context", { conversation_id: mine })).texts[0]).toMatch(/^not_found: /);
  });
});

test("edits and deletions show in the next context, in every part", async () => {
  const caller = await createOrganization();
  const user_id = "maria";
  const current = await seedConversation(caller, ["The walrus is in this one.", "Bye."], { user_id });
  const earlier = await seedConversation(caller, ["The walrus swam."], { user_id });
  const { id: memory_id } = await remember(caller, "The walrus eats fish.", { user_id });
  const ask = async () =>
    contentsOf(await contextOf(caller, { query: "walrus", conversation_id: current, user_id }));
  const idsOf = async (conversation_id: string) =>
    (await caller.call(contracts.listMessages, { params: { conversation_id } })).items.map(({ id }) => id);
  const edit = async (conversation_id: string, content: string) => {
    const [message_id = ""] = await idsOf(conversation_id);
    await caller.call(contracts.updateMessage, {
      params: { conversation_id, message_id },
      body: { content },
    });
  };
  await edit(current, "The otter is in this one.");
  await edit(earlier, "The walrus slept.");
  await caller.call(contracts.updateMemory, {
    params: { memory_id },
    body: { content: "The walrus eats kelp." },
  });
  expect(await ask()).toEqual({
    messages: ["The otter is in this one.", "Bye."],
    memories: ["The walrus eats kelp."],
    results: [["The walrus slept."]],
  });
  const [message_id = ""] = await idsOf(current);
  await caller.call(contracts.deleteMessage, { params: { conversation_id: current, message_id } });
  await caller.call(contracts.deleteConversation, { params: { conversation_id: earlier } });
  await caller.call(contracts.deleteMemory, { params: { memory_id } });
  expect(await ask()).toEqual({ messages: ["Bye."], memories: [], results: [] });
  await caller.call(contracts.deleteConversation, { params: { conversation_id: current } });
  expect((await caller.fail(contract, { body: { conversation_id: current } })).code).toBe("not_found");
});

test("a model without anything stored is told so", async () => {
  const { secret } = await createOrganization();
  const { call } = await connect(secret, undefined, undefined, "/mcp?tools=context");
  const { texts, body } = await call("get_context", { query: "walrus" });
  expect([texts[1], body]).toEqual(["Nothing was found.", { text: "" }]);
});
