import { createHash } from "node:crypto";

/** A deterministic random generator: the same seed gives the same choices. */
export interface Random {
  /** From 0, inclusive, to 1, exclusive. */
  next(): number;
  /** A whole number from `low` to `high`, both inclusive. */
  between(low: number, high: number): number;
  pick<Item>(items: readonly Item[]): Item;
  sample<Item>(items: readonly Item[], count: number): Item[];
}

/** Uniform numbers from 0, inclusive, to 1, exclusive, the same for the same seed (mulberry32). */
export function uniform(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Create a generator seeded by a text.
 *
 * Each story and each conversation has its own seed, so that editing one leaves all others unchanged.
 */
export function createRandom(seed: string): Random {
  return toRandom(uniform(createHash("sha256").update(seed).digest().readInt32LE(0)));
}

/** A generator that draws from uniform numbers. */
export function toRandom(next: () => number): Random {
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    between,
    pick(items) {
      const item = items[between(0, items.length - 1)];
      if (item === undefined) throw new RangeError("nothing to pick from");
      return item;
    },
    sample(items, count) {
      const places = new Map(items.map((item) => [item, next()]));
      return [...items].sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0)).slice(0, count);
    },
  };
}
