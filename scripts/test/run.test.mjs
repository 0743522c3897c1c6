import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";

const NODE_PACKAGE = `node-${process.platform}-${process.arch}`.replace("darwin-arm64", "bin-darwin-arm64");
const START = "local/src/start.ts";
const OTHER = "scripts/test.mjs";

let clone;
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), "engram-clone-"));
  cpSync(join(import.meta.dirname, "../run.mjs"), join(clone, "scripts/run.mjs"));
  requireNode(">=20.12");
  for (const script of [START, OTHER]) {
    mkdirSync(join(clone, script, ".."), { recursive: true });
    writeFileSync(join(clone, script), "");
  }
  changeLockfile("first");
  // Replaces npx: records each install and installs the pinned Node.
  writeFileSync(
    join(clone, "npx-cli.js"),
    `import { appendFileSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
     appendFileSync("installs", process.argv.slice(5).join(" ") + "\\n");
     mkdirSync("node_modules/${NODE_PACKAGE}/bin", { recursive: true });
     rmSync("node_modules/${NODE_PACKAGE}/bin/node", { force: true });
     symlinkSync(process.execPath, "node_modules/${NODE_PACKAGE}/bin/node");`,
  );
});
afterEach(() => rmSync(clone, { recursive: true, force: true }));

const requireNode = (node) =>
  writeFileSync(
    join(clone, "package.json"),
    JSON.stringify({ packageManager: "pnpm@1.0.0", type: "module", engines: { node } }),
  );

const changeLockfile = (content) => writeFileSync(join(clone, "pnpm-lock.yaml"), content);

/** The pnpm commands that result from running these scripts in sequence. */
async function installsOf(...scripts) {
  for (const script of scripts) {
    await promisify(execFile)(process.execPath, [join(clone, "scripts/run.mjs"), script], {
      env: { ...process.env, npm_execpath: join(clone, "npm-cli.js") },
    });
  }
  const notes = join(clone, "installs");
  return existsSync(notes) ? readFileSync(notes, "utf8").trim().split("\n") : [];
}

const WHOLE = "install --frozen-lockfile";
const FOR_START = `${WHOLE} --filter !@engram/*frameworks --filter !@engram/console-browser --filter !@engram/example-chatbot --filter !@engram/site`;

test("each script of package.json is one command, which gets the options after `--` in sh and in cmd", () => {
  const read = (path) => readFileSync(join(import.meta.dirname, "../..", path), "utf8");
  const { start, ...others } = JSON.parse(read("package.json")).scripts;
  const command = /^node scripts\/run\.mjs \S+\.(ts|mjs)( --full)?$/;
  for (const script of Object.values(others)) expect(script).toMatch(command);
  // In cmd, `exec` is this file, which runs its arguments.
  expect(start.replace(/^exec /, "")).toMatch(command);
  expect(read("exec.cmd").trimEnd().split("\r\n").at(-1)).toBe("@%*");
});

test("the start installs once, without the frameworks and the documentation's generator", async () => {
  expect(await installsOf(START, START)).toEqual([FOR_START]);
});

test("another script installs what the start left out, and then the start needs nothing", async () => {
  expect(await installsOf(START, OTHER, OTHER, START)).toEqual([FOR_START, WHOLE]);
});

test("a changed lockfile is installed again", async () => {
  await installsOf(OTHER);
  changeLockfile("second");
  expect(await installsOf(START, OTHER)).toEqual([WHOLE, FOR_START, WHOLE]);
});

test("what pnpm installed by itself is whole", async () => {
  await installsOf(START);
  mkdirSync(join(clone, "node_modules/.pnpm"));
  writeFileSync(join(clone, "node_modules/.pnpm/lock.yaml"), "first");
  writeFileSync(join(clone, "node_modules/.modules.yaml"), "");
  expect(await installsOf(OTHER)).toEqual([FOR_START]);
});

test("a Node that is too old is named, with the one to install, and nothing is installed", async () => {
  const [major, minor] = process.versions.node.split(".").map(Number);
  requireNode(`>=${major}.${minor}`);
  expect(await installsOf(START)).toEqual([FOR_START]);
  for (const needed of [`${major}.${minor + 1}`, `${major + 1}.0`]) {
    requireNode(`>=${needed}`);
    await expect(installsOf(OTHER)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        `Engram needs Node ${needed} or later. This is Node ${process.versions.node}.`,
      ),
    });
  }
});
