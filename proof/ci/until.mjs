import { setTimeout as sleep } from "node:timers/promises";

const TIMEOUT_MS = 60_000;

/** Waits until a condition holds. @throws {Error} With `title` if it does not within a minute. */
export async function until(condition, title) {
  for (let waitedMs = 0; !(await condition()); waitedMs += 50) {
    if (waitedMs > TIMEOUT_MS) throw new Error(`not within a minute: ${title}`);
    await sleep(50);
  }
}
