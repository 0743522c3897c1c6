// Runs all tests that need only Node, one package at a time: each starts its own workers.
import { join } from "node:path";
import { root, run, runAll } from "./commands.mjs";

const suites = [
  ["service", "vitest.config.ts"],
  ["local", "vitest.config.ts"],
  ["local", "vitest.start.config.ts"],
  ["deploy", "vitest.config.ts"],
  ["sdk", "vitest.config.ts"],
  ["cli", "vitest.config.ts"],
  ["frameworks", "vitest.config.ts"],
  ["bench", "vitest.config.ts"],
  ["sim", "vitest.config.ts"],
  ["trials", "vitest.config.ts"],
  ["examples", "vitest.config.ts"],
  ["site", "vitest.config.ts"],
  ["scripts", "vitest.config.mjs"],
];
const REPORTERS = ["--reporter=default", `--reporter=${join(root, "scripts/secrets.mjs")}`];
const only = process.argv.slice(2);

await runAll(
  suites
    .filter(([folder]) => only.length === 0 || only.includes(folder))
    .map(
      ([folder, config]) =>
        () =>
          run(folder, "vitest", "run", "--config", config, ...REPORTERS),
    ),
);
