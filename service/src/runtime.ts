/** What the service takes from the world besides its bindings, so that a test or simulator can own it. */
export interface Runtime {
  /** Milliseconds since the epoch. */
  nowMs(): number;
  /** Do something after a while; settles as it does. */
  after(delayMs: number, work: () => Promise<void>): Promise<void>;
  /** Resolve after some milliseconds, in which other requests of the isolate have their turn. */
  pause(ms: number): Promise<void>;
  /** `length` bytes nobody can guess. */
  randomBytes(length: number): Uint8Array;
}

export const systemRuntime: Runtime = {
  nowMs: () => Date.now(),
  after: async (delayMs, work) => {
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    await work();
  },
  // A microtask or a message lets no other request in, and a timer of 0 ms ends before they are all through.
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
};
