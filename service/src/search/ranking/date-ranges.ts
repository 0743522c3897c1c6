import { isoDay, toDay } from "../../text/dates/calendar.ts";
import { readQueryDates } from "../../text/dates/reader.ts";
import { isRange, type Reading } from "../../text/dates/reading.ts";

/**
 * A range of time derived from a date in the query. `fit`, from 0 to 1, is how well a message from that time matches.
 */
export interface DateRange {
  fromMs: number;
  toMs: number;
  fit: number;
}

const DAY_MS = 86_400_000;
/**
 * Days from a named day, or from the first of several. People talk about a day on that day or soon after. All days of a
 * range fit best.
 */
const SOON_DAYS = [
  { from: 0, to: 2, fit: 1 },
  { from: 2, to: 8, fit: 0.7 },
  { from: 8, to: 20, fit: 0.3 },
];
const MONTH_FIT = 0.7;
const MONTH_AFTER_FIT = 0.3;
const MONTH_AFTER_DAYS = 10;
const YEAR_FIT = 0.3;
/** A day or month without a year is searched in this number of years, up to the current one. */
const YEARS_BACK = 20;

/** @param nowMs the time to which "last week" refers, and up to which a month without a year is searched */
export function readDateRanges(query: string, nowMs: number): DateRange[] {
  const today = toDay(nowMs);
  const thisYear = Number(isoDay(today).slice(0, 4));
  return readQueryDates(query, today).flatMap((readings) =>
    readings
      .flatMap((reading) => rangesOf(reading, thisYear))
      .map((range) => ({ ...range, fit: range.fit / readings.length })),
  );
}

function rangesOf(reading: Reading, thisYear: number): DateRange[] {
  if (isRange(reading)) return aroundDays(reading.from * DAY_MS, reading.to * DAY_MS);
  const { year, month, date } = reading;
  if (month === undefined) return year === undefined ? [] : wholeYear(year);
  const years = year === undefined ? Array.from({ length: YEARS_BACK }, (_, i) => thisYear - i) : [year];
  return years.flatMap((each) => {
    if (date === undefined) return aroundMonth(each, month - 1);
    const dayMs = Date.UTC(each, month - 1, date);
    return aroundDays(dayMs, dayMs + DAY_MS);
  });
}

function aroundDays(startMs: number, endMs: number): DateRange[] {
  return SOON_DAYS.map(({ from, to, fit }) => ({
    fromMs: from === 0 ? startMs : Math.max(startMs + from * DAY_MS, endMs),
    toMs: Math.max(startMs + to * DAY_MS, endMs),
    fit,
  })).filter(({ fromMs, toMs }) => fromMs < toMs);
}

function aroundMonth(year: number, month: number): DateRange[] {
  const [fromMs, toMs] = [Date.UTC(year, month), Date.UTC(year, month + 1)];
  return [
    { fromMs, toMs, fit: MONTH_FIT },
    { fromMs: toMs, toMs: toMs + MONTH_AFTER_DAYS * DAY_MS, fit: MONTH_AFTER_FIT },
  ];
}

const wholeYear = (year: number): DateRange[] => [
  { fromMs: Date.UTC(year, 0), toMs: Date.UTC(year + 1, 0), fit: YEAR_FIT },
];
