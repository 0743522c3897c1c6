export interface RateLimitBinding {
  limit(options: { key: string }): Promise<{ success: boolean }>;
}

/** A number of requests or frames in a window of time. */
export interface Rate {
  max: number;
  seconds: number;
}

/** The limit of this name in a policy such as `"key";q=1000;w=10, "organization";q=3000;w=10`. Null without one. */
export function rateOf(policy: string | undefined, name: string): Rate | null {
  const item = policy?.split(",").find((text) => text.includes(`"${name}"`));
  if (item === undefined) return null;
  const numberOf = (parameter: string) => new RegExp(`;\\s*${parameter}=(\\d+)`).exec(item)?.[1];
  const [max, seconds] = [numberOf("q"), numberOf("w")];
  return max === undefined || seconds === undefined ? null : { max: Number(max), seconds: Number(seconds) };
}
