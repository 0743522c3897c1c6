import { createHash } from "node:crypto";

/** Choices that follow from a text alone: the same text, the same choices. */
export interface Random {
  /** From 0 up to 1. */
  next(): number;
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number;
  pick<Item>(items: readonly Item[]): Item;
  /** Some of the items, in a random order. */
  sample<Item>(items: readonly Item[], count: number): Item[];
}

/**
 * Choices seeded by a text (mulberry32).
 *
 * Each story and each conversation seeds its own, so that editing one leaves all others as they are.
 */
export function createRandom(seed: string): Random {
  let state = createHash("sha256").update(seed).digest().readInt32LE(0);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
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
