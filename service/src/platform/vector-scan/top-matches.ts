export interface Scored {
  id: string;
  score: number;
}

/** Keeps the `limit` best matches, sorted by score, best first; matches with equal scores by id. */
export class TopMatches {
  readonly #limit: number;
  readonly #matches: Scored[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  get floor(): number {
    return this.#matches.length < this.#limit ? -Infinity : (this.#matches.at(-1)?.score ?? -Infinity);
  }

  get matches(): readonly Scored[] {
    return this.#matches;
  }

  offer(id: string, score: number): void {
    let low = 0;
    let high = this.#matches.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#matches[middle];
      const isBetter =
        other !== undefined && (other.score > score || (other.score === score && other.id < id));
      if (isBetter) low = middle + 1;
      else high = middle;
    }
    if (low >= this.#limit) return;
    this.#matches.splice(low, 0, { id, score });
    if (this.#matches.length > this.#limit) this.#matches.pop();
  }
}
