import type { Miniflare } from "miniflare";

/** Where Cloudflare fires a cron once a minute at most, a person waits before the screen here. */
export const CRON_INTERVAL_MS = 5_000;

/** Where Miniflare's own entry hands a request on to the first Worker's scheduled handler. */
const SCHEDULED = "http://127.0.0.1/cdn-cgi/local/scheduled";

/**
 * Fire the first Worker's crons again and again, never two at once.
 *
 * What a handler throws, the runtime prints; a runtime that is just being started again is passed over.
 *
 * By a request, since `getWorker().scheduled()` holds this thread up until workerd has taken the call: nobody
 * reads workerd's log meanwhile, and once that is full, the two wait for each other for ever.
 *
 * @returns A function that ends it; a handler that runs then is left to itself.
 */
export function fireCrons(input: { runtime: Miniflare; crons: string[]; intervalMs: number }): () => void {
  let firing = false;
  const timer = setInterval(async () => {
    if (firing) return;
    firing = true;
    try {
      for (const cron of input.crons) {
        const query = new URLSearchParams({ cron, time: String(Date.now()) });
        const outcome = await input.runtime.dispatchFetch(`${SCHEDULED}?${query}`);
        await outcome.arrayBuffer();
      }
    } catch {
      // The next round tries again.
    } finally {
      firing = false;
    }
  }, input.intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}
