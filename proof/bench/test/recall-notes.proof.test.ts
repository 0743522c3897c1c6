import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { afterEach, describe, expect, test } from "vitest";
import { generateNotes, type Note, type NoteQuery } from "../src/notes/notes.ts";
import { findBelowFloors } from "../src/recall/floors.ts";
import { scoreNotes } from "../src/recall/notes/metrics.ts";
import {
  type NoteAnswer,
  type Notebook,
  type NoteSearch,
  openNotebook,
} from "../src/recall/notes/notebook.ts";
import { runNotes } from "../src/recall/notes/run.ts";
import { createFindByWords } from "../src/recall/notes/words.ts";

const note = (id: string, content: string, some: Partial<Note> = {}): Note => ({
  id,
  content,
  tags: [],
  agent_id: undefined,
  source: "app",
  created_at: "2025-03-04T05:06:00.000Z",
  ...some,
});
const query = (kind: NoteQuery["kind"], text: string, ...relevant: string[]): NoteQuery => ({
  kind,
  query: text,
  filter: {},
  relevant: new Set(relevant),
  answers: [],
});
const small = {
  notes: [
    note("tea", "Tea at seventy degrees"),
    note("milk", "Milk is lukewarm"),
    note("pot", "The pot leaks"),
  ],
  queries: [
    query("word", "Tea at how many degrees?", "tea"),
    query("list", "What is warm?", "tea", "milk"),
    query("unanswered", "Who drinks coffee?"),
    query("unanswered", "Who drinks wine?"),
  ],
};

/** A service without a network, which finds what `find` returns; ids are "mem_" and the id of the note. */
function fakeNotebook(find: (body: NoteSearch) => Partial<NoteAnswer["results"][number]["memory"]>[]) {
  const captured: Note[] = [];
  const searches: NoteSearch[] = [];
  const notebook: Notebook = {
    async capture(notes) {
      captured.push(...notes);
      return notes.map(({ id }) => `mem_${id}`);
    },
    async whenIndexed() {},
    async search(body) {
      searches.push(body);
      const memories = find(body).map(({ id = "", content }) => ({
        id: `mem_${id}`,
        content: content ?? captured.find((one) => one.id === id)?.content ?? "",
      }));
      const relevance = body.query.includes("coffee") ? 0.8 : 0.79;
      return { results: memories.map((memory) => ({ memory, relevance })), degraded: [], pending: 0 };
    },
    async close() {},
  };
  return { notebook, captured, searches };
}

async function run(
  { notebook }: { notebook: Notebook },
  set: { notes: Note[]; queries: NoteQuery[] } = small,
  modes: ["hybrid", ..."keyword"[]] = ["hybrid"],
) {
  const printed: string[] = [];
  const print = (text: string) => void printed.push(text);
  const args = { half: undefined, modes, jsonFile: undefined };
  const { shared } = await runNotes(args, set, notebook, { progress: () => {}, print });
  return { shared, printed: printed.join("\n") };
}

describe("a run over notes", () => {
  test("gives a perfect search 100 everywhere, and one that finds nothing 0", async () => {
    const corpus = generateNotes();
    const answers = new Map(corpus.queries.map((one) => [one.query, [...one.relevant]]));
    const perfect = fakeNotebook((body) => (answers.get(body.query) ?? []).map((id) => ({ id })));
    const { shared } = await run(perfect, corpus);
    for (const { metrics } of [shared, ...Object.values(shared.by_kind)]) {
      expect(new Set(Object.values(metrics))).toEqual(new Set([100]));
    }
    expect(Object.keys(shared.by_kind)).not.toContain("unanswered");
    const nothing = await run(fakeNotebook(() => []));
    expect(new Set(Object.values(nothing.shared.metrics))).toEqual(new Set([0]));
    expect(nothing.shared.relevance.unanswerable).toBe(100);
  });

  test("counts the unanswered by the relevance that they reach, and by nothing else", async () => {
    const { shared, printed } = await run(fakeNotebook(() => [{ id: "pot" }]));
    expect(shared).toMatchObject({ queries: 2, relevance: { unanswerable: 50 } });
    expect(printed).toContain("Of queries that no note answers, 50 % get nothing");
  });

  test("asks with each query's filter, in each mode", async () => {
    const filtered = {
      ...query("tag-filtered", "tea", "tea"),
      filter: { tags_all: ["hot"], agent_id: "cook" },
    };
    const fake = fakeNotebook(() => []);
    await run(fake, { ...small, queries: [filtered] }, ["hybrid", "keyword"]);
    expect(fake.searches).toEqual([
      { query: "tea", mode: "hybrid", limit: 10, tags_all: ["hot"], agent_id: "cook" },
      { query: "tea", mode: "keyword", limit: 10, tags_all: ["hot"], agent_id: "cook" },
    ]);
  });

  test("prints the table with its kinds, compared with keyword search", async () => {
    const { shared, printed } = await run(fakeNotebook(() => [{ id: "milk" }, { id: "tea" }]));
    expect(printed).toMatch(/^hybrid +2 +50\.0 +100\.0 /m);
    expect(printed).toMatch(/^ {2}list +1 +100\.0 /m);
    expect(printed).toMatch(/^words alone \(BM25\) +2 +100\.0 +100\.0 +100\.0 +75\.0 /m);
    expect(shared.words_alone.by_kind).toMatchObject({ word: { queries: 1 }, list: { queries: 1 } });
  });

  test.for([
    ["an answer holds what was not stored", { id: "cup" }, /not stored: mem_cup/],
    ["a note comes back altered", { id: "tea", content: "Tea" }, /tea came back altered/],
  ] as const)("fails when %s", async ([, found, message]) => {
    await expect(run(fakeNotebook(() => [found]))).rejects.toThrow(message);
  });

  test("is held against floors like the other sets", async () => {
    const { shared } = await run(fakeNotebook(() => [{ id: "milk" }]));
    const floors = { notes: { shared: { "success@1": 50, "recall@10": 26, unanswerable: 51 } } };
    expect(findBelowFloors(floors, "notes", { shared })).toEqual([
      "notes, shared: recall@10 is 25.0, below its floor of 26",
      "notes, shared: unanswerable is 50.0, below its floor of 51",
    ]);
  });
});

describe("a notebook", () => {
  interface Asked {
    path: string;
    key: string | undefined;
    body: unknown;
  }
  let stop = async () => {};
  afterEach(() => stop());

  /** Serves what `answer` says; undefined is a 500. */
  async function serve(answer: (asked: Asked, time: number) => unknown) {
    const asked: Asked[] = [];
    const server = createServer(async (request, response) => {
      const body = request.method === "POST" ? await json(request) : undefined;
      const one = { path: request.url ?? "", key: request.headers.authorization, body };
      const said = answer(one, asked.push(one));
      response.statusCode = said === undefined ? 500 : 200;
      response.end(said === undefined ? "out of order" : JSON.stringify(said));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    stop = async () => void (await once(server.close(), "close"));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { asked, open: () => openNotebook({ url, adminToken: undefined, key: "k" }) };
  }
  const empty = { results: [], degraded: [], pending: 0 };

  test("captures a note as it is, without our own id, by the key", async () => {
    const { asked, open } = await serve(({ path }) => ({
      items: path.endsWith("bulk") ? [{ id: "mem_1" }] : [],
    }));
    const notebook = await open();
    expect(await notebook.capture([note("tea", "Tea", { tags: ["hot"], agent_id: "cook" })])).toEqual([
      "mem_1",
    ]);
    expect(asked[1]).toEqual({
      path: "/v1/memories/bulk",
      key: "Bearer k",
      body: {
        memories: [
          {
            content: "Tea",
            tags: ["hot"],
            agent_id: "cook",
            source: "app",
            created_at: "2025-03-04T05:06:00.000Z",
          },
        ],
      },
    });
  });

  test("captures at most a thousand at once, and keeps their order", async () => {
    const { open } = await serve(({ body }) => {
      const { memories = [] } = (body ?? {}) as { memories?: Note[] };
      return { items: memories.map(({ content }) => ({ id: `mem_${content}:${memories.length}` })) };
    });
    const many = Array.from({ length: 1_001 }, (_, place) => note(`n${place}`, String(place)));
    const ids = await (await open()).capture(many);
    expect([ids.length, ids[0], ids[999], ids[1_000]]).toEqual([
      1_001,
      "mem_0:1000",
      "mem_999:1000",
      "mem_1000:1",
    ]);
  });

  test("waits until nothing is pending", async () => {
    const { asked, open } = await serve(({ path }, time) =>
      path.endsWith("search") ? { ...empty, pending: Math.max(0, 4 - time) } : { items: [] },
    );
    const waiting: number[] = [];
    await (await open()).whenIndexed((count) => waiting.push(count));
    expect(waiting).toEqual([2, 1]);
    expect(asked).toHaveLength(4);
  });

  test("of a key whose organization holds memories is refused, and so is an answer that is none", async () => {
    const held = await serve(() => ({ items: [{}] }));
    await expect(held.open()).rejects.toThrow("must be empty");
    await stop();
    const broken = await serve(({ path }) => (path.endsWith("bulk") ? undefined : { items: [] }));
    await expect((await broken.open()).capture(small.notes)).rejects.toThrow(
      /bulk failed with 500: out of order/,
    );
  });
});

describe("the metrics of notes", () => {
  test("look for the first note that answers, and recall for all of them among ten", () => {
    const ids = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"];
    expect(scoreNotes(ids, new Set(["d", "k"]))).toEqual({
      "success@1": 0,
      "success@3": 0,
      "success@5": 1,
      "recall@10": 0.5,
      mrr: 1 / 4,
    });
    expect(scoreNotes(ids, new Set(["c"]))).toMatchObject({ "success@1": 0, "success@3": 1, "recall@10": 1 });
    expect(scoreNotes(ids, new Set(["k"]))).toMatchObject({ "recall@10": 0, mrr: 0 });
  });
});

describe("words alone", () => {
  const notes = [
    note("often", "tea tea and cake"),
    note("a-long", `tea, ${"and so on ".repeat(20)}`),
    note("rare", "the kettle", { tags: ["hot"], agent_id: "cook" }),
    note("hot", "tea in the kitchen", { tags: ["hot", "new"] }),
  ];
  const find = createFindByWords(notes);

  test("put first what says a word more often, in fewer words, and what is rare", () => {
    expect(find("Tea", {}, 10)).toEqual(["often", "hot", "a-long"]);
    expect(find("tea kettle", {}, 1)).toEqual(["rare"]);
    expect(find("coffee", {}, 10)).toEqual([]);
  });

  test("stay within the tags and the agent that are asked for", () => {
    expect(find("tea kettle", { tags_any: ["hot"] }, 10)).toEqual(["rare", "hot"]);
    expect(find("tea kettle", { tags_all: ["hot", "new"] }, 10)).toEqual(["hot"]);
    expect(find("tea kettle", { agent_id: "cook" }, 10)).toEqual(["rare"]);
  });
});
