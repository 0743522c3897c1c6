// Runs the tests that need only Node:
//
//   npm test                        each promise, most at a small size
//   npm test -- service paging      those of a package, or whose path contains a word
//   npm run test:full               all tests at their full size
//   npm run test:full -- --rest     only the files that `npm test` runs at a smaller size
//
// Other arguments go to vitest.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root, run, runAll } from "./commands.mjs";
import { PACKAGES } from "./test-order.mjs";

const OWN_OPTIONS = ["--full", "--rest"];
const REPORTERS = ["secrets", "slowest"].map((name) => `--reporter=${join(root, `scripts/${name}.mjs`)}`);

// Tests start some hundred programs. With a cache, each starts in a third of the time.
process.env.NODE_COMPILE_CACHE ??= join(root, "node_modules/.cache/compiled");

const args = process.argv.slice(2);
if (args.includes("--full")) process.env.ENGRAM_FULL = "1";

/** The test files that have a full and a quick size. */
function scaledFiles() {
  const files = PACKAGES.flatMap((folder) => globSync(`${folder}/test/**/*.test.ts`, { cwd: root }));
  return files.filter((file) => /from ".*\/scale\.ts"/.test(readFileSync(join(root, file), "utf8")));
}

const projects = args.filter((arg) => PACKAGES.includes(arg)).map((folder) => `--project=${folder}*`);
const others = args.filter((arg) => !OWN_OPTIONS.includes(arg) && !PACKAGES.includes(arg));
const rest = args.includes("--rest") ? scaledFiles() : [];
await runAll([
  () => run(".", "vitest", "run", "--reporter=default", ...REPORTERS, ...projects, ...others, ...rest),
]);
