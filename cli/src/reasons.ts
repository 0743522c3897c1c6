const PLACES_MAX = 5;

export interface Reason {
  reason: string;
  count: number;
  /** The first places, at most `PLACES_MAX`. */
  places: string[];
}

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
