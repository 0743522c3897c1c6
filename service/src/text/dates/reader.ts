import { type Token, Tokens } from "../entities/tokens.ts";
import { type Day, dayOf } from "./calendar.ts";
import { hasDigit } from "./digits.ts";
import { matchAfterWeekday, matchNamed } from "./named-dates.ts";
import { FIRST_DATE_WORDS, isEnglish, monthOfName } from "./names.ts";
import { matchNumeric } from "./numeric-dates.ts";
import { DateContext, type DateSpan, isRange, type Reading } from "./reading.ts";
import { matchRelativeDate } from "./relative-dates.ts";

/** The date that begins with a token, or with a part of the current one. */
export function matchDate(tokens: Tokens, token: Token, context: DateContext): DateSpan | undefined {
  const isNumber = hasDigit(token);
  if (isNumber) {
    const numeric = matchNumeric(tokens, token, context);
    if (numeric !== undefined) return numeric;
  }
  if (token !== tokens.at(0) || !(isNumber || FIRST_DATE_WORDS.has(token.lower))) return undefined;
  return (
    (isNumber ? undefined : matchAfterWeekday(tokens, token, context)) ??
    matchNamed(tokens, 0, context) ??
    relative(matchRelativeDate(tokens, token, context))
  );
}

const relative = (span: DateSpan | undefined): DateSpan | undefined =>
  span === undefined ? undefined : { ...span, isRelative: true };

/** More dates in a query are not read. */
const QUERY_DATES_MAX = 4;
const YEAR = /^((?:19|20)\d\d)(?:[-/]\d{2,4})?$/;
/** Before a month that is also another word, a first name or an abbreviation. */
const IN = new Set("in since until during early late mid last next".split(" "));
const IN_OR_ON = new Set([...IN, "on", "of", "by", "before", "after"]);
/** The months that are other words in English. */
const AMBIGUOUS = new Set(["march", "may"]);
/** Words between the first and the last day of a range. */
const UP_TO = new Set("to until till through bis hasta al à au - – —".split(" "));
/** Signs that join a date to a word: `mid-August`, `date:2023-05-07`. */
const JOINED = /(?<=^|[^\p{L}])(mid|early|late|pre|post)-|(?<!\d):|:(?!\d)|=/giu;

/**
 * The dates that a query names, including months and years alone.
 *
 * @param today the day to which "yesterday" refers
 */
export function readQueryDates(query: string, today: Day): (readonly Reading[])[] {
  const text = query.replace(JOINED, "$1 ");
  const tokens = new Tokens(text, []);
  const context = new DateContext(text, today, true);
  const spans: QueryDate[] = [];
  let end = 0;
  while (spans.length < QUERY_DATES_MAX && tokens.next()) {
    const token = tokens.at(0);
    if (token === undefined) break;
    if (token.start < end) continue;
    const span = matchDate(tokens, token, context) ?? matchAlone(tokens, token, context);
    if (span === undefined) continue;
    const previous = spans.at(-1);
    spans.push({ ...span, endsRange: previous !== undefined && isRangeOf(text, previous, span) });
    end = span.end;
  }
  // In "what happened last week, as said on November 6, 2023?", the week is not the last one before today.
  const absolute = spans.filter(({ isRelative }) => isRelative !== true);
  return withRanges(withYear(absolute.length > 0 ? absolute : spans));
}

interface QueryDate extends DateSpan {
  /** Whether it is the last day of those that begin with the date before it. */
  endsRange: boolean;
}

/** "between May 2 and May 9", "from May 2 to May 9" */
function isRangeOf(text: string, first: DateSpan, last: DateSpan): boolean {
  const between = text.slice(first.end, last.start).trim().toLowerCase();
  if (between === "and") return /\bbetween (?:the )?$/i.test(text.slice(0, first.start));
  return UP_TO.has(between);
}

function withRanges(dates: readonly QueryDate[]): (readonly Reading[])[] {
  const found: (readonly Reading[])[] = [];
  for (const { readings, endsRange } of dates) {
    const from = endsRange ? dayOfReadings(found.at(-1) ?? []) : undefined;
    const last = dayOfReadings(readings);
    if (from === undefined || last === undefined || last < from) found.push(readings);
    else found.splice(-1, 1, [{ from, to: last + 1 }]);
  }
  return found;
}

/** The day, if there is only one. */
function dayOfReadings([reading, ...others]: readonly Reading[]): Day | undefined {
  if (reading === undefined || others.length > 0 || isRange(reading)) return undefined;
  const { year, month, date } = reading;
  return year === undefined || month === undefined || date === undefined
    ? undefined
    : dayOf(year, month, date);
}

/** A month or a year alone. */
function matchAlone(tokens: Tokens, token: Token, context: DateContext): DateSpan | undefined {
  const { start, end, lower } = token;
  const year = YEAR.exec(lower)?.[1];
  if (year !== undefined) return { start, end, readings: [{ year: Number(year) }] };
  const name = monthOfName(lower);
  if (name === undefined) return undefined;
  const span = { start, end, readings: [{ month: name.month }] };
  const before = tokens.lower(-1);
  if (isEnglish(name)) {
    const isWhole = lower.length > 4 || lower === "june" || lower === "july";
    if (isWhole && !AMBIGUOUS.has(lower)) return span;
    if ((AMBIGUOUS.has(lower) ? IN_OR_ON : IN).has(before)) return span;
  } else if (name.isSure) return span;
  return [...context.locale.languages].some((language) => name.languages.has(language)) ? span : undefined;
}

/** Dates without a year take the only one that the query names: "in 2023, what did she do in May?" */
function withYear(dates: readonly QueryDate[]): readonly QueryDate[] {
  const all = dates.flatMap(({ readings }) => readings);
  const years = new Set(all.flatMap((each) => (isRange(each) ? [] : (each.year ?? []))));
  const isOpen = (each: Reading) => !isRange(each) && each.year === undefined;
  if (years.size !== 1 || !all.some(isOpen)) return dates;
  const [year] = years;
  return dates
    .filter(({ readings }) => readings.some((each) => isRange(each) || each.month !== undefined))
    .map((each) => ({
      ...each,
      readings: each.readings.map((reading) => (isOpen(reading) ? { ...reading, year } : reading)),
    }));
}
