import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createPerson } from "./support/program.ts";

describe("what was deleted with --forget", () => {
  test("is skipped by an import of an earlier export, which says so and exits with 3", async () => {
    const person = await createPerson();
    const { id } = await person.client.memories.create({ content: "Allergic to walnuts." });
    const conversation = await person.client.conversations.create({ title: "Order 1029" });
    await person.client.messages.append(conversation.id, { messages: [{ role: "user", content: "Hello" }] });
    const kept = await person.client.conversations.create({ title: "Kept" });
    const file = join(person.home, "backup.ndjson");
    expect(await person.run(["export", file])).toMatchObject({ code: 0 });
    expect(await person.run(["memories", "delete", id, "--forget", "--yes"])).toMatchObject({ code: 0 });
    const deleted = await person.run(["conversations", "delete", conversation.id, "--forget", "--yes"]);
    expect(deleted).toMatchObject({ code: 0 });
    const json = await person.run(["import", "ndjson", file, "--json"]);
    expect(json.code).toBe(3);
    const { forgotten, refused, stored } = JSON.parse(json.stdout);
    expect(refused).toEqual([]);
    expect(stored).toMatchObject({ conversations: { created: 0, existing: 1 }, memories: { created: 0 } });
    expect(forgotten.map(({ type, count }: { type: string; count: number }) => [type, count]).sort()).toEqual(
      [
        ["conversation", 1],
        ["memory", 1],
        ["message", 1],
      ],
    );
    const { stdout } = await person.run(["import", "ndjson", file]);
    expect(stdout).toMatch(/forgotten +3\n/);
    expect(stdout).toContain("Skipped by the service:");
    const { items } = await person.client.conversations.list().page();
    expect(items.map((item) => item.id)).toEqual([kept.id]);
  });

  test("is skipped by a capture and by an import of notes, which exit with 3", async () => {
    const person = await createPerson();
    const vault = join(person.home, "Vault");
    mkdirSync(vault);
    const file = join(vault, "diet.md");
    writeFileSync(file, "Allergic to walnuts.");
    const first = await person.run(["capture", file, "--json"]);
    const [item] = JSON.parse(first.stdout).items;
    await person.run(["memories", "delete", item.id, "--forget", "--yes"]);
    const captured = await person.run(["capture", file, "--json"]);
    expect([captured.code, JSON.parse(captured.stdout)]).toEqual([
      3,
      {
        items: [{ id: null, created: false, skipped: "forgotten", file }],
        read: { memories: 1 },
        stored: { memories: { created: 0, existing: 0, forgotten: 1 } },
      },
    ]);
    expect((await person.run(["capture", file])).stderr).toContain("1 skipped: deleted with forget");
    const notes = await person.run(["import", "obsidian", vault, "--json"]);
    expect(notes.code).toBe(3);
    expect(JSON.parse(notes.stdout)).toMatchObject({
      stored: { notes: { created: 0, updated: 0, existing: 0 } },
      forgotten: [{ type: "note", count: 1, places: ["diet.md"] }],
    });
    expect(await person.client.memories.list().toArray({ max: 10 })).toEqual([]);
  });
});
