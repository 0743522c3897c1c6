import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createPerson, type Person } from "./support/program.ts";

/** Nothing in the environment, so that only profiles count. */
const env = { ENGRAM_URL: "", ENGRAM_API_KEY: "" };
const file = ".config/engram/config.json";
const readProfiles = ({ home }: Person) => JSON.parse(readFileSync(join(home, file), "utf8"));
const login = ({ run, url, key }: Person, ...options: string[]) =>
  run(["login", "--url", url, ...options], { input: key, env });

describe("engram login", () => {
  test("makes the first profile the one in use, and no later one, and says which it is", async () => {
    const person = await createPerson();
    const first = await login(person, "--profile", "home");
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout).toMatch(
      /^Logged in to http.+\nStored as profile "home" in ~\/\.config\/engram\/config\.json\.\nCommands use this profile\.\n$/,
    );
    const second = await login(person, "--profile", "work");
    expect(second.stdout).toContain('Commands still use the profile "home". To switch: engram use work\n');
    expect(readProfiles(person).current).toBe("home");
    const again = await login(person, "--profile", "home");
    expect(again.stdout).toContain(`, replacing ${person.url} with ${person.key.slice(0, 19)}….\n`);
    expect(again.stdout).toContain("Commands use this profile.");
    expect(JSON.parse((await login(person, "--profile", "work", "--json")).stdout)).toMatchObject({
      profile: "work",
      profile_in_use: "home",
      replaced: { url: person.url, api_key: expect.stringMatching(/…$/) },
      file: join(person.home, file),
    });
    expect(JSON.parse((await login(person, "--profile", "new", "--json")).stdout).replaced).toBeNull();
  });

  test("takes the place of a profile in use that does not exist", async () => {
    const person = await createPerson();
    await login(person);
    const { profiles } = readProfiles(person);
    writeFileSync(join(person.home, file), JSON.stringify({ current: "gone", profiles }));
    expect((await login(person, "--profile", "work")).stdout).toContain("Commands use this profile.");
  });

  test("accepts each name of a profile, also one that objects have", async () => {
    const person = await createPerson();
    for (const name of ["constructor", "__proto__"]) {
      expect(await person.run(["use", name], { env })).toMatchObject({ code: 1, stdout: "" });
      await login(person, "--profile", name);
      const { stdout } = await person.run(["use", name, "--json"], { env });
      expect(JSON.parse(stdout).profiles.find(({ current }: { current: boolean }) => current).profile).toBe(
        name,
      );
    }
  });
});

test("engram use says which profile commands use from now on, and whether that is a change", async () => {
  const person = await createPerson();
  for (const name of ["home", "work"]) await login(person, "--profile", name);
  const use = async (...args: string[]) => (await person.run(["use", ...args], { env })).stdout;
  expect(await use("work")).toMatch(/^Commands now use the profile "work"\.\n +PROFILE/);
  expect(await use("work")).toMatch(/^Commands use this profile already\.\n/);
  expect(JSON.parse(await use("work", "--json")).changed).toBe(false);
  expect(JSON.parse(await use("home", "--json")).changed).toBe(true);
  expect(await use()).toMatch(/^ +PROFILE/);
});

test("engram login and engram use say that the environment has precedence over profiles", async () => {
  const { run, url, key } = await createPerson();
  const says = "The environment has ENGRAM_URL and ENGRAM_API_KEY, with precedence over profiles.\n";
  expect((await run(["login", "--url", url], { input: key })).stderr).toBe(says);
  expect((await run(["use", "default"])).stderr).toBe(says);
  expect((await run(["use"])).stderr).toBe("");
});

test.for([
  "null",
  "[]",
  '{ "current": "a", "profiles": null }',
  '{ "current": "a", "profiles": { "a": 1 } }',
])("a damaged file of profiles is named, and stays: %s", async (text) => {
  const person = await createPerson();
  mkdirSync(join(person.home, ".config/engram"), { recursive: true });
  writeFileSync(join(person.home, file), text);
  const path = join(person.home, file);
  for (const command of [["use"], ["login", "--url", person.url], ["listen", "--print-secret"]])
    expect(await person.run(command, { input: person.key, env }), command.join(" ")).toEqual({
      ...{ code: 1, stdout: "" },
      stderr: `${path} is damaged. Remove it and log in again.\n`,
    });
  expect(readFileSync(path, "utf8")).toBe(text);
});

test("engram doctor says where the URL and the key are from", async () => {
  const person = await createPerson();
  await login(person);
  await login(person, "--profile", "work");
  const from = async (args: string[], environment: Record<string, string>) => {
    const { stdout } = await person.run(["doctor", "--json", ...args], { env: { ...env, ...environment } });
    const { checks } = JSON.parse(stdout) as { checks: { name: string; detail: string }[] };
    return ["url", "key"].map((name) => {
      const { detail = "" } = checks.find((check) => check.name === name) ?? {};
      return /\(from ([^)]+)\)/.exec(detail)?.[1];
    });
  };
  expect(await from([], {})).toEqual(['profile "default"', 'profile "default"']);
  expect(await from(["--profile", "work"], {})).toEqual(['profile "work"', 'profile "work"']);
  const both = { ENGRAM_URL: person.url, ENGRAM_API_KEY: person.key };
  expect(await from([], both)).toEqual(["ENGRAM_URL", "ENGRAM_API_KEY"]);
  expect(await from([], { ENGRAM_API_KEY: person.key })).toEqual(['profile "default"', "ENGRAM_API_KEY"]);
  expect(await from(["--url", person.url, "--api-key", person.key], both)).toEqual(["--url", "--api-key"]);
  expect(await from(["--profile", "work"], both)).toEqual(['profile "work"', 'profile "work"']);
});

test("the file of profiles keeps the secrets of engram listen when a profile is stored", async () => {
  const person = await createPerson();
  await login(person);
  const secret = (await person.run(["listen", "--print-secret"], { env })).stdout;
  await login(person, "--profile", "work");
  expect((await person.run(["listen", "--print-secret"], { env })).stdout).toBe(secret);
  expect(statSync(join(person.home, file)).mode & 0o777).toBe(0o600);
});
