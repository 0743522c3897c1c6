import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Run } from "./simulate.ts";

/** A run, with the events of the coverage list that happened in it. */
export interface CoveredRun extends Run {
  events: string[];
}

/**
 * Run seeds on this number of threads and report each when it is done, until all are done or `isEnough`
 * returns true.
 */
export async function runSeeds(
  input: { from: number; seeds: number; threads: number },
  onRun: (run: CoveredRun) => void,
  isEnough: () => boolean,
): Promise<void> {
  const end = input.from + input.seeds;
  let next = input.from;
  const runThread = () =>
    new Promise<void>((resolve, reject) => {
      const thread = new Worker(join(import.meta.dirname, "thread.ts"));
      const sendNext = () => {
        if (next < end && !isEnough()) thread.postMessage(next++);
        else void thread.terminate().then(() => resolve());
      };
      thread.on("message", (run: CoveredRun) => {
        onRun(run);
        sendNext();
      });
      thread.on("error", reject);
      sendNext();
    });
  await Promise.all(Array.from({ length: Math.min(input.threads, input.seeds) }, runThread));
}
