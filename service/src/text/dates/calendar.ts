/** Days of UTC, as numbers of days since 1970-01-01. */
export type Day = number;

const DAY_MS = 86_400_000;
const MONDAY = 1;

export const toDay = (ms: number): Day => Math.floor(ms / DAY_MS);

/** The day of a date; undefined if there is none, such as February 30. `month` counts from 1. */
export function dayOf(year: number, month: number, date: number): Day | undefined {
  const ms = Date.UTC(year, month - 1, date);
  const found = new Date(ms);
  const isThere = found.getUTCMonth() === month - 1 && found.getUTCDate() === date;
  return isThere && year >= 1_000 && year <= 9_999 ? toDay(ms) : undefined;
}

export const isoDay = (day: Day): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** `2026-03`, from months since the year 0. */
export function isoMonth(months: number): string {
  const year = Math.floor(months / 12);
  return `${String(year).padStart(4, "0")}-${String(months - year * 12 + 1).padStart(2, "0")}`;
}

/** Months since the year 0. */
export function monthOf(day: Day): number {
  const date = new Date(day * DAY_MS);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** The date in the year that brings it closest to a day. */
export function closestDay(month: number, date: number, to: Day): Day | undefined {
  const year = Math.floor(monthOf(to) / 12);
  return [year - 1, year, year + 1]
    .map((each) => dayOf(each, month, date))
    .filter((day) => day !== undefined)
    .sort((a, b) => Math.abs(a - to) - Math.abs(b - to))[0];
}

/** The Monday of a day's week. */
export const mondayOf = (day: Day): Day => day - ((weekdayOf(day) - MONDAY + 7) % 7);

/** 0 is Sunday. */
export const weekdayOf = (day: Day): number => (((day + 4) % 7) + 7) % 7;
