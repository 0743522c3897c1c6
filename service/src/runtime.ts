/** What the service takes from the world besides its bindings, so that a test or simulator can own it. */
export interface Runtime {
  /** Milliseconds since the epoch. */
  nowMs(): number;
  /** `length` bytes nobody can guess. */
  randomBytes(length: number): Uint8Array;
}

export const systemRuntime: Runtime = {
  nowMs: () => Date.now(),
  randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
};
