import { uniform } from "../../../support/random.ts";

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
  const random = uniform(SEED);
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
