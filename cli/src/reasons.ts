/** How many places are named for each reason. */
const PLACES_MAX = 5;

/** How often something happened for one reason. */
export interface Reason {
  reason: string;
  count: number;
  /** The first of the places. */
  places: string[];
}

/** Counts by reason, keeping the first places of each. */
export class Reasons {
  readonly #reasons = new Map<string, Reason>();

  add(reason: string, place: string): void {
    const known = this.#reasons.get(reason) ?? { reason, count: 0, places: [] };
    this.#reasons.set(reason, known);
    known.count += 1;
    if (known.places.length < PLACES_MAX) known.places.push(place);
  }

  /** The most frequent first. */
  list(): Reason[] {
    return [...this.#reasons.values()].sort((a, b) => b.count - a.count);
  }
}
