/** Seconds, or a number with a unit: `90d`, `12h`, `30m` or `45s`. A text without a unit is a number of seconds. */
export type ExpiresIn = number | string;

const SECONDS = { "": 1, s: 1, m: 60, h: 3_600, d: 86_400 };

/**
 * The time that is as long from now.
 *
 * @throws {TypeError} for anything else than a positive number of seconds, or a number with a unit, or a time that no date
 *   can have.
 */
export function expiresAt(expiresIn: ExpiresIn): string {
  const [, number, unit] = /^(\d+)([smhd]?)$/.exec(`${expiresIn}`) ?? [];
  const seconds =
    typeof expiresIn === "number" ? expiresIn : Number(number) * SECONDS[unit as keyof typeof SECONDS];
  const time = new Date(Date.now() + seconds * 1_000);
  if (seconds > 0 && !Number.isNaN(time.getTime())) return time.toISOString();
  throw new TypeError("expires_in must be seconds, or such as 90d");
}
