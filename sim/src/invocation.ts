import type { Clock } from "./clock.ts";
import type { Random } from "./random.ts";
import type { Fate, Port, Weather } from "./weather.ts";

/** What everything in a run shares. */
export interface Surroundings {
  clock: Clock;
  random: Random;
  weather: Weather;
  /** Writes a line of the trace; `detail` counts and is not shown. */
  note(line: string, detail?: string): void;
  /** Told of everything that took effect somewhere. */
  onEffect(): void;
}

/** How calls of a port go. */
export interface Manner {
  port: Port;
  /** How often something goes wrong, beside other calls in the same weather. */
  often: number;
  /** How long a call is on its way, each way. */
  fineMs: { low: number; high: number };
  /** The most that it is on its way, both ways together. */
  slowMs: number;
  /** What may become of a call that does not go well, each as often as its weight says. */
  fates: Partial<Record<Exclude<Fate, "fine">, number>>;
  /** In the words of the service. */
  error(random: Random): Error;
}

/** One each: a promise that all wait for would keep whatever waits, from run to run. */
const never = () => new Promise<never>(() => {});

/** How often a call is the one at which the Worker dies, relative to other faults. */
const DEATHS = 0.2;

/**
 * One run of the Worker: a request with all that goes on behind it, or a cron.
 *
 * It can die between any two steps. Then nothing that it waits for ever comes, and what it has sent off
 * may still arrive.
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

  /** Whether it has called this port so far. */
  hasCalled(port: Port): boolean {
    return this.#called.has(port);
  }

  /**
   * Call a service behind the Worker.
   *
   * @param apply what the call does there, wholly or in part; it may refuse by throwing.
   */
  call<T>(manner: Manner, what: string, apply: (extent: "whole" | "part") => T): Promise<T> {
    if (this.isDead) return never();
    this.#called.add(manner.port);
    const { clock, random, weather } = this.#surroundings;
    if (weather.strikes("worker", clock.nowMs(), DEATHS)) {
      // Half of the time before the call is sent, else once it has arrived.
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
      // Of a Worker that died meanwhile, half of what was on its way is lost with it.
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
