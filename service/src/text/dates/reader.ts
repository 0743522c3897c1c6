import { type Token, Tokens } from "../entities/tokens.ts";
import type { Day } from "./calendar.ts";
import { hasDigit } from "./digits.ts";
import { isEnglish, FIRST_DATE_WORDS, monthOfName } from "./names.ts";
import { matchAfterWeekday, matchNamed } from "./named-dates.ts";
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
  const spans: DateSpan[] = [];
  let end = 0;
  while (spans.length < QUERY_DATES_MAX && tokens.next()) {
    const token = tokens.at(0);
    if (token === undefined) break;
    if (token.start < end) continue;
    const span = matchDate(tokens, token, context) ?? matchAlone(tokens, token, context);
    if (span === undefined) continue;
    spans.push(span);
    end = span.end;
  }
  // In "what happened last week, as said on November 6, 2023?", the week is not the last one before today.
  const absolute = spans.filter(({ isRelative }) => isRelative !== true);
  return withYear((absolute.length > 0 ? absolute : spans).map(({ readings }) => readings));
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
function withYear(dates: (readonly Reading[])[]): (readonly Reading[])[] {
  const years = new Set(dates.flat().flatMap((each) => (isRange(each) ? [] : (each.year ?? []))));
  const isOpen = (each: Reading) => !isRange(each) && each.year === undefined;
  if (years.size !== 1 || !dates.flat().some(isOpen)) return dates;
  const [year] = years;
  return dates
    .filter((readings) => readings.some((each) => isRange(each) || each.month !== undefined))
    .map((readings) => readings.map((each) => (isOpen(each) ? { ...each, year } : each)));
}
