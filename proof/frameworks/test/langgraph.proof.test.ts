import { randomUUID } from "node:crypto";
import { EngramStore } from "@engram/sdk/langchain";
import {
  Annotation,
  type BaseStore,
  END,
  InMemoryStore,
  type LangGraphRunnableConfig,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { describe, expect, test } from "vitest";
import { client } from "./support/client.ts";

const State = Annotation.Root({
  said: Annotation<string>,
  asked: Annotation<string>,
  known: Annotation<unknown>,
  recalled: Annotation<unknown[]>,
});

function given({ store, configurable }: LangGraphRunnableConfig) {
  if (store === undefined) throw new Error("the graph injected no store");
  return { store, namespace: ["guests", String(configurable?.guest)] };
}

/** A graph of two nodes: one stores what was said, the next searches for it. */
function compileWith(store: BaseStore) {
  return new StateGraph(State)
    .addNode("keep", async ({ said }, config) => {
      const { store, namespace } = given(config);
      // In one tick, so that the graph passes them to the store as one batch.
      await Promise.all([
        store.put(namespace, "last", { text: said, in: { graph: [true, null] } }),
        store.put(namespace, randomUUID(), { text: said }),
      ]);
      return {};
    })
    .addNode("recall", async ({ asked }, config) => {
      const { store, namespace } = given(config);
      const [known, found, gone] = await Promise.all([
        store.get(namespace, "last"),
        store.search(namespace, { query: asked, limit: 1 }),
        store.get(namespace, "never"),
      ]);
      return { known: known?.value, recalled: [...found.map(({ value }) => value.text), gone] };
    })
    .addEdge(START, "keep")
    .addEdge("keep", "recall")
    .addEdge("recall", END)
    .compile({ store });
}

// LangGraph's own store must pass too: it defines the expected behavior.
describe.for<[string, () => () => BaseStore]>([
  [
    "InMemoryStore",
    () => {
      const store = new InMemoryStore();
      return () => store;
    },
  ],
  ["EngramStore", () => () => new EngramStore(client)],
])("a LangGraph graph compiled with %s", ([, newDatabase]) => {
  test("a graph gives a node the items of other nodes, also in a later run of a recompiled graph", async () => {
    const open = newDatabase();
    const configurable = { guest: randomUUID() };
    const ask = "Where is the kettle?";
    const first = await compileWith(open()).invoke(
      { said: "The kettle is on the upper shelf.", asked: ask },
      { configurable },
    );
    expect(first).toMatchObject({
      known: { text: "The kettle is on the upper shelf.", in: { graph: [true, null] } },
      recalled: ["The kettle is on the upper shelf.", null],
    });
    const second = await compileWith(open()).invoke(
      { said: "Breakfast is at eight.", asked: ask },
      { configurable },
    );
    expect(second.known).toEqual({ text: "Breakfast is at eight.", in: { graph: [true, null] } });
    const texts = (await open().search(["guests", configurable.guest])).map(({ value }) => value.text);
    expect(texts.sort()).toEqual(
      ["Breakfast is at eight.", "Breakfast is at eight.", "The kettle is on the upper shelf."].sort(),
    );
  });

  test("a graph does not give the nodes of a user's run another user's items", async () => {
    const graph = compileWith(newDatabase()());
    const [maria, jon] = [{ guest: randomUUID() }, { guest: randomUUID() }];
    const run = (said: string, configurable: object) =>
      graph.invoke({ said, asked: "What can I not eat?" }, { configurable });
    const [hers, his] = await Promise.all([
      run("I cannot eat walnuts.", maria),
      run("I cannot eat fish.", jon),
    ]);
    expect([hers.recalled[0], his.recalled[0]]).toEqual(["I cannot eat walnuts.", "I cannot eat fish."]);
  });
});

test("a graph compiled with EngramStore finds items of earlier runs by words and by meaning", async () => {
  const configurable = { guest: randomUUID() };
  const run = (said: string, asked: string) =>
    compileWith(new EngramStore(client)).invoke({ said, asked }, { configurable });
  await run("I'm allergic to walnuts.", "");
  const { recalled } = await run("The tram was late.", "allergic to walnuts");
  expect(recalled[0]).toBe("I'm allergic to walnuts.");
});
