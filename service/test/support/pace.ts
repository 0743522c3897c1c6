import { Pace, type TurnClock } from "../../src/text/pace.ts";

/** Turns that begin after the given pause. */
export const turnsAfter = (pause: () => Promise<void>) => ({ next: pause, end: () => {} });

export const restless = (): Pace =>
  new Pace(
    1,
    turnsAfter(() => new Promise((resolve) => setTimeout(resolve))),
  );

export const tireless = (): Pace =>
  new Pace(
    Number.POSITIVE_INFINITY,
    turnsAfter(async () => {}),
  );

/**
 * An event loop in virtual time. As in Node, a round runs all timers that are due, also those that become due during
 * the round. What came in from the network runs between two rounds.
 */
export class EventLoop implements TurnClock {
  /** Rounds that began. */
  rounds = 0;
  nowMs = 0;
  #timers: { atMs: number; resolve: () => void }[] = [];

  pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.#timers.push({ atMs: this.nowMs + ms, resolve }));
  }

  /** Runs until the work is over. */
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

  /** Runs what becomes due within the time. */
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

/** Resolves after all reactions to settled promises. */
const reactions = () => new Promise((resolve) => setImmediate(resolve));
