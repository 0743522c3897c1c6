// Runs one seed after another, as they are asked for.
import { parentPort } from "node:worker_threads";
import { simulate } from "./simulate.ts";

parentPort?.on("message", async (seed: number) => {
  const run = await simulate(seed);
  // Nobody reads the trace of a run in which all held.
  parentPort?.postMessage(run.failure === null ? { ...run, trace: [] } : run);
});
