import { randomUUID } from "node:crypto";
import { EngramChatMessageHistory, EngramStore } from "@engram/sdk/langchain";
import { InMemoryChatMessageHistory } from "@langchain/core/chat_history";
import {
  AIMessage,
  AIMessageChunk,
  type BaseMessage,
  ChatMessage,
  HumanMessage,
  RemoveMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { ChatPromptTemplate, MessagesPlaceholder } from "@langchain/core/prompts";
import { RunnableWithMessageHistory } from "@langchain/core/runnables";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { AsyncBatchedStore, type BaseStore, InMemoryStore } from "@langchain/langgraph-checkpoint";
import { describe, expect, test } from "vitest";
import { client } from "./support/client.ts";

/**
 * All visible fields of a message. `lc_kwargs` is left out because it varies with the version of LangChain.
 */
const seen = (messages: BaseMessage[]) =>
  messages.map((message) => ({
    class: message.constructor.name,
    text: message.text,
    ...Object.fromEntries(Object.entries(message).filter(([name]) => name !== "lc_kwargs")),
  }));

/** A message as a model returns it: id and usage are set after construction. */
function answered(): AIMessage {
  const message = new AIMessage("It was sent on Tuesday.");
  message.id = "run-1";
  message.name = "support";
  message.usage_metadata = { input_tokens: 7, output_tokens: 5, total_tokens: 12 };
  message.response_metadata = { model_name: "m", logprobs: null };
  return message;
}

const messages = () => [
  new SystemMessage("Be brief."),
  new HumanMessage({
    id: "h-1",
    name: "Maria",
    content: [
      { type: "text", text: "Where is order 1029? \u0000 😀" },
      { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } },
    ],
    additional_kwargs: { channel: "mail" },
  }),
  new AIMessage({
    content: "",
    tool_calls: [{ id: "call_1", name: "lookup", args: { order: "1029", deep: [{}] }, type: "tool_call" }],
    invalid_tool_calls: [
      { id: "call_2", name: "lookup", args: "{", error: "not JSON", type: "invalid_tool_call" },
    ],
  }),
  new ToolMessage({
    tool_call_id: "call_1",
    name: "lookup",
    content: "Tuesday",
    artifact: { rows: [1, null] },
    status: "success",
  }),
  new AIMessage({
    content: [{ type: "reasoning", reasoning: "Tuesday, then." }],
    response_metadata: { output_version: "v1" },
  }),
  new ChatMessage({ role: "critic", content: "Too brief." }),
  answered(),
];

describe.for([
  ["InMemoryChatMessageHistory", () => new InMemoryChatMessageHistory()],
  ["EngramChatMessageHistory", () => new EngramChatMessageHistory(client, randomUUID())],
] as const)("%s", ([, open]) => {
  test("gives messages back as they were, in order", async () => {
    const history = open();
    expect(await history.getMessages()).toEqual([]);
    const [first, ...others] = messages();
    if (first !== undefined) await history.addMessage(first);
    await history.addMessages(others);
    await history.addUserMessage("Thank you.");
    await history.addAIMessage("You are welcome.");
    const expected = [...messages(), new HumanMessage("Thank you."), new AIMessage("You are welcome.")];
    expect(seen(await history.getMessages())).toEqual(seen(expected));
  });

  test("is empty after it was cleared, and can be used on", async () => {
    const history = open();
    await history.addUserMessage("a");
    await history.clear();
    expect(await history.getMessages()).toEqual([]);
    await history.addUserMessage("b");
    expect(seen(await history.getMessages())).toEqual(seen([new HumanMessage("b")]));
  });

  test("gives a runnable what was said in the session", async () => {
    const prompt = ChatPromptTemplate.fromMessages([
      new MessagesPlaceholder("history"),
      ["human", "{input}"],
    ]);
    const model = new FakeListChatModel({ responses: ["On Tuesday.", "At noon."] });
    const history = open();
    const runnable = new RunnableWithMessageHistory({
      runnable: prompt.pipe(model),
      getMessageHistory: () => history,
      inputMessagesKey: "input",
      historyMessagesKey: "history",
    });
    const configurable = { sessionId: "any" };
    for (const input of ["When was it sent?", "When exactly?"])
      await runnable.invoke({ input }, { configurable });
    const said = (await history.getMessages()).map((message) => [message.getType(), message.text]);
    expect(said).toEqual([
      ["human", "When was it sent?"],
      ["ai", "On Tuesday."],
      ["human", "When exactly?"],
      ["ai", "At noon."],
    ]);
  });
});

describe("a chat history", () => {
  test("is the same in every process, with what it was created with, and found by its words", async () => {
    const [id, user_id] = [randomUUID(), randomUUID()];
    await new EngramChatMessageHistory(client, id, { user_id }).addMessages(messages());
    expect(seen(await new EngramChatMessageHistory(client, id).getMessages())).toEqual(seen(messages()));
    const { results } = await client.search({
      query: "order 1029",
      user_id,
      context: { before: 9, after: 9 },
    });
    expect(results[0]?.conversation.external_id).toBe(id);
    const fields = results[0]?.messages.map((said) => [
      said.role,
      said.name,
      said.tool_name,
      said.tool_call_id,
      said.content,
    ]);
    expect(fields).toEqual([
      ["system", null, null, null, "Be brief."],
      ["user", "Maria", null, null, "Where is order 1029? \u0000 😀"],
      ["assistant", null, null, null, ""],
      ["tool", null, "lookup", "call_1", "Tuesday"],
      ["assistant", null, null, null, ""],
      ["user", "critic", null, null, "Too brief."],
      ["assistant", "support", null, null, "It was sent on Tuesday."],
    ]);
  });

  test("keeps a message once, however often it is added", async () => {
    const history = new EngramChatMessageHistory(client, randomUUID());
    await history.addMessages([answered()]);
    await history.addMessages([answered(), new HumanMessage("Thanks.")]);
    expect(seen(await history.getMessages())).toEqual(seen([answered(), new HumanMessage("Thanks.")]));
    const other = answered();
    other.content = "On Wednesday.";
    await expect(history.addMessages([other])).rejects.toMatchObject({ code: "external_id_conflict" });
  });

  test("keeps a streamed chunk as the message that it is", async () => {
    const history = new EngramChatMessageHistory(client, randomUUID());
    const call = {
      id: "call_1",
      name: "lookup",
      args: '{"order":"1029"}',
      index: 0,
      type: "tool_call_chunk" as const,
    };
    await history.addMessages([
      new AIMessageChunk({ id: "run-2", content: "Wait.", tool_call_chunks: [call] }),
    ]);
    const [message] = await history.getMessages();
    expect(message).toBeInstanceOf(AIMessage);
    expect(message).toMatchObject({
      id: "run-2",
      content: "Wait.",
      tool_calls: [{ id: "call_1", name: "lookup", args: { order: "1029" } }],
    });
  });

  test.for<[string, BaseMessage, string]>([
    [
      "a message with bytes",
      new HumanMessage({ content: [{ type: "image", data: new Uint8Array([1]) }] }),
      "The message.data.content[0].data",
    ],
    ["an instruction to remove one", new RemoveMessage({ id: "h-1" }), "remove"],
  ])("refuses %s, and stores nothing", async ([, message, complaint]) => {
    const history = new EngramChatMessageHistory(client, randomUUID());
    await expect(history.addMessages([new HumanMessage("a"), message])).rejects.toThrow(complaint);
    expect(await history.getMessages()).toEqual([]);
  });
});

const VALUE = {
  text: "Allergic to walnuts",
  since: 2019,
  mild: false,
  who: { name: "Maria", tags: ["a", null] },
};

/** Items with their times replaced by checks of the times. */
const plain = <Item extends { createdAt: Date; updatedAt: Date }>(items: (Item | null)[]) =>
  items.map(
    (item) =>
      item && {
        ...item,
        createdAt: item.createdAt instanceof Date,
        updatedAt: item.updatedAt >= item.createdAt,
      },
  );

// LangGraph's own store must pass too: it defines the expected behavior.
describe.for<[string, () => BaseStore]>([
  ["InMemoryStore", () => new InMemoryStore()],
  ["EngramStore", () => new EngramStore(client)],
])("%s", ([, open]) => {
  test("gives an item back deep-equal, under its own key and namespace alone", async () => {
    const [store, root] = [open(), randomUUID()];
    expect(await store.get([root, "a"], "diet")).toBeNull();
    await store.put([root, "a"], "diet", VALUE);
    await store.put([root, "a", "b"], "diet", { other: true });
    await store.put([root], "a.diet", { other: true });
    expect(plain([await store.get([root, "a"], "diet")])).toEqual([
      { value: VALUE, key: "diet", namespace: [root, "a"], createdAt: true, updatedAt: true },
    ]);
    expect(await store.get([root], "diet")).toBeNull();
    expect(await store.get([root, "a"], "b")).toBeNull();
  });

  test("puts a value in the place of the old one and keeps when the item was created", async () => {
    const [store, root] = [open(), randomUUID()];
    await store.put([root], "k", { n: 1 });
    const first = { ...(await store.get([root], "k")) };
    await store.put([root], "k", { m: [2] });
    const second = await store.get([root], "k");
    expect(second).toMatchObject({ value: { m: [2] }, createdAt: first.createdAt });
    expect(second?.value).not.toHaveProperty("n");
    expect(await store.search([root])).toHaveLength(1);
  });

  test("deletes an item, also one that does not exist, and stores it again", async () => {
    const [store, root] = [open(), randomUUID()];
    await store.put([root], "k", { n: 1 });
    await store.delete([root], "k");
    await store.delete([root], "k");
    expect(await store.get([root], "k")).toBeNull();
    expect(await store.search([root])).toEqual([]);
    await store.put([root], "k", { n: 2 });
    expect((await store.get([root], "k"))?.value).toEqual({ n: 2 });
  });

  test("lists what is under a prefix that fits a filter, page by page", async () => {
    const [store, root] = [open(), randomUUID()];
    const people = [
      ["a", { age: 30, city: "Rome" }],
      ["b", { age: 41, city: "Oslo" }],
      ["c", { age: 52, city: "Rome" }],
      ["d", { age: 63, city: null }],
    ] as const;
    for (const [key, value] of people) await store.put([root, "people"], key, value);
    await store.put([root, "peoples"], "x", { age: 30, city: "Rome" });
    const found = async (filter: Record<string, unknown>, page = {}) =>
      (await store.search([root, "people"], { filter, ...page })).map(({ key }) => key);
    expect(await found({})).toEqual(["a", "b", "c", "d"]);
    expect(await found({ city: "Rome" })).toEqual(["a", "c"]);
    expect(await found({ city: null })).toEqual(["d"]);
    expect(await found({ city: { $ne: "Rome" }, age: { $gt: 30, $lte: 63 } })).toEqual(["b", "d"]);
    expect(await found({ age: { $gte: 41, $lt: 63 } })).toEqual(["b", "c"]);
    expect(await found({ city: { $in: ["Oslo", null] } })).toEqual(["b", "d"]);
    expect(await found({ city: { $nin: ["Oslo", null] } })).toEqual(["a", "c"]);
    expect(await found({ city: { name: "Rome" } })).toEqual([]);
    expect(await found({}, { limit: 2, offset: 1 })).toEqual(["b", "c"]);
    expect(await store.search([root])).toHaveLength(5);
  });

  test("lists namespaces by prefix, suffix and depth", async () => {
    const [store, root] = [open(), randomUUID()];
    for (const path of [
      ["a", "v1"],
      ["a", "v2"],
      ["b", "v1"],
      ["b", "c", "v1"],
    ]) {
      await store.put([root, ...path], "k", {});
    }
    const list = async (options: NonNullable<Parameters<typeof store.listNamespaces>[0]>) =>
      (await store.listNamespaces({ prefix: [root], ...options })).map((path) => path.slice(1).join("/"));
    expect(await list({})).toEqual(["a/v1", "a/v2", "b/c/v1", "b/v1"]);
    expect(await list({ suffix: ["v1"] })).toEqual(["a/v1", "b/c/v1", "b/v1"]);
    expect(await list({ prefix: [root, "*", "v1"] })).toEqual(["a/v1", "b/v1"]);
    expect(await list({ maxDepth: 2 })).toEqual(["a", "b"]);
    expect(await list({ limit: 2, offset: 1 })).toEqual(["a/v2", "b/c/v1"]);
  });

  test("answers a batch in order, reading what was there before its puts", async () => {
    const [store, root] = [open(), randomUUID()];
    await store.put([root], "a", { n: 1 });
    const results: unknown[] = await store.batch([
      { namespace: [root], key: "a" },
      { namespace: [root], key: "a", value: { n: 2 } },
      { namespacePrefix: [root], limit: 10, offset: 0 },
      { namespace: [root], key: "b", value: { n: 3 } },
      { namespace: [root], key: "a", value: { n: 4 } },
    ]);
    const item = expect.objectContaining({ key: "a" });
    expect(results.map((result) => result ?? null)).toEqual([item, null, [item], null, null]);
    expect(await Promise.all(["a", "b"].map(async (key) => (await store.get([root], key))?.value))).toEqual([
      { n: 4 },
      { n: 3 },
    ]);
  });

  test.for([[["a.b"]], [[""]], [["a:b"]], [["langgraph", "x"]], [[]]])(
    "refuses the namespace %o",
    async ([namespace]) => {
      await expect(open().put(namespace ?? [], "k", {})).rejects.toThrow(/amespace/);
    },
  );
});

describe("a store", () => {
  test("finds items under a prefix by words and by meaning, the best first, and what fits a filter", async () => {
    const [store, root] = [new EngramStore(client), randomUUID()];
    await store.put([root, "maria"], "diet", VALUE);
    await store.put([root, "maria"], "room", { text: "Wants a quiet room" });
    await store.put([root, "jon"], "diet", { text: "Allergic to walnuts and to peanuts" });
    const [best] = await store.search([root, "maria"], { query: "allergic walnuts", limit: 1 });
    expect(plain([best ?? null])).toEqual([
      {
        value: VALUE,
        key: "diet",
        namespace: [root, "maria"],
        createdAt: true,
        updatedAt: true,
        score: expect.any(Number),
      },
    ]);
    const keys = (await store.search([root], { query: "allergic", filter: { since: { $gt: 2000 } } })).map(
      ({ key }) => key,
    );
    expect(keys).toEqual(["diet"]);
  });

  test("indexes the given fields, or none", async () => {
    const [store, root] = [new EngramStore(client), randomUUID()];
    await store.put([root], "some", { title: "walnuts", note: "pistachios" }, ["title"]);
    await store.put([root], "none", { title: "cashews" }, false);
    const contents = await Promise.all(
      ["some", "none"].map(async (key) => {
        const external_id = `langgraph.${root}..${key}`;
        const [conversation] = (await client.conversations.list({ external_id }).page()).items;
        return (await client.messages.list(conversation?.id ?? "").page()).items.map(
          ({ content }) => content,
        );
      }),
    );
    expect(contents).toEqual([["walnuts"], [""]]);
  });

  test("holds the value of one of many puts at once", async () => {
    const [store, root] = [new EngramStore(client), randomUUID()];
    await Promise.all([1, 2, 3, 4, 5].map((n) => new EngramStore(client).put([root], "k", { n })));
    expect([1, 2, 3, 4, 5]).toContain((await store.get([root], "k"))?.value.n);
    expect(await store.search([root])).toHaveLength(1);
  });

  test("lists more items than a page holds", async () => {
    const [store, root] = [new EngramStore(client), randomUUID()];
    await store.batch(
      Array.from({ length: 60 }, (_, n) => ({ namespace: [root], key: `k${n}`, value: { n } })),
    );
    const items = await store.search([root], { limit: 100 });
    expect(items.map(({ value }) => value.n).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 60 }, (_, n) => n),
    );
  });

  test("refuses a value that JSON cannot keep, and stores nothing of the batch", async () => {
    const [store, root] = [new EngramStore(client), randomUUID()];
    const batch = store.batch([
      { namespace: [root], key: "a", value: { n: 1 } },
      { namespace: [root], key: "b", value: { at: new Date(0) } },
    ]);
    await expect(batch).rejects.toThrow("The item.value.at");
    expect(await store.search([root])).toEqual([]);
  });

  // The wrapper that LangGraph puts around a graph's store.
  test("serves LangGraph's batching wrapper", async () => {
    const root = randomUUID();
    const store = new AsyncBatchedStore(new EngramStore(client));
    await store.start();
    await Promise.all([store.put([root], "a", { n: 1 }), store.put([root], "b", { n: 2 })]);
    const [a, found] = await Promise.all([store.get([root], "a"), store.search([root])]);
    store.stop();
    expect([a?.value, found.length]).toEqual([{ n: 1 }, 2]);
  });
});
