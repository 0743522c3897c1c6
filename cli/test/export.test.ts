import { spawnSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createPerson, PROGRAM, runAlone } from "./support/program.ts";

describe("engram export", () => {
  test("writes all lines to a file or to standard output, and import restores them", async () => {
    const [from, to] = [await createPerson(), await createPerson()];
    const { id } = await from.client.conversations.create({ title: "Order 1029" });
    await from.client.messages.append(id, {
      messages: Array.from({ length: 500 }, (_, i) => ({
        role: "user" as const,
        content: `line ${i}\u2028`,
      })),
    });
    for (const content of ["Refunds go to the card.\u2028", "The bar closes at one."]) {
      await from.client.memories.create({ content, tags: ["rules"], summary: "" });
    }
    const file = join(from.home, "backup.ndjson");
    const written = await from.run(["export", file, "--json"]);
    expect(JSON.parse(written.stdout)).toEqual({
      file,
      conversations: 1,
      messages: 500,
      memories: 2,
      memory_versions: 0,
      recalls: 0,
    });
    const text = readFileSync(file, "utf8");
    expect(text.split("\n")).toHaveLength(504);
    const stderr = "Wrote 1 conversations with 500 messages and 2 memories to standard output.\n";
    for (const args of [["export"], ["export", "-"]])
      expect(await from.run(args)).toEqual({ code: 0, stdout: text, stderr });
    const withJson = await from.run(["export", "-", "--json"]);
    expect(withJson).toMatchObject({ code: 0, stdout: text });
    expect(JSON.parse(withJson.stderr)).toEqual({
      file: "-",
      conversations: 1,
      messages: 500,
      memories: 2,
      memory_versions: 0,
      recalls: 0,
    });
    expect(existsSync("-")).toBe(false);
    expect(await to.run(["import", "ndjson", file])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/conversations +1 +1 +0\nmessages +500 +500 +0\nmemories +2 +2 +0\n/),
    });
    expect((await to.run(["export"])).stdout).toBe(text);
  });

  test("makes its file readable by the owner only, whatever the file's permissions were before", async () => {
    const { run, home } = await createPerson();
    const file = join(home, "backup.ndjson");
    for (const path of [file, `${file}.part`]) writeFileSync(path, "old\n", { mode: 0o666 });
    expect(await run(["export", file])).toMatchObject({ code: 0 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(existsSync(`${file}.part`)).toBe(false);
  });

  test("replaces a symbolic link at the path of its temporary file, and does not write through it", async () => {
    const { run, home } = await createPerson();
    const file = join(home, "backup.ndjson");
    const other = join(home, "other");
    writeFileSync(other, "not mine\n");
    symlinkSync(other, `${file}.part`);
    expect(await run(["export", file])).toMatchObject({ code: 0 });
    expect(readFileSync(other, "utf8")).toBe("not mine\n");
    expect(lstatSync(file).isFile()).toBe(true);
  });

  test("writes into the target of a symbolic link and into a device, and keeps both", async () => {
    const { run, home, client } = await createPerson();
    await client.memories.create({ content: "one", tags: [], summary: "" });
    for (const target of [join(home, "target.ndjson"), "/dev/null"]) {
      const link = join(home, "link");
      rmSync(link, { force: true });
      symlinkSync(target, link);
      expect(await run(["export", link])).toMatchObject({ code: 0 });
      expect(readlinkSync(link)).toBe(target);
    }
    expect(readFileSync(join(home, "target.ndjson"), "utf8")).toMatch(/"content":"one".*\n$/);
    expect(lstatSync("/dev/null").isCharacterDevice()).toBe(true);
  });

  test("writes into a named pipe", async () => {
    const { env, home, client } = await createPerson();
    await client.memories.create({ content: "one", tags: [], summary: "" });
    const pipe = join(home, "pipe");
    expect(spawnSync("mkfifo", [pipe]).status).toBe(0);
    const [{ code }, text] = await Promise.all([
      runAlone(["export", pipe], { env, input: "" }),
      readFile(pipe, "utf8"),
    ]);
    expect(code).toBe(0);
    expect(text).toMatch(/^\{"type":"memory".*\n$/);
    expect(lstatSync(pipe).isFIFO()).toBe(true);
  });

  test.for(["/dev/stdout", "/proc/self/fd/1"])("writes nothing but the export to %s", async (path) => {
    if (!existsSync(path)) return;
    const { run, env } = await createPerson();
    const { stdout } = await run(["export"]);
    expect(await runAlone(["export", path], { env, input: "" })).toEqual({
      code: 0,
      stdout,
      stderr: "Wrote 0 conversations with 0 messages and 0 memories to standard output.\n",
    });
    const shell = (command: string) =>
      spawnSync("bash", ["-c", command, process.execPath, PROGRAM], { env, encoding: "utf8" });
    // The shell has opened the file, so it must be appended to, not truncated or replaced.
    const file = join(env.HOME ?? "", "all.ndjson");
    writeFileSync(file, "before\n");
    expect(shell(`"$0" "$1" export ${path} >> "${file}"`).status).toBe(0);
    expect(readFileSync(file, "utf8")).toBe(`before\n${stdout}`);
    expect(shell('"$0" "$1" export >(cat >&2; echo done >&2) && wait').stderr).toContain(stdout);
  });

  test("leaves an existing file unchanged when it fails, and reports that a file cannot be written", async () => {
    const { run, home } = await createPerson();
    const file = join(home, "backup.ndjson");
    writeFileSync(file, "good\n");
    const refused = await run(["export", file], { env: { ENGRAM_API_KEY: "engram_sk_live_wrong" } });
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(readFileSync(file, "utf8")).toBe("good\n");
    const nowhere = await run(["export", join(home, "nowhere/backup.ndjson")]);
    expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringContaining("ENOENT") });
    expect(existsSync(join(home, "nowhere"))).toBe(false);
  });
});
