import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 250;

/** Poll until the condition holds. @returns The milliseconds it took, or Infinity on a timeout. */
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
