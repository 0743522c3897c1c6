/** Draws of a bootstrap. */
const DRAWS = 1_000;
const SEED = 1;

/** A mean with the bounds of its 95 % interval. */
export interface Interval {
  mean: number;
  low: number;
  high: number;
}

/**
 * Mean of the values and its 95 % interval by the percentile bootstrap: the same values give the same interval.
 * For a paired comparison of two systems, pass the differences question by question.
 *
 * @param values At least one.
 */
export function bootstrap(values: readonly number[]): Interval {
  const random = createRandom();
  const means = Array.from({ length: DRAWS }, () => {
    let sum = 0;
    for (let i = 0; i < values.length; i++) sum += values[Math.floor(random() * values.length)] as number;
    return sum / values.length;
  }).sort((a, b) => a - b);
  return {
    mean: values.reduce((sum, value) => sum + value, 0) / values.length,
    low: means[Math.floor(0.025 * DRAWS)] as number,
    high: means[Math.ceil(0.975 * DRAWS) - 1] as number,
  };
}

/** Mulberry32: uniform numbers from 0 to 1, the same in every run. */
function createRandom(): () => number {
  let state = SEED;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
