// Runs the tests that need only Node:
//
//   npm test                        each promise, most at a small size
//   npm test -- service paging      those of a package, or whose path contains a word
//   npm run test:full               all tests at their full size
//   npm run test:full -- --rest     what `npm test` leaves out: larger sizes, further cases
//
// Other arguments go to vitest.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root, run, runAll } from "./commands.mjs";
import { createMemoryDirectory } from "./memory-directory.mjs";
import { PACKAGES } from "./test-order.mjs";

const OWN_OPTIONS = ["--full", "--rest"];
const REPORTERS = ["secrets", "slowest"].map((name) => `--reporter=${join(root, `scripts/${name}.mjs`)}`);

// Tests start some hundred programs. With a cache, each starts in a third of the time.
process.env.NODE_COMPILE_CACHE ??= join(root, "node_modules/.cache/compiled");
// The tests' databases are in memory, where no write waits for a disk.
const memory = process.env.TMPDIR === undefined ? createMemoryDirectory() : undefined;
if (memory !== undefined) process.env.TMPDIR = memory;

const args = process.argv.slice(2);
const isRest = args.includes("--rest");
if (args.includes("--full")) process.env.ENGRAM_FULL = isRest ? "rest" : "1";

/**
 * The test files that take sizes from scale.ts.
 *
 * @throws when no test in one of them has the tag by which `--rest` selects.
 */
function sizedFiles() {
  const files = PACKAGES.flatMap((folder) => globSync(`${folder}/test/**/*.test.ts`, { cwd: root }));
  return files.filter((file) => {
    const source = readFileSync(join(root, file), "utf8");
    const isSized = /from ".*\/scale\.ts"/.test(source);
    if (isSized && !source.includes('"sized"'))
      throw new Error(`${file} uses proof/support/scale.ts: mark the tests with { tags: ["sized"] }.`);
    return isSized;
  });
}

const projects = args.filter((arg) => PACKAGES.includes(arg)).map((folder) => `--project=${folder}*`);
const others = args.filter((arg) => !OWN_OPTIONS.includes(arg) && !PACKAGES.includes(arg));
const rest = isRest ? ["--tags-filter=sized", ...sizedFiles()] : [];
await runAll([
  () => run(".", "vitest", "run", "--reporter=default", ...REPORTERS, ...projects, ...others, ...rest),
]);
