import { describe, expect, test } from "vitest";
import { createPerson } from "./support/program.ts";

async function createMentions() {
  const person = await createPerson();
  const { id } = await person.client.conversations.create({ user_id: "maria" });
  const messages = ["Mail ana@host.example", "See https://host.example/a", "Ask Ana@host.example"].map(
    (content) => ({ role: "user" as const, content }),
  );
  await person.client.messages.append(id, { messages, wait: "indexed" });
  return { ...person, id };
}

describe("engram entities", () => {
  test("lists each entity with its number of mentions", async () => {
    const { run } = await createMentions();
    const { code, stdout } = await run(["entities"]);
    expect(code).toBe(0);
    expect(stdout.split("\n").map((line) => line.replace(/ent_\w+/, "ent").split(/ {2,}/))).toEqual([
      ["ID", "KIND", "LAST SEEN", "MENTIONS", "VALUE"],
      ["ent", "email", expect.any(String), "2", "Ana@host.example"],
      ["ent", "url", expect.any(String), "1", "https://host.example/a"],
      [""],
    ]);
    const of = async (...args: string[]) =>
      (
        JSON.parse((await run(["entities", "list", "--json", ...args])).stdout) as {
          items: { kind: string }[];
        }
      ).items.map(({ kind }) => kind);
    expect(await of("--kind", "url")).toEqual(["url"]);
    expect(await of("--kind", "url", "--prefix", "https://other")).toEqual([]);
    expect(await of("--limit", "1")).toEqual(["email"]);
    expect(await of("--user", "maria")).toEqual(["email", "url"]);
    expect(await of("--user", "jon")).toEqual([]);
    expect(await of("--agent", "none")).toEqual([]);
  });

  test("lists the mentions of one entity", async () => {
    const { run, client, id } = await createMentions();
    const [entity] = await client.entities.list({ kind: "email" }).toArray({ max: 1 });
    const { stdout } = await run(["entities", "mentions", entity?.id ?? "", "--conversation", id]);
    expect(stdout.split("\n").map((line) => line.trim().split(/ {2,}/))).toEqual([
      ["CONVERSATION", "SEQUENCE", "START", "END", "SAID", "TEXT"],
      [id, "1", "5", "21", expect.any(String), "ana@host.example"],
      [id, "3", "4", "20", expect.any(String), "Ana@host.example"],
      [""],
    ]);
  });

  test("reports that there are no entities", async () => {
    const { run } = await createPerson();
    expect(await run(["entities"])).toEqual({ code: 0, stdout: "", stderr: "No entities found.\n" });
  });
});
