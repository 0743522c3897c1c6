import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { runProgram } from "./programs.ts";

const PEERS_FOLDER = resolve(import.meta.dirname, "../../peers");

/** How a peer is installed. */
export interface InstallOptions {
  /** A package from npm whose own install script has to run. */
  builds?: string;
  /** The packages from PyPI need others that the measured part does not use. */
  withoutDependencies?: boolean;
}

/** The folder of another system that is measured. */
export const peerFolder = (name: string): string => join(PEERS_FOLDER, name);

/** The packages of a peer, as `name version`. A peer without packages is part of Node. */
export function peerVersions(name: string): string[] {
  const manifest = read(name, "package.json");
  const npm: [string, string][] = Object.entries(
    manifest === undefined ? {} : JSON.parse(manifest).dependencies,
  );
  const pypi = read(name, "requirements.txt")?.trim().split("\n") ?? [];
  const versions = [
    ...npm.map(([dependency, version]) => `${dependency} ${version}`),
    ...pypi.map((line) => line.replace("==", " ")),
  ];
  return versions.length > 0 ? versions : [`SQLite ${process.versions.sqlite}`];
}

/**
 * Install what a peer's `package.json` and `requirements.txt` list, unless it is installed.
 *
 * @throws {Error} with the reason.
 */
export async function installPeer(
  name: string,
  { builds, withoutDependencies = false }: InstallOptions = {},
): Promise<void> {
  const folder = peerFolder(name);
  const manifest = read(name, "package.json");
  if (manifest !== undefined)
    await installOnce(join(folder, "node_modules"), manifest + process.version, async () => {
      // Only the script of the named package runs.
      await npm(folder, "install", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund");
      if (builds !== undefined) await npm(folder, "rebuild", builds);
    });
  const requirements = read(name, "requirements.txt");
  if (requirements === undefined) return;
  const environment = join(folder, "venv");
  await installOnce(environment, requirements, async () => {
    await runProgram("python3", ["-m", "venv", environment]);
    const options = withoutDependencies ? ["--no-deps"] : [];
    const file = join(folder, "requirements.txt");
    await runProgram(join(environment, "bin/pip"), ["install", "-q", ...options, "-r", file]);
  });
}

/** Fill a folder, unless it was filled for the same list of packages. */
async function installOnce(folder: string, list: string, install: () => Promise<void>): Promise<void> {
  const stamp = join(folder, ".engram-installed");
  const wanted = createHash("sha256").update(list).digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  await install();
  writeFileSync(stamp, wanted);
}

function read(name: string, file: string): string | undefined {
  const path = join(peerFolder(name), file);
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

/** Run npm under this Node version. @throws {Error} with the end of its output. */
async function npm(folder: string, ...args: string[]): Promise<void> {
  const { npm_execpath: path = "" } = process.env;
  const isNpm = basename(path) === "npm-cli.js";
  const headers = resolve(dirname(process.execPath), "..");
  await runProgram(isNpm ? process.execPath : "npm", isNpm ? [path, ...args] : args, {
    cwd: folder,
    shell: !isNpm && process.platform === "win32",
    env: {
      ...process.env,
      // The pinned Node comes with the headers for compiling.
      ...(existsSync(join(headers, "include/node")) ? { npm_config_nodedir: headers } : {}),
    },
  });
}
