import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../../../../bench/src/chats/random.ts";
import type { Action, Mix } from "./mix.ts";

/** A request and how long it took, from when it was due. */
export interface Served {
  action: Action;
  ms: number;
  /** Undefined when it succeeded. */
  error: unknown;
}

/** A fresh service's growth, some 700 MB, comes with so many of the mix: heaps coming to their size. */
export const WARM_UP_REQUESTS = 5_000;
/** As many clients as find the most that the service can do. */
const PEAK_CLIENTS = 8;

/** Send as fast as several clients can, each waiting for its answer. @returns Requests that were answered. */
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
 * Send requests as they come in life: at random moments, so many a second, whether or not others are answered.
 *
 * Each is timed from the moment when it was due, so that one that holds up all others counts for them, too.
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
    // The gaps between arrivals that know nothing of each other.
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
