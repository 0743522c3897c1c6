import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { EngramMemoryStorage } from "@engram/sdk/mastra";
import { Agent } from "@mastra/core/agent";
import { MockMemory } from "@mastra/core/memory";
import { InMemoryStore, MastraCompositeStore } from "@mastra/core/storage";
import { MockLanguageModelV4 } from "ai/test";
import { describe, expect, test } from "vitest";
import { client } from "./support/client.ts";
import { at, ids, MINUTE_MS, newThread, STORAGES } from "./support/mastra.ts";
import { says } from "./support/model.ts";

describe.for(STORAGES)("%s as a storage of Mastra", ([, open]) => {
  test("a thread is returned deep-equal, to its own resource only", async () => {
    const storage = open();
    expect(await storage.getThreadById({ threadId: randomUUID() })).toBeNull();
    const metadata = { plan: ["x", null], deep: { b: 2 } };
    const { thread, threadId, resourceId } = await newThread(storage, { metadata });
    expect(await storage.saveThread({ thread })).toEqual(thread);
    expect(await storage.getThreadById({ threadId })).toEqual(thread);
    expect(await storage.getThreadById({ threadId, resourceId })).toEqual(thread);
    expect(await storage.getThreadById({ threadId, resourceId: "another" })).toBeNull();
  });

  test("a thread can be saved again, and updated in title and metadata separately", async () => {
    const storage = open();
    const { thread, threadId } = await newThread(storage);
    const again = { ...thread, title: "Refund", metadata: { b: 2 } };
    await storage.saveThread({ thread: structuredClone(again) });
    expect(await storage.getThreadById({ threadId })).toEqual(again);
    await storage.updateThread({ id: threadId, metadata: { c: 3 } });
    await storage.updateThread({ id: threadId, title: "Done" });
    const changed = await storage.getThreadById({ threadId });
    expect(changed).toMatchObject({ title: "Done", metadata: { b: 2, c: 3 }, createdAt: thread.createdAt });
    expect(changed?.updatedAt.getTime()).toBeGreaterThan(thread.updatedAt.getTime());
    await expect(storage.updateThread({ id: randomUUID(), title: "x" })).rejects.toThrow("not found");
  });

  test("threads of a resource are listed by metadata, in the given order, in pages", async () => {
    const storage = open();
    const resourceId = randomUUID();
    for (const minute of [3, 1, 2]) {
      const metadata = { odd: minute % 2 === 1, tags: ["a", minute] };
      await newThread(storage, { resourceId, createdAt: at(minute), metadata });
    }
    await newThread(storage);
    const list = async (args: object = {}, metadata?: Record<string, unknown>) =>
      storage.listThreads({ filter: { resourceId, ...(metadata && { metadata }) }, ...args });
    const minutes = (found: Awaited<ReturnType<typeof list>>) =>
      found.threads.map(({ createdAt }) => (createdAt.getTime() - at(0).getTime()) / MINUTE_MS);
    expect(minutes(await list())).toEqual([3, 2, 1]);
    expect(minutes(await list({ orderBy: { field: "createdAt", direction: "ASC" } }))).toEqual([1, 2, 3]);
    expect(minutes(await list({}, { odd: true }))).toEqual([3, 1]);
    expect(minutes(await list({}, { tags: ["a", 2] }))).toEqual([2]);
    const { threads: _, ...page } = await list({ perPage: 2, page: 1 });
    expect(page).toEqual({ total: 3, page: 1, perPage: 2, hasMore: false });
    expect(await list({ perPage: 2 })).toMatchObject({ hasMore: true });
  });

  test("messages are returned deep-equal, ordered by time, in pages", async () => {
    const storage = open();
    const { threadId, message } = await newThread(storage);
    const messages = [
      message(3, {
        role: "assistant",
        content: {
          format: 2,
          parts: [{ type: "text", text: "third \u0000 😀" }],
          metadata: { deep: [{ a: null }] },
        },
      }),
      message(1, { text: "first" }),
      message(2, { content: { format: 2, parts: [{ type: "step-start" }], content: "second" } }),
    ];
    await storage.saveMessages({ messages });
    const [third, first, second] = messages;
    const listed = await storage.listMessages({ threadId });
    expect(listed).toEqual({
      messages: [first, second, third],
      total: 3,
      page: 0,
      perPage: 40,
      hasMore: false,
    });
    const newest = await storage.listMessages({
      threadId,
      perPage: 2,
      orderBy: { field: "createdAt", direction: "DESC" },
    });
    expect(newest).toEqual({ messages: [third, second], total: 3, page: 0, perPage: 2, hasMore: true });
    expect(ids((await storage.listMessages({ threadId, perPage: 2, page: 1 })).messages)).toEqual([
      third?.id,
    ]);
    expect(await storage.listMessages({ threadId, perPage: false })).toMatchObject({
      perPage: false,
      total: 3,
    });
    expect(await storage.listMessages({ threadId, perPage: 0 })).toMatchObject({
      messages: [],
      total: 0,
      hasMore: false,
    });
    await expect(storage.listMessages({ threadId: " " })).rejects.toThrow("threadId");
    const updated = await storage.getThreadById({ threadId });
    expect(updated?.updatedAt.getTime()).toBeGreaterThan(at(1).getTime());
  });

  test("messages of several threads are filtered by time, resource and metadata", async () => {
    const storage = open();
    const [one, two] = [await newThread(storage), await newThread(storage)];
    const messages = [
      one.message(1, { content: { format: 2, parts: [], metadata: { kind: "x" } } }),
      one.message(2, { text: "b" }),
      two.message(3, { content: { format: 2, parts: [], metadata: { kind: "x" } } }),
    ];
    await storage.saveMessages({ messages });
    const threadId = [one.threadId, two.threadId];
    const found = async (args: object) =>
      ids((await storage.listMessages({ threadId, ...args })).messages).map((id) =>
        ids(messages).indexOf(id),
      );
    expect(await found({})).toEqual([0, 1, 2]);
    expect(await found({ resourceId: two.resourceId })).toEqual([2]);
    expect(await found({ filter: { metadata: { kind: "x" } } })).toEqual([0, 2]);
    expect(await found({ filter: { dateRange: { start: at(2), end: at(3), endExclusive: true } } })).toEqual([
      1,
    ]);
  });

  test("messages are included with their neighbors, also from other threads", async () => {
    const storage = open();
    const [one, two] = [await newThread(storage), await newThread(storage)];
    const here = [1, 2, 3, 4, 5, 6].map((minute) => one.message(minute));
    const there = [7, 8, 9].map((minute) => two.message(minute));
    await storage.saveMessages({ messages: [...here, ...there] });
    const { messages } = await storage.listMessages({
      threadId: one.threadId,
      perPage: 1,
      include: [
        { id: here[3]?.id ?? "", withPreviousMessages: 1, withNextMessages: 1 },
        { id: there[2]?.id ?? "", threadId: two.threadId, withPreviousMessages: 1 },
        { id: there[0]?.id ?? "" },
        { id: "nowhere" },
      ],
    });
    expect(messages.map(({ content }) => content.parts[0])).toEqual(
      [1, 3, 4, 5, 7, 8, 9].map((minute) => ({ type: "text", text: `${minute}` })),
    );
  });

  test("a message that is saved again is replaced", async () => {
    const storage = open();
    const { threadId, message } = await newThread(storage);
    const [first, second] = [message(1, { text: "a" }), message(2, { text: "b" })];
    await storage.saveMessages({ messages: [first, second] });
    const longer = {
      ...first,
      content: {
        format: 2 as const,
        parts: [...first.content.parts, { type: "text" as const, text: "more" }],
      },
    };
    const third = message(3, { text: "c" });
    await storage.saveMessages({ messages: [structuredClone(second), longer, third] });
    expect((await storage.listMessages({ threadId })).messages).toEqual([longer, second, third]);
  });

  test("messages can be found, updated and deleted by their ids", async () => {
    const storage = open();
    const [one, two] = [await newThread(storage), await newThread(storage)];
    const content = { format: 2 as const, parts: [], content: "old", metadata: { a: 1 } };
    const [a, b] = [one.message(1, { content }), two.message(2, { text: "b" })];
    await storage.saveMessages({ messages: [a, one.message(3, { text: "kept" }), b] });
    const found = await storage.listMessagesById({ messageIds: [a.id, b.id, "nowhere"] });
    expect(ids(found.messages).sort()).toEqual([a.id, b.id].sort());

    const [updated] = await storage.updateMessages({
      messages: [{ id: a.id, content: { content: "new", metadata: { b: 2 } } as never }],
    });
    expect(updated).toMatchObject({ id: a.id, content: { content: "new", metadata: { a: 1, b: 2 } } });
    const { messages } = await storage.listMessages({ threadId: one.threadId });
    expect(messages.map((each) => each.content.content)).toEqual(["new", undefined]);

    await storage.deleteMessages([a.id, b.id]);
    expect((await storage.listMessages({ threadId: one.threadId })).total).toBe(1);
    expect((await storage.listMessages({ threadId: two.threadId })).total).toBe(0);
  });

  test("a thread is deleted with its messages", async () => {
    const storage = open();
    const { threadId, message } = await newThread(storage);
    await storage.saveMessages({ messages: [message(1, { text: "a" })] });
    await storage.deleteThread({ threadId });
    await storage.deleteThread({ threadId });
    expect(await storage.getThreadById({ threadId })).toBeNull();
    expect((await storage.listMessages({ threadId })).messages).toEqual([]);
  });

  test("a resource is created by an update, updated only in the given fields, and replaced when it is saved", async () => {
    const [storage, resourceId] = [open(), randomUUID()];
    expect(await storage.getResourceById({ resourceId })).toBeNull();
    const created = await storage.updateResource({ resourceId, workingMemory: "# Maria" });
    await storage.updateResource({ resourceId, metadata: { a: [1] } });
    await sleep(10);
    const updated = await storage.updateResource({ resourceId, metadata: { b: 2 } });
    const expected = { id: resourceId, workingMemory: "# Maria", metadata: { a: [1], b: 2 } };
    expect(updated).toMatchObject({ ...expected, createdAt: created.createdAt });
    expect(Number(updated.updatedAt)).toBeGreaterThan(Number(created.updatedAt));
    expect(await storage.getResourceById({ resourceId })).toEqual(updated);
    const resource = { id: resourceId, workingMemory: "", metadata: {}, createdAt: at(1), updatedAt: at(2) };
    await storage.saveResource({ resource });
    expect(await storage.getResourceById({ resourceId })).toEqual(resource);
    await storage.updateResource({ resourceId, workingMemory: "# Kim" });
    expect((await storage.updateResource({ resourceId, workingMemory: "" })).workingMemory).toBe("");
  });
});

describe("EngramMemoryStorage", () => {
  // Mastra's own stores return them in any order.
  test("keeps the order of messages with the same time, also in descending order", async () => {
    const storage = new EngramMemoryStorage(client);
    const { threadId, message } = await newThread(storage);
    const messages = Array.from({ length: 30 }, (_, i) => message(1, { text: `${i}` }));
    await storage.saveMessages({ messages: messages.slice(0, 15) });
    await storage.saveMessages({ messages: messages.slice(15) });
    const target = messages[20]?.id ?? "";
    const around = await storage.listMessages({
      threadId,
      perPage: 0,
      include: [{ id: target, withPreviousMessages: 2, withNextMessages: 1 }],
    });
    expect(ids(around.messages)).toEqual(ids(messages.slice(18, 22)));
    const newest = await storage.listMessages({ threadId, perPage: 4, orderBy: { direction: "DESC" } });
    expect(ids(newest.messages)).toEqual(ids(messages.slice(-4).reverse()));
  });

  test("lists each of the threads of one time once, in pages, while some are renamed", async () => {
    const storage = new EngramMemoryStorage(client);
    const resourceId = randomUUID();
    const all = Array.from({ length: 25 }, (_, i) => ({ id: `${resourceId}-${i}` }));
    await Promise.all(all.map(({ id }) => newThread(storage, { id, resourceId })));
    for (const direction of ["ASC", "DESC"] as const) {
      const listed: string[] = [];
      for (let page = 0; page < 3; page += 1) {
        const orderBy = { field: "createdAt" as const, direction };
        const { threads } = await storage.listThreads({ filter: { resourceId }, orderBy, perPage: 10, page });
        listed.push(...ids(threads));
        await storage.updateThread({ id: listed.at(-1) ?? "", title: "Renamed" });
        await storage.updateThread({ id: all[12]?.id ?? "", title: "Renamed too" });
      }
      const sorted = ids(all).sort();
      expect(listed).toEqual(direction === "ASC" ? sorted : sorted.reverse());
    }
  });

  test("replaces, updates, moves and deletes a message that is stored in several, with all of them", async () => {
    const storage = new EngramMemoryStorage(client);
    const [one, two] = [await newThread(storage), await newThread(storage)];
    const [before, after] = [one.message(1, { text: "before" }), one.message(3, { text: "after" })];
    const image = (letter: string) => ({
      format: 2 as const,
      parts: [{ type: "file" as const, mimeType: "image/png", data: letter.repeat(510_000) }],
    });
    const large = one.message(2, { content: image("x") });
    await storage.saveMessages({ messages: [before, large, after] });
    const rows = async (threadId: string) => {
      const [conversation] = (await client.conversations.list({ external_id: threadId }).page()).items;
      return client.messages.list(conversation?.id ?? "").toArray({ max: 99 });
    };
    const changed = { ...large, content: image("y") };
    await storage.saveMessages({ messages: [changed] });
    expect((await storage.listMessages({ threadId: one.threadId })).messages).toEqual([
      before,
      changed,
      after,
    ]);
    expect(await rows(one.threadId)).toHaveLength(2 + 6);

    await storage.updateMessages({ messages: [{ id: large.id, threadId: two.threadId }] });
    expect(await rows(one.threadId)).toHaveLength(2);
    const moved = { ...changed, threadId: two.threadId };
    expect((await storage.listMessagesById({ messageIds: [large.id] })).messages).toEqual([moved]);

    await storage.deleteMessages([large.id]);
    expect(await rows(two.threadId)).toEqual([]);
  });

  test("stores threads as conversations of the user, which search finds", async () => {
    const storage = new EngramMemoryStorage(client);
    const { threadId, resourceId, message } = await newThread(storage);
    await storage.saveMessages({
      messages: [
        message(1, { text: "Where is my kettle?" }),
        message(2, { text: "On its way.", role: "assistant" }),
      ],
    });
    const { results } = await client.search({ query: "kettle", user_id: resourceId });
    expect(results[0]).toMatchObject({
      conversation: { external_id: threadId, title: "Order 1029", user_id: resourceId },
    });
    expect(results[0]?.messages.map(({ role, content, created_at }) => [role, content, created_at])).toEqual([
      ["user", "Where is my kettle?", at(1).toISOString()],
      ["assistant", "On its way.", at(2).toISOString()],
    ]);
  });

  test("rejects a thread that belongs to another resource", async () => {
    const storage = new EngramMemoryStorage(client);
    const { thread } = await newThread(storage);
    await expect(storage.saveThread({ thread: { ...thread, resourceId: "another" } })).rejects.toThrow(
      "resourceId",
    );
  });

  test("gives a Mastra agent the earlier messages of the thread", async () => {
    const memory = new MockMemory({ storage: new InMemoryStore() });
    memory.setStorage(
      new MastraCompositeStore({ id: "engram", domains: { memory: new EngramMemoryStorage(client) } }),
    );
    const model = new MockLanguageModelV4({ doGenerate: async () => says("Noted.") });
    const agent = new Agent({
      ...{ id: "concierge", name: "Concierge", instructions: "Be kind.", memory },
      // The mock's types come from another version of the provider package.
      model: model as never,
    });
    const [threadId, resourceId] = [randomUUID(), randomUUID()];
    for (const line of ["I'm allergic to walnuts.", "Book me a table."]) {
      await agent.generate(line, { memory: { thread: threadId, resource: resourceId } });
    }
    const prompt = JSON.stringify(model.doGenerateCalls.at(-1)?.prompt);
    expect(prompt).toContain("allergic to walnuts");
    expect(prompt.indexOf("allergic to walnuts")).toBeLessThan(prompt.indexOf("Book me a table."));
    const { messages } = await new EngramMemoryStorage(client).listMessages({ threadId });
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
  });
});

test("a message with values that JSON does not support is saved, and a lone surrogate is returned unchanged", async () => {
  const storage = new EngramMemoryStorage(client);
  const { threadId, resourceId, message } = await newThread(storage);
  const half = message(1, { text: "Half: \ud83d" });
  half.content.metadata = { count: 1n, ratio: Number.NaN, at: new Date(0) };
  await storage.saveMessages({ messages: [half, message(2, { text: "And the other?" })] });
  const { messages } = await storage.listMessages({ threadId });
  expect(messages.map(({ content }) => content)).toMatchObject([
    {
      parts: [{ text: "Half: \ud83d" }],
      metadata: { count: "1", ratio: "NaN", at: "1970-01-01T00:00:00.000Z" },
    },
    { parts: [{ text: "And the other?" }] },
  ]);
  const resource = { id: resourceId, workingMemory: "- \udc00", createdAt: at(0), updatedAt: at(0) };
  await storage.saveResource({ resource });
  expect(await storage.getResourceById({ resourceId })).toEqual(resource);
});
