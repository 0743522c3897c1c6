/**
 * A computation that can pause between steps. Each step yields the number of characters that it has read. Pauses do not
 * change the result.
 */
export type Steps<T> = Generator<number, T, undefined>;

/** Characters in one step: few enough for short pauses, enough that yielding costs little. */
export const STEP_CHARACTERS = 1_024;

/** Runs all steps without pauses. Only for texts whose length no caller decides. */
export function runAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** A result that needs no steps. */
// biome-ignore lint/correctness/useYield: there is nothing to pause
export function* inNoSteps<T>(value: T): Steps<T> {
  return value;
}

/** Admits one long computation of an isolate (running copy of the Worker) at a time. */
export interface ComputationLock {
  acquire(owner: object, isBackground: boolean): Promise<void>;
  release(owner: object): void;
}

/**
 * Divides computations into slices, with pauses in which other requests run: an isolate has only one thread. The length
 * of a slice is measured in characters, not in time, because the clock of a Worker does not advance during a
 * computation.
 */
export class Pace {
  readonly #sliceCharacters: number;
  readonly #lock: ComputationLock;
  readonly #isBackground: boolean;
  #characters = 0;
  #runs = 0;
  #lastRun: Promise<void> = Promise.resolve();
  #pause: Promise<void> | null = null;

  constructor(sliceCharacters: number, lock: ComputationLock, isBackground = false) {
    this.#sliceCharacters = sliceCharacters;
    this.#isBackground = isBackground;
    this.#lock = lock;
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

  /** Releases the lock if no `run` is active, because the request may now wait for the database or another service. */
  #rest(): void {
    if (this.#runs === 0) this.#lock.release(this);
  }

  #count(characters: number): void {
    this.#characters += characters;
    if (this.#characters < this.#sliceCharacters || this.#pause !== null) return;
    this.#characters = 0;
    this.#pause = this.#lock.acquire(this, this.#isBackground).finally(() => {
      this.#pause = null;
    });
  }
}
