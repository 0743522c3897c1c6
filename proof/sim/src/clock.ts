import type { Random } from "./random.ts";

export interface Event {
  atMs: number;
  /** Orders events of the same moment. */
  tie: number;
  run: () => void;
  isOff: boolean;
}

/**
 * Simulated time and all pending events.
 *
 * Time advances only from event to event, so that a day costs nothing. Events of the same millisecond run in
 * a random order.
 */
export class Clock {
  readonly #random: Random;
  /** A binary heap, the next event first. */
  readonly #events: Event[] = [];
  #nowMs: number;
  /** Number of events so far, which orders events within a millisecond. */
  step = 0;

  constructor(random: Random, startMs: number) {
    this.#random = random;
    this.#nowMs = startMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  schedule(delayMs: number, run: () => void): Event {
    const atMs = this.#nowMs + Math.max(0, Math.ceil(delayMs));
    const event: Event = { atMs, tie: this.#random.between(0, 0x3fffffff), run, isOff: false };
    let place = this.#events.push(event) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!this.#isBefore(place, parent)) break;
      this.#swap(place, parent);
      place = parent;
    }
    return event;
  }

  sleep(delayMs: number): Promise<void> {
    return new Promise((resolve) => this.schedule(delayMs, resolve));
  }

  /** Run the next event. Returns false when none is left. */
  advance(): boolean {
    for (let event = this.#pop(); event !== undefined; event = this.#pop()) {
      if (event.isOff) continue;
      this.#nowMs = event.atMs;
      this.step += 1;
      event.run();
      return true;
    }
    return false;
  }

  #pop(): Event | undefined {
    const [first] = this.#events;
    const last = this.#events.pop();
    if (last === undefined || first === undefined || last === first) return first;
    this.#events[0] = last;
    for (let place = 0; ; ) {
      let least = place;
      for (const child of [2 * place + 1, 2 * place + 2]) {
        if (child < this.#events.length && this.#isBefore(child, least)) least = child;
      }
      if (least === place) return first;
      this.#swap(place, least);
      place = least;
    }
  }

  #isBefore(a: number, b: number): boolean {
    const [left, right] = [this.#events[a], this.#events[b]];
    if (left === undefined || right === undefined) return false;
    return left.atMs === right.atMs ? left.tie < right.tie : left.atMs < right.atMs;
  }

  #swap(a: number, b: number): void {
    const [left, right] = [this.#events[a], this.#events[b]];
    if (left === undefined || right === undefined) return;
    this.#events[a] = right;
    this.#events[b] = left;
  }
}
