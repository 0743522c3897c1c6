// Runs the tests that need only Node:
//
//   npm test                        each promise, in minutes, with the same answer every time
//   npm test -- service paging      those of a package, or whose path contains a word
//   npm run test:full               also `*.proof.test.ts`, with larger sizes and a random seed
//
// Other arguments go to vitest.
import { randomInt } from "node:crypto";
import { join } from "node:path";
import { root, run, runAll } from "./commands.mjs";
import { createMemoryDirectory } from "./memory-directory.mjs";

/** The folders that have tests. */
const PACKAGES = [
  ...["service", "local", "sentences", "deploy", "sdk", "cli", "console", "examples", "site", "scripts"],
  ...["proof/frameworks", "proof/bench", "proof/sim", "proof/trials"],
];
const REPORTERS = ["secrets", "skipped", "slowest"].map(
  (name) => `--reporter=${join(root, `scripts/${name}.mjs`)}`,
);

// Tests start some hundred programs. With a cache, each starts in a third of the time.
process.env.NODE_COMPILE_CACHE ??= join(root, "node_modules/.cache/compiled");
// The tests' databases are in memory, where no write waits for a disk.
const memory = process.env.TMPDIR === undefined ? createMemoryDirectory() : undefined;
if (memory !== undefined) process.env.TMPDIR = memory;

const args = process.argv.slice(2);
if (args.includes("--full")) {
  process.env.ENGRAM_FULL = "1";
  process.env.ENGRAM_SEED ??= String(randomInt(2 ** 31));
  console.log(`Seed of random values: ENGRAM_SEED=${process.env.ENGRAM_SEED}`);
}
const projects = args.filter((arg) => PACKAGES.includes(arg)).map((folder) => `--project=${folder}*`);
const others = args.filter((arg) => arg !== "--full" && !PACKAGES.includes(arg));
await runAll([() => run(".", "vitest", "run", "--reporter=default", ...REPORTERS, ...projects, ...others)]);
