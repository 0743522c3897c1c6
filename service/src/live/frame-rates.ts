import { type Rate, rateOf } from "../platform/rate-limits.ts";

/** What frames are counted by. */
type Counted = "socket" | "key" | "organization";

export interface FrameRate extends Rate {
  by: Counted;
}

/** The limits of one hub. Those of `RATE_LIMIT_POLICY` hold for frames, too, and count them apart from requests. */
export function frameRates(
  limits: Record<`${Counted}FramesPerSecond`, number>,
  policy: string | undefined,
): FrameRate[] {
  const rates: FrameRate[] = [];
  for (const by of ["socket", "key", "organization"] as const) {
    rates.push({ by, max: limits[`${by}FramesPerSecond`], seconds: 1 });
    const configured = rateOf(policy, by);
    if (configured !== null) rates.push({ by, ...configured });
  }
  return rates;
}

/** Counts the frames that clients send, in memory: one hub receives all frames of an organization. */
export class FrameCounts {
  readonly #counts: { rate: FrameRate; window: number; of: Map<unknown, number> }[];

  constructor(rates: readonly FrameRate[]) {
    this.#counts = rates.map((rate) => ({ rate, window: 0, of: new Map() }));
  }

  /** Counts a frame. The limit that it exceeds; null if it exceeds none. */
  add(by: Counted, subject: unknown, nowMs: number): FrameRate | null {
    let exceeded: FrameRate | null = null;
    for (const one of this.#counts) {
      if (one.rate.by !== by) continue;
      const window = Math.floor(nowMs / (1_000 * one.rate.seconds));
      if (window !== one.window) {
        one.window = window;
        one.of.clear();
      }
      const count = (one.of.get(subject) ?? 0) + 1;
      one.of.set(subject, count);
      if (count > one.rate.max) exceeded ??= one.rate;
    }
    return exceeded;
  }
}
