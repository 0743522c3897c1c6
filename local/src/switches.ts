/** Faults that tests can switch on; null means no fault. */
export interface Faults {
  /** Internal error code of every AI call, or "hang": no response until the fault is cleared. */
  ai: "3040" | "3036" | "3007" | "hang" | null;
  /** Error code of every Vectorize call. */
  vectorize: "40041" | "500" | null;
}

/**
 * State that tests set and count, shared by all entrypoints.
 *
 * One workerd runs one isolate per Worker, so its entrypoints and Durable Objects share module state (a test
 * checks this). A call without faults has no overhead.
 */
export const switches: Faults & {
  /** Visibility lag of a vector mutation. */
  visibilityDelayMs: number;
  /** Calls since the last reset, by operation: "ai.run", "vectorize.query", … */
  readonly calls: Map<string, number>;
} = { ai: null, vectorize: null, visibilityDelayMs: 0, calls: new Map() };

export function countCall(operation: string): void {
  switches.calls.set(operation, (switches.calls.get(operation) ?? 0) + 1);
}
