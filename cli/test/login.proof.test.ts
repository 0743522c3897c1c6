import { spawnSync } from "node:child_process";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import { sample } from "../../proof/support/scale.ts";
import { DEFAULT_URL } from "../src/connection.ts";
import { findLocalServices } from "../src/local-services.ts";
import { createProgram } from "../src/program.ts";
import { createPerson } from "./support/program.ts";

/** No key in the environment, so that only the stored key counts. */
const bare = { ENGRAM_URL: "", ENGRAM_API_KEY: "" };

const withAll = (command: Command): Command[] => [command, ...command.commands.flatMap(withAll)];
/** The words of a command, without the program's name. */
const wordsOf = (command: Command): string[] =>
  command.parent === null ? [] : [...wordsOf(command.parent), command.name()];

describe("engram login and engram use", () => {
  test("login stores the key so that other users of the machine cannot read it, and later commands use it", async () => {
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

  test("never print a whole key", async () => {
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

  test("login does not store a key that the service rejects", async () => {
    const { run, url, key } = await createPerson();
    const wrong = `${key.slice(0, -1)}${key.endsWith("x") ? "y" : "x"}`;
    const login = await run(["login", "--url", url], { input: wrong, env: bare });
    expect(login).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("unauthenticated") });
    expect((await run(["use"], { env: bare })).stdout).toContain("No profiles.");
  });

  test("use switches to another profile and back", async () => {
    const [mine, work] = [await createPerson(), await createPerson()];
    await mine.client.conversations.create({ title: "at home" });
    await work.client.conversations.create({ title: "at work" });
    await mine.run(["login", "--url", mine.url], { input: mine.key, env: bare });
    await mine.run(["login", "--url", mine.url, "--profile", "work"], { input: work.key, env: bare });
    const titles = async (...args: string[]) => {
      const { stdout } = await mine.run(["conversations", "--json", ...args], { env: bare });
      return JSON.parse(stdout).items.map(({ title }: { title: string }) => title);
    };
    expect(await titles()).toEqual(["at home"]);
    await mine.run(["use", "work"], { env: bare });
    expect(await titles()).toEqual(["at work"]);
    await mine.run(["use", "default"], { env: bare });
    expect(await titles()).toEqual(["at home"]);
    expect(await titles("--profile", "work")).toEqual(["at work"]);
    expect(await mine.run(["use", "unknown"], { env: bare })).toMatchObject({ code: 1, stdout: "" });
  });

  test("a stored key is sent only to its own URL", async () => {
    const { run, url, key } = await createPerson();
    await run(["login", "--url", url], { input: key, env: bare });
    const elsewhere = url.replace("127.0.0.1", "localhost");
    const asked = await run(["conversations", "--url", elsewhere], { env: bare });
    expect(asked).toMatchObject({ code: 1, stderr: expect.stringContaining(`No key for ${elsewhere}`) });
  });
});

describe("engram login on a machine that runs a service", () => {
  /** The file that a service on this machine writes about itself. */
  async function register(home: string, url: string, key: string, pid = process.pid): Promise<string> {
    const { port } = new URL(url);
    const [data, services] = [join(home, `data-${port}`), join(home, ".local/state/engram/services")];
    for (const directory of [data, services]) await mkdir(directory, { recursive: true });
    await writeFile(join(data, "key"), `${key}\n`);
    await writeFile(join(services, `${port}.json`), JSON.stringify({ url, data, pid }));
    return join(data, "key");
  }

  test("finds the service's URL and key, and stores them as a profile", async () => {
    const { run, home, url, key, client } = await createPerson();
    await client.conversations.create({ title: "Order 1029" });
    const keyFile = await register(home, url, key);
    const login = await run(["login", "--json"], { env: bare });
    expect(login).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(login.stdout)).toEqual({
      profile: "default",
      url,
      api_key: expect.stringMatching(/…$/),
      api_key_from: keyFile,
      replaced: null,
      profile_in_use: "default",
      file: join(home, ".config/engram/config.json"),
    });
    const { stdout } = await run(["conversations"], { env: bare });
    expect(stdout).toContain("Order 1029");
    // The service may be on another port by now.
    const { profiles } = JSON.parse(await readFile(join(home, ".config/engram/config.json"), "utf8"));
    profiles.default.url = "http://localhost:2";
    await writeFile(
      join(home, ".config/engram/config.json"),
      JSON.stringify({ current: "default", profiles }),
    );
    expect(await run(["login"], { env: bare })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(url),
    });
  });

  test("prefers a key from standard input, and a URL given by the user", async () => {
    const [mine, other] = [await createPerson(), await createPerson()];
    await register(mine.home, mine.url, mine.key);
    const piped = await mine.run(["login"], { input: other.key, env: bare });
    expect(piped.stdout).toContain(`${other.key.slice(0, 19)}… (from standard input)`);
    const named = await mine.run(["login", "--url", mine.url.replace("127.0.0.1", "localhost")], {
      env: bare,
    });
    expect(named.stdout).toContain(`${mine.key.slice(0, 19)}…`);
    const elsewhere = await mine.run(["login", "--url", "http://127.0.0.1:2"], { env: bare });
    expect(elsewhere).toMatchObject({ code: 1, stderr: expect.stringContaining("at http://127.0.0.1:2,") });
  });

  test("lists the service on the default port first, and asks for --url if several run", async () => {
    const { run, home, url, key } = await createPerson();
    await register(home, url, key);
    await register(home, "http://127.0.0.1:3", "key of another");
    const several = await run(["login"], { env: bare });
    expect(several).toMatchObject({ code: 1, stderr: expect.stringContaining("Choose one with --url.") });
    for (const each of [url, "http://127.0.0.1:3"]) expect(several.stderr).toContain(each);
    const keyFile = await register(home, DEFAULT_URL, "engram_sk_live_default");
    const services = findLocalServices({ XDG_STATE_HOME: join(home, ".local/state") });
    expect(services[0]).toEqual({ url: DEFAULT_URL, apiKey: "engram_sk_live_default", keyFile });
  });

  test("ignores a service that was killed", async () => {
    const { run, home, url, key } = await createPerson();
    const { pid = 0 } = spawnSync(process.execPath, ["--version"]);
    await register(home, url, key, pid);
    expect(await run(["login", "--url", url], { env: bare })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`No key given for ${url}.`),
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
  ] as const)("exits with code 2 for a wrong command line: %s", async ([args, says]) => {
    const { run } = await createPerson();
    expect(await run([...args])).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining(says),
    });
  });

  test("has an example in its help text", async () => {
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
  )("prints a usage error as JSON on stderr: engram %s", async ([words = ""]) => {
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
  ] as const)("prints a missing setting as JSON on stderr: %s", async ([, words]) => {
    const { run } = await createPerson();
    const { code, stderr } = await run([...words, "--json"]);
    expect(code).toBe(2);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: "usage" } });
  });

  test("reports that no service responds", async () => {
    const { run } = await createPerson();
    const failed = await run(["conversations"], { env: { ENGRAM_URL: "http://127.0.0.1:2" } });
    expect(failed).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(/engram doctor/) });
  });
});
