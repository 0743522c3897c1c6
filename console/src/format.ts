const NUMBER = new Intl.NumberFormat("en");
const COMPACT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const DATE_TIME = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium" });
const SHORT = new Intl.DateTimeFormat("en", {
  ...{ month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
});
const DAY = new Intl.DateTimeFormat("en", { month: "short", day: "numeric", timeZone: "UTC" });
const LONG_AGO_MS = 300 * 24 * 3_600_000;
const WITH_YEAR = new Intl.DateTimeFormat("en", { dateStyle: "medium" });

export const formatNumber = (value: number): string => NUMBER.format(value);
export const formatCompact = (value: number): string => COMPACT.format(value);
export const formatDay = (day: string): string => DAY.format(new Date(`${day}T00:00:00Z`));

/** Local date and time. The year replaces the time if it was long ago. */
export function formatShort(timestamp: string): string {
  const date = new Date(timestamp);
  return (Math.abs(Date.now() - date.getTime()) > LONG_AGO_MS ? WITH_YEAR : SHORT).format(date);
}

/** Local date and time in full, then UTC. */
export const formatLong = (timestamp: string): string =>
  `${DATE_TIME.format(new Date(timestamp))} (${timestamp})`;

export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  const units = ["kB", "MB", "GB", "TB"];
  const power = Math.min(units.length, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1_000 ** power).toFixed(1)} ${units[power - 1]}`;
}
