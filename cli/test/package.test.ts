import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fixture } from "./support/importing.ts";
import { createPerson } from "./support/program.ts";

const PACKAGE = join(import.meta.dirname, "..");
const { engines, publishConfig, scripts, version } = JSON.parse(
  readFileSync(join(PACKAGE, "package.json"), "utf8"),
);

/** Makes a program see another version of Node. */
const ON_NODE_18 =
  'data:text/javascript,Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.4" } })';

test("the published package contains all the files and dependencies that it needs to run", async () => {
  const { env, home } = await createPerson();
  const [, ...args] = (scripts.build as string).split(" ");
  execFileSync("esbuild", args, { cwd: PACKAGE, stdio: "pipe" });
  const program = join(PACKAGE, publishConfig.bin.engram);
  const run = (...argv: string[]) =>
    execFileSync(process.execPath, [program, ...argv], { env, encoding: "utf8" });
  expect(run("--version")).toBe(`${version}\n`);
  // The file has one import, so that an old Node can run it and report that it is too old.
  expect([...readFileSync(program, "utf8").matchAll(/^import .*/gm)]).toHaveLength(1);
  const tooOld = spawnSync(process.execPath, ["--import", ON_NODE_18, program, "doctor"], {
    env,
    encoding: "utf8",
  });
  expect(tooOld).toMatchObject({ status: 1, stdout: "" });
  expect(tooOld.stderr).toBe(
    `engram needs Node ${engines.node.replace(">=", "")} or later. This is Node 18.20.4. Install a newer one from https://nodejs.org.\n`,
  );
  expect(
    JSON.parse(run("import", "chatgpt", fixture("chatgpt.json"), "--json")).stored.messages.created,
  ).toBe(18);
  expect(JSON.parse(run("doctor", "--json")).healthy).toBe(true);

  // Outside the repository, the service of the same version is downloaded.
  const local = join(home, "node_modules/@engram/local");
  mkdirSync(local, { recursive: true });
  writeFileSync(join(local, "package.json"), JSON.stringify({ version, bin: { "engram-local": "run.cjs" } }));
  writeFileSync(
    join(local, "run.cjs"),
    "console.log(process.env.PORT, process.env.ENGRAM_DATA); process.exitCode = 7;",
  );
  const npx = `#!/bin/sh\necho "$@" >"${home}/asked"\necho "${home}/node_modules/.bin:$PATH"\n`;
  writeFileSync(join(home, "npx"), npx, { mode: 0o755 });
  const fetched = spawnSync(process.execPath, [program, "start", "--port", "0", "--data", home], {
    env: { ...env, PATH: `${home}:${env.PATH}` },
    encoding: "utf8",
  });
  expect(fetched).toMatchObject({ status: 7, stdout: `0 ${home}\n`, stderr: "" });
  expect(readFileSync(join(home, "asked"), "utf8")).toContain(
    `-y --prefer-offline -p @engram/local@${version} `,
  );
});
