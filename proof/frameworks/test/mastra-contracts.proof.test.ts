/**
 * Further requirements of Mastra for the memory domain, in addition to `mastra.proof.test.ts`. Covers the promises
 * of the conformance suite in its repository (`stores/_test-utils/src/domains/memory`), in our own words.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { EngramMemoryStorage } from "@engram/sdk/mastra";
import { describe, expect, test } from "vitest";
import { client } from "./support/client.ts";
import { at, ids, newThread, STORAGES } from "./support/mastra.ts";

describe.for(STORAGES)("threads stored by %s", ([, open]) => {
  test("a thread has the same times in the results of every method", async () => {
    const storage = open();
    const title = "\"Double\" and 'single' quotes 🎉";
    const { threadId, resourceId } = await newThread(storage);
    const updated = structuredClone(
      await storage.updateThread({ id: threadId, title, metadata: { more: true } }),
    );
    expect(updated).toMatchObject({ title, metadata: { key: "value", more: true }, createdAt: at(0) });
    expect(await storage.getThreadById({ threadId })).toEqual(updated);
    expect((await storage.listThreads({ filter: { resourceId } })).threads).toEqual([updated]);
  });

  test("threads are listed in pages, ordered by time of creation or of the last update", async () => {
    const [storage, resourceId] = [open(), randomUUID()];
    const updated = [5, 1, 4, 2, 3];
    const threads = await Promise.all(
      updated.map((minute, i) => newThread(storage, { resourceId, createdAt: at(i), updatedAt: at(minute) })),
    );
    const order = async (args: object) => {
      const pages = [0, 1, 2].map((page) =>
        storage.listThreads({ filter: { resourceId }, perPage: 2, page, ...args }),
      );
      const listed = (await Promise.all(pages)).flatMap((page) => ids(page.threads));
      return listed.map((id) => threads.findIndex(({ threadId }) => threadId === id));
    };
    expect(await order({ orderBy: { field: "updatedAt", direction: "ASC" } })).toEqual([1, 3, 4, 2, 0]);
    expect(await order({ orderBy: { field: "updatedAt" } })).toEqual([0, 2, 4, 3, 1]);
    expect(await order({ orderBy: { direction: "ASC" } })).toEqual([0, 1, 2, 3, 4]);
    const all = await storage.listThreads({ filter: { resourceId }, perPage: false });
    expect(all).toMatchObject({ total: 5, page: 0, perPage: false, hasMore: false });
    expect(ids(all.threads)).toEqual(threads.map(({ threadId }) => threadId).reverse());
  });

  test("threads are filtered by all given metadata, for every resource", async () => {
    const [storage, category] = [open(), randomUUID()];
    const high = await newThread(storage, { metadata: { category, priority: "high" } });
    await newThread(storage, { metadata: { category, priority: "low" } });
    await newThread(storage, { metadata: { category } });
    const found = async (metadata: object) => {
      const { threads, total } = await storage.listThreads({
        filter: { metadata: { category, ...metadata } },
      });
      return [ids(threads), total];
    };
    expect((await found({}))[1]).toBe(3);
    expect(await found({ priority: "high" })).toEqual([[high.threadId], 1]);
    expect(await found({ priority: "none" })).toEqual([[], 0]);
    const everyone = await storage.listThreads({ perPage: false });
    expect(ids(everyone.threads)).toContain(high.threadId);
  });

  test("a thread has a new update time after each change of its messages", async () => {
    const storage = open();
    const { threadId, message, updatedAtMs } = await newThread(storage);
    const [one, two] = [message(1), message(2)];
    let before = 0;
    const later = async () => {
      const now = await updatedAtMs();
      expect(now).toBeGreaterThan(before);
      before = now;
      await sleep(10);
    };
    await later();
    await storage.saveMessages({ messages: [one, two] });
    await later();
    // Setting fields of the thread must not hide later changes to its messages.
    await storage.updateThread({ id: threadId, title: "Refund" });
    await later();
    await storage.updateMessages({ messages: [{ id: two.id, role: "assistant" }] });
    await later();
    await storage.updateThread({ id: threadId, title: "Done" });
    await later();
    await storage.deleteMessages([two.id]);
    await later();
  });
});

describe.for(STORAGES)("messages stored by %s", ([, open]) => {
  test("a message keeps text that is valid JSON as text", async () => {
    const storage = open();
    const { message, messages } = await newThread(storage);
    const text = JSON.stringify({ format: 2, parts: [], content: "{}" });
    const said = message(1, { content: { format: 2, parts: [{ type: "text", text }], content: text } });
    await storage.saveMessages({ messages: [said] });
    expect(await messages()).toEqual([said]);
  });

  test("messages can be saved as an empty list, and of two with the same id the last is kept", async () => {
    const storage = open();
    const { message, messages } = await newThread(storage);
    expect(await storage.saveMessages({ messages: [] })).toEqual({ messages: [] });
    const first = message(1);
    const last = { ...first, content: { format: 2 as const, parts: [], content: "last" } };
    await storage.saveMessages({ messages: [first, message(2), last] });
    expect((await messages()).map(({ content }) => content.content)).toEqual(["last", undefined]);
  });

  test("messages are all rejected if one of them has no resource", async () => {
    const storage = open();
    const [here, there] = [await newThread(storage), await newThread(storage)];
    const foundling = { ...there.message(2), resourceId: null as never };
    await expect(storage.saveMessages({ messages: [here.message(1), foundling] })).rejects.toThrow();
    expect([...(await here.messages()), ...(await there.messages())]).toEqual([]);
  });

  test("messages of another resource are neither listed nor counted with a resourceId", async () => {
    const storage = open();
    const { threadId, resourceId, message } = await newThread(storage);
    const own = [message(1), message(3), message(5)];
    await storage.saveMessages({ messages: [...own, message(2, { resourceId: randomUUID() })] });
    const listed = await storage.listMessages({ threadId, resourceId, perPage: 2 });
    expect([ids(listed.messages), listed.total]).toEqual([ids(own.slice(0, 2)), 3]);
  });

  test("messages are counted within the given date range only", async () => {
    const storage = open();
    const { threadId, message } = await newThread(storage);
    const messages = Array.from({ length: 10 }, (_, i) => message(i));
    await storage.saveMessages({ messages });
    const filter = { dateRange: { start: at(4) } };
    const listed = await storage.listMessages({ threadId, perPage: 3, page: 1, filter });
    expect(listed).toMatchObject({ total: 6, page: 1, hasMore: false });
    expect(ids(listed.messages)).toEqual(ids(messages.slice(7)));
  });

  test("messages are listed once each, and hasMore considers those that `include` added", async () => {
    const storage = open();
    const { threadId, message } = await newThread(storage);
    const messages = [1, 2, 3, 4, 5].map((minute) => message(minute));
    await storage.saveMessages({ messages });
    const [first, second, third] = ids(messages) as [string, string, string];
    const list = (include: { id: string; withPreviousMessages?: number; withNextMessages?: number }[]) =>
      storage.listMessages({ threadId, perPage: 3, include });
    const some = await list([
      { id: second, withNextMessages: 2 },
      { id: third, withPreviousMessages: 2 },
    ]);
    expect([ids(some.messages), some.total, some.hasMore]).toEqual([ids(messages.slice(0, 4)), 5, true]);
    const all = await list([{ id: first, withNextMessages: 10 }]);
    expect([ids(all.messages), all.total, all.hasMore]).toEqual([ids(messages), 5, false]);
  });

  test("messages of another resource are not included with a resourceId, in any thread", async () => {
    const storage = open();
    const a = await newThread(storage);
    const a2 = await newThread(storage, { resourceId: a.resourceId });
    const b = await newThread(storage);
    const [first, target, last] = [a.message(1), a.message(2), a.message(3)];
    const [elsewhere, foreign] = [a2.message(4), b.message(5)];
    await storage.saveMessages({ messages: [first, target, last, elsewhere, foreign] });
    const window = { id: target.id, withPreviousMessages: 1, withNextMessages: 1 };
    const list = async (
      { threadId, resourceId }: { threadId: string; resourceId?: string },
      more: object = {},
    ) =>
      ids((await storage.listMessages({ threadId, resourceId, include: [{ ...window, ...more }] })).messages);
    expect(await list(b)).toEqual([foreign.id]);
    expect(await list(a2)).toEqual(ids([first, target, last, elsewhere]));
    expect(await list(a2, { threadId: b.threadId })).toEqual(ids([first, target, last, elsewhere]));
    expect(await list({ threadId: b.threadId })).toEqual(ids([first, target, last, foreign]));
    const alone = { threadId: b.threadId, resourceId: b.resourceId, perPage: 0, include: [window] };
    expect((await storage.listMessages(alone)).messages).toEqual([]);
  });

  test("messages are not listed for an empty threadId", async () => {
    const storage = open();
    const { threadId } = await newThread(storage);
    for (const nameless of ["", "   ", [], [threadId, " "]]) {
      await expect(storage.listMessages({ threadId: nameless })).rejects.toThrow(
        "threadId must be a non-empty string",
      );
    }
  });

  test("messages are listed by their ids in order of time, from any thread", async () => {
    const storage = open();
    const [one, two] = [await newThread(storage), await newThread(storage)];
    const messages = [one.message(1), two.message(2), one.message(3), two.message(4)];
    await storage.saveMessages({ messages });
    const { messages: found } = await storage.listMessagesById({ messageIds: ids(messages).reverse() });
    expect(ids(found)).toEqual(ids(messages));
    expect(await storage.listMessagesById({ messageIds: [] })).toEqual({ messages: [] });
  });

  test("a message is updated only in the given fields", async () => {
    const storage = open();
    const { message, messages } = await newThread(storage);
    const plain = message(1);
    const rich = message(2, {
      content: {
        format: 2,
        parts: [{ type: "text", text: "What is in this picture?" }],
        content: "What is in this picture?",
        metadata: { kept: { a: 1 }, replaced: { b: 1, c: 1 } },
      },
    });
    await storage.saveMessages({ messages: structuredClone([plain, rich]) });
    await storage.updateMessages({
      messages: [
        { id: plain.id, role: "assistant", resourceId: undefined },
        { id: rich.id, content: { metadata: { replaced: { b: 2 }, added: true } } as never },
        { id: randomUUID(), role: "assistant" },
      ],
    });
    const metadata = { kept: { a: 1 }, replaced: { b: 2 }, added: true };
    expect(await messages()).toEqual([
      { ...plain, role: "assistant" },
      { ...rich, content: { ...rich.content, metadata } },
    ]);
  });

  test("a message can be moved to another thread, which updates both threads", async () => {
    const storage = open();
    const [from, to] = [await newThread(storage), await newThread(storage)];
    const [moved, kept] = [from.message(1), from.message(2)];
    await storage.saveMessages({ messages: structuredClone([moved, kept, to.message(3)]) });
    const before = [await from.updatedAtMs(), await to.updatedAtMs()] as const;
    await sleep(10);
    await storage.updateMessages({ messages: [{ id: moved.id, threadId: to.threadId }] });
    expect(await from.messages()).toEqual([kept]);
    expect((await to.messages())[0]).toEqual({ ...moved, threadId: to.threadId });
    expect(await from.updatedAtMs()).toBeGreaterThan(before[0]);
    expect(await to.updatedAtMs()).toBeGreaterThan(before[1]);
  });

  test("messages are deleted by id, and unknown ids are ignored", async () => {
    const storage = open();
    const [one, two] = [await newThread(storage), await newThread(storage)];
    const messages = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? one : two).message(i));
    await storage.saveMessages({ messages });
    await storage.deleteMessages([]);
    await storage.deleteMessages([randomUUID()]);
    await Promise.all([
      storage.deleteMessages([...ids(messages.slice(0, 8)), randomUUID()]),
      storage.deleteMessages(ids(messages.slice(4, 12))),
    ]);
    expect(ids(await one.messages())).toEqual(ids(messages.slice(12).filter((_, i) => i % 2 === 0)));
    expect(ids(await two.messages())).toEqual(ids(messages.slice(12).filter((_, i) => i % 2 === 1)));
  });
});

describe.for(STORAGES)("resources stored by %s", ([, open]) => {
  const resource = (more: object = {}) => ({
    ...{ id: randomUUID(), workingMemory: "# Maria", metadata: { key: "value" } },
    ...{ createdAt: at(0), updatedAt: at(0) },
    ...more,
  });

  test.for<[string, object]>([
    ["large working memory", { workingMemory: "A".repeat(10_000) }],
    ["no working memory", { workingMemory: undefined }],
    ["no metadata", { metadata: undefined }],
    ["nested metadata", { metadata: { deep: { list: [1, "a", null, { b: true }] }, none: null } }],
  ])("a resource is returned with %s", async ([, more]) => {
    const [storage, saved] = [open(), resource(more)];
    expect(await storage.saveResource({ resource: structuredClone(saved) })).toEqual(saved);
    expect(await storage.getResourceById({ resourceId: saved.id })).toEqual(saved);
  });

  test("a resource keeps the metadata of all concurrent updates", async () => {
    const [storage, saved] = [open(), resource()];
    await storage.saveResource({ resource: structuredClone(saved) });
    const names = ["a", "b", "c"];
    const update = (name: string) =>
      storage.updateResource({ resourceId: saved.id, workingMemory: name, metadata: { [name]: name } });
    expect(ids(await Promise.all(names.map(update)))).toEqual([saved.id, saved.id, saved.id]);
    const { workingMemory, metadata } = (await storage.getResourceById({ resourceId: saved.id })) ?? {};
    expect(metadata).toEqual({ key: "value", a: "a", b: "b", c: "c" });
    expect(names).toContain(workingMemory);
  });
});

// Features that the documentation lists as not supported.
describe("EngramMemoryStorage, beyond the common contract,", () => {
  test("keeps a message in its thread when another thread's message is saved with the same id", async () => {
    const storage = new EngramMemoryStorage(client);
    const [from, to] = [await newThread(storage), await newThread(storage)];
    const message = from.message(1);
    await storage.saveMessages({ messages: [message] });
    await storage.saveMessages({ messages: [{ ...to.message(2), id: message.id }] });
    expect([ids(await from.messages()), ids(await to.messages())]).toEqual([[message.id], [message.id]]);
  });

  test("rejects moving a thread to another resource and cloning it, and changes nothing", async () => {
    const storage = new EngramMemoryStorage(client);
    const { thread, threadId, message, messages } = await newThread(storage);
    const said = message(1);
    await storage.saveMessages({ messages: [said] });
    const resourceId = randomUUID();
    await expect(storage.updateThreadResourceId({ threadId, resourceId })).rejects.toThrow(
      "another resourceId",
    );
    await expect(storage.cloneThread({ sourceThreadId: threadId, resourceId })).rejects.toThrow(
      "not implemented",
    );
    expect(await storage.getThreadById({ threadId })).toMatchObject({ resourceId: thread.resourceId });
    expect(await messages()).toEqual([said]);
    expect((await storage.listThreads({ filter: { resourceId } })).threads).toEqual([]);
  });
});
