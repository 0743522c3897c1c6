/** What the service takes from the world besides its bindings, so that a test or simulator can own it. */
export interface Runtime {
  /** Milliseconds since the epoch. */
  nowMs(): number;
  /** Do something after a while; settles as it does. */
  after(delayMs: number, work: () => Promise<void>): Promise<void>;
  /** `length` bytes nobody can guess. */
  randomBytes(length: number): Uint8Array;
}

export const systemRuntime: Runtime = {
  nowMs: () => Date.now(),
  after: async (delayMs, work) => {
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    await work();
  },
  randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
};
