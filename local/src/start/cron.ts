import type { Miniflare } from "miniflare";

/** Cloudflare fires a cron at most once a minute. Shorter here, because a person is waiting. */
export const CRON_INTERVAL_MS = 5_000;

/** Miniflare's URL for the first Worker's scheduled handler. */
const SCHEDULED = "http://127.0.0.1/cdn-cgi/local/scheduled";

/**
 * Fire the first Worker's crons periodically, never two concurrently.
 *
 * The runtime prints a handler's errors. A round during a restart of the runtime is skipped.
 *
 * Uses a request, because `getWorker().scheduled()` blocks this thread until workerd has accepted the call.
 * Meanwhile workerd's log is not read, and once its buffer is full, the two deadlock.
 *
 * @returns A function that stops the crons; a running handler continues.
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
