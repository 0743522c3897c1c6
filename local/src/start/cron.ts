import type { Miniflare } from "miniflare";

/** Where Cloudflare fires a cron once a minute at most, a person waits before the screen here. */
export const CRON_INTERVAL_MS = 5_000;

/**
 * Fire a Worker's crons again and again, never two at once.
 *
 * What a handler throws, the runtime prints; a runtime that is just being started again is passed over.
 *
 * @returns A function that ends it; a handler that runs then is left to itself.
 */
export function fireCrons(input: {
  runtime: Miniflare;
  worker: string;
  crons: string[];
  intervalMs: number;
}): () => void {
  let firing = false;
  const timer = setInterval(async () => {
    if (firing) return;
    firing = true;
    try {
      const worker = await input.runtime.getWorker(input.worker);
      for (const cron of input.crons) await worker.scheduled({ cron, scheduledTime: new Date() });
    } catch {
      // The next round tries again.
    } finally {
      firing = false;
    }
  }, input.intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}
