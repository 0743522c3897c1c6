import type { Clock } from "./clock.ts";
import type { Random } from "./random.ts";
import type { Fate, Port, Weather } from "./weather.ts";

/** State that all parts of a run share. */
export interface Surroundings {
  clock: Clock;
  random: Random;
  weather: Weather;
  /** Adds a line to the trace. `detail` counts for the hash and is not shown. */
  note(line: string, detail?: string): void;
  /** Called after every effect. */
  onEffect(): void;
}

/** How the calls of a port behave. */
export interface Manner {
  port: Port;
  /** Fault frequency relative to other ports under the same conditions. */
  often: number;
  /** One-way latency of a normal call. */
  fineMs: { low: number; high: number };
  /** Upper bound on the latency of both ways together. */
  slowMs: number;
  /** Weights of the outcomes of a faulty call. */
  fates: Partial<Record<Exclude<Fate, "fine">, number>>;
  /** An error in the words of the service. */
  error(random: Random): Error;
}

/** A new promise for each call. A shared one would retain its waiters from run to run. */
const never = () => new Promise<never>(() => {});

/** Frequency of Worker deaths relative to other faults. */
const DEATHS = 0.2;

/**
 * One invocation of the Worker: a request with its work after the response, or a cron.
 *
 * It can die between any two steps. Pending calls then never return, but sent calls may still take effect.
 */
export class Invocation {
  readonly name: string;
  readonly #surroundings: Surroundings;
  readonly #onDeath: () => void;
  readonly #called = new Set<Port>();
  isDead = false;

  constructor(surroundings: Surroundings, name: string, onDeath: () => void) {
    this.#surroundings = surroundings;
    this.name = name;
    this.#onDeath = onDeath;
  }

  die(why: string): void {
    if (this.isDead) return;
    this.isDead = true;
    this.note(`dies: ${why}`);
    this.#onDeath();
  }

  note(what: string, detail?: string): void {
    this.#surroundings.note(`${this.name} ${what}`, detail);
  }

  hasCalled(port: Port): boolean {
    return this.#called.has(port);
  }

  /**
   * Call an external service.
   *
   * @param apply The call's effect, complete or partial. It may throw to reject the call.
   */
  call<T>(manner: Manner, what: string, apply: (extent: "whole" | "part") => T): Promise<T> {
    if (this.isDead) return never();
    this.#called.add(manner.port);
    const { clock, random, weather } = this.#surroundings;
    if (weather.strikes("worker", clock.nowMs(), DEATHS)) {
      // Dies with equal probability before the call is sent or after it has taken effect.
      if (random.chance(0.5)) {
        this.die(`before ${what}`);
        return never();
      }
      this.#land(what, random.between(manner.fineMs.low, manner.fineMs.high), () => {
        this.#effect(what, () => apply("whole"));
        this.die(`behind ${what}`);
      });
      return never();
    }
    const fate = weather.strikes(manner.port, clock.nowMs(), manner.often)
      ? random.weigh(manner.fates)
      : "fine";
    return new Promise((resolve, reject) => this.#meet(fate, manner, what, apply, resolve, reject));
  }

  #meet<T>(
    fate: Fate,
    manner: Manner,
    what: string,
    apply: (extent: "whole" | "part") => T,
    resolve: (value: T) => void,
    reject: (error: unknown) => void,
  ): void {
    const { random } = this.#surroundings;
    const { low, high } = manner.fineMs;
    const fineMs = () => random.between(low, high);
    const half = Math.floor(manner.slowMs / 2);
    const slowMs = () => random.between(high, half);
    const fail = (delayMs: number) => this.#answer(delayMs, () => reject(manner.error(random)));
    const land = (delayMs: number, then: (outcome: () => T) => void, extent: "whole" | "part" = "whole") =>
      this.#land(what, delayMs, () => then(this.#effect(`${what} ${fate}`, () => apply(extent))));
    const settle = (delayMs: number) => (outcome: () => T) =>
      this.#answer(delayMs, () => {
        try {
          resolve(outcome());
        } catch (error) {
          reject(error);
        }
      });
    const courses: Record<Fate, () => void> = {
      fine: () => land(fineMs(), settle(fineMs())),
      slow: () => land(slowMs(), settle(slowMs())),
      refused: () => {
        this.note(`${what} refused`);
        fail(fineMs());
      },
      unheard: () => land(fineMs(), () => fail(fineMs())),
      late: () => {
        fail(fineMs());
        land(slowMs() + slowMs(), () => {});
      },
      silent: () => {
        this.note(`${what} silent`);
        if (random.chance(0.5)) land(slowMs() + slowMs(), () => {});
      },
      repeated: () => {
        const firstMs = fineMs();
        land(firstMs, () => {});
        land(firstMs + slowMs(), settle(fineMs()));
      },
      partly: () => land(fineMs(), () => fail(fineMs()), "part"),
    };
    courses[fate]();
  }

  #land(what: string, delayMs: number, arrive: () => void): void {
    const { clock, random } = this.#surroundings;
    clock.schedule(delayMs, () => {
      // Half of a dead Worker's calls in transit are lost.
      if (this.isDead && random.chance(0.5)) return this.note(`${what} lost`);
      arrive();
    });
  }

  #effect<T>(what: string, apply: () => T): () => T {
    try {
      const value = apply();
      this.note(what);
      this.#surroundings.onEffect();
      return () => value;
    } catch (error) {
      this.note(`${what}: ${String(error).slice(0, 200)}`);
      return () => {
        throw error;
      };
    }
  }

  #answer(delayMs: number, answer: () => void): void {
    this.#surroundings.clock.schedule(delayMs, () => {
      if (!this.isDead) answer();
    });
  }
}
