/** Seconds, or a number with a unit: `90d`, `12h`, `30m` or `45s`. */
export type ExpiresIn = number | string;

const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 };

/**
 * The time that is as long from now.
 *
 * @throws {TypeError} for anything else than a positive number of seconds, or a number with a unit.
 */
export function expiresAt(expiresIn: ExpiresIn): string {
  const [, number, unit] = /^(\d+)([smhd])$/.exec(`${expiresIn}`) ?? [];
  const seconds = unit ? Number(number) * SECONDS[unit as keyof typeof SECONDS] : expiresIn;
  if (typeof seconds === "number" && seconds > 0) return new Date(Date.now() + seconds * 1_000).toISOString();
  throw new TypeError("expires_in must be seconds, or such as 90d");
}
