import type { Miniflare } from "miniflare";

/**
 * Time between two calls of the cron handler. On Cloudflare it is called once a minute. A user who tries the
 * service should wait less.
 */
export const CRON_INTERVAL_MS = 5_000;

const SCHEDULED = "http://127.0.0.1/cdn-cgi/local/scheduled";

/**
 * Calls the Worker's cron handler for all `crons`, one after the other, and again after each interval. While
 * a handler runs, no other is called. The runtime prints errors of the handler. If the runtime is restarting, or
 * `isPaused` returns true, the call is skipped.
 *
 * Not with `getWorker().scheduled()`, which blocks this thread until workerd has accepted the call. In that
 * time this thread does not read workerd's log. If the log's buffer is full, both wait forever.
 *
 * @returns A function that stops the calls; a running handler continues.
 */
export function fireCrons(input: {
  runtime: Miniflare;
  crons: string[];
  intervalMs: number;
  isPaused?: () => boolean;
}): () => void {
  let firing = false;
  const timer = setInterval(async () => {
    if (firing || input.isPaused?.() === true) return;
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
