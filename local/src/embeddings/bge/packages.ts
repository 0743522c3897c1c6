import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { isAlive } from "../../start/processes.ts";

const LOCAL = resolve(import.meta.dirname, "../../..");
/** The package.json and lockfile of what is installed. */
const LISTED = join(LOCAL, "embedders/bge-base");
/** Beside what pnpm installs, which leaves names with a dot alone. */
const INSTALLED = join(LOCAL, "node_modules/.engram");
/** Where ONNX Runtime's package keeps its libraries, by platform and architecture. */
const LIBRARIES = "node_modules/onnxruntime-node/bin/napi-v6";
/** What ONNX Runtime is built for. */
const PLATFORMS = ["linux-x64", "linux-arm64", "darwin-arm64", "win32-x64", "win32-arm64"];
/** What npm says around the reason: stacks, fields of errors, where its logs are. */
const NPM_NOISE = /^$|^\s|^}|^(code|errno|syscall|address|port|type)\b|^Log files/;
const NPM_LINES_MAX = 3;

/** Whether bge-base can run on this machine. */
export function isBgeSupported(): boolean {
  return PLATFORMS.includes(`${process.platform}-${process.arch}`);
}

/**
 * A folder with transformers.js and ONNX Runtime in its node_modules; installed there by npm when it is not.
 *
 * An install is there whole or not at all, also when two processes install at once.
 *
 * @throws {Error} With npm's own words when it fails.
 */
export async function installPackages(say: (line: string) => void, signal: AbortSignal): Promise<string> {
  const lock = createHash("sha256")
    .update(readFileSync(join(LISTED, "package-lock.json")))
    .digest("hex");
  const installed = join(INSTALLED, `bge-base-${lock.slice(0, 16)}`);
  if (existsSync(installed)) return installed;
  say("Installing ONNX Runtime and transformers.js for bge-base, once: about 115 MB to fetch…");
  removeLeftDrafts();
  const draft = join(INSTALLED, `draft-${process.pid}`);
  try {
    cpSync(LISTED, draft, { recursive: true });
    await runNpm(draft, signal);
    removeOtherPlatforms(join(draft, LIBRARIES));
    if (!existsSync(installed)) renameSync(draft, installed);
    return installed;
  } catch (error) {
    // Another process was quicker.
    if (existsSync(installed)) return installed;
    throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Removes what processes have left that were killed while they installed. */
function removeLeftDrafts(): void {
  if (!existsSync(INSTALLED)) return;
  for (const name of readdirSync(INSTALLED)) {
    const [, pid] = /^draft-(\d+)$/.exec(name) ?? [];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(INSTALLED, name), { recursive: true });
  }
}

/** No install scripts: the only one there is fetches CUDA. */
const NPM_ARGS = [
  ...["ci", "--ignore-scripts", "--install-links", "--prefer-offline", "--no-audit", "--no-fund"],
  // Without a network npm would otherwise try for more than a minute.
  ...["--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--logs-max=0", "--loglevel=error"],
];

async function runNpm(folder: string, signal: AbortSignal): Promise<void> {
  const npm = npmCommand();
  const child = spawn(npm.file, [...npm.args, ...NPM_ARGS], {
    cwd: folder,
    shell: npm.shell,
    signal,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const code = await new Promise<number | null>((done, fail) => {
    child.once("error", fail);
    child.once("close", done);
  });
  if (code !== 0) throw new Error(`npm could not install ONNX Runtime: ${npmReason(output)}`);
}

function npmReason(output: string): string {
  const lines = output.split("\n").map((line) => line.replace(/^npm (error|ERR!) ?/, ""));
  return lines
    .filter((line) => !NPM_NOISE.test(line))
    .slice(0, NPM_LINES_MAX)
    .join(" ");
}

/** How to run npm: the one that runs us, else the one in PATH. */
function npmCommand(): { file: string; args: string[]; shell: boolean } {
  const { npm_execpath: npm = "" } = process.env;
  if (basename(npm) === "npm-cli.js") return { file: process.execPath, args: [npm], shell: false };
  return { file: "npm", args: [], shell: process.platform === "win32" };
}

/** Libraries for all platforms come together, 290 MB; only one of them is of use. */
function removeOtherPlatforms(libraries: string): void {
  for (const platform of readdirSync(libraries)) {
    for (const architecture of readdirSync(join(libraries, platform))) {
      const isOurs = platform === process.platform && architecture === process.arch;
      if (!isOurs) rmSync(join(libraries, platform, architecture), { recursive: true, force: true });
    }
  }
}
