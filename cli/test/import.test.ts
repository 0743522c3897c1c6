import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expiresAt } from "../../sdk/src/adapters/expiry.ts";
import { FORMATS } from "../src/importers/formats.ts";
import { timeSpan } from "../src/options.ts";
import { checkFormat } from "../src/recognized-path.ts";
import { findSources } from "../src/sources.ts";
import { fixture, holdings } from "./support/importing.ts";
import { writeLargeExport } from "./support/large-export.ts";
import { createPerson } from "./support/program.ts";

const chatgpt = ["import", "chatgpt", fixture("chatgpt.json")];

describe("engram import", () => {
  test.for([
    ["chatgpt", "chatgpt.json", 6, 18, 0, "2023-11-09T21:20:01.750Z"],
    ["claude", "claude.json", 4, 9, 0, "2024-03-02T10:00:01.000Z"],
    ["claude-code", "0d9f2c1e-1111-4222-8333-444455556666.jsonl", 2, 11, 0, "2025-12-03T11:02:02.744Z"],
    ["codex", "rollout-2025-12-08T00-39-00-0199.jsonl", 1, 9, 0, "2025-12-08T00:39:03.102Z"],
    ["codex", "rollout-2025-05-01T08-00-00-old.jsonl", 1, 2, 0, "2025-05-01T08:00:00.000Z"],
    ["mem0", "mem0.json", 0, 0, 3, "2024-07-26T08:22:01.052Z"],
  ] as const)(
    "stores all of %s %s with the original times, and nothing when it is repeated, also from standard input",
    async ([format, file, conversations, messages, memories, saidAt]) => {
      const path = fixture(file);
      for (const [from, input] of [
        [path, ""],
        ["-", readFileSync(path, "utf8")],
      ] as const) {
        const person = await createPerson();
        const bring = async () => {
          const { code, stdout, stderr } = await person.run(["import", format, from, "--json"], { input });
          expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
          return JSON.parse(stdout);
        };
        const stored = (isNew: boolean) => {
          const of = (n: number) => (isNew ? { created: n, existing: 0 } : { created: 0, existing: n });
          return {
            ...{ conversations: of(conversations), messages: of(messages), memories: of(memories) },
            memory_versions: of(0),
            recalls: of(0),
          };
        };
        const read = { conversations, messages, memories };
        expect(await bring()).toMatchObject({ dry_run: false, read, stored: stored(true), refused: [] });
        const held = await holdings(person);
        expect(held.size).toBe(conversations + messages + memories);
        expect((await bring()).stored).toEqual(stored(false));
        expect(await holdings(person)).toEqual(held);
        const lines = [...held.values()] as { type: string; created_at: string }[];
        const times = lines.flatMap(({ type, created_at }) => (type === "conversation" ? [] : [created_at]));
        expect(times).toContain(saidAt);
        // Only one of the mem0 memories has no time. It gets the time of the import, not 1970.
        const before = new Date(Date.now() - 3_600_000).toISOString();
        expect(times.filter((time) => time > before)).toHaveLength(format === "mem0" ? 1 : 0);
        expect(times.filter((time) => time.startsWith("1970"))).toEqual([]);
      }
    },
  );

  test("gives a chat without times the time of its first import, and recognizes it when it is imported again", async () => {
    const person = await createPerson();
    const file = join(person.home, "conversations.json");
    const message = { author: { role: "user" }, content: { content_type: "text", parts: ["hello"] } };
    const chat = { conversation_id: "c", mapping: { u: { id: "u", message } } };
    writeFileSync(file, JSON.stringify([chat]));
    const from = new Date().toISOString();
    for (const existing of [0, 1]) {
      const { code, stdout } = await person.run(["import", "chatgpt", file, "--json"]);
      expect(code).toBe(0);
      expect(JSON.parse(stdout).stored.messages).toEqual({ created: 1 - existing, existing });
    }
    for (const line of (await holdings(person)).values())
      expect((line as { created_at: string }).created_at >= from).toBe(true);
  });

  test("stores a lone surrogate of an NDJSON file as JSON text", async () => {
    const [from, to] = [await createPerson(), await createPerson()];
    const { id } = await from.client.conversations.create({});
    await from.client.messages.append(id, { messages: [{ role: "user", content: "cut here" }] });
    await from.client.memories.create({ content: "cut here", tags: [], summary: "" });
    const { stdout: text } = await from.run(["export"]);
    const file = join(to.home, "backup.ndjson");
    writeFileSync(file, `\ufeff${text.replaceAll("cut here", "cut \\ud83d")}`);
    const { code, stdout } = await to.run(["import", "ndjson", file, "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ refused: [], not_understood: [] });
    expect(code).toBe(0);
    const parts = { json: '{"content":"cut \\ud83d"}' };
    expect([...(await holdings(to)).values()].slice(1)).toMatchObject([
      { content: "cut \ufffd", parts },
      { content: "cut \ufffd", parts },
    ]);
  });

  test("finds sessions in the default directories of Claude Code and Codex", async () => {
    const { run, home } = await createPerson();
    cpSync(
      fixture("0d9f2c1e-1111-4222-8333-444455556666.jsonl"),
      join(home, ".claude/projects/-home-ann/s.jsonl"),
    );
    cpSync(
      fixture("rollout-2025-12-08T00-39-00-0199.jsonl"),
      join(home, ".codex/sessions/2025/12/08/rollout-2025-12-08T00-39-00-0199.jsonl"),
    );
    for (const [format, conversations] of [
      ["claude-code", 2],
      ["codex", 1],
    ] as const) {
      const { stdout } = await run(["import", format, "--dry-run", "--json"]);
      expect(JSON.parse(stdout).read.conversations).toBe(conversations);
    }
  });

  test("prints what was stored, and what was left out with its place", async () => {
    const { run } = await createPerson();
    const { code, stdout, stderr } = await run(chatgpt);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(
      /^ +read +stored +existing\nconversations +6 +6 +0\nmessages +18 +18 +0\nleft out +6\nnot understood +3\nrejected +0\nLeft out:\n/,
    );
    expect(stdout).toMatch(/Left out:\n {2}2 × .*\n {6}.*conversation \d/);
    expect(stdout).toMatch(/Not understood:\n {2}1 × [\s\S]*\n {2}1 × message: the role "critic"\n/);
  });

  test("stores only the new messages of a longer export", async () => {
    const person = await createPerson();
    const file = join(person.home, "conversations.json");
    const counts = async (messages: number) => {
      await writeLargeExport(file, { messages, messageCharacters: 20 });
      return JSON.parse((await person.run(["import", "chatgpt", file, "--json"])).stdout).stored.messages;
    };
    expect(await counts(20)).toEqual({ created: 20, existing: 0 });
    expect(await counts(50)).toEqual({ created: 30, existing: 20 });
  });

  test("with --dry-run sends nothing, and needs no key", async () => {
    const person = await createPerson();
    const { code, stdout } = await person.run([...chatgpt, "--dry-run", "--json"], {
      env: { ENGRAM_API_KEY: "", ENGRAM_URL: "http://127.0.0.1:2" },
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      dry_run: true,
      read: { conversations: 6, messages: 18 },
      stored: null,
    });
    expect((await holdings(person)).size).toBe(0);
  });

  test("reads only the files of a directory that belong to the export", async () => {
    const { run, home } = await createPerson();
    await writeLargeExport(join(home, "conversations-000.json"), { messages: 20, messageCharacters: 20 });
    await writeLargeExport(join(home, "conversations-001.json"), { messages: 30, messageCharacters: 20 });
    writeFileSync(join(home, "user.json"), "{}");
    const { stdout } = await run(["import", "chatgpt", home, "--dry-run", "--json"]);
    expect(JSON.parse(stdout).read.messages).toBe(50);
  });

  // As archivers write it: compressed, inside a directory, next to unrelated files.
  test("reads a zipped export as it was downloaded", async () => {
    const { run, home } = await createPerson();
    const { code, stdout, stderr } = await run(["import", "chatgpt", fixture("chatgpt.zip"), "--json"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const { stored, left_out } = JSON.parse(stdout);
    expect(stored.messages).toEqual({ created: 18, existing: 0 });
    expect(left_out[0].places[0]).toMatch(/^export\/conversations\.json, conversation 1/);
    writeFileSync(join(home, "broken.zip"), "PK");
    const broken = await run(["import", "chatgpt", join(home, "broken.zip")]);
    expect(broken).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("cannot be read as a zip file"),
    });
  });

  test("restores what `engram export` wrote, and reports the lines that the service rejects", async () => {
    const [from, to] = [await createPerson(), await createPerson()];
    const { id } = await from.client.conversations.create({ title: "Order 1029" });
    await from.client.messages.append(id, { messages: [{ role: "user", content: "hello\u2028\u0000" }] });
    const held = await holdings(from);
    const lines = [...held.values()].map((line) => JSON.stringify(line));
    const orphan = { ...([...held.values()][1] as object), id: "msg_00000000000000000001", sequence: 1 };
    const file = join(to.home, "backup.ndjson");
    writeFileSync(
      file,
      [...lines, "", "{", '{"type":"end"}', JSON.stringify(orphan), '{"type":"what"}'].join("\r\n"),
    );
    const { code, stdout } = await to.run(["import", "ndjson", file, "--json"]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      stored: { messages: { created: 1 } },
      not_understood: [
        { type: "line", reason: "not JSON", places: [`${file}:4`] },
        { type: 'line "what"', reason: "not part of an export", places: [`${file}:7`] },
      ],
      refused: [
        {
          reason: "Another message of the conversation has this sequence number. (import_conflict)",
          count: 1,
          places: [`${file}:6`],
        },
      ],
    });
    expect(await holdings(to)).toEqual(held);
  });

  test("restores memories, and reports a memory whose content is stored already", async () => {
    const [from, to] = [await createPerson(), await createPerson()];
    for (const content of ["one", "two"]) {
      await from.client.memories.create({ content, tags: [], summary: "" });
    }
    await to.client.memories.create({ content: "two" });
    const file = join(to.home, "backup.ndjson");
    await from.run(["export", file]);
    const { code, stdout } = await to.run(["import", "ndjson", file]);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /memories +2 +1 +0\n[\s\S]*\nRejected by the service:\n {2}1 × memory: The agent and user already have this memory, as mem_\w+\. \(import_conflict\)\n {6}\S+:2\n$/,
    );
  });

  const files = {
    chatgpt: fixture("chatgpt.json"),
    claude: fixture("claude.json"),
    "claude-code": fixture("0d9f2c1e-1111-4222-8333-444455556666.jsonl"),
    codex: fixture("rollout-2025-12-08T00-39-00-0199.jsonl"),
    mem0: fixture("mem0.json"),
  };

  test.for([
    ...Object.entries(files),
    ["codex", fixture("rollout-2025-05-01T08-00-00-old.jsonl")],
    ["chatgpt", fixture("chatgpt.zip")],
  ] as const)("recognizes %s by the file's content: %s", async ([format, file]) => {
    const { sources } = await findSources(file, FORMATS.get(format)?.files ?? /./);
    for (const wanted of FORMATS.keys()) {
      const checked = checkFormat(wanted, file, sources);
      if (wanted === format) await checked;
      else await expect(checked).rejects.toThrow(`It looks like ${format}: engram import ${format} ${file}`);
    }
  });

  test.for([
    [["chatgpt"], "", 2, "Name the file"],
    [["word", "x"], "", 2, "Allowed choices"],
    [["chatgpt", "/nowhere.json"], "", 1, "/nowhere.json not found"],
    [["ndjson", fixture("")], "", 1, "It looks like chatgpt"],
    [["chatgpt", join(import.meta.dirname, "support")], "", 1, "contains no file of this format"],
    [["chatgpt", join(import.meta.dirname, "../package.json")], "", 1, "contains no conversation"],
    [["chatgpt", files.claude], "", 1, "the format chatgpt. It looks like claude: engram import claude "],
    [["obsidian", files.mem0], "", 1, "the format obsidian. It looks like mem0: engram import mem0 "],
    [["chatgpt", "-"], "[]", 1, "Standard input contains no conversation."],
    [["codex", "-"], readFileSync(files.mem0, "utf8"), 1, "It looks like mem0: engram import mem0 -"],
    [["obsidian", "-"], "# A note", 2, "cannot be read from standard input"],
  ] as const)(
    "refuses to import %j, gives the reason, and sends nothing",
    async ([args, input, code, says]) => {
      const person = await createPerson();
      const ran = await person.run(["import", ...args], { input });
      expect(ran).toMatchObject({ code, stdout: "", stderr: expect.stringContaining(says) });
      expect((await holdings(person)).size).toBe(0);
    },
  );

  test("recognizes the format of its own export and of an Obsidian vault", async () => {
    const { run, home, client } = await createPerson();
    await client.conversations.create({ title: "Order 1029" });
    const file = join(home, "backup.ndjson");
    await run(["export", file]);
    expect((await run(["import", "codex", file])).stderr).toContain(
      "It looks like ndjson: engram import ndjson",
    );
    const vault = join(home, "Notes");
    mkdirSync(vault);
    writeFileSync(join(vault, "note.md"), "# A note");
    expect((await run(["import", "claude-code", vault])).stderr).toContain("It looks like obsidian");
  });

  test("fails if nothing in a file has the format, and gives the reason for each item", async () => {
    const { run, home } = await createPerson();
    const file = join(home, "conversations.json");
    writeFileSync(file, '[{"id":1},{"id":2}]');
    for (const options of [[], ["--dry-run"]]) {
      const { code, stdout, stderr } = await run(["import", "chatgpt", file, ...options]);
      expect({ code, stderr }).toEqual({ code: 1, stderr: `Nothing in ${file} has the format chatgpt.\n` });
      expect(stdout).toContain("2 × item: not a conversation");
    }
  });

  test("reports that it needs the scope `admin`", async () => {
    const { run, client } = await createPerson();
    const { secret } = await client.keys.create({ name: "writer", scopes: ["read", "write"] });
    const { code, stderr } = await run(chatgpt, { env: { ENGRAM_API_KEY: secret } });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/scope `admin`[\s\S]*engram doctor/),
    });
  });

  test.for(["3600", "45s", "090d", "0", "0d", "", "-1", "1.5h", "90 d", "1y", "d", "999999999d"])(
    "takes %j as a time span if the adapters of the SDK do",
    (span) => {
      const takes = (check: (span: string) => string) => {
        try {
          check(span);
          return true;
        } catch {
          return false;
        }
      };
      expect(takes(timeSpan)).toBe(takes(expiresAt));
    },
  );
});
