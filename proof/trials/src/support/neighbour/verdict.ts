import { quantile } from "../../../../support/statistics.ts";

/** Upper bound on the response time of each request of the victim, whatever the attacker sends. */
export const WORST_MS_MAX = 1_000;
/** Where the victim alone is slower than this at the 99th percentile, the machine is too slow to measure that. */
export const QUIET_P99_MS_MAX = 100;
const MEGABYTE = 1_000_000;
const MEMORY_GROWTH_MAX = 250 * MEGABYTE;

export interface Round {
  /** Response times of the victim without the attacker. */
  quietMs: number[];
  /** Response times of the victim during the attacks. */
  noisyMs: number[];
  /** NaN where processes cannot be looked at. */
  grownBytes: number;
  /** Whether the work that earlier attacks left was done before the round. */
  isDrained: boolean;
}

export interface Verdict {
  /** The bounds that the round breaks. */
  broken: string[];
  /** Why the round cannot show that the response times keep their bound. Null if it can. */
  notMeasured: string | null;
}

/** Judges one round. The machine decides only whether response times are measured, never how long they may be. */
export function judgeRound({ quietMs, noisyMs, grownBytes, isDrained }: Round): Verdict {
  const usual = quantile(quietMs, 0.99);
  const worst = Math.max(...noisyMs);
  const notMeasured = !isDrained
    ? "the work of earlier attacks did not end"
    : usual <= QUIET_P99_MS_MAX
      ? null
      : `the victim alone has a 99th percentile of ${usual.toFixed(0)} ms`;
  const broken = [];
  if (notMeasured === null && !(worst < WORST_MS_MAX))
    broken.push(`The victim waited ${worst.toFixed(0)} ms.`);
  if (grownBytes > MEMORY_GROWTH_MAX) broken.push(`Memory rose by ${megabytes(grownBytes)}.`);
  return { broken, notMeasured };
}

export const megabytes = (bytes: number): string => `${(bytes / MEGABYTE).toFixed(0)} MB`;
