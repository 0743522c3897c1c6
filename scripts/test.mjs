// All tests that need Node alone. One package after the other: each brings workers of its own.
import { run, runAll } from "./commands.mjs";

const suites = [
  ["service", "vitest.config.ts"],
  ["local", "vitest.config.ts"],
  ["local", "vitest.start.config.ts"],
  ["deploy", "vitest.config.ts"],
  ["sdk", "vitest.config.ts"],
  ["bench", "vitest.config.ts"],
  ["sim", "vitest.config.ts"],
  ["trials", "vitest.config.ts"],
  ["examples", "vitest.config.ts"],
  ["scripts", "vitest.config.mjs"],
];
const only = process.argv.slice(2);

await runAll(
  suites
    .filter(([folder]) => only.length === 0 || only.includes(folder))
    .map(
      ([folder, config]) =>
        () =>
          run(folder, "vitest", "run", "--config", config),
    ),
);
