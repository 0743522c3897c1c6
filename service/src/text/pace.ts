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

/**
 * Divides the computation of one request into slices, and pauses between them.
 *
 * An isolate has one thread, so that all its requests wait while one computes. A slice is measured in characters
 * and not in time, because the clock of a Worker stands still during computation on Cloudflare.
 */
export class Pace {
  readonly #sliceCharacters: number;
  readonly #wait: () => Promise<void>;
  #characters = 0;
  #pause: Promise<void> | null = null;

  /** @param wait resolves when other requests of the isolate have had their turn. */
  constructor(sliceCharacters: number, wait: () => Promise<void>) {
    this.#sliceCharacters = sliceCharacters;
    this.#wait = wait;
  }

  /** Do all steps, with a pause whenever a slice is full. */
  async run<T>(steps: Steps<T>): Promise<T> {
    for (;;) {
      // Others of the same request may have begun the next pause since this one ended.
      while (this.#pause !== null) await this.#pause;
      const step = steps.next();
      if (step.done) return step.value;
      this.#count(step.value);
    }
  }

  /** Count work that was done elsewhere, and pause when the slice is full. */
  async count(characters: number): Promise<void> {
    this.#count(characters);
    while (this.#pause !== null) await this.#pause;
  }

  #count(characters: number): void {
    this.#characters += characters;
    if (this.#characters < this.#sliceCharacters || this.#pause !== null) return;
    this.#characters = 0;
    this.#pause = this.#wait().finally(() => {
      this.#pause = null;
    });
  }
}
