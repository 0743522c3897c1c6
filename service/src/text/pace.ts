/**
 * Work that can pause between its steps. Each step yields its size: the characters that it has read.
 *
 * The result does not depend on where the work pauses.
 */
export type Steps<T> = Generator<number, T, undefined>;

/** Characters that a step reads, about: few enough for a fine grain, enough that stopping costs nothing. */
export const STEP_CHARACTERS = 1_024;

/** Do all steps without a pause, for a text that is known to be short. */
export function runAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** How long a turn lasts at most, in milliseconds: whoever has it may have been canceled, and then never ends it. */
const TURN_MS_MAX = 200;

/** Lets one request of an isolate compute at a time, so that the others wait for one slice and not for one of each. */
export class Turns {
  readonly #clock: { nowMs(): number; pause(): Promise<void> };
  #owner: Pace | null = null;
  #endMs = 0;
  #waiting = 0;

  constructor(clock: { nowMs(): number; pause(): Promise<void> }) {
    this.#clock = clock;
  }

  /** End a turn and wait for the next; new requests come in meanwhile. */
  async next(pace: Pace): Promise<void> {
    await this.#clock.pause();
    this.end(pace);
    if (this.#waiting > 0) await this.#clock.pause();
    this.#waiting += 1;
    // No promise may be shared: one request must not wait for what another has begun.
    while (this.#owner !== null && this.#clock.nowMs() < this.#endMs) await this.#clock.pause();
    this.#waiting -= 1;
    this.#owner = pace;
    this.#endMs = this.#clock.nowMs() + TURN_MS_MAX;
  }

  end(pace: Pace): void {
    if (this.#owner === pace) this.#owner = null;
  }
}

/**
 * Divides the computation of one request into slices, and pauses between them.
 *
 * An isolate has one thread, so that all its requests wait while one computes. A slice is measured in characters
 * and not in time, because the clock of a Worker stands still during computation on Cloudflare.
 */
export class Pace {
  readonly #sliceCharacters: number;
  readonly #turns: Pick<Turns, "next" | "end">;
  #characters = 0;
  #runs = 0;
  #pause: Promise<void> | null = null;

  constructor(sliceCharacters: number, turns: Pick<Turns, "next" | "end">) {
    this.#sliceCharacters = sliceCharacters;
    this.#turns = turns;
  }

  /** Do all steps, with a pause whenever a slice is full. */
  async run<T>(steps: Steps<T>): Promise<T> {
    this.#runs += 1;
    try {
      for (;;) {
        // Others of the same request may have begun the next pause since this one ended.
        while (this.#pause !== null) await this.#pause;
        const step = steps.next();
        if (step.done) return step.value;
        this.#count(step.value);
      }
    } finally {
      this.#runs -= 1;
      this.#rest();
    }
  }

  /** Count work that was done elsewhere, and pause when the slice is full. */
  async count(characters: number): Promise<void> {
    this.#count(characters);
    while (this.#pause !== null) await this.#pause;
    this.#rest();
  }

  /** What follows a run waits for a binding. */
  #rest(): void {
    if (this.#runs === 0) this.#turns.end(this);
  }

  #count(characters: number): void {
    this.#characters += characters;
    if (this.#characters < this.#sliceCharacters || this.#pause !== null) return;
    this.#characters = 0;
    this.#pause = this.#turns.next(this).finally(() => {
      this.#pause = null;
    });
  }
}
