import { existsSync, lstatSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createPerson } from "./support/program.ts";

describe("export", () => {
  test("writes all lines, to a file or to standard output, and import brings them back", async () => {
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
    expect(JSON.parse(written.stdout)).toEqual({ file, conversations: 1, messages: 500, memories: 2 });
    const text = readFileSync(file, "utf8");
    expect(text.split("\n")).toHaveLength(504);
    expect(await from.run(["export"])).toEqual({ code: 0, stdout: text, stderr: "" });
    expect(await to.run(["import", "ndjson", file])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^1 conv.*\n500 messages.*\n2 memories imported, 0 existing\n$/),
    });
    expect((await to.run(["export"])).stdout).toBe(text);
  });

  test("can be read by its owner alone, whatever was there before", async () => {
    const { run, home } = await createPerson();
    const file = join(home, "backup.ndjson");
    for (const path of [file, `${file}.part`]) writeFileSync(path, "old\n", { mode: 0o666 });
    expect(await run(["export", file])).toMatchObject({ code: 0 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(existsSync(`${file}.part`)).toBe(false);
  });

  test("follows no link, neither of its name nor of the draft's", async () => {
    const { run, home } = await createPerson();
    const file = join(home, "backup.ndjson");
    const others = ["named", "draft"].map((name) => join(home, name));
    for (const other of others) writeFileSync(other, "not mine\n");
    symlinkSync(others[0] ?? "", file);
    symlinkSync(others[1] ?? "", `${file}.part`);
    expect(await run(["export", file])).toMatchObject({ code: 0 });
    for (const other of others) expect(readFileSync(other, "utf8")).toBe("not mine\n");
    expect(lstatSync(file).isFile()).toBe(true);
  });

  test("leaves a good file as it is when it fails", async () => {
    const { run, home } = await createPerson();
    const file = join(home, "backup.ndjson");
    writeFileSync(file, "good\n");
    const { code, stdout } = await run(["export", file], { env: { ENGRAM_API_KEY: "engram_sk_live_wrong" } });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(readFileSync(file, "utf8")).toBe("good\n");
  });

  test("says when the file cannot be written", async () => {
    const { run, home } = await createPerson();
    const { code, stderr } = await run(["export", join(home, "nowhere/backup.ndjson")]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("ENOENT") });
    expect(existsSync(join(home, "nowhere"))).toBe(false);
  });
});
