import type { Span } from "../entities/kinds.ts";
import { closestDay, type Day, dayOf, isoDay, isoMonth } from "./calendar.ts";
import { type Locale, localeOf } from "./languages.ts";

/** What a date says. A part that it does not name is undefined: March 3 has no year, and 2026 no month. */
export interface DateParts {
  year?: number | undefined;
  /** From 1. */
  month?: number | undefined;
  date?: number | undefined;
}

/** Days in a row, such as those of a week. `to` is exclusive. */
export interface DayRange {
  from: Day;
  to: Day;
}

export type Reading = DateParts | DayRange;

/** A date in a text. It has two readings if it is a day of one month in one country and of another elsewhere. */
export interface DateSpan extends Span {
  readings: readonly Reading[];
  /** Whether it is counted from today, as "yesterday" is. */
  isRelative?: boolean;
}

/** How a text is read. */
export class DateContext {
  /** The day to which "yesterday" refers. */
  readonly today: Day;
  /**
   * A query names times that a message only mentions in passing: a week, a month or year alone, and dates in small
   * letters. In a message, these are more often no dates.
   */
  readonly isQuery: boolean;
  readonly #text: string;
  #locale: Locale | undefined;

  constructor(text: string, today: Day, isQuery: boolean) {
    this.#text = text;
    this.today = today;
    this.isQuery = isQuery;
  }

  /** Judged at most once a text, and only for a date that depends on it. */
  get locale(): Locale {
    this.#locale ??= localeOf(this.#text);
    return this.#locale;
  }
}

export const isRange = (reading: Reading): reading is DayRange => "from" in reading;

/** The ISO day or month of a date; undefined if it means neither, or not only one. */
export function isoValue({ readings }: DateSpan, today: Day): string | undefined {
  const [reading] = readings;
  if (reading === undefined || readings.length > 1 || isRange(reading)) return undefined;
  const { year, month, date } = reading;
  if (month === undefined || month < 1 || month > 12) return undefined;
  if (date === undefined) return year === undefined ? undefined : isoMonth(year * 12 + month - 1);
  const day = year === undefined ? closestDay(month, date, today) : dayOf(year, month, date);
  return day === undefined ? undefined : isoDay(day);
}

/** Two-digit years up to this many years ahead are of this century. */
const YEARS_AHEAD = 30;

/** The year of `'26`. */
export function fullYear(digits: string, today: Day): number {
  const year = Number(digits);
  if (digits.length > 2) return year;
  const thisYear = new Date(today * 86_400_000).getUTCFullYear();
  const century = Math.floor(thisYear / 100) * 100;
  return century + year > thisYear + YEARS_AHEAD ? century + year - 100 : century + year;
}

/** A month that is counted from the year 0. */
export const ofMonth = (months: number): DateParts => ({
  year: Math.floor(months / 12),
  month: (months % 12) + 1,
});

export function ofDay(day: Day): DateParts {
  const date = new Date(day * 86_400_000);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, date: date.getUTCDate() };
}

/** A day whose parts exist together; without a year, February 29 exists. */
export const exists = ({ year = 2000, month = 0, date = 1 }: DateParts): boolean =>
  month >= 1 && dayOf(year, month, date) !== undefined;
