import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { findLocalProgram } from "../src/local-package.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "engram-local-package-"));
  vi.spyOn(process, "cwd").mockReturnValue(join(folder, "work"));
  vi.stubEnv("PATH", `${folder}:${process.env.PATH}`);
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

/** Installs the package into a folder. Returns the path of its program. */
async function install(place: string, version: string): Promise<string> {
  const home = join(folder, place, "node_modules/@engram/local");
  await mkdir(home, { recursive: true });
  await writeFile(
    join(home, "package.json"),
    JSON.stringify({ version, bin: { "engram-local": "./run.js" } }),
  );
  await writeFile(join(home, "run.js"), "");
  return join(home, "run.js");
}

async function replaceNpx(script: string): Promise<void> {
  await writeFile(join(folder, "npx"), `#!/bin/sh\n${script}\n`);
  await chmod(join(folder, "npx"), 0o755);
}

test("the service's package is used where it is installed, and npx is not asked", async () => {
  const program = await install("work", packageJson.version);
  await replaceNpx("exit 1");
  expect(await findLocalProgram()).toBe(program);
});

test("a package of another version is not used, but the one that npx downloads", async () => {
  await install("work", "0.0.0");
  const program = await install("cache", packageJson.version);
  await replaceNpx(`echo "${folder}/cache/node_modules/.bin:/usr/bin"`);
  expect(await findLocalProgram()).toBe(program);
});

test.for([
  ["npm error code E404\nnpm error 404 Not Found", "which the npm registry does not have"],
  ["npm error code ETARGET\nnpm error notarget", "which the npm registry does not have"],
  ["npm error code ENOTFOUND\nnpm error network", "could not be downloaded (ENOTFOUND)"],
  ["killed", "could not be downloaded (npx failed)"],
])("a failed download is explained, without npm's own output: %j", async ([errors, explanation]) => {
  await replaceNpx(`cat >&2 <<END\n${errors}\nEND\nexit 1`);
  const message = await findLocalProgram().then(String, ({ message }: Error) => message);
  expect(message).toContain(explanation);
  expect(message).toContain(`npm install @engram/local@${packageJson.version}`);
  expect(message).not.toContain("npm error");
});
