import type { CallInterceptor } from "./database-calls.ts";
import type { Runtime } from "./runtime.ts";

/** How long the background work of an isolate calls the database without a pause. */
const WORK_MS_MAX = 50;
/** Length of a pause. In a shorter one, not all requests that have arrived would begin. */
const PAUSE_MS = 5;
/** After such a time without calls, all work has waited already. No computation takes as long. */
const IDLE_MS = 1_000;

/**
 * Pauses the background work of an isolate for 5 ms after 50 ms of database calls. workerd looks for new requests and
 * ended timers only while all of its work waits, and the calls of a local database never wait. So the first pause ends
 * when the other runs pause too, each at its next call, and workerd has then begun the requests that have arrived.
 */
export function giveWay(clock: Pick<Runtime, "nowMs" | "pause">): CallInterceptor {
  let sinceMs = clock.nowMs();
  let endedAtMs = sinceMs;
  return async (_, send) => {
    if (clock.nowMs() - endedAtMs >= IDLE_MS) sinceMs = clock.nowMs();
    if (clock.nowMs() - sinceMs >= WORK_MS_MAX) {
      await clock.pause(PAUSE_MS);
      sinceMs = clock.nowMs();
    }
    try {
      return await send();
    } finally {
      endedAtMs = clock.nowMs();
    }
  };
}
