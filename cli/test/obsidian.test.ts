import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Memory } from "@engram/sdk";
import { describe, expect, test } from "vitest";
import { readNote } from "../src/importers/obsidian.ts";
import { createPerson, type Person } from "./support/program.ts";

const MODIFIED = new Date("2025-06-01T08:00:00Z");
const read = (text: string) => readNote(text, { vault: "Vault", path: "a.md" }, MODIFIED.getTime());

/** The files of the test vault by path; a Buffer for a file that is not text. */
const VAULT: Record<string, string | Buffer> = {
  "Inbox.md": "Buy a kettle. #shopping [[Order 1029|the order]] ![[photo.png]]",
  "Projects/Ärger & Öl/日記 ☕.md":
    "---\ntags: [diary, '#coffee']\ncreated: 2024-05-01\nstatus: open\n---\n# Title\n\n#tagged line\n",
  "Projects/crlf.md": "---\r\ntags: work, home\r\ndate: 2023-02-03T04:05:06Z\r\n---\r\nbody\r\n",
  "Projects/broken.md": "---\ntags: [open\n: :\n---\nstill a note",
  "copy one.md": "the same words",
  "copy two.md": "the same words",
  "empty.md": "",
  "film.md": Buffer.from([0, 1, 2, 3]),
  "latin.md": Buffer.from("Gr\xf6\xdfe", "latin1"),
  "picture.png": Buffer.from([0x89, 0x50]),
  ".obsidian/plugins/readme.md": "settings",
  ".trash/gone.md": "thrown away",
};

function write(vault: string, files: Record<string, string | Buffer>): void {
  for (const [path, content] of Object.entries(files)) {
    const file = join(vault, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    utimesSync(file, MODIFIED, MODIFIED);
  }
}

/** A person with this vault, and a function that imports it. */
async function createOwner() {
  const person = await createPerson();
  const vault = join(person.home, "Vault");
  write(vault, VAULT);
  // Following these links would never end.
  symlinkSync(vault, join(vault, "Projects/loop"));
  const bring = async (...args: string[]) => {
    const { code, stdout } = await person.run(["import", "obsidian", vault, "--json", ...args]);
    return { code, ...JSON.parse(stdout) };
  };
  return { ...person, vault, bring };
}

async function byPath({ client }: Pick<Person, "client">): Promise<Map<unknown, Memory>> {
  const memories = await client.memories.list().toArray({ max: 5_000 });
  return new Map(memories.map((memory) => [memory.metadata.path, memory]));
}

describe("an Obsidian note", () => {
  test.for([
    ["plain", "no front matter"],
    ["a byte order mark and Windows line endings", "\uFEFF---\r\ntags: a\r\n---\r\nb\r\n"],
    ["links of every kind", "[[a|b]] ![[c.png]] [d](e.md) ^block"],
  ])("is stored exactly as the file has it: %s", ([, text = ""]) => {
    expect(read(text).memory.content).toBe(text);
  });

  test.for([
    ["a list", "---\ntags: [a, '#b/c', 2024]\n---\n", ["a", "b/c", "2024"]],
    ["a block list with Windows line endings", "---\r\ntags:\r\n  - a\r\n  - b\r\n---\r\n", ["a", "b"]],
    ["a text with commas", "---\ntags: a, b\n---\n", ["a", "b"]],
    ["a text with spaces", "---\ntag: 'a #b'\n---\n", ["a", "b"]],
    ["the text, once", "---\ntags: [a]\n---\n#a then #b/c-d, and\t#größe", ["a", "b/c-d", "größe"]],
    ["no heading, number, link or colour", "# h\n#1 x#y http://z/#w (#v) ##u", undefined],
    ["no code", "`#a` \n```sh\n#b\n~~~\n```\n#c\n> ~~~~\n> #d\n> ~~~~~\n#e\n```\n#f", ["c", "e"]],
    ["nothing", "---\ntags:\n---\n", undefined],
  ] as const)("has tags of %s", ([, text, tags]) => {
    expect(read(text).memory.tags).toEqual(tags);
  });

  test("has its front matter, except tags, and its path as metadata", () => {
    const { memory, flaws } = read(
      "---\nstatus: open\npriority: 2\npath: mine\ntags: a\ndue: 2024-05-01\n---\n",
    );
    expect(memory.metadata).toEqual({
      status: "open",
      priority: 2,
      due: "2024-05-01",
      vault: "Vault",
      path: "a.md",
    });
    expect(flaws).toEqual([]);
  });

  test.for([
    ["created: 2024-05-01", "2024-05-01T00:00:00.000Z"],
    ["date: 2024-05-01T10:00:00+02:00", "2024-05-01T08:00:00.000Z"],
    ["created: one day\ndate: 2024-05-01", "2024-05-01T00:00:00.000Z"],
    ["created: 3", MODIFIED.toISOString()],
    ["title: none", MODIFIED.toISOString()],
  ])("is dated by its front matter, or else by the file's modification time: %s", ([yaml, at]) => {
    expect(read(`---\n${yaml}\n---\n`).memory.created_at).toBe(at);
  });

  test.for([
    ["is broken", "---\na: [\n---\n", "front matter that is not valid YAML"],
    ["refers to an unknown alias", "---\na: *b\n---\n", "front matter that is not valid YAML"],
    [
      "is larger than metadata",
      `---\na: ${"x".repeat(17_000)}\n---\n`,
      "front matter that metadata cannot hold",
    ],
    ["contains itself", "---\na: &a [*a]\n---\n", "front matter that metadata cannot hold"],
    [
      "has a number that cannot be stored exactly",
      "---\na: 12345678901234567890\n---\n",
      "front matter that metadata cannot hold",
    ],
  ])("is stored whole, with a report, if its front matter %s", ([, text = "", flaw]) => {
    const { memory, flaws } = read(text);
    expect(memory).toMatchObject({ content: text, metadata: { vault: "Vault", path: "a.md" } });
    expect(Object.keys(memory.metadata)).toEqual(["vault", "path"]);
    expect(flaws).toEqual([flaw]);
  });

  test("that begins with a horizontal rule has no front matter", () => {
    const { memory, flaws } = read("---\nprose between\n---\nrules #a");
    expect(memory).toMatchObject({ tags: ["a"], metadata: { path: "a.md" } });
    expect(flaws).toEqual([]);
  });
});

describe("engram import obsidian", () => {
  test("stores every note of a vault, and nothing when it is repeated", async () => {
    const owner = await createOwner();
    expect(await owner.bring()).toEqual({
      code: 0,
      dry_run: false,
      read: { notes: 6 },
      stored: { notes: { created: 5, updated: 0, existing: 1 } },
      sent_before: 0,
      left_out: expect.arrayContaining([
        { type: "note", reason: "is empty", count: 1, places: ["empty.md"] },
        { type: "note", reason: "is binary", count: 1, places: ["film.md"] },
        { type: "note", reason: "is not valid UTF-8", count: 1, places: ["latin.md"] },
      ]),
      not_understood: [
        {
          type: "note",
          reason: "front matter that is not valid YAML; kept in the text",
          count: 1,
          places: ["Projects/broken.md"],
        },
      ],
      refused: [],
      forgotten: [],
    });
    // The text model writes a summary after the import.
    await expect
      .poll(async () => (await byPath(owner)).get("Projects/crlf.md")?.enriched_by)
      .toEqual(expect.any(String));
    const held = await byPath(owner);
    expect(held.get("Projects/crlf.md")?.summary).toBe("body");
    expect([...held.keys()].sort()).toEqual([
      "Inbox.md",
      "Projects/broken.md",
      "Projects/crlf.md",
      "Projects/Ärger & Öl/日記 ☕.md",
      "copy one.md",
    ]);
    for (const [path, { content }] of held) expect(content).toBe(VAULT[String(path)]);
    expect(held.get("Projects/Ärger & Öl/日記 ☕.md")).toMatchObject({
      tags: ["diary", "coffee", "tagged"],
      metadata: { status: "open", vault: "Vault" },
      created_at: "2024-05-01T00:00:00.000Z",
      source: "obsidian",
    });
    expect(held.get("Inbox.md")).toMatchObject({ tags: ["shopping"], created_at: MODIFIED.toISOString() });
    const again = await owner.bring();
    expect(again.stored).toEqual({ notes: { created: 0, updated: 0, existing: 6 } });
    expect((await byPath(owner)).get("Projects/crlf.md")).toEqual(held.get("Projects/crlf.md"));
  });

  test("updates the memory of a note whose text has changed", async () => {
    const owner = await createOwner();
    await owner.bring();
    const before = (await byPath(owner)).get("Projects/crlf.md");
    write(owner.vault, { "Projects/crlf.md": "---\nstatus: done\n---\nnew body" });
    expect((await owner.bring()).stored).toEqual({ notes: { created: 0, updated: 1, existing: 5 } });
    const held = await byPath(owner);
    expect(held.size).toBe(5);
    expect(held.get("Projects/crlf.md")).toMatchObject({
      id: before?.id,
      content: "---\nstatus: done\n---\nnew body",
      metadata: { status: "done", vault: "Vault", path: "Projects/crlf.md" },
      tags: [],
      created_at: before?.created_at,
    });
  });

  test("recognizes a moved note, and keeps the memory of a deleted one", async () => {
    const owner = await createOwner();
    await owner.bring();
    const before = (await byPath(owner)).get("Inbox.md");
    renameSync(join(owner.vault, "Inbox.md"), join(owner.vault, "Projects/Kettle.md"));
    rmSync(join(owner.vault, "Projects/broken.md"));
    expect((await owner.bring()).stored).toEqual({ notes: { created: 0, updated: 1, existing: 4 } });
    const held = await byPath(owner);
    expect(held.get("Projects/Kettle.md")?.id).toBe(before?.id);
    expect(held.has("Inbox.md")).toBe(false);
    expect(held.has("Projects/broken.md")).toBe(true);
  });

  // Stored before the first note is changed, the second would count as existing.
  test("keeps the content of a note when another note with the same content is changed", async () => {
    const owner = await createOwner();
    await owner.bring();
    write(owner.vault, { "copy one.md": "other words", "a copy.md": "the same words" });
    rmSync(join(owner.vault, "copy two.md"));
    expect((await owner.bring()).stored).toEqual({ notes: { created: 1, updated: 1, existing: 4 } });
    const held = await byPath(owner);
    expect(held.get("a copy.md")?.content).toBe("the same words");
    expect(held.get("copy one.md")?.content).toBe("other words");
  });

  test("leaves out a change that would make a note equal to another, and continues", async () => {
    const owner = await createOwner();
    await owner.bring();
    write(owner.vault, { "Inbox.md": "the same words", "z.md": "new" });
    const { code, stored, left_out } = await owner.bring();
    expect(code).toBe(0);
    expect(stored).toEqual({ notes: { created: 1, updated: 0, existing: 5 } });
    expect(left_out).toContainEqual({
      type: "note",
      reason: "change to the content of another memory",
      count: 1,
      places: ["Inbox.md"],
    });
  });

  test("does not mistake a note of another vault for its own", async () => {
    const owner = await createOwner();
    await owner.bring();
    const other = join(owner.home, "Other");
    write(other, { "Inbox.md": "another inbox" });
    const { stdout } = await owner.run(["import", "obsidian", other, "--json"]);
    expect(JSON.parse(stdout).stored).toEqual({ notes: { created: 1, updated: 0, existing: 0 } });
    const contents = (await owner.client.memories.list().toArray({ max: 100 })).map(({ content }) => content);
    expect(contents).toContain("another inbox");
    expect(contents).toContain(VAULT["Inbox.md"]);
  });

  test("refuses another vault of the same name until the user names it", async () => {
    const owner = await createOwner();
    await owner.bring();
    const other = join(owner.home, "work", "Vault");
    // A note that every vault starts with.
    const shared = { "copy one.md": VAULT["copy one.md"] ?? "" };
    write(other, {
      ...shared,
      "Inbox.md": "another inbox",
      "Projects/crlf.md": "another",
      "new.md": "another note",
    });
    const refused = await owner.run(["import", "obsidian", other, "--json"]);
    expect(refused.code).toBe(1);
    expect(refused.stderr + refused.stdout).toMatch(/A vault .*Vault.* --vault/);
    expect((await byPath(owner)).get("Inbox.md")?.content).toBe(VAULT["Inbox.md"]);
    const named = await owner.run(["import", "obsidian", other, "--vault", "work", "--json"]);
    expect(JSON.parse(named.stdout).stored.notes).toMatchObject({ created: 3, updated: 0 });
    // With --vault it is the same vault, although every file has changed.
    const same = await owner.run(["import", "obsidian", other, "--vault", "Vault", "--json"]);
    expect(JSON.parse(same.stdout).stored.notes).toMatchObject({ updated: expect.any(Number) });
    const chats = await owner.run(["import", "chatgpt", other, "--vault", "work"]);
    expect(chats.code).toBe(2);
  });

  test("adds only the new notes of a vault with more notes than a page", async () => {
    const owner = await createPerson();
    const vault = join(owner.home, "Large");
    const notes = (from: number, to: number) =>
      Object.fromEntries(Array.from({ length: to - from }, (_, i) => [`${from + i}.md`, `note ${from + i}`]));
    write(vault, notes(0, 120));
    const stored = async () =>
      JSON.parse((await owner.run(["import", "obsidian", vault, "--json"])).stdout).stored.notes;
    expect(await stored()).toEqual({ created: 120, updated: 0, existing: 0 });
    write(vault, notes(120, 150));
    expect(await stored()).toEqual({ created: 30, updated: 0, existing: 120 });
  });

  test("prints a summary, and with --dry-run sends nothing and needs no key", async () => {
    const { run, vault, client } = await createOwner();
    const { code, stdout } = await run(["import", "obsidian", vault, "--dry-run"], {
      env: { ENGRAM_API_KEY: "", ENGRAM_URL: "http://127.0.0.1:2" },
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^ +read\nnotes +6\nleft out +\d+\nnot understood +1\n[\s\S]*\nLeft out:\n {2}1 × /,
    );
    expect(await client.memories.list().toArray({ max: 1 })).toEqual([]);
    expect((await run(["import", "obsidian", vault])).stdout).toMatch(
      /^ +read +stored +updated +existing\nnotes +6 +5 +0 +1\n[\s\S]*\nLeft out:\n/,
    );
  });

  test("needs a directory with notes, and only the scopes `read` and `write`", async () => {
    const { run, client, vault, home } = await createOwner();
    expect(await run(["import", "obsidian", join(vault, "Inbox.md")])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("is not a directory"),
    });
    mkdirSync(join(home, "bare"));
    expect(await run(["import", "obsidian", join(home, "bare")])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("contains no notes"),
    });
    const { secret } = await client.keys.create({ name: "writer", scopes: ["read", "write"] });
    expect(await run(["import", "obsidian", vault], { env: { ENGRAM_API_KEY: secret } })).toMatchObject({
      code: 0,
    });
  });
});
