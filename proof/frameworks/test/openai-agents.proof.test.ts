import { randomUUID } from "node:crypto";
import { EngramSession } from "@engram/sdk/openai-agents";
import {
  Agent,
  type AgentInputItem,
  isSessionHistoryTransactionAwareSession,
  MemorySession,
  OutputGuardrailTripwireTriggered,
  run,
  setTracingDisabled,
  tool,
} from "@openai/agents-core";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents-core/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { client, clientThatLosesAnswers } from "./support/client.ts";

setTracingDisabled(true);

const user = (content: string): AgentInputItem => ({ role: "user", content });

/** One item of each kind that a run may store, with all provider-specific fields. */
const ITEMS: AgentInputItem[] = [
  { role: "system", content: "Be brief." },
  {
    type: "message",
    role: "user",
    content: [
      { type: "input_text", text: "What is on this picture? \u0000 😀" },
      { type: "input_image", image: "data:image/png;base64,iVBORw0KGgo=", detail: "low" },
    ],
  },
  {
    type: "reasoning",
    id: "rs_1",
    content: [{ type: "input_text", text: "A kettle." }],
    providerData: { encrypted_content: "gAAAA", summary: [] },
  },
  {
    type: "function_call",
    callId: "call_1",
    name: "lookup",
    arguments: '{"what":"kettle"}',
    status: "completed",
  },
  {
    type: "function_call_result",
    callId: "call_1",
    name: "lookup",
    status: "completed",
    output: [{ type: "input_text", text: "1029" }],
  },
  { type: "hosted_tool_call", name: "web_search", arguments: "{}", status: "completed", output: "none" },
  {
    type: "message",
    id: "msg_1",
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text: "A kettle, order 1029.", providerData: { annotations: [] } }],
  },
  { type: "compaction", encrypted_content: "gBBBB", created_by: "server" },
];

// The SDK's own session must pass too: it defines the expected behavior.
describe.for([
  ["MemorySession", () => new MemorySession()],
  ["EngramSession", () => new EngramSession(client, randomUUID())],
] as const)("%s as a session of the OpenAI Agents SDK", ([, open]) => {
  test("a session returns all items, or the latest ones, deep-equal and in order", async () => {
    const session = open();
    expect(await session.getItems()).toEqual([]);
    await session.addItems(ITEMS.slice(0, 3));
    await session.addItems(ITEMS.slice(3));
    await session.addItems([]);
    expect(await session.getItems()).toStrictEqual(ITEMS);
    expect(await session.getItems(3)).toStrictEqual(ITEMS.slice(-3));
    expect(await session.getItems(0)).toEqual([]);
    expect(await session.getItems(100)).toHaveLength(ITEMS.length);
  });

  test("a session pops its latest item, and nothing if it is empty", async () => {
    const session = open();
    expect(await session.popItem()).toBeUndefined();
    await session.addItems([user("a"), user("b")]);
    expect(await session.popItem()).toEqual(user("b"));
    expect(await session.getItems()).toEqual([user("a")]);
  });

  test("a session is empty after it is cleared, and can be used again", async () => {
    const session = open();
    await session.addItems([user("a")]);
    await session.clearSession();
    expect(await session.getItems()).toEqual([]);
    await session.addItems([user("b")]);
    expect(await session.getItems()).toEqual([user("b")]);
  });

  type Transaction = Parameters<EngramSession["applyHistoryTransaction"]>[0]["transaction"];
  const append = (...items: AgentInputItem[]): Transaction => ({ type: "append_items", items });
  const replace = (expectedSuffix: AgentInputItem[], replacement: AgentInputItem[]): Transaction => ({
    ...{ type: "replace_suffix", expectedSuffix, replacement },
  });
  const [a, b, c, d] = ["a", "b", "c", "d"].map(user) as [
    AgentInputItem,
    AgentInputItem,
    AgentInputItem,
    AgentInputItem,
  ];

  test.for<[string, AgentInputItem[], Transaction, number, AgentInputItem[]]>([
    ["an append", [], append(a, b), 0, [a, b]],
    ["an append whose item is popped since", [], append(a, b), 1, [a]],
    [
      "a replacement after which the history ends with the same items again",
      [a, b],
      replace([b], [c, b]),
      0,
      [a, c, b],
    ],
    ["a removal", [b, b], replace([b], []), 0, [b]],
    ["a replacement whose item is popped since", [b, b], replace([b], [c]), 1, [b]],
  ])("%s is applied once per operation id", async ([, before, transaction, pops, after]) => {
    const session = open();
    await session.addItems(before);
    const args = { operationId: "op 1", transaction };
    await session.applyHistoryTransaction(args);
    for (let i = 0; i < pops; i += 1) await session.popItem();
    // First while the history still ends as the transaction left it,
    await session.applyHistoryTransaction(structuredClone(args));
    expect(await session.getItems()).toEqual(after);
    // then when it no longer does.
    await session.addItems([d]);
    await session.applyHistoryTransaction(args);
    expect(await session.getItems()).toEqual([...after, d]);
  });

  test.for<[string, AgentInputItem[]]>([
    ["another suffix", [user("x")]],
    ["a suffix longer than the history", [user("x"), user("a"), user("b")]],
  ])("a session rejects replacing %s, and changes nothing", async ([, expectedSuffix]) => {
    const session = open();
    await session.addItems([user("a"), user("b")]);
    const transaction = { type: "replace_suffix" as const, expectedSuffix, replacement: [user("c")] };
    await expect(session.applyHistoryTransaction({ operationId: "op", transaction })).rejects.toThrow();
    expect(await session.getItems()).toEqual([user("a"), user("b")]);
  });

  test("an operation id that was used for another transaction is rejected, and nothing changes", async () => {
    const session = open();
    const operationId = "op 3";
    const append = (items: AgentInputItem[]) =>
      session.applyHistoryTransaction({ operationId, transaction: { type: "append_items", items } });
    await append([user("a")]);
    await expect(append([user("a"), user("b")])).rejects.toThrow();
    const replace = session.applyHistoryTransaction({
      operationId,
      transaction: { type: "replace_suffix", expectedSuffix: [user("a")], replacement: [user("b")] },
    });
    await expect(replace).rejects.toThrow();
    expect(await session.getItems()).toEqual([user("a")]);
  });
});

describe("EngramSession", () => {
  test("is recognized by the SDK as supporting transactions", async () => {
    const session = new EngramSession(client, "chat-17");
    expect(isSessionHistoryTransactionAwareSession(session)).toBe(true);
    expect(await session.getSessionId()).toBe("chat-17");
  });

  test("is the same in every process, keeps the fields it was created with, and is searchable", async () => {
    const [id, user_id] = [randomUUID(), randomUUID()];
    await new EngramSession(client, id, { user_id, title: "Kettle" }).addItems(ITEMS);
    expect(await new EngramSession(client, id, { user_id }).getItems()).toEqual(ITEMS);
    const { results } = await client.search({ query: "kettle order 1029", user_id, mode: "keyword" });
    expect(results[0]?.conversation).toMatchObject({ external_id: id, title: "Kettle" });
    const messages = await client.messages.list(results[0]?.conversation_id ?? "").toArray({ max: 100 });
    expect(messages.map(({ role, content, tool_name }) => [role, content, tool_name])).toEqual([
      ["system", "Be brief.", null],
      ["user", "What is on this picture? \u0000 😀", null],
      ["assistant", "A kettle.", null],
      ["assistant", '{"what":"kettle"}', "lookup"],
      ["tool", "1029", "lookup"],
      ["assistant", "", null],
      ["assistant", "A kettle, order 1029.", null],
      ["assistant", "", null],
    ]);
  });

  // The second replacement must not count as already applied. The SDK's own session, which keeps every
  // transaction, rejects it.
  test("accepts an operation id again if its first replacement stored nothing", async () => {
    const session = new EngramSession(client, randomUUID());
    await session.addItems([user("a"), user("b")]);
    for (const text of ["b", "a"]) {
      const transaction = { type: "replace_suffix" as const, expectedSuffix: [user(text)], replacement: [] };
      await session.applyHistoryTransaction({ operationId: "op 5", transaction });
    }
    expect(await session.getItems()).toEqual([]);
  });

  test("gives each of several concurrent pops a different item", async () => {
    const session = new EngramSession(client, randomUUID());
    await session.addItems(["a", "b", "c", "d"].map(user));
    const popped = await Promise.all([1, 2, 3, 4].map(() => session.popItem()));
    expect(new Set(popped.map((item) => JSON.stringify(item))).size).toBe(4);
    expect(await session.getItems()).toEqual([]);
  });

  test("can be used after another process has cleared it", async () => {
    const id = randomUUID();
    const [mine, theirs] = [new EngramSession(client, id), new EngramSession(client, id)];
    await mine.addItems([user("a")]);
    await theirs.clearSession();
    expect(await mine.getItems()).toEqual([]);
    await mine.addItems([user("b")]);
    expect(await theirs.getItems()).toEqual([user("b")]);
  });

  test("stores more items than one request can carry", async () => {
    const session = new EngramSession(client, randomUUID());
    const items = Array.from({ length: 1_205 }, (_, i) => user(`item ${i}`));
    await session.addItems(items);
    expect(await session.getItems()).toEqual(items);
    expect(await session.getItems(1_100)).toEqual(items.slice(-1_100));
    expect(await session.getItems(7)).toEqual(items.slice(-7));
  });

  test("stores items that are too large for one request or one page", async () => {
    const session = new EngramSession(client, randomUUID());
    const image = `data:image/png;base64,${"A".repeat(400_000)}`;
    const items: AgentInputItem[] = Array.from({ length: 24 }, (_, i) => ({
      role: "user",
      content: [
        { type: "input_text", text: `item ${i}` },
        { type: "input_image", image },
      ],
    }));
    await session.addItems(items);
    expect(await session.getItems(23)).toEqual(items.slice(1));
  });

  describe("with an item that is stored in several messages", () => {
    const large = (text: string): AgentInputItem => ({
      role: "user",
      content: [{ type: "input_image", image: `data:image/png;base64,${text.repeat(510_000)}` }],
    });
    const open = async (...items: AgentInputItem[]) => {
      const session = new EngramSession(client, randomUUID());
      await session.addItems(items);
      return session;
    };

    test("counts it as one in the latest items, and pops it as a whole", async () => {
      const session = await open(user("a"), large("b"), user("c"), large("d"));
      expect(await session.getItems(2)).toEqual([user("c"), large("d")]);
      expect(await session.getItems(1)).toEqual([large("d")]);
      expect(await session.popItem()).toEqual(large("d"));
      expect(await session.popItem()).toEqual(user("c"));
      expect(await session.popItem()).toEqual(large("b"));
      expect(await session.getItems()).toEqual([user("a")]);
    });

    test("pops it without the messages of other programs that follow it", async () => {
      const session = await open(user("a"), large("b"));
      const external_id = await session.getSessionId();
      const [conversation] = await client.conversations.list({ external_id }).toArray({ max: 1 });
      const id = conversation?.id ?? "";
      await client.messages.append(id, { messages: [{ role: "user", content: "By hand." }] });
      expect(await session.popItem()).toEqual(large("b"));
      const left = await client.messages.list(id).toArray({ max: 9 });
      expect(left.map(({ content }) => content)).toEqual(["a", "By hand."]);
    });

    test("adds and replaces it in a transaction, once", async () => {
      const session = await open(large("a"), large("b"));
      const transactions = [
        { type: "append_items" as const, items: [large("c")] },
        {
          type: "replace_suffix" as const,
          expectedSuffix: [large("b"), large("c")],
          replacement: [large("d")],
        },
      ];
      for (const [i, transaction] of transactions.entries())
        for (let attempt = 1; attempt <= 2; attempt += 1)
          await session.applyHistoryTransaction({ operationId: `op ${i}`, transaction });
      expect(await session.getItems()).toEqual([large("a"), large("d")]);
    });

    test("refuses a transaction that one request cannot carry, names the limit, and stores later items", async () => {
      const session = await open(user("a"));
      const transaction = {
        type: "append_items" as const,
        items: ["b", "c", "d", "e", "f"].map(large),
      };
      const applied = session.applyHistoryTransaction({ operationId: "op", transaction });
      await expect(applied).rejects.toMatchObject({
        code: "payload_too_large",
        message: expect.stringContaining("2,097,152 bytes"),
      });
      await session.addItems(transaction.items);
      expect(await session.getItems()).toHaveLength(6);
    });
  });

  test("stores bytes as base64, a date as ISO text, and a lone surrogate unchanged", async () => {
    const session = new EngramSession(client, randomUUID());
    const bytes = {
      ...ITEMS[4],
      output: { type: "image", image: { data: new Uint8Array([1, 2]) } },
    } as AgentInputItem;
    const half = { ...user("Half: \ud83d"), providerData: { at: new Date(0) } };
    await session.addItems([half, bytes]);
    expect(await session.getItems()).toEqual([
      { ...half, providerData: { at: "1970-01-01T00:00:00.000Z" } },
      { ...bytes, output: { type: "image", image: { data: "AQI=" } } },
    ]);
    // A transaction compares what the session holds with what its caller has.
    const transaction = {
      type: "replace_suffix" as const,
      expectedSuffix: [half, bytes],
      replacement: [half],
    };
    for (let attempt = 1; attempt <= 2; attempt += 1)
      await session.applyHistoryTransaction({ operationId: "op", transaction });
    expect(await session.getItems()).toHaveLength(1);
  });

  test.for([
    ["an append", { type: "append_items", items: [user("b")] }],
    ["a replacement", { type: "replace_suffix", expectedSuffix: [user("a")], replacement: [user("b")] }],
    ["a deletion", { type: "replace_suffix", expectedSuffix: [user("a")], replacement: [] }],
  ] as const)("completes %s on a repeat if the first response was lost", async ([, { ...transaction }]) => {
    const id = randomUUID();
    await new EngramSession(client, id).addItems([user("a")]);
    const args = { operationId: "op", transaction: structuredClone(transaction) as never };
    await expect(
      new EngramSession(clientThatLosesAnswers(1), id).applyHistoryTransaction(args),
    ).rejects.toThrow("the connection broke");
    const session = new EngramSession(client, id);
    await session.applyHistoryTransaction(args);
    const expected =
      transaction.type === "append_items" ? [user("a"), ...transaction.items] : transaction.replacement;
    expect(await session.getItems()).toEqual(expected);
  });
});

describe("an OpenAI agent with EngramSession", () => {
  const lookup = tool({
    name: "lookup",
    description: "Looks an order up.",
    parameters: z.object({ order: z.string() }),
    execute: async ({ order }) => `${order}: sent on Tuesday`,
  });

  test("remembers earlier runs with their tool calls, as with the SDK's own session", async () => {
    const hold = async (session: EngramSession | MemorySession) => {
      const model = new ScriptedModel([
        [functionCall("lookup", { order: "1029" }, { callId: "call_1" })],
        [assistantMessage("It was sent on Tuesday.")],
        [assistantMessage("You are welcome.")],
      ]);
      const agent = new Agent({ name: "Support", model, tools: [lookup] });
      await run(agent, "Where is order 1029?", { session });
      await run(agent, "Thank you.", { session });
      return { input: model.calls.at(-1)?.request.input, items: await session.getItems() };
    };
    const [own, ours] = [
      await hold(new MemorySession()),
      await hold(new EngramSession(client, randomUUID())),
    ];
    expect(ours.items).toEqual(own.items);
    expect(ours.input).toEqual(own.input);
    expect(ours.input).toHaveLength(5);
  });

  // A tripped guardrail makes the runner store through a transaction.
  test("stores the same items of a run stopped by a guardrail as the SDK's own session", async () => {
    const hold = async (session: EngramSession | MemorySession) => {
      const model = new ScriptedModel([
        [functionCall("lookup", { order: "1029" }, { callId: "call_1" })],
        [assistantMessage("A secret.")],
      ]);
      const agent = new Agent({
        name: "Support",
        model,
        tools: [lookup],
        outputGuardrails: [
          { name: "no secrets", execute: async () => ({ tripwireTriggered: true, outputInfo: {} }) },
        ],
      });
      await expect(run(agent, "Where is order 1029?", { session })).rejects.toThrow(
        OutputGuardrailTripwireTriggered,
      );
      return session.getItems();
    };
    const session = new EngramSession(client, randomUUID());
    const applied: string[] = [];
    const apply = session.applyHistoryTransaction.bind(session);
    session.applyHistoryTransaction = (args) => {
      applied.push(args.transaction.type);
      return apply(args);
    };
    expect(await hold(session)).toEqual(await hold(new MemorySession()));
    expect(applied).toContain("append_items");
  });
});
