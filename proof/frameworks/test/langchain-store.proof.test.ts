import { randomUUID } from "node:crypto";
import { EngramStore } from "@engram/sdk/langchain";
import { AsyncBatchedStore, type BaseStore, InMemoryStore } from "@langchain/langgraph-checkpoint";
import { describe, expect, test } from "vitest";
import { client } from "./support/client.ts";

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
])("%s as a store of LangGraph", ([, open]) => {
  test("an item is returned deep-equal, only under its own key and namespace", async () => {
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

  test("an item can be replaced, and keeps its time of creation", async () => {
    const [store, root] = [open(), randomUUID()];
    await store.put([root], "k", { n: 1 });
    const first = { ...(await store.get([root], "k")) };
    await store.put([root], "k", { m: [2] });
    const second = await store.get([root], "k");
    expect(second).toMatchObject({ value: { m: [2] }, createdAt: first.createdAt });
    expect(second?.value).not.toHaveProperty("n");
    expect(await store.search([root])).toHaveLength(1);
  });

  test("an item can be deleted and stored again, and the deletion of an unknown one is ignored", async () => {
    const [store, root] = [open(), randomUUID()];
    await store.put([root], "k", { n: 1 });
    await store.delete([root], "k");
    await store.delete([root], "k");
    expect(await store.get([root], "k")).toBeNull();
    expect(await store.search([root])).toEqual([]);
    await store.put([root], "k", { n: 2 });
    expect((await store.get([root], "k"))?.value).toEqual({ n: 2 });
  });

  test("a search lists the items under a prefix that match a filter, in pages", async () => {
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

  test("namespaces are listed by prefix, suffix and depth", async () => {
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

  test("a batch runs in order, and its reads see the state before its puts", async () => {
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
    "rejects the namespace %o",
    async ([namespace]) => {
      await expect(open().put(namespace ?? [], "k", {})).rejects.toThrow(/amespace/);
    },
  );
});

describe("EngramStore", () => {
  test("finds items under a prefix by words and by meaning, best first, and applies a filter", async () => {
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

  test("finds an item by its meaning as soon as it is stored, also in a batch", async () => {
    const [store, root] = [new EngramStore(client), randomUUID()];
    const found = async () => {
      const body = { query: "What can she not eat?", tags_all: [`langgraph.${root}`] };
      const { results } = await client.memories.search({ ...body, mode: "semantic" });
      return results.map(({ memory }) => memory.content);
    };
    await store.put([root], "diet", { text: "Allergic to walnuts" });
    expect(await found()).toEqual(["Allergic to walnuts"]);
    expect(await store.search([root], { query: "What can she not eat?" })).toMatchObject([{ key: "diet" }]);
    const rooms = ["a", "b", "c"].map((key) => ({ namespace: [root], key, value: { text: `Room ${key}` } }));
    await store.batch(rooms);
    expect(await found()).toHaveLength(4);
  });

  test("indexes the given fields, or none", async () => {
    const [store, root] = [new EngramStore(client), randomUUID()];
    await store.put([root], "some", { title: "walnuts", note: "pistachios" }, ["title"]);
    await store.put([root], "none", { title: "cashews" }, false);
    const contents = await Promise.all(
      ["some", "none"].map(async (key) => {
        const external_id = `langgraph.${root}..${key}`;
        return (await client.memories.list({ external_id }).page()).items.map(({ content }) => content);
      }),
    );
    expect(contents).toEqual([["walnuts"], [""]]);
  });

  test("keeps the value of one of several concurrent puts", async () => {
    const [store, root] = [new EngramStore(client), randomUUID()];
    await Promise.all([1, 2, 3, 4, 5].map((n) => new EngramStore(client).put([root], "k", { n })));
    expect([1, 2, 3, 4, 5]).toContain((await store.get([root], "k"))?.value.n);
    expect(await store.search([root])).toHaveLength(1);
  });

  test("lists more items than a page contains", async () => {
    const [store, root] = [new EngramStore(client), randomUUID()];
    await store.batch(
      Array.from({ length: 60 }, (_, n) => ({ namespace: [root], key: `k${n}`, value: { n } })),
    );
    const items = await store.search([root], { limit: 100 });
    expect(items.map(({ value }) => value.n).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 60 }, (_, n) => n),
    );
  });

  test("rejects a value that JSON does not support, and stores nothing of the batch", async () => {
    const [store, root] = [new EngramStore(client), randomUUID()];
    const batch = store.batch([
      { namespace: [root], key: "a", value: { n: 1 } },
      { namespace: [root], key: "b", value: { at: new Date(0) } },
    ]);
    await expect(batch).rejects.toThrow("The item.value.at");
    expect(await store.search([root])).toEqual([]);
  });

  // The wrapper that LangGraph puts around a graph's store.
  test("works with LangGraph's AsyncBatchedStore", async () => {
    const root = randomUUID();
    const store = new AsyncBatchedStore(new EngramStore(client));
    await store.start();
    await Promise.all([store.put([root], "a", { n: 1 }), store.put([root], "b", { n: 2 })]);
    const [a, found] = await Promise.all([store.get([root], "a"), store.search([root])]);
    store.stop();
    expect([a?.value, found.length]).toEqual([{ n: 1 }, 2]);
  });
});
