import type { Random } from "./random.ts";

/** The outcome of one call to an external service. */
export type CallOutcome =
  | "fine"
  /** Takes seconds. */
  | "slow"
  /** Has no effect and returns an error. */
  | "refused"
  /** Takes effect but returns an error. */
  | "unacknowledged"
  /** Returns an error and takes effect later. */
  | "late"
  /** Never returns and may take effect. */
  | "silent"
  /** Takes effect twice, as after a repeated delivery, and returns once. */
  | "repeated"
  /** Takes effect in part and returns an error. */
  | "partly";

export type Port = "d1" | "cell" | "ai" | "vectorize" | "network" | "worker";

/** Probability that a call of a port fails. */
const INTENSITIES = { clear: 0, showers: 0.06, storm: 0.3, outage: 0.95 } as const;
type Intensity = keyof typeof INTENSITIES;

const DURATION_MS = { low: 2_000, high: 90_000 };

/**
 * Conditions of the external services. Each has good and bad periods independently, and at the end all work.
 */
export class FaultSchedule {
  readonly #random: Random;
  readonly #now = new Map<Port, { intensity: Intensity; untilMs: number }>();
  /** Proportions of good and bad periods in this run. */
  readonly #odds: Record<Intensity, number>;
  #isClear = true;

  constructor(random: Random) {
    this.#random = random;
    this.#odds = random.pick([
      { clear: 1, showers: 0.1, storm: 0, outage: 0 },
      { clear: 0.4, showers: 0.5, storm: 0.1, outage: 0.02 },
      { clear: 0.2, showers: 0.3, storm: 0.4, outage: 0.1 },
    ]);
  }

  /** Faults occur from now on. */
  start(): void {
    this.#isClear = false;
  }

  stop(): void {
    this.#isClear = true;
  }

  /** Whether a fault hits a call of this port now. `frequency` scales the probability. */
  occurs(port: Port, nowMs: number, frequency = 1): boolean {
    if (this.#isClear) return false;
    let now = this.#now.get(port);
    if (now === undefined || now.untilMs <= nowMs) {
      const intensity = this.#random.weigh(this.#odds);
      now = { intensity, untilMs: nowMs + this.#random.between(DURATION_MS.low, DURATION_MS.high) };
      this.#now.set(port, now);
    }
    return this.#random.chance(INTENSITIES[now.intensity] * frequency);
  }
}
