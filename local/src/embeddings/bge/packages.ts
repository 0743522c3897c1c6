import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { isAlive } from "../../start/processes.ts";

const LOCAL = resolve(import.meta.dirname, "../../..");
const LISTED = join(LOCAL, "embedders/bge-base");
/**
 * The packages are installed here, because pnpm does not touch folders in node_modules whose names start with
 * a dot.
 */
const INSTALLED = join(LOCAL, "node_modules/.engram");
const LIBRARIES = "node_modules/onnxruntime-node/bin/napi-v6";
const PLATFORMS = ["linux-x64", "linux-arm64", "darwin-arm64", "win32-x64", "win32-arm64"];
/** Lines of npm's output that do not say why it failed. */
const NPM_NOISE = /^$|^\s|^}|^(code|errno|syscall|address|port|type)\b|^Log files/;
const NPM_LINES_MAX = 3;

export function isBgeSupported(): boolean {
  return PLATFORMS.includes(`${process.platform}-${process.arch}`);
}

/**
 * Installs the packages that bge-base needs, unless they are installed, and returns their folder. They are
 * installed in a temporary folder, which is renamed at the end. So the folder is complete or does not exist,
 * even if two processes install at the same time.
 *
 * @throws {Error} If the installation fails. The message contains npm's reason.
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
    if (existsSync(installed)) return installed;
    throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Removes temporary folders of processes that were killed during an installation. */
function removeLeftDrafts(): void {
  if (!existsSync(INSTALLED)) return;
  for (const name of readdirSync(INSTALLED)) {
    const [, pid] = /^draft-(\d+)$/.exec(name) ?? [];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(INSTALLED, name), { recursive: true });
  }
}

/** `--ignore-scripts`: the only install script of these packages downloads CUDA, which is not used. */
const NPM_ARGS = [
  ...["ci", "--ignore-scripts", "--install-links", "--prefer-offline", "--no-audit", "--no-fund"],
  // Without a network, npm would retry for more than a minute.
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

function npmCommand(): { file: string; args: string[]; shell: boolean } {
  const { npm_execpath: npm = "" } = process.env;
  if (basename(npm) === "npm-cli.js") return { file: process.execPath, args: [npm], shell: false };
  return { file: "npm", args: [], shell: process.platform === "win32" };
}

/** Removes the libraries for other platforms. With them, ONNX Runtime has 290 MB. */
function removeOtherPlatforms(libraries: string): void {
  for (const platform of readdirSync(libraries)) {
    for (const architecture of readdirSync(join(libraries, platform))) {
      const isOurs = platform === process.platform && architecture === process.arch;
      if (!isOurs) rmSync(join(libraries, platform, architecture), { recursive: true, force: true });
    }
  }
}
