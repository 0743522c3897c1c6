import { quantile } from "../../../support/statistics.ts";

/** The middle value, or the mean of the middle two; NaN without values. */
export function median(values: readonly number[]): number {
  const rising = values.toSorted((a, b) => a - b);
  const [low, high] = [rising[(rising.length - 1) >> 1], rising[rising.length >> 1]];
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2;
}

/** Percentiles in milliseconds. */
export interface Times {
  p50: number;
  p95: number;
  p99: number;
}

export const summarize = (ms: readonly number[]): Times => ({
  p50: quantile(ms, 0.5),
  p95: quantile(ms, 0.95),
  p99: quantile(ms, 0.99),
});

/** Milliseconds that some work takes, and its result. */
export async function time<Result>(
  work: () => Promise<Result> | Result,
): Promise<{ ms: number; result: Result }> {
  const startedAtMs = performance.now();
  const result = await work();
  return { ms: performance.now() - startedAtMs, result };
}
