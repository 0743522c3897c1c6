import { describe, expect, test } from "vitest";
import { importMem0 } from "../src/importers/mem0.ts";
import { fileSource, fixture, jsonSource, readWith } from "./support/importing.ts";

const read = () => readWith(importMem0, fileSource(fixture("mem0.json")));

describe("importing memories of mem0", () => {
  test("keeps each with its owner, its categories and its time", async () => {
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
      { content: "Has no time", created_at: "1970-01-01T00:00:00.000Z" },
    ]);
  });

  // A list of memories begins with the newest: a place in it would not last.
  test("gives a memory the same line wherever it stands", async () => {
    const [one, two] = [
      { id: "1", memory: "one" },
      { id: "2", memory: "two" },
    ];
    const [before, after] = await Promise.all(
      [[one], [two, one]].map((list) => readWith(importMem0, jsonSource(list))),
    );
    expect(after?.memories).toContainEqual(before?.memories[0]);
  });

  test("says what it leaves out, and where", async () => {
    expect((await read()).leftOut).toEqual([
      { reason: "empty memory", place: "file, memory 0c5e" },
      { reason: "memory without an id", place: "file, memory 4" },
    ]);
  });
});
