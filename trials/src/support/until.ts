import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 250;

/** Ask again and again until the answer is yes. @returns The milliseconds that took; Infinity for not in time. */
export async function until(condition: () => Promise<boolean>, timeoutMs: number): Promise<number> {
  const startMs = performance.now();
  for (;;) {
    const holds = await condition();
    const tookMs = performance.now() - startMs;
    if (holds) return tookMs;
    if (tookMs > timeoutMs) return Number.POSITIVE_INFINITY;
    await sleep(POLL_MS);
  }
}
