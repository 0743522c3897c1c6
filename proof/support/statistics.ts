/** The smallest value that this share of the values does not exceed; NaN for no values. */
export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(share * values.length) - 1)] ?? Number.NaN;
}

/** Median and 95th percentile of milliseconds, for people. */
export function formatMs(values: readonly number[]): string {
  return `${quantile(values, 0.5).toFixed(1)} ms at the median, ${quantile(values, 0.95).toFixed(1)} ms at the 95th percentile`;
}
