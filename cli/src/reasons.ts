import { extname } from "node:path";

const PLACES_MAX = 5;

export interface Reason {
  /** Type of the items, as their format names it. */
  type: string;
  reason: string;
  count: number;
  /** The first places, at most `PLACES_MAX`. */
  places: string[];
}

/** The type of a file by its name, such as `file .png`. */
export const fileType = (name: string): string => `file ${extname(name).toLowerCase()}`.trim();

export class Reasons {
  readonly #reasons = new Map<string, Reason>();

  add(type: string, reason: string, place: string): void {
    const key = JSON.stringify([type, reason]);
    const known = this.#reasons.get(key) ?? { type, reason, count: 0, places: [] };
    this.#reasons.set(key, known);
    known.count += 1;
    if (known.places.length < PLACES_MAX) known.places.push(place);
  }

  /** The most frequent first. */
  list(): Reason[] {
    return [...this.#reasons.values()].sort((a, b) => b.count - a.count);
  }
}
