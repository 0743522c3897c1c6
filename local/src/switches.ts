export interface Faults {
  /** "hang": no response until the fault is cleared. */
  ai: "3040" | "3036" | "3007" | "hang" | null;
  vectorize: "40041" | "500" | null;
}

/**
 * The faults and the delay that tests have set.
 *
 * All entrypoints and Durable Objects of the Worker share this module, because workerd runs one isolate for
 * each Worker. A test checks this.
 */
export const switches: Faults & {
  /** Time until queries see a change of the vectors. */
  visibilityDelayMs: number;
} = { ai: null, vectorize: null, visibilityDelayMs: 0 };
