/** Time and randomness, injected so that a test or simulator can control them. */
export interface Runtime {
  nowMs(): number;
  /** Runs the work after the delay. Settles as the work does. */
  after(delayMs: number, work: () => Promise<void>): Promise<void>;
  /** Resolves after the delay, in which other requests of the isolate run. */
  pause(ms: number): Promise<void>;
  randomBytes(length: number): Uint8Array;
}

/**
 * Time in which a response leaves the isolate. Background work that starts at once would delay it, because an isolate has
 * a single thread.
 */
export const RESPONSE_MS = 40;

/** A random number from 0 up to, but not including, 1. */
export function drawFraction(runtime: Runtime): number {
  const [draw = 0] = new Uint32Array(runtime.randomBytes(4).slice().buffer);
  return draw / 2 ** 32;
}

export const systemRuntime: Runtime = {
  nowMs: () => Date.now(),
  after: async (delayMs, work) => {
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    await work();
  },
  // Only a timer lets other requests run, and one of 0 ms may end before all waiting requests have run.
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
};
