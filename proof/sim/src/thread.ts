// Runs requested seeds, one after another.
import { parentPort } from "node:worker_threads";
import { eventsIn } from "./coverage.ts";
import { simulate } from "./simulate.ts";
import type { CoveredRun } from "./worker-pool.ts";

parentPort?.on("message", async (seed: number) => {
  const run = await simulate(seed);
  // The trace of a successful run is not needed.
  const trace = run.failure === null ? [] : run.trace;
  parentPort?.postMessage({ ...run, trace, events: eventsIn(run.trace) } satisfies CoveredRun);
});
