import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const PACKAGE = join(import.meta.dirname, "../..");
/** A folder of its own: packing the package replaces `dist`. */
const FOLDER = "dist/proof";

/** Builds the program as it is published, with the SDK, which is TypeScript in the repository. Returns its path. */
export function buildProgram(): string {
  const { scripts, dependencies } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));
  const [, ...args] = (scripts.build as string).split(" ");
  const ours = args.filter((arg) => arg !== "--packages=external" && !arg.startsWith("--outdir"));
  const external = Object.keys(dependencies).filter((name) => name !== "@engram/sdk");
  const options = [...ours, `--outdir=${FOLDER}`, ...external.map((name) => `--external:${name}`)];
  execFileSync(join(PACKAGE, "node_modules/.bin/esbuild"), options, { cwd: PACKAGE, stdio: "pipe" });
  return join(PACKAGE, FOLDER, "engram.js");
}
