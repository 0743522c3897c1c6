interface Event {
  atMs: number;
  /** Events of the same time run in the order in which they were planned. */
  number: number;
  run: () => void;
}

const isBefore = (a: Event, b: Event): boolean =>
  a.atMs < b.atMs || (a.atMs === b.atMs && a.number < b.number);

/** Simulated time: runs events in the order of their times. */
export class Timeline {
  nowMs = 0;
  /** A binary heap: no event is before its parent, which is at half of its position. */
  readonly #heap: Event[] = [];
  #planned = 0;

  after(delayMs: number, run: () => void): void {
    const event: Event = { atMs: this.nowMs + delayMs, number: this.#planned++, run };
    let i = this.#heap.push(event) - 1;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      const above = this.#heap[parent];
      if (above === undefined || !isBefore(event, above)) break;
      this.#heap[i] = above;
      i = parent;
    }
    this.#heap[i] = event;
  }

  /** Runs all events until this time, those that they plan included. */
  run(untilMs: number): void {
    for (let next = this.#heap[0]; next !== undefined && next.atMs <= untilMs; next = this.#heap[0]) {
      this.#removeFirst();
      this.nowMs = next.atMs;
      next.run();
    }
    this.nowMs = untilMs;
  }

  #removeFirst(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    let i = 0;
    for (;;) {
      const [left, right] = [this.#heap[2 * i + 1], this.#heap[2 * i + 2]];
      if (left === undefined) break;
      const isRight = right !== undefined && isBefore(right, left);
      const least = isRight ? right : left;
      if (isBefore(last, least)) break;
      this.#heap[i] = least;
      i = 2 * i + (isRight ? 2 : 1);
    }
    this.#heap[i] = last;
  }
}

/** Runs one call at a time, in the order in which they come, as D1 and an object do. */
export class Server {
  /** Time that each call waited. */
  readonly waitsMs: number[] = [];
  busyMs = 0;
  /** Most calls that came in the same second. */
  busiestSecond = 0;
  #freeAtMs = 0;
  #second = -1;
  #ofSecond = 0;

  /** Whether nothing has run in this time. */
  isIdle(timeline: Timeline, ms: number): boolean {
    return timeline.nowMs - this.#freeAtMs > ms;
  }

  call(timeline: Timeline, takesMs: number, done: () => void = () => {}): void {
    this.#count(Math.floor(timeline.nowMs / 1_000));
    const startMs = Math.max(timeline.nowMs, this.#freeAtMs);
    this.#freeAtMs = startMs + takesMs;
    this.busyMs += takesMs;
    this.waitsMs.push(startMs - timeline.nowMs);
    timeline.after(this.#freeAtMs - timeline.nowMs, done);
  }

  #count(second: number): void {
    this.#ofSecond = second === this.#second ? this.#ofSecond + 1 : 1;
    this.#second = second;
    this.busiestSecond = Math.max(this.busiestSecond, this.#ofSecond);
  }
}
