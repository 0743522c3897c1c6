/** Faults that tests can switch on; null is none. */
export interface Faults {
  /** An internal code that every call of AI fails with, or "hang": no answer until the fault is cleared. */
  ai: "3040" | "3036" | "3007" | "hang" | null;
  /** A code that every call of Vectorize fails with. */
  vectorize: "40041" | "500" | null;
}

/**
 * What tests switch and count, for all entrypoints alike.
 *
 * One workerd runs one isolate per Worker, so module state is shared by its entrypoints and its Durable
 * Objects (a test holds it to that), and a call without faults pays nothing for them.
 */
export const switches: Faults & {
  /** How long a vector mutation waits before queries see it. */
  visibilityDelayMs: number;
  /** Calls since the last reset, by operation: "ai.run", "vectorize.query", … */
  readonly calls: Map<string, number>;
} = { ai: null, vectorize: null, visibilityDelayMs: 0, calls: new Map() };

/** Counts one call of an operation. */
export function countCall(operation: string): void {
  switches.calls.set(operation, (switches.calls.get(operation) ?? 0) + 1);
}
