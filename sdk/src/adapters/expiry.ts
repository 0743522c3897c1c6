/** Seconds, or a number with a unit: `90d`, `12h`, `30m` or `45s`. */
export type ExpiresIn = number | string;

const SECONDS: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/**
 * The time that is as long from now.
 *
 * @throws {TypeError} for anything else than a positive number of seconds, or a number with a unit.
 */
export function expiresAt(expiresIn: ExpiresIn): string {
  const [, number, unit = ""] = /^(\d+)([smhd])$/.exec(String(expiresIn)) ?? [];
  const seconds = typeof expiresIn === "number" ? expiresIn : Number(number) * (SECONDS[unit] ?? Number.NaN);
  const time = new Date(Date.now() + seconds * 1_000);
  if (!(seconds > 0) || Number.isNaN(time.getTime()))
    throw new TypeError(`expires_in must be a number of seconds, or such as "90d", not ${String(expiresIn)}`);
  return time.toISOString();
}
