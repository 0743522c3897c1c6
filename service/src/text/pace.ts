/**
 * A computation that can pause between steps. Each step yields the number of characters that it has read. Pauses do not
 * change the result.
 */
export type Steps<T> = Generator<number, T, undefined>;

/** Characters in one step: few enough for short pauses, enough that yielding costs little. */
export const STEP_CHARACTERS = 1_024;

/** Runs all steps without pauses. Only for short texts. */
export function runAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/**
 * Maximum length of a turn. After it, another computation may begin, because a request that was canceled during its
 * turn cannot end the turn.
 */
const COMPUTATION_MS_MAX = 200;
const WRITE_MS_MAX = 2_000;
/** Cloudflare ends the background work of a request after 30 seconds. */
const RUN_MS_MAX = 30_000;
const LOOK_MS_MAX = 16;
const REQUESTS_IN_A_ROW = 3;

/** `pause` resolves after a delay during which other requests run. */
export interface TurnClock {
  pause(ms: number): Promise<void>;
}

/**
 * Lets only one long computation of an isolate run at a time, so that other requests wait for one slice of work and not
 * for several. While requests wait, background work gets every fourth turn. Time is measured by the length of pauses,
 * because the clock of a Worker does not advance during a computation.
 */
export class Turns {
  readonly #clock: TurnClock;
  readonly #longestMs: number;
  #owner: object | null = null;
  #turn = 0;
  /** For how long background work has seen no request wait. */
  #quietMs = Number.POSITIVE_INFINITY;
  #requestsInARow = 0;

  constructor(clock: TurnClock, longestMs = COMPUTATION_MS_MAX) {
    this.#clock = clock;
    this.#longestMs = longestMs;
  }

  /**
   * Ends the owner's turn, if it has one, and resolves when its next turn begins. New requests can start in between.
   */
  async next(owner: object, isBackground: boolean): Promise<void> {
    await this.#clock.pause(1);
    this.end(owner);
    let turn = this.#turn;
    let waitedMs = 0;
    // Checks again and again instead of awaiting the end of the other turn: in a Worker, a request must not await I/O,
    // or a promise, that another request started.
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
  /** A large write occupies the database for some tenths of a second. */
  largeWrites: Turns;
  /** A large run of background work keeps tens of megabytes in memory. */
  largeRuns: Turns;
}

export const openTurns = (clock: TurnClock): IsolateTurns => ({
  computation: new Turns(clock),
  largeWrites: new Turns(clock, WRITE_MS_MAX),
  largeRuns: new Turns(clock, RUN_MS_MAX),
});

/**
 * Divides computations into slices, with pauses in which other requests run: an isolate has only one thread. The length
 * of a slice is measured in characters, not in time, because the clock of a Worker does not advance during a
 * computation.
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

  /**
   * Runs a computation with pauses. Calls of one request run one after the other: at the same time, they would need the
   * memory of all at once.
   */
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
      // A call of `count` may have started a pause.
      while (this.#pause !== null) await this.#pause;
      const step = steps.next();
      if (step.done) return step.value;
      this.#count(step.value);
    }
  }

  /** Counts work that was done outside `run`, and pauses if a slice is complete. */
  async count(characters: number): Promise<void> {
    this.#count(characters);
    while (this.#pause !== null) await this.#pause;
    this.#rest();
  }

  /** Ends the turn if no `run` is active, because the request may now wait for the database or another service. */
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
