import { describe, expect, test } from "vitest";
import { importMem0 } from "../src/importers/mem0.ts";
import { fileSource, fixture, jsonSource, readWith } from "./support/importing.ts";

const read = () => readWith(importMem0, fileSource(fixture("mem0.json")));

describe("importing memories of mem0", () => {
  test("keeps each with its owner, its categories and its time", async () => {
    const { conversations } = await read();
    expect(conversations).toMatchObject([
      {
        external_id: "mem0:892db2ae",
        title: "Is allergic to walnuts",
        user_id: "ann",
        agent_id: null,
        tags: ["mem0", "food", "health"],
        metadata: { run_id: "r1" },
        messages: [
          {
            role: "user",
            content: "Is allergic to walnuts",
            created_at: "2024-07-26T08:22:01.052Z",
            metadata: { type: "health", source_id: "892db2ae" },
          },
        ],
      },
      { user_id: "ben", agent_id: "travel", tags: ["mem0"] },
      { title: "Has no time", created_at: "1970-01-01T00:00:00.000Z" },
    ]);
  });

  // A list of memories begins with the newest: a place in it would not last.
  test("gives a memory the same lines wherever it stands", async () => {
    const [one, two] = [
      { id: "1", memory: "one" },
      { id: "2", memory: "two" },
    ];
    const [before, after] = await Promise.all(
      [[one], [two, one]].map((list) => readWith(importMem0, jsonSource(list))),
    );
    expect(after?.conversations).toContainEqual(before?.conversations[0]);
  });

  test("says what it leaves out, and where", async () => {
    expect((await read()).leftOut).toEqual([
      { reason: "empty memory", place: "file, memory 0c5e" },
      { reason: "memory without an id", place: "file, memory 4" },
    ]);
  });
});
