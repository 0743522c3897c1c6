import type { Clock } from "./clock.ts";
import type { CallOutcome, FaultSchedule, Port } from "./faults.ts";
import type { Random } from "./random.ts";

/** State that all parts of a run share. */
export interface SimulationContext {
  clock: Clock;
  random: Random;
  faults: FaultSchedule;
  /** Adds a line to the trace. `detail` counts for the hash and is not shown. */
  note(line: string, detail?: string): void;
  /** Called after every effect. */
  onEffect(): void;
}

/** How the calls of a port behave. */
export interface CallBehavior {
  port: Port;
  /** Fault frequency relative to other ports under the same conditions. */
  frequency: number;
  /** One-way latency of a normal call. */
  normalMs: { low: number; high: number };
  /** Upper bound on the latency of both ways together. */
  slowMs: number;
  /** Weights of the outcomes of a faulty call. */
  outcomes: Partial<Record<Exclude<CallOutcome, "fine">, number>>;
  /** An error in the words of the service. */
  error(random: Random): Error;
}

/** A new promise for each call. A shared one would retain its waiters from run to run. */
const never = () => new Promise<never>(() => {});

/** Frequency of Worker deaths relative to other faults. */
const DEATH_FREQUENCY = 0.2;

/**
 * One invocation of the Worker: a request with its work after the response, or a cron.
 *
 * It can die between any two steps. Pending calls then never return, but sent calls may still take effect.
 */
export class Invocation {
  readonly name: string;
  readonly #context: SimulationContext;
  readonly #onDeath: () => void;
  readonly #called = new Set<Port>();
  isDead = false;

  constructor(context: SimulationContext, name: string, onDeath: () => void) {
    this.#context = context;
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
    this.#context.note(`${this.name} ${what}`, detail);
  }

  hasCalled(port: Port): boolean {
    return this.#called.has(port);
  }

  /**
   * Call an external service.
   *
   * @param apply The call's effect, complete or partial. It may throw to reject the call.
   */
  call<T>(behavior: CallBehavior, what: string, apply: (extent: "whole" | "part") => T): Promise<T> {
    if (this.isDead) return never();
    this.#called.add(behavior.port);
    const { clock, random, faults } = this.#context;
    if (faults.occurs("worker", clock.nowMs(), DEATH_FREQUENCY)) {
      // Dies with equal probability before the call is sent or after it has taken effect.
      if (random.chance(0.5)) {
        this.die(`before ${what}`);
        return never();
      }
      this.#land(what, random.between(behavior.normalMs.low, behavior.normalMs.high), () => {
        this.#effect(what, () => apply("whole"));
        this.die(`after ${what}`);
      });
      return never();
    }
    const outcome = faults.occurs(behavior.port, clock.nowMs(), behavior.frequency)
      ? random.weigh(behavior.outcomes)
      : "fine";
    return new Promise((resolve, reject) => this.#act(outcome, behavior, what, apply, resolve, reject));
  }

  #act<T>(
    outcome: CallOutcome,
    behavior: CallBehavior,
    what: string,
    apply: (extent: "whole" | "part") => T,
    resolve: (value: T) => void,
    reject: (error: unknown) => void,
  ): void {
    const { random } = this.#context;
    const { low, high } = behavior.normalMs;
    const fineMs = () => random.between(low, high);
    const half = Math.floor(behavior.slowMs / 2);
    const slowMs = () => random.between(high, half);
    const fail = (delayMs: number) => this.#answer(delayMs, () => reject(behavior.error(random)));
    const land = (delayMs: number, then: (outcome: () => T) => void, extent: "whole" | "part" = "whole") =>
      this.#land(what, delayMs, () => then(this.#effect(`${what} ${outcome}`, () => apply(extent))));
    const settle = (delayMs: number) => (outcome: () => T) =>
      this.#answer(delayMs, () => {
        try {
          resolve(outcome());
        } catch (error) {
          reject(error);
        }
      });
    const effects: Record<CallOutcome, () => void> = {
      fine: () => land(fineMs(), settle(fineMs())),
      slow: () => land(slowMs(), settle(slowMs())),
      refused: () => {
        this.note(`${what} refused`);
        fail(fineMs());
      },
      unacknowledged: () => land(fineMs(), () => fail(fineMs())),
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
    effects[outcome]();
  }

  #land(what: string, delayMs: number, arrive: () => void): void {
    const { clock, random } = this.#context;
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
      this.#context.onEffect();
      return () => value;
    } catch (error) {
      this.note(`${what}: ${String(error).slice(0, 200)}`);
      return () => {
        throw error;
      };
    }
  }

  #answer(delayMs: number, answer: () => void): void {
    this.#context.clock.schedule(delayMs, () => {
      if (!this.isDead) answer();
    });
  }
}
