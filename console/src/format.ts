import { MESSAGES } from "./messages.ts";

const NUMBER = new Intl.NumberFormat("en");
const COMPACT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const DATE_TIME = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium" });
const SHORT = new Intl.DateTimeFormat("en", {
  ...{ month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
});
const DAY = new Intl.DateTimeFormat("en", { month: "short", day: "numeric", timeZone: "UTC" });
const WITH_YEAR = new Intl.DateTimeFormat("en", { dateStyle: "medium" });
const RELATIVE = new Intl.RelativeTimeFormat("en", { numeric: "always", style: "narrow" });
const CLOCK = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const WEEKDAY = new Intl.DateTimeFormat("en", { weekday: "long", month: "long", day: "numeric" });
const MONTH_DAY = new Intl.DateTimeFormat("en", { month: "short", day: "numeric" });
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const LONG_AGO_MS = 300 * DAY_MS;

export const formatNumber = (value: number): string => NUMBER.format(value);
/** A count that the service gives up above a limit. */
export const countOrMany = (value: number | null): string =>
  value === null ? MESSAGES.many : formatNumber(value);
/** A word of a closed list of the API, such as `error_code`. */
export const formatWord = (word: string): string => word.replaceAll("_", " ");
export const formatCompact = (value: number): string => COMPACT.format(value);
export const formatDay = (day: string): string => DAY.format(new Date(`${day}T00:00:00Z`));

/** Local date and time. The year replaces the time if it was long ago. */
export function formatShort(timestamp: string): string {
  const date = new Date(timestamp);
  return (Math.abs(Date.now() - date.getTime()) > LONG_AGO_MS ? WITH_YEAR : SHORT).format(date);
}

/** How long ago a time was, up to a week: `5m ago`. Otherwise the local date. */
export function formatRelative(timestamp: string, nowMs: number): string {
  const date = new Date(timestamp);
  const ageMs = nowMs - date.getTime();
  // Clocks differ by some seconds.
  if (Math.abs(ageMs) < MINUTE_MS) return "now";
  if (ageMs > 0 && ageMs < HOUR_MS) return RELATIVE.format(-Math.floor(ageMs / MINUTE_MS), "minute");
  if (ageMs > 0 && ageMs < DAY_MS) return RELATIVE.format(-Math.floor(ageMs / HOUR_MS), "hour");
  if (ageMs > 0 && ageMs < 7 * DAY_MS) return RELATIVE.format(-Math.floor(ageMs / DAY_MS), "day");
  return (Math.abs(ageMs) > LONG_AGO_MS ? WITH_YEAR : MONTH_DAY).format(date);
}

/** Local hours and minutes. */
export const formatClock = (timestamp: string): string => CLOCK.format(new Date(timestamp));

/** The local day of a time, for a heading: `Today`, `Monday, November 2`. The year is left out if it is this one. */
export function formatDayHeading(timestamp: string, nowMs: number): string {
  const date = new Date(timestamp);
  const day = date.toDateString();
  if (day === new Date(nowMs).toDateString()) return "Today";
  if (day === new Date(nowMs - DAY_MS).toDateString()) return "Yesterday";
  const year = date.getFullYear();
  return year === new Date(nowMs).getFullYear() ? WEEKDAY.format(date) : `${WEEKDAY.format(date)}, ${year}`;
}

/** Local date and time in full, then UTC. */
export const formatLong = (timestamp: string): string =>
  `${DATE_TIME.format(new Date(timestamp))} (${timestamp})`;

const WORDS_CHARACTERS = 90;

/** The first words of a text on one line, as a title. The whole text if it is short. */
export function firstWords(text: string): string {
  const line = text
    .slice(0, 4 * WORDS_CHARACTERS)
    .replaceAll(/\s+/g, " ")
    .trim();
  if (line.length <= WORDS_CHARACTERS) return line;
  const end = line.lastIndexOf(" ", WORDS_CHARACTERS);
  // A word may be longer than the title. A cut does not divide a character.
  const cut = end > WORDS_CHARACTERS / 2 ? line.slice(0, end) : line.slice(0, WORDS_CHARACTERS);
  return `${cut.toWellFormed().replace(/\ufffd$/, "")}…`;
}

export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  const units = ["kB", "MB", "GB", "TB"];
  const power = Math.min(units.length, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1_000 ** power).toFixed(1)} ${units[power - 1]}`;
}
