/** Faults that tests can switch on; null means no fault. */
export interface Faults {
  /** Error code with which every call to Workers AI fails, or "hang": no response until the fault is cleared. */
  ai: "3040" | "3036" | "3007" | "hang" | null;
  /** Error code with which every call to Vectorize fails. */
  vectorize: "40041" | "500" | null;
}

/**
 * Faults and counts of calls, which tests set and read.
 *
 * The variables of this module are shared by all entrypoints and Durable Objects of the Worker, because workerd
 * runs one isolate for each Worker. A test checks this.
 */
export const switches: Faults & {
  /** Time after which queries see a change of the vector store. */
  visibilityDelayMs: number;
  /** Calls since the last reset, by operation: "ai.run", "vectorize.query", … */
  readonly calls: Map<string, number>;
} = { ai: null, vectorize: null, visibilityDelayMs: 0, calls: new Map() };

export function countCall(operation: string): void {
  switches.calls.set(operation, (switches.calls.get(operation) ?? 0) + 1);
}
