/** `pause` resolves after a delay during which other requests run. */
export interface PausingClock {
  pause(ms: number): Promise<void>;
}

/** The owner loses the mutex after this time, because a request that was canceled meanwhile cannot release it. */
const COMPUTATION_MS_MAX = 200;
const WRITE_MS_MAX = 2_000;
/** Cloudflare ends the background work of a request after 30 seconds. */
const RUN_MS_MAX = 30_000;
const LOOK_MS_MAX = 16;
const REQUESTS_IN_A_ROW = 3;

/**
 * Has one owner at a time. While requests wait for it, background work gets it every fourth time. Time is measured by
 * the length of pauses, because the clock of a Worker does not advance during a computation.
 */
export class Mutex {
  readonly #clock: PausingClock;
  readonly #longestMs: number;
  #owner: object | null = null;
  #acquisitions = 0;
  /** For how long background work has seen no request wait. */
  #quietMs = Number.POSITIVE_INFINITY;
  #requestsInARow = 0;

  constructor(clock: PausingClock, longestMs = COMPUTATION_MS_MAX) {
    this.#clock = clock;
    this.#longestMs = longestMs;
  }

  /** Resolves when the owner has the mutex. If it already has it, others and new requests come first. */
  async acquire(owner: object, isBackground: boolean): Promise<void> {
    await this.#clock.pause(1);
    this.release(owner);
    let seen = this.#acquisitions;
    let waitedMs = 0;
    // Checks again and again instead of awaiting the release: in a Worker, a request must not await I/O, or a promise,
    // that another request started.
    for (let ms = 1; ; ms = Math.min(2 * ms, LOOK_MS_MAX)) {
      await this.#clock.pause(ms);
      waitedMs = seen === this.#acquisitions ? waitedMs + ms : 0;
      seen = this.#acquisitions;
      this.#quietMs = isBackground ? this.#quietMs + ms : 0;
      const isFree = this.#owner === null || waitedMs >= this.#longestMs;
      if (isFree && (!isBackground || this.#mayBackgroundBegin())) break;
    }
    this.#owner = owner;
    this.#acquisitions += 1;
    this.#requestsInARow = isBackground ? 0 : this.#requestsInARow + 1;
  }

  release(owner: object): void {
    if (this.#owner === owner) this.#owner = null;
  }

  /** Runs the work while it owns the mutex. */
  async run<T>(isBackground: boolean, work: () => Promise<T>): Promise<T> {
    const owner = {};
    await this.acquire(owner, isBackground);
    try {
      return await work();
    } finally {
      this.release(owner);
    }
  }

  #mayBackgroundBegin(): boolean {
    return this.#quietMs > 2 * LOOK_MS_MAX || this.#requestsInARow >= REQUESTS_IN_A_ROW;
  }
}

/** What an isolate (running copy of the Worker) does one at a time. */
export interface Mutexes {
  /** Other requests then wait for one slice of a computation, not for a slice of several. */
  computation: Mutex;
  /** A large write occupies the database for some tenths of a second. */
  largeWrites: Mutex;
  /** A large run of background work keeps tens of megabytes in memory. */
  largeRuns: Mutex;
}

export const openMutexes = (clock: PausingClock): Mutexes => ({
  computation: new Mutex(clock),
  largeWrites: new Mutex(clock, WRITE_MS_MAX),
  largeRuns: new Mutex(clock, RUN_MS_MAX),
});
