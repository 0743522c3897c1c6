import type { Miniflare } from "miniflare";

/**
 * How often the service's periodic work (the sweep) runs. On Cloudflare it is once a minute. It is more often here,
 * so that a user who tries the service waits less.
 */
export const CRON_INTERVAL_MS = 5_000;

/** The URL at which Miniflare runs the `scheduled` handler of the first Worker. */
const SCHEDULED = "http://127.0.0.1/cdn-cgi/local/scheduled";

/**
 * Runs the cron triggers of the first Worker periodically, one after the other. Errors of the handler are printed
 * by the runtime. If the runtime is restarting, that run is skipped.
 *
 * It sends a request instead of calling `getWorker().scheduled()`, which blocks this thread until workerd has
 * accepted the call. In that time this thread does not read workerd's log. If the log's buffer is full, workerd
 * waits for it to be read, and both wait forever.
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
