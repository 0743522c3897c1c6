import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import { sample } from "../../proof/support/scale.ts";
import { createProgram } from "../src/program.ts";
import { createPerson } from "./support/program.ts";

/** No key from the environment: only what was kept counts. */
const bare = { ENGRAM_URL: "", ENGRAM_API_KEY: "" };

const withAll = (command: Command): Command[] => [command, ...command.commands.flatMap(withAll)];
/** The words that call a command, the program's own name left out. */
const wordsOf = (command: Command): string[] =>
  command.parent === null ? [] : [...wordsOf(command.parent), command.name()];

describe("login and use", () => {
  test("keeps a key that others cannot read, and uses it afterwards", async () => {
    const { run, home, url, key, client } = await createPerson();
    await client.conversations.create({ title: "Order 1029" });
    const login = await run(["login", "--url", url], { input: `${key}\n`, env: bare });
    expect(login).toMatchObject({ code: 0, stderr: "" });
    const file = join(home, ".config/engram/config.json");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({
      profiles: { default: { api_key: key } },
    });
    expect(await run(["conversations"], { env: bare })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Order 1029"),
    });
  });

  test("never prints a key whole", async () => {
    const { run, url, key } = await createPerson();
    const outputs = [
      await run(["login", "--url", url, "--json"], { input: key, env: bare }),
      await run(["login", "--url", url, "--api-key", key], { env: bare }),
      await run(["use"], { env: bare }),
      await run(["use", "--json"], { env: bare }),
    ];
    for (const { code, stdout, stderr } of outputs) {
      expect(code).toBe(0);
      expect(stdout).toContain(key.slice(0, 19));
      expect(stdout + stderr).not.toContain(key.slice(19));
    }
  });

  test("keeps nothing of a key that the service refuses", async () => {
    const { run, url, key } = await createPerson();
    const wrong = `${key.slice(0, -1)}${key.endsWith("x") ? "y" : "x"}`;
    const login = await run(["login", "--url", url], { input: wrong, env: bare });
    expect(login).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("unauthenticated") });
    expect((await run(["use"], { env: bare })).stdout).toContain("No profiles.");
  });

  test("goes over to another profile and back", async () => {
    const [mine, work] = [await createPerson(), await createPerson()];
    await mine.client.conversations.create({ title: "at home" });
    await work.client.conversations.create({ title: "at work" });
    await mine.run(["login", "--url", mine.url], { input: mine.key, env: bare });
    await mine.run(["login", "--url", mine.url, "--profile", "work"], { input: work.key, env: bare });
    const titles = async (...args: string[]) => {
      const { stdout } = await mine.run(["conversations", "--json", ...args], { env: bare });
      return JSON.parse(stdout).items.map(({ title }: { title: string }) => title);
    };
    expect(await titles()).toEqual(["at work"]);
    await mine.run(["use", "default"], { env: bare });
    expect(await titles()).toEqual(["at home"]);
    expect(await titles("--profile", "work")).toEqual(["at work"]);
    expect(await mine.run(["use", "unknown"], { env: bare })).toMatchObject({ code: 1, stdout: "" });
  });

  test("flags win over the environment, and the environment over the profile", async () => {
    const [one, two, three] = [await createPerson(), await createPerson(), await createPerson()];
    await Promise.all(
      [one, two, three].map(({ client }, i) => client.conversations.create({ title: `${i + 1}` })),
    );
    await one.run(["login", "--url", one.url], { input: one.key, env: bare });
    const shown = async (args: string[], env: Record<string, string>) =>
      JSON.parse((await one.run(["conversations", "--json", ...args], { env })).stdout).items[0].title;
    expect(await shown([], bare)).toBe("1");
    expect(await shown([], { ENGRAM_API_KEY: two.key })).toBe("2");
    expect(await shown(["--api-key", three.key], { ENGRAM_API_KEY: two.key })).toBe("3");
  });

  test("sends a kept key to no other URL than its own", async () => {
    const { run, url, key } = await createPerson();
    await run(["login", "--url", url], { input: key, env: bare });
    const elsewhere = url.replace("127.0.0.1", "localhost");
    const asked = await run(["conversations", "--url", elsewhere], { env: bare });
    expect(asked).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`No key for ${elsewhere}`),
    });
  });
});

describe("every command", () => {
  test.for([
    [["search"], "missing required argument"],
    [["search", "--limit", "51", "x"], "from 1 to 50"],
    [["search", "--mode", "guess", "x"], "Allowed choices"],
    [["conversations", "--after", "yesterday"], "must be a date"],
    [["remember"], "unknown command"],
    [["keys", "--what"], "unknown option"],
  ] as const)("answers a wrong command line with 2: %s", async ([args, says]) => {
    const { run } = await createPerson();
    expect(await run([...args])).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining(says),
    });
  });

  test("explains itself with an example", async () => {
    const commands = withAll(createProgram());
    expect(commands.length).toBeGreaterThan(15);
    for (const command of commands) {
      const help: string[] = [];
      command.configureOutput({ writeOut: (text) => help.push(text) }).outputHelp();
      expect(help.join(""), command.name()).toMatch(/Examples:\n {2}\$ engram /);
    }
    const { run } = await createPerson();
    expect(await run(["search", "--help"])).toMatchObject({ code: 0, stderr: "" });
  });

  test("prints a failure as JSON on stderr", async () => {
    const { run } = await createPerson();
    const failed = await run(["conversations", "show", "conv_absent", "--json"]);
    expect(failed).toMatchObject({ code: 1, stdout: "" });
    expect(JSON.parse(failed.stderr)).toMatchObject({ error: { code: "not_found", status: 404 } });
  });

  test.for(
    sample(
      withAll(createProgram()).map((command) => [wordsOf(command).join(" ")]),
      6,
    ),
  )("prints a usage error as JSON on stderr: engram %s", { tags: ["sized"] }, async ([words = ""]) => {
    const { run } = await createPerson();
    const args = words.split(" ").filter((word) => word !== "");
    const { code, stdout, stderr } = await run([...args, "--no-such-option", "--json"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^.+\n$/);
    const message = expect.stringMatching(/^(?!error).*option/);
    expect(JSON.parse(stderr)).toEqual({ error: { code: "usage", message } });
  });

  test.for([
    ["no command", []],
    ["no --yes", ["conversations", "delete", "conv_x"]],
  ] as const)("prints what is missing as JSON on stderr: %s", async ([, words]) => {
    const { run } = await createPerson();
    const { code, stderr } = await run([...words, "--json"]);
    expect(code).toBe(2);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: "usage" } });
  });

  test("says when no service is there", async () => {
    const { run } = await createPerson();
    const failed = await run(["conversations"], { env: { ENGRAM_URL: "http://127.0.0.1:2" } });
    expect(failed).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(/engram doctor/) });
  });
});
