import type { PausingClock } from "../../src/platform/mutex.ts";
import { type ComputationLock, Pace } from "../../src/text/pace.ts";

/** A lock that is free after the given pause. */
export const freeAfter = (pause: () => Promise<void>): ComputationLock => ({
  acquire: pause,
  release: () => {},
});

export const restless = (): Pace =>
  new Pace(
    1,
    freeAfter(() => new Promise((resolve) => setTimeout(resolve))),
  );

export const tireless = (): Pace =>
  new Pace(
    Number.POSITIVE_INFINITY,
    freeAfter(async () => {}),
  );

/**
 * An event loop in virtual time. As in Node, a round runs all timers that are due, also those that become due during
 * the round. Input from the network is processed between two rounds.
 */
export class EventLoop implements PausingClock {
  /** Number of rounds that have begun. */
  rounds = 0;
  nowMs = 0;
  #timers: { atMs: number; resolve: () => void }[] = [];

  pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.#timers.push({ atMs: this.nowMs + ms, resolve }));
  }

  /** Runs until the work is complete. */
  async finish<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    work.then(end, end);
    await reactions();
    while (!isOver) await this.#runRound();
    return work;
  }

  /** Runs everything that becomes due within the time. */
  async pass(ms: number): Promise<void> {
    await this.finish(this.pause(ms));
  }

  async #runRound(): Promise<void> {
    if (this.#timers.length === 0) throw new Error("nothing is left to wait for");
    this.rounds += 1;
    this.nowMs = Math.max(this.nowMs, Math.min(...this.#timers.map(({ atMs }) => atMs)));
    for (;;) {
      const [due] = this.#timers.filter(({ atMs }) => atMs <= this.nowMs).sort((a, b) => a.atMs - b.atMs);
      if (due === undefined) return;
      this.#timers.splice(this.#timers.indexOf(due), 1);
      due.resolve();
      await reactions();
    }
  }
}

/** Resolves after all callbacks of settled promises. */
const reactions = () => new Promise((resolve) => setImmediate(resolve));
