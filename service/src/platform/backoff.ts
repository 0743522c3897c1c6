import { PortFailure } from "./failures.ts";
import { drawFraction, type Runtime } from "./runtime.ts";

/** Wait before a busy model is called a second time. A search waits for it, so it is short. */
const BUSY_WAIT_MS = { from: 200, to: 600 };

/**
 * A random whole number of milliseconds, `from` or more and less than `to`. Work that failed at the same time is then
 * not tried again at the same time.
 */
export const randomMs = (runtime: Runtime, { from, to }: { from: number; to: number }): number =>
  from + Math.floor(drawFraction(runtime) * (to - from));

/**
 * Calls a model. If it is busy (HTTP status 429), calls it once more after a random wait, if that is within the
 * time limit.
 *
 * @param call gets the rest of the time limit.
 * @throws the error of the last call.
 */
export async function retryIfBusy<T>(
  runtime: Runtime,
  timeoutMs: number,
  call: (timeoutMs: number) => Promise<T>,
): Promise<T> {
  const endMs = runtime.nowMs() + timeoutMs;
  try {
    return await call(timeoutMs);
  } catch (error) {
    if (!(error instanceof PortFailure && error.isBusy)) throw error;
    const waitMs = randomMs(runtime, BUSY_WAIT_MS);
    if (runtime.nowMs() + waitMs >= endMs) throw error;
    await runtime.pause(waitMs);
    return call(endMs - runtime.nowMs());
  }
}
