import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../../../../support/random.ts";
import type { Action, Mix } from "./mix.ts";

/** A request and its duration, from the time it was due. */
export interface Served {
  action: Action;
  ms: number;
  /** Undefined when it succeeded. */
  error: unknown;
}

/** After this number of requests, a new service's heaps have grown to their size, by about 700 MB. */
export const WARM_UP_REQUESTS = 5_000;
/** Enough clients to reach the peak throughput. */
const PEAK_CLIENTS = 8;

/**
 * Send as fast as several clients can, each waiting for its response. @returns Number of completed requests.
 */
export async function sendAtPeak(mix: Mix, isEnough: (served: number) => boolean): Promise<number> {
  let served = 0;
  const client = async () => {
    while (!isEnough(served)) {
      await mix.run(mix.next());
      served += 1;
    }
  };
  await Promise.all(Array.from({ length: PEAK_CLIENTS }, client));
  return served;
}

/**
 * Send requests at random times with a fixed average rate, without waiting for responses.
 *
 * Each is timed from the moment it was due, so that a request that blocks others counts for them too.
 */
export async function sendOpenly(
  mix: Mix,
  input: { perSecond: number; seconds: number; random: Random; onSent: (sent: number) => void },
): Promise<Served[]> {
  const all: Promise<Served>[] = [];
  const startMs = performance.now();
  const endMs = startMs + input.seconds * 1_000;
  for (let dueMs = startMs; dueMs < endMs; ) {
    const waitMs = dueMs - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    all.push(serve(mix, dueMs));
    input.onSent(all.length);
    // Exponential gaps, as between independent arrivals.
    dueMs += (-Math.log(1 - input.random.next()) / input.perSecond) * 1_000;
  }
  return Promise.all(all);
}

async function serve(mix: Mix, dueMs: number): Promise<Served> {
  const action = mix.next();
  const error: unknown = await mix.run(action).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return { action, ms: performance.now() - dueMs, error };
}
