import type { CallInterceptor } from "./database-calls.ts";
import type { Runtime } from "./runtime.ts";

/** How long the background work of an isolate calls the database without a pause. */
const WORK_MS_MAX = 50;
/** Length of a pause. In a shorter one, not all requests that have arrived would begin. */
const PAUSE_MS = 5;

/**
 * Pauses all background work of an isolate at the same time, again and again. workerd looks for new requests only while
 * all of its work waits for a timer or for the network, and the calls of a local database wait for neither.
 */
export function giveWay(clock: Pick<Runtime, "nowMs" | "pause">): CallInterceptor {
  let sinceMs = clock.nowMs();
  let endedAtMs = sinceMs;
  return async (_, send) => {
    // Without calls for so long, all work has waited already.
    if (clock.nowMs() - endedAtMs >= WORK_MS_MAX) sinceMs = clock.nowMs();
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
