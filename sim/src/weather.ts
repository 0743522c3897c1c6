import type { Random } from "./random.ts";

/** What becomes of one call to a service behind the Worker. */
export type Fate =
  | "fine"
  /** Takes seconds. */
  | "slow"
  /** Does nothing, and says so. */
  | "refused"
  /** Takes effect, but the answer is an error. */
  | "unheard"
  /** The answer is an error, and only some time later it takes effect. */
  | "late"
  /** Is never answered, and may take effect. */
  | "silent"
  /** Takes effect twice, as when a network delivers again, and is answered once. */
  | "repeated"
  /** Takes effect for some of what it was asked, and the answer is an error. */
  | "partly";

export type Port = "d1" | "ai" | "vectorize" | "network" | "worker";

/** How often the calls of a port fail, from never to nearly always. */
const INTENSITIES = { clear: 0, showers: 0.06, storm: 0.3, outage: 0.95 } as const;
type Intensity = keyof typeof INTENSITIES;

const DURATION_MS = { low: 2_000, high: 90_000 };

/**
 * How the services behind the Worker do: each by itself has good times and bad ones, and in the end all
 * are well.
 */
export class Weather {
  readonly #random: Random;
  readonly #now = new Map<Port, { intensity: Intensity; untilMs: number }>();
  /** How much of the time is bad in this run. */
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

  /** From now on things go wrong; before, all is well. */
  breakUp(): void {
    this.#isClear = false;
  }

  /** Everything works from now on. */
  clearUp(): void {
    this.#isClear = true;
  }

  /** Whether something goes wrong with a port now; `often` scales how often it does. */
  strikes(port: Port, nowMs: number, often = 1): boolean {
    if (this.#isClear) return false;
    let now = this.#now.get(port);
    if (now === undefined || now.untilMs <= nowMs) {
      const intensity = this.#random.weigh(this.#odds);
      now = { intensity, untilMs: nowMs + this.#random.between(DURATION_MS.low, DURATION_MS.high) };
      this.#now.set(port, now);
    }
    return this.#random.chance(INTENSITIES[now.intensity] * often);
  }
}
