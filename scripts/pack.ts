import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "..");

/**
 * Pack a package as pnpm publishes it, with its `publishConfig` applied and workspace versions resolved.
 *
 * @returns The tarball's path.
 */
export function pack(name: string, destination: string): string {
  const { packageManager } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const before = new Set(readdirSync(destination));
  const args = ["-y", "--prefer-offline", packageManager, "--dir", name];
  execFileSync("npx", [...args, "pack", "--pack-destination", destination], {
    cwd: ROOT,
    stdio: ["ignore", "ignore", "pipe"],
  });
  return join(destination, readdirSync(destination).find((file) => !before.has(file)) ?? "");
}
