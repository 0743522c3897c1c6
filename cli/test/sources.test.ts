import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { decompressorOf } from "../src/compression.ts";
import { fixture, holdings } from "./support/importing.ts";
import { createPerson, type Person, PROGRAM } from "./support/program.ts";
import { type ZipMethod, zipOf } from "./support/zips.ts";

const SESSION = "0d9f2c1e-1111-4222-8333-444455556666.jsonl";
const ROLLOUT = "rollout-2025-12-08T00-39-00-0199.jsonl";
const OLD_ROLLOUT = "rollout-2025-05-01T08-00-00-old.jsonl";
const contentOf = (name: string) => readFileSync(fixture(name));

function write(directory: string, files: Record<string, string | Buffer>): string {
  for (const [name, content] of Object.entries(files)) {
    const file = join(directory, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  return directory;
}

async function bring({ run }: Pick<Person, "run">, args: string[], input?: string) {
  const { code, stdout, stderr } = await run(
    ["import", ...args, "--json"],
    input === undefined ? {} : { input },
  );
  return { code, stderr, ...JSON.parse(stdout || "{}") };
}

/** More than the program reads to recognize the format. */
const LARGE = JSON.stringify(
  Array.from({ length: 400 }, (_, i) => ({
    ...JSON.parse(String(contentOf("chatgpt.json")))[0],
    conversation_id: `c${i}`,
  })),
);

describe("the files of an import", () => {
  test.for<ZipMethod>(["stored", "deflated"])(
    "are read from a zip file in which they are %s",
    async (method) => {
      const person = await createPerson();
      const small = zipOf(
        { "export/conversations.json": contentOf("chatgpt.json"), "chat.html": "" },
        method,
      );
      const large = zipOf({ "conversations.json": LARGE, "empty.json": "" }, method);
      const { home } = { home: write(person.home, { "small.zip": small, "large.zip": large }) };
      expect(await bring(person, ["chatgpt", join(home, "small.zip")])).toMatchObject({
        code: 0,
        read: { conversations: 6, messages: 18 },
        left_out: expect.arrayContaining([
          { type: "file .html", reason: "not a file of this format", count: 1, places: ["chat.html"] },
        ]),
      });
      expect(await bring(person, ["chatgpt", join(home, "large.zip"), "--dry-run"])).toMatchObject({
        code: 0,
        read: { conversations: 400 },
      });
    },
  );

  test("are read if they are compressed, with the same ids, and from zip files in a directory", async () => {
    const [plain, compressed] = [await createPerson(), await createPerson()];
    for (const [format, name] of [
      ["codex", ROLLOUT],
      ["codex", OLD_ROLLOUT],
      ["claude-code", SESSION],
    ] as const)
      await bring(plain, [format, fixture(name)]);
    const sessions = write(join(compressed.home, "sessions"), {
      [`2025/${OLD_ROLLOUT}.zst`]: zstdCompressSync(contentOf(OLD_ROLLOUT)),
      [`2025/${ROLLOUT}.gz`]: gzipSync(contentOf(ROLLOUT)),
    });
    const projects = write(join(compressed.home, "projects"), {
      "-home-ann-shop/old.zip": zipOf({ [`${SESSION}.gz`]: gzipSync(contentOf(SESSION)) }),
    });
    expect(await bring(compressed, ["codex", sessions])).toMatchObject({
      code: 0,
      read: { conversations: 2 },
    });
    expect(await bring(compressed, ["claude-code", projects])).toMatchObject({
      code: 0,
      read: { conversations: 2 },
    });
    expect(await holdings(compressed)).toEqual(await holdings(plain));
  });

  test.for([
    ["gzip", ".gz", gzipSync(contentOf("mem0.json"))],
    ["zstd", ".zst", zstdCompressSync(contentOf("mem0.json"))],
    ["gzip, without its ending", "", gzipSync(contentOf("mem0.json"))],
  ] as const)("may be one that is compressed with %s", async ([, ending, content]) => {
    const person = await createPerson();
    const file = `memories.json${ending}`;
    write(person.home, { [file]: content });
    expect(await bring(person, ["mem0", join(person.home, file)])).toMatchObject({
      code: 0,
      stored: { memories: { created: 3, existing: 0 } },
    });
    expect(await bring(person, ["mem0", fixture("mem0.json")])).toMatchObject({
      stored: { memories: { created: 0, existing: 3 } },
    });
  });

  test("are counted as left out if this version of Node cannot decompress them", () => {
    expect(decompressorOf("zstd", {})).toEqual({
      flaw: "compressed with zstd, which Node before 22.15 cannot read",
    });
  });

  test("are reported if they are not of the format or cannot be read, and the others are imported", async () => {
    const person = await createPerson();
    const whole = gzipSync(contentOf(SESSION));
    const directory = write(join(person.home, "projects"), {
      [`a/${SESSION}`]: contentOf(SESSION),
      "b/cut.jsonl.gz": whole.subarray(0, whole.byteLength / 2),
      "b/notes.md": "# Notes",
      "c/broken.zip": "PK",
      "c/secret.zip": zipOf({ "s.jsonl": "{}" }, "encrypted"),
      "c/nested.zip": zipOf({ "inner.zip": zipOf({ "s.jsonl": "{}" }) }),
      ".hidden": "",
    });
    symlinkSync(directory, join(directory, "loop"));
    const { code, read, left_out, not_understood } = await bring(person, ["claude-code", directory]);
    expect({ code, read }).toMatchObject({ code: 1, read: { conversations: 2 } });
    const files = (list: { type: string }[]) =>
      list.filter(({ type }) => type.startsWith("file") && type !== "file-history-snapshot");
    const once = (type: string, place: string, reason: unknown) => ({
      type,
      reason,
      count: 1,
      places: [place],
    });
    expect(files(left_out)).toEqual(
      expect.arrayContaining([
        once("file .md", "b/notes.md", "not a file of this format"),
        once("file .zip", "c/broken.zip", expect.stringMatching(/^cannot be read as a zip file/)),
        once("file .jsonl", "c/secret.zip/s.jsonl", "encrypted"),
        once("file .zip", "c/nested.zip/inner.zip", "a zip file in a zip file"),
        once("file", "loop", "not a regular file, such as a symbolic link"),
      ]),
    );
    expect(files(left_out)).toHaveLength(5);
    expect(files(not_understood)).toEqual([
      once("file .gz", "b/cut.jsonl", "damaged: it cannot be decompressed to its end"),
    ]);
  });

  test("report a zip file of which no file can be read", async () => {
    const { run, home } = await createPerson();
    write(home, { "secret.zip": zipOf({ "conversations.json": "[]" }, "encrypted") });
    const { code, stdout, stderr } = await run(["import", "chatgpt", join(home, "secret.zip")]);
    expect(code).toBe(1);
    expect(stdout).toContain("1 × file .json: encrypted\n      conversations.json\n");
    expect(stderr).toContain("has the format chatgpt");
  });
});

describe("engram import -", () => {
  test("keeps two sessions apart, whose files would have had different names", async () => {
    const person = await createPerson();
    const line = (sessionId: string) =>
      JSON.stringify({
        ...{ type: "user", uuid: `u-${sessionId}`, sessionId },
        message: { role: "user", content: "hello" },
      });
    for (const id of ["one", "two"])
      expect(await bring(person, ["claude-code", "-"], line(id))).toMatchObject({ code: 0 });
    const conversations = await person.client.conversations.list().toArray({ max: 10 });
    const ids = conversations.map(({ external_id }) => external_id);
    expect(ids.sort()).toEqual(["claude-code:one", "claude-code:two"]);
  });

  test("moves everything from one service to another, compressed or not", async () => {
    const [from, to] = [await createPerson(), await createPerson()];
    await from.client.memories.create({ content: "Refunds go to the card.", tags: [], summary: "" });
    const shell = (command: string) =>
      spawnSync("bash", ["-c", `set -o pipefail; ${command}`, process.execPath, PROGRAM], {
        env: { ...to.env, FROM: from.key },
        encoding: "utf8",
      });
    const moved = shell('ENGRAM_API_KEY=$FROM "$0" "$1" export - | gzip | "$0" "$1" import ndjson - --json');
    expect(moved.status).toBe(0);
    expect(JSON.parse(moved.stdout)).toMatchObject({ stored: { memories: { created: 1 } } });
    expect(await holdings(to)).toEqual(await holdings(from));
    writeFileSync(
      join(to.home, "backup.zip"),
      zipOf({ "backup.ndjson": (await from.run(["export"])).stdout }),
    );
    const zipped = shell('"$0" "$1" import ndjson - --json < "$HOME/backup.zip"');
    expect(JSON.parse(zipped.stdout)).toMatchObject({ stored: { memories: { existing: 1 } } });
    const again = shell('"$0" "$1" import ndjson <(ENGRAM_API_KEY=$FROM "$0" "$1" export) --json');
    expect(JSON.parse(again.stdout)).toMatchObject({ stored: { memories: { existing: 1 } } });
  });
});
