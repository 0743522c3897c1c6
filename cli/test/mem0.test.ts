import { describe, expect, test } from "vitest";
import { UNKNOWN_TIME } from "../src/importers/importer.ts";
import { importMem0 } from "../src/importers/mem0.ts";
import { fileSource, fixture, jsonSource, readWith, textSource } from "./support/importing.ts";

const read = () => readWith(importMem0, fileSource(fixture("mem0.json")));

describe("importing mem0 memories", () => {
  test("keeps each memory's owner, categories and time", async () => {
    const { memories, conversations } = await read();
    expect(conversations).toEqual([]);
    expect(memories).toMatchObject([
      {
        external_id: "mem0:892db2ae",
        content: "Is allergic to walnuts",
        user_id: "ann",
        agent_id: null,
        tags: ["mem0", "food", "health"],
        metadata: { type: "health", run_id: "r1", source_id: "892db2ae" },
        created_at: "2024-07-26T08:22:01.052Z",
      },
      { user_id: "ben", agent_id: "travel", tags: ["mem0"] },
      { content: "Has no time", created_at: UNKNOWN_TIME },
    ]);
  });

  const camel = {
    id: "892db2ae",
    memory: "Is allergic to walnuts",
    hash: "x",
    createdAt: "2024-07-26T08:22:01.052Z",
    updatedAt: "2024-07-27T08:22:01.052Z",
    userId: "maria",
    agentId: "travel",
    runId: "r1",
    metadata: { mealPlan: "vegan" },
    score: 0.4,
  };

  test.for([
    ["the TypeScript client", { results: [camel] }],
    ["several pages", [{ results: [] }, { results: [camel] }]],
  ] as const)("keeps owners, times and metadata under the field names of %s", async ([, file]) => {
    const { memories, notUnderstood } = await readWith(importMem0, jsonSource(file));
    expect(memories).toMatchObject([
      {
        content: "Is allergic to walnuts",
        user_id: "maria",
        agent_id: "travel",
        created_at: "2024-07-26T08:22:01.052Z",
        metadata: { mealPlan: "vegan", run_id: "r1", updated_at: "2024-07-27T08:22:01.052Z" },
      },
    ]);
    expect(Object.keys(memories[0]?.metadata ?? {}).sort()).toEqual([
      "mealPlan",
      "run_id",
      "source_id",
      "updated_at",
    ]);
    expect(notUnderstood).toEqual([]);
  });

  test("reads an OpenMemory export, with times in seconds, and skips deleted memories", async () => {
    const one = { id: "1", content: "one", user_id: "ann", state: "active", created_at: 1_721_982_121 };
    const file = { user: { user_id: "ann" }, memories: [one, { ...one, id: "2", state: "deleted" }] };
    const { memories, leftOut } = await readWith(importMem0, jsonSource(file));
    expect(memories).toMatchObject([{ content: "one", created_at: "2024-07-26T08:22:01.000Z" }]);
    expect(leftOut).toMatchObject([{ reason: "deleted in mem0", place: "file, memory 2" }]);
  });

  test("keeps unknown fields, and reports them", async () => {
    const file = [
      {
        ...camel,
        mood: "calm",
        user_id: "u".repeat(300),
        userId: undefined,
        created_at: "once",
        createdAt: undefined,
      },
    ];
    const { memories, notUnderstood } = await readWith(importMem0, jsonSource(file));
    expect(memories[0]).toMatchObject({
      user_id: null,
      metadata: { mood: "calm", user_id: "u".repeat(300) },
    });
    expect(notUnderstood.map(({ what }) => what)).toEqual([
      "field mood",
      "field user_id",
      "field created_at",
    ]);
  });

  test("stores a lone surrogate as JSON text", async () => {
    const { memories } = await readWith(importMem0, textSource('[{"id":"1","memory":"cut \\ud83d"}]'));
    expect(memories).toMatchObject([{ content: "cut \ufffd", parts: { json: '{"content":"cut \\ud83d"}' } }]);
  });

  // A list of memories starts with the newest, so the place of a memory in it changes.
  test("produces the same line for a memory wherever it is in the file", async () => {
    const [one, two] = [
      { id: "1", memory: "one" },
      { id: "2", memory: "two" },
    ];
    const [before, after] = await Promise.all(
      [[one], [two, one]].map((list) => readWith(importMem0, jsonSource(list))),
    );
    expect(after?.memories).toContainEqual(before?.memories[0]);
  });

  test("reports what it leaves out, with its place", async () => {
    const { leftOut, notUnderstood } = await read();
    expect(leftOut).toEqual([{ what: "memory", reason: "empty", place: "file, memory 0c5e" }]);
    expect(notUnderstood).toEqual([{ what: "memory", reason: "no id", place: "file, memory 4" }]);
  });
});
