import { closestDay, type Day, dayOf, isoDay, isoMonth, toDay } from "./calendar.ts";
import { isMonth, monthNumber, WEEKDAYS } from "./date-words.ts";
import type { Span } from "./kinds.ts";
import { matchRelativeDate } from "./relative-dates.ts";
import { DIGIT, SIGN, type Token, type Tokens } from "./tokens.ts";

export interface DateSpan extends Span {
  /** The ISO day or month. */
  value: string;
}

const TIME = "(\\d{2}):(\\d{2})(?::(\\d{2})(?:[.,]\\d{1,9})?)?";
const ZONE = "(Z|[+-]\\d{2}:?\\d{2})?";
const ISO = new RegExp(`^(\\d{4})(?:-(?=\\d\\d-\\d\\d)|/)(\\d{1,2})[-/](\\d{1,2})(?:[Tt_]${TIME}${ZONE})?$`);
const TIME_AFTER = new RegExp(`^${TIME}${ZONE}$`);
const ISO_MONTH = /^((?:19|20)\d{2})-(0[1-9]|1[0-2])$/;
/** 31/05/2026 and 31.05.2026 */
const NUMERIC = /^(\d{1,2})([./-])(\d{1,2})\2((?:19|20)\d{2})$/;
/** 02-Mar-2026 and, in logs of servers, 02/Mar/2026:09:15:04 */
const WITH_NAME = /^(\d{1,2})([-/])([A-Za-z]{3,9})\2((?:19|20)\d{2})(?::\d{2}:\d{2}:\d{2})?$/;
const DATE = /^(\d{1,2})(st|nd|rd|th)?(?:[-/]\d{1,2}(?:st|nd|rd|th)?)?$/;
const YEAR = /^(?:19|20|21)\d{2}$/;

/** A day or a month, with what it means for a message of a day. */
export function matchDate(tokens: Tokens, token: Token, today: Day): DateSpan | undefined {
  const hasDigit = (token.traits & DIGIT) !== 0;
  if (hasDigit && (token.traits & SIGN) !== 0) {
    const numeric = matchNumeric(tokens, token);
    if (numeric !== undefined) return numeric;
  }
  if (token !== tokens.at(0)) return undefined;
  if (!hasDigit && WEEKDAYS.has(token.lower)) {
    const skipped = tokens.lower(1) === "the" ? 2 : 1;
    const dated = isCloseTo(tokens, 0) ? matchNamed(tokens, skipped, today) : undefined;
    if (dated !== undefined) return { ...dated, start: token.start };
  }
  return matchNamed(tokens, 0, today) ?? matchRelativeDate(tokens, token, today);
}

function matchNumeric(tokens: Tokens, token: Token): DateSpan | undefined {
  const { text, start, end } = token;
  const iso = ISO.exec(text);
  if (iso !== null) return matchIso(tokens, token, iso);
  const month = ISO_MONTH.exec(text);
  if (month !== null) return { start, end, value: text };
  const named = WITH_NAME.exec(text);
  if (named !== null)
    return toSpan(start, end, Number(named[4]), monthNumber(named[3] ?? ""), Number(named[1]));
  const numeric = NUMERIC.exec(text);
  if (numeric === null) return undefined;
  const [first, second, year] = [Number(numeric[1]), Number(numeric[3]), Number(numeric[4])];
  // 05/06/2026 is a day of May in one country and of June in another. With full stops, the day is first.
  if (numeric[2] === "." || first > 12 || first === second) return toSpan(start, end, year, second, first);
  return second > 12 ? toSpan(start, end, year, first, second) : undefined;
}

/** A date with its time, if there is one: in UTC, its day may be another. */
function matchIso(tokens: Tokens, { start, end }: Token, iso: RegExpExecArray): DateSpan | undefined {
  const day = dayOf(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  if (day === undefined) return undefined;
  const after = iso[4] === undefined && tokens.isNextTo(0) ? TIME_AFTER.exec(tokens.at(1)?.text ?? "") : null;
  const [hours, minutes, zone] = after === null ? [iso[4], iso[5], iso[7]] : [after[1], after[2], after[4]];
  const timeMs = (Number(hours ?? 0) * 60 + Number(minutes ?? 0) - minutesOf(zone)) * 60_000;
  const value = isoDay(day + toDay(timeMs));
  return { start, end: after === null ? end : (tokens.at(1)?.end ?? end), value };
}

function minutesOf(zone: string | undefined): number {
  const parts = /^([+-])(\d{2}):?(\d{2})$/.exec(zone ?? "");
  if (parts === null) return 0;
  return (parts[1] === "-" ? -1 : 1) * (Number(parts[2]) * 60 + Number(parts[3]));
}

/** `March 3, 2026`, `3rd of March`, `March 2026`, from the token at a distance. */
function matchNamed(tokens: Tokens, distance: number, today: Day): DateSpan | undefined {
  const token = tokens.at(distance);
  if (token === undefined) return undefined;
  if ((token.traits & DIGIT) !== 0) return matchDateFirst(tokens, distance, token, today);
  return isMonth(token.lower) ? matchMonthFirst(tokens, distance, token, today) : undefined;
}

function matchDateFirst(tokens: Tokens, distance: number, token: Token, today: Day): DateSpan | undefined {
  const parts = DATE.exec(token.text);
  if (parts === null || !tokens.isNextTo(distance)) return undefined;
  const skipped = tokens.lower(distance + 1) === "of" && tokens.isNextTo(distance + 1) ? 1 : 0;
  const at = distance + 1 + skipped;
  const month = tokens.at(at);
  if (month === undefined || !isMonth(month.lower)) return undefined;
  const year = yearAfter(tokens, at);
  const date = Number(/\d+(?=\D*$)/.exec(token.text)?.[0]);
  if (!isName(month) && parts[2] === undefined && year === undefined) return undefined;
  return resolve(tokens, { start: token.start, last: at, year }, monthNumber(month.lower), date, today);
}

function matchMonthFirst(tokens: Tokens, distance: number, token: Token, today: Day): DateSpan | undefined {
  const year = yearAfter(tokens, distance);
  const month = monthNumber(token.lower);
  if (year !== undefined && isName(token)) {
    const end = tokens.at(distance + 1)?.end ?? token.end;
    return { start: token.start, end, value: isoMonth(year * 12 + month - 1) };
  }
  // "March of 2026"
  if (tokens.lower(distance + 1) === "of" && YEAR.test(tokens.lower(distance + 2)) && isName(token)) {
    const end = tokens.at(distance + 2)?.end ?? token.end;
    return { start: token.start, end, value: isoMonth(Number(tokens.lower(distance + 2)) * 12 + month - 1) };
  }
  if (!/^\.?[ \u00a0]+(?:the )?$/.test(tokens.between(distance).slice(0, 8))) return undefined;
  const skipped = tokens.lower(distance + 1) === "the" ? 1 : 0;
  const number = tokens.at(distance + 1 + skipped);
  const parts = DATE.exec(number?.text ?? "");
  if (number === undefined || parts === null) return undefined;
  const at = distance + 1 + skipped;
  const yearOfDate = yearAfter(tokens, at);
  if (!isName(token) && parts[2] === undefined && yearOfDate === undefined) return undefined;
  const length = /^\d+(?:st|nd|rd|th)?/.exec(number.text)?.[0].length ?? 0;
  const isRange = length < number.text.length;
  const end = isRange ? number.start + length : undefined;
  return resolve(
    tokens,
    { start: token.start, last: at, year: yearOfDate, end },
    month,
    Number(parts[1]),
    today,
  );
}

/** Names of months that are other words, too, count only when they are capitalized. */
const isName = (token: Token): boolean =>
  token.text !== token.lower || (token.text.length > 4 && token.lower !== "march") || token.lower === "july";

/** The year after the token at a distance, perhaps with a comma before it. */
function yearAfter(tokens: Tokens, distance: number): number | undefined {
  const text = tokens.at(distance + 1)?.text ?? "";
  if (!YEAR.test(text) || !isCloseTo(tokens, distance)) return undefined;
  return Number(text);
}

/** Whether only a comma, a full stop or a blank stands between two neighbors. */
const isCloseTo = (tokens: Tokens, distance: number): boolean =>
  /^[.,]?[ \u00a0]{1,2}$/.test(tokens.between(distance).slice(0, 5));

interface Said {
  start: number;
  /** The distance of the last token without the year. */
  last: number;
  year: number | undefined;
  end?: number | undefined;
}

function resolve(tokens: Tokens, said: Said, month: number, date: number, today: Day): DateSpan | undefined {
  const day = said.year === undefined ? closestDay(month, date, today) : dayOf(said.year, month, date);
  const last = tokens.at(said.last + (said.year === undefined ? 0 : 1));
  if (day === undefined || last === undefined) return undefined;
  return { start: said.start, end: said.end ?? last.end, value: isoDay(day) };
}

function toSpan(start: number, end: number, year: number, month: number, date: number): DateSpan | undefined {
  const day = month === 0 ? undefined : dayOf(year, month, date);
  return day === undefined ? undefined : { start, end, value: isoDay(day) };
}
