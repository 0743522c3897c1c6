// Runs requested seeds, one after another.
import { parentPort } from "node:worker_threads";
import { simulate } from "./simulate.ts";

parentPort?.on("message", async (seed: number) => {
  const run = await simulate(seed);
  // The trace of a successful run is not needed.
  parentPort?.postMessage(run.failure === null ? { ...run, trace: [] } : run);
});
