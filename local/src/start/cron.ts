import type { Miniflare } from "miniflare";

/** On Cloudflare the sweep runs once a minute. A user who tries the service should wait less. */
export const CRON_INTERVAL_MS = 5_000;

const SCHEDULED = "http://127.0.0.1/cdn-cgi/local/scheduled";

/**
 * One run after the other. The runtime prints errors of the handler. If the runtime is restarting, that run
 * is skipped.
 *
 * Not `getWorker().scheduled()`, which blocks this thread until workerd has accepted the call. In that time
 * this thread does not read workerd's log. If the log's buffer is full, both wait forever.
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
    } finally {
      firing = false;
    }
  }, input.intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}
