// The command of `npm run bench:cells-load`: how long do calls wait for the directory and for cells, with 100,000
// organizations in cells of their own? A simulation.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { scenarioOf, simulate, TIMES } from "./cells/load.ts";
import { formatLoad, type Simulated } from "./cells/load-report.ts";
import { CHATTY, SLEEPY } from "./cells/tenants.ts";
import { runCommand } from "./command/command.ts";
import { readCount, readOptions, readPath } from "./command/options.ts";

const USAGE = `Usage: npm run bench:cells-load -- [options]

  --organizations N   organizations in cells (default 100,000)
  --read-ms N         time of a call that reads (default ${TIMES.read})
  --write-ms N        time of a call that writes (default ${TIMES.write})
  --cold-ms N         time to load a cell (default ${TIMES.coldStart})
  --results DIR       write cells-load.md to DIR`;

/** As after an import that created all organizations in one script. */
const TEN_MINUTES_MS = 600_000;

await runCommand(USAGE, async ({ argv, workingDirectory, progress, print }) => {
  const options = readOptions(argv, {
    organizations: { type: "string" },
    "read-ms": { type: "string" },
    "write-ms": { type: "string" },
    "cold-ms": { type: "string" },
    results: { type: "string" },
  });
  const more = {
    organizations: readCount("--organizations", options.organizations, 100_000),
    times: {
      ...TIMES,
      read: readCount("--read-ms", options["read-ms"], TIMES.read),
      write: readCount("--write-ms", options["write-ms"], TIMES.write),
      coldStart: readCount("--cold-ms", options["cold-ms"], TIMES.coldStart),
    },
  };
  const scenarios = {
    "all sleepy": scenarioOf(SLEEPY, more),
    "all chatty": scenarioOf(CHATTY, more),
    "all sleepy, daily sweeps within ten minutes": scenarioOf(SLEEPY, {
      ...more,
      idleSweepsOverMs: TEN_MINUTES_MS,
      seconds: TEN_MINUTES_MS / 1_000,
    }),
  };
  const simulated: Simulated[] = Object.entries(scenarios).map(([title, scenario]) => {
    progress(title);
    return { title, scenario, load: simulate(scenario) };
  });
  const report = formatLoad(simulated);
  const directory = readPath(workingDirectory, options.results);
  if (directory !== undefined) await writeFile(join(directory, "cells-load.md"), report);
  print(report);
  return 0;
});
