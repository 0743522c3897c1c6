/** Upper bound on the places listed per reason. */
const PLACES_MAX = 5;

export interface Reason {
  reason: string;
  count: number;
  /** The first places where it occurred. */
  places: string[];
}

/** Counts occurrences by reason and keeps the first places of each. */
export class Reasons {
  readonly #reasons = new Map<string, Reason>();

  add(reason: string, place: string): void {
    const known = this.#reasons.get(reason) ?? { reason, count: 0, places: [] };
    this.#reasons.set(reason, known);
    known.count += 1;
    if (known.places.length < PLACES_MAX) known.places.push(place);
  }

  list(): Reason[] {
    return [...this.#reasons.values()].sort((a, b) => b.count - a.count);
  }
}
