/** Each step yields the number of characters that it has read. Pauses do not change the result. */
export type Steps<T> = Generator<number, T, undefined>;

/** Few enough for short pauses, enough that yielding costs little. */
export const STEP_CHARACTERS = 1_024;

/** Only for short texts. */
export function runAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** A request that was canceled during its turn cannot end it, so a turn ends by itself. */
const COMPUTATION_MS_MAX = 200;
const WRITE_MS_MAX = 2_000;
const LOOK_MS_MAX = 16;
const REQUESTS_IN_A_ROW = 3;

/** Resolves after a delay during which other requests run. */
export interface TurnClock {
  pause(ms: number): Promise<void>;
}

/**
 * Lets only one long computation of an isolate run at a time: others then wait for one slice and not for several.
 * Background work gets every fourth turn while requests wait. Time is measured by the length of pauses, because the
 * clock of a Worker does not advance during a computation.
 */
export class Turns {
  readonly #clock: TurnClock;
  readonly #longestMs: number;
  #owner: object | null = null;
  #turn = 0;
  /** How long no request has been waiting, as far as background work has seen. */
  #quietMs = Number.POSITIVE_INFINITY;
  #requestsInARow = 0;

  constructor(clock: TurnClock, longestMs = COMPUTATION_MS_MAX) {
    this.#clock = clock;
    this.#longestMs = longestMs;
  }

  /** New requests can start between the two turns. */
  async next(owner: object, isBackground: boolean): Promise<void> {
    await this.#clock.pause(1);
    this.end(owner);
    let turn = this.#turn;
    let waitedMs = 0;
    // In a Worker, a request must not await I/O, or a promise, that another request started.
    for (let ms = 1; ; ms = Math.min(2 * ms, LOOK_MS_MAX)) {
      await this.#clock.pause(ms);
      waitedMs = turn === this.#turn ? waitedMs + ms : 0;
      turn = this.#turn;
      this.#quietMs = isBackground ? this.#quietMs + ms : 0;
      const isFree = this.#owner === null || waitedMs >= this.#longestMs;
      if (isFree && (!isBackground || this.#mayBackgroundBegin())) break;
    }
    this.#owner = owner;
    this.#turn += 1;
    this.#requestsInARow = isBackground ? 0 : this.#requestsInARow + 1;
  }

  end(owner: object): void {
    if (this.#owner === owner) this.#owner = null;
  }

  #mayBackgroundBegin(): boolean {
    return this.#quietMs > 2 * LOOK_MS_MAX || this.#requestsInARow >= REQUESTS_IN_A_ROW;
  }
}

export interface IsolateTurns {
  computation: Turns;
  /** A large write takes the database some tenths of a second. */
  largeWrites: Turns;
}

export const openTurns = (clock: TurnClock): IsolateTurns => ({
  computation: new Turns(clock),
  largeWrites: new Turns(clock, WRITE_MS_MAX),
});

/**
 * Divides a computation into slices, with pauses in which other requests run: an isolate has only one thread. A slice
 * is a number of characters, not a time, because the clock of a Worker does not advance during a computation.
 */
export class Pace {
  readonly #sliceCharacters: number;
  readonly #turns: Pick<Turns, "next" | "end">;
  readonly #isBackground: boolean;
  #characters = 0;
  #runs = 0;
  #lastRun: Promise<void> = Promise.resolve();
  #pause: Promise<void> | null = null;

  constructor(sliceCharacters: number, turns: Pick<Turns, "next" | "end">, isBackground = false) {
    this.#sliceCharacters = sliceCharacters;
    this.#isBackground = isBackground;
    this.#turns = turns;
  }

  /** Calls of one request run one after the other. At the same time, they would need all their memory at once. */
  async run<T>(steps: Steps<T>): Promise<T> {
    this.#runs += 1;
    const run = this.#lastRun.then(() => this.#finish(steps));
    this.#lastRun = run.then(
      () => {},
      () => {},
    );
    try {
      return await run;
    } finally {
      this.#runs -= 1;
      this.#rest();
    }
  }

  async #finish<T>(steps: Steps<T>): Promise<T> {
    for (;;) {
      // Another call of `count` may have started a pause.
      while (this.#pause !== null) await this.#pause;
      const step = steps.next();
      if (step.done) return step.value;
      this.#count(step.value);
    }
  }

  /** Counts work done outside `run`. */
  async count(characters: number): Promise<void> {
    this.#count(characters);
    while (this.#pause !== null) await this.#pause;
    this.#rest();
  }

  /** Ends the turn, because the request will now wait for a call to the database or another service. */
  #rest(): void {
    if (this.#runs === 0) this.#turns.end(this);
  }

  #count(characters: number): void {
    this.#characters += characters;
    if (this.#characters < this.#sliceCharacters || this.#pause !== null) return;
    this.#characters = 0;
    this.#pause = this.#turns.next(this, this.#isBackground).finally(() => {
      this.#pause = null;
    });
  }
}
