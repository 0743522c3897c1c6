import { describe, expect, test } from "vitest";
import { createPerson } from "./support/program.ts";

async function createNotes() {
  const person = await createPerson();
  const { items } = await person.client.memories.createMany({
    memories: [
      {
        content: "The kettle leaks.\nMaria sent it back.",
        source: "desk",
        agent_id: "bot",
        tags: ["billing"],
        created_at: "2026-11-02T09:30:00Z",
      },
      { content: "Refunds take three days. ", created_at: "2026-11-01T09:30:00Z" },
    ],
    wait: "indexed",
  });
  return { ...person, ids: items.map(({ id }) => id) };
}

describe("engram memories", () => {
  test("lists those that cite a conversation or a message", async () => {
    const { run, client } = await createNotes();
    const { id } = await client.conversations.create();
    const said = { messages: [{ role: "user" as const, content: "The kettle leaks, says Maria." }] };
    const { message_ids } = await client.messages.append(id, said);
    const sources = [{ conversation_id: id, sequence: 1, quote: "leaks" }];
    const memory = await client.memories.create({ content: "A leak.", sources });
    for (const cited of [id, message_ids[0] ?? ""]) {
      const { stdout } = await run(["memories", "list", "--cites", cited, "--json"]);
      expect(JSON.parse(stdout).items).toMatchObject([{ id: memory.id, sources }]);
    }
    const { stdout } = await run(["memories", "list", "--cites", "conv_x", "--json"]);
    expect(JSON.parse(stdout).items).toEqual([]);
  });

  test("lists memories newest first, one per line", async () => {
    const { run, ids } = await createNotes();
    const { code, stdout } = await run(["memories"]);
    expect(code).toBe(0);
    expect(stdout).toBe(
      `ID                        CREATED           TAGS     CONTENT\n` +
        `${ids[0]}  2026-11-02 09:30  billing  The kettle leaks. Maria sent it back.\n` +
        `${ids[1]}  2026-11-01 09:30           Refunds take three days. \n`,
    );
    const oldest = await run(["memories", "list", "--order", "asc", "--limit", "1", "--json"]);
    expect(JSON.parse(oldest.stdout).items).toMatchObject([{ id: ids[1] }]);
  });

  test.for([
    ["--agent", "bot", 1],
    ["--agent", "other", 0],
    ["--source", "desk", 1],
    ["--source", "elsewhere", 0],
    ["--tag", "billing", 1],
    ["--tag", "other", 0],
    ["--after", "2026-11-02", 1],
    ["--before", "2026-11-02", 0],
  ] as const)("list and search filter by %s %s", async ([flag, value, found]) => {
    const { run, ids } = await createNotes();
    const search = ["memories", "search", "--mode", "keyword", "kettle", "--json"];
    const { results } = JSON.parse((await run([...search, flag, value])).stdout);
    expect(results.map((result: { memory: { id: string } }) => result.memory.id)).toEqual(
      ids.slice(0, found),
    );
    const { items } = JSON.parse((await run(["memories", "--json", flag, value])).stdout);
    expect(items.some(({ id }: { id: string }) => id === ids[0])).toBe(found === 1);
  });

  test("search leaves out results that contain the words of `--exclude`", async () => {
    const { run } = await createNotes();
    const search = ["memories", "search", "--mode", "keyword", "kettle", "--json"];
    expect(JSON.parse((await run(search)).stdout).results).toHaveLength(1);
    expect(JSON.parse((await run([...search, "--exclude", "leaking"])).stdout).results).toEqual([]);
  });

  test("prints a memory exactly as it was captured", async () => {
    const { run, ids } = await createNotes();
    const id = ids[1] ?? "";
    expect((await run(["memories", "get", id])).stdout).toBe("Refunds take three days. ");
    expect(JSON.parse((await run(["memories", "get", id, "--json"])).stdout)).toMatchObject({
      id,
      source: null,
      chunks: [{ ordinal: 0 }],
    });
  });

  test("search prints each result's id, time, source and matching part", async () => {
    const { run, ids } = await createNotes();
    const { stdout } = await run(["memories", "search", "--mode", "keyword", "leaking", "kettle"]);
    expect(stdout).toMatch(
      new RegExp(
        `^1\\. 2026-11-02 09:30 {2}${ids[0]} {2}relevance \\d\\.\\d\\d {2}desk #billing\\n {3}The kettle leaks\\.`,
      ),
    );
    const nothing = await run(["memories", "search", "--mode", "keyword", "submarine"]);
    expect(nothing).toMatchObject({ code: 0, stdout: "", stderr: "No results.\n" });
  });

  test("deletes nothing without confirmation when there is no terminal", async () => {
    const { run, client, ids } = await createNotes();
    const id = ids[0] ?? "";
    expect(await run(["memories", "delete", id])).toMatchObject({ code: 2, stdout: "" });
    expect(await client.memories.get(id)).toMatchObject({ id });
    expect(await run(["memories", "delete", id, "--yes"])).toMatchObject({ code: 0 });
    await expect(client.memories.get(id)).rejects.toMatchObject({ code: "not_found" });
  });
});
