import { SIGN, type Token, type Tokens } from "../entities/tokens.ts";
import { dayOf, toDay } from "./calendar.ts";
import { digitsOf } from "./digits.ts";
import { monthOfName } from "./names.ts";
import { type DateContext, type DateParts, type DateSpan, exists, fullYear, ofDay } from "./reading.ts";

const TIME = "(\\d{2}):(\\d{2})(?::(\\d{2})(?:[.,]\\d{1,9})?)?";
const ZONE = "(Z|[+-]\\d{2}:?\\d{2})?";
const ISO = new RegExp(`^(\\d{4})(?:-(?=\\d\\d-\\d\\d)|/)(\\d{1,2})[-/](\\d{1,2})(?:[Tt_]${TIME}${ZONE})?$`);
const TIME_AFTER = new RegExp(`^${TIME}${ZONE}$`);
const ISO_MONTH = /^((?:19|20)\d{2})-(0[1-9]|1[0-2])$/;
/** 31/05/2026 and 31.05.2026 */
const NUMERIC = /^(\d{1,2})([./-])(\d{1,2})\2((?:19|20)\d{2})$/;
/** 31/05/26, but not 1.12.26, which is a version */
const SHORT = /^(\d{1,2})\/(\d{1,2})\/(\d{2})$/;
/** 02-Mar-2026 and, in logs of servers, 02/Mar/2026:09:15:04 */
const WITH_NAME = /^(\d{1,2})([-/])(\p{L}{3,10})\2((?:19|20)\d{2})(?::\d{2}:\d{2}:\d{2})?$/u;
const WITHOUT_YEAR = /^(\d{1,2})\/(\d{1,2})$/;
/** 31.12. and 31.12.26 in German */
const WITH_STOPS = /^(\d{1,2})\.(\d{1,2})(?:\.(\d{2}))?$/;

/** Words before a date. Other numbers of the form 3/12 are fractions, scores and ratios. */
const ON = new Set(
  `on until since due le el il del al dal dia día em op am vom bis zum seit ab den der du au dnia no sul от с до к на`.split(
    " ",
  ),
);
/** Words before a date in a query, where it may also be what something is about. */
const ON_IN_QUERY = new Set([...ON, ..."by from before after of through around for".split(" ")]);
/** Before a number of the form 31.12., which other languages write for a version. */
const AM = new Set("am vom bis zum seit ab den der dem".split(" "));
const FRACTIONS = new Set(["2", "3", "4", "5", "8", "10", "16"]);
const NO_DATE_BEFORE =
  /^(?:ratio|scale|scores?|scored|rated?|rating|fraction|probability|odds|result|won|lost|chapter|page|step|part|about|only|add|use)$/;
const NO_DATE_AFTER =
  /^(?:of|cups?|tsp|tbsp|teaspoons?|tablespoons?|inch|inches|in|mile|miles|hours?|pounds?|lbs?|oz|ounces?|ratio|scale|fraction|time|taste|split|support)$/;

/** A date that a token of digits and signs writes. */
export function matchNumeric(tokens: Tokens, token: Token, context: DateContext): DateSpan | undefined {
  if ((token.traits & SIGN) === 0) return undefined;
  const { start, end } = token;
  const text = digitsOf(token);
  const iso = ISO.exec(text);
  if (iso !== null) return matchIso(tokens, token, iso);
  const month = ISO_MONTH.exec(text);
  if (month !== null) return { start, end, readings: [{ year: Number(month[1]), month: Number(month[2]) }] };
  const named = WITH_NAME.exec(text);
  if (named !== null) {
    const name = monthOfName((named[3] ?? "").toLowerCase());
    return toSpan(token, [{ year: Number(named[4]), month: name?.month ?? 0, date: Number(named[1]) }]);
  }
  const numeric = NUMERIC.exec(text);
  if (numeric !== null) {
    const [, first = "", sign, second = "", year = ""] = numeric;
    // With full stops, the day is first.
    if (sign === ".")
      return toSpan(token, [{ year: Number(year), month: Number(second), date: Number(first) }]);
    return toSpan(token, readingsOf(first, second, Number(year), context));
  }
  if (text.length > 8) return undefined;
  return matchShort(tokens, token, text, context);
}

/** A date without a century or a year. */
function matchShort(tokens: Tokens, token: Token, text: string, context: DateContext): DateSpan | undefined {
  const short = SHORT.exec(text);
  if (short !== null) {
    const [, first = "", second = "", year = ""] = short;
    return toSpan(token, readingsOf(first, second, fullYear(year, context.today), context));
  }
  if (token !== tokens.at(0)) return undefined;
  const slashed = WITHOUT_YEAR.exec(text);
  if (slashed !== null) {
    const [, first = "", second = ""] = slashed;
    if (!isDateInContext(tokens, first, second, context)) return undefined;
    return toSpan(token, readingsOf(first, second, undefined, context));
  }
  const stops = WITH_STOPS.exec(text);
  if (stops === null || !AM.has(tokens.lower(-1)) || !context.locale.languages.has("german"))
    return undefined;
  const [, date, month, year] = stops;
  const hasStop = tokens.text.charAt(token.end) === ".";
  if (year === undefined && !hasStop) return undefined;
  const parts = {
    year: year === undefined ? undefined : fullYear(year, context.today),
    month: Number(month),
    date: Number(date),
  };
  const span = toSpan(token, [parts]);
  return span === undefined || year !== undefined ? span : { ...span, end: token.end + 1 };
}

function isDateInContext(tokens: Tokens, first: string, second: string, { isQuery }: DateContext): boolean {
  const before = tokens.isNextTo(-1) ? tokens.lower(-1) : "";
  const after = tokens.isNextTo(0) ? tokens.lower(1) : "";
  // "a ratio of 3/12"
  const noun = before === "of" || before === "is" ? tokens.lower(-2) : before;
  if (NO_DATE_BEFORE.test(noun) || NO_DATE_AFTER.test(after)) return false;
  if (!isQuery) return ON.has(before);
  if (ON_IN_QUERY.has(before)) return true;
  // 3/4 of it, and 24/7
  return !(Number(first) < Number(second) && FRACTIONS.has(second)) && !(first === "24" && second === "7");
}

/** The readings of two numbers, of which one is the day and one is the month. */
function readingsOf(
  first: string,
  second: string,
  year: number | undefined,
  context: DateContext,
): DateParts[] {
  const readings = [
    { year, month: Number(second), date: Number(first) },
    { year, month: Number(first), date: Number(second) },
  ].filter(exists);
  if (first === second || readings.length < 2) return readings.slice(0, 1);
  const order = context.locale.first;
  if (order === undefined) return readings;
  return order === "day" ? readings.slice(0, 1) : readings.slice(1);
}

function toSpan({ start, end }: Token, all: readonly DateParts[]): DateSpan | undefined {
  const readings = all.filter(exists);
  return readings.length === 0 ? undefined : { start, end, readings };
}

/** A date with its time, if there is one: in UTC, its day may be another. */
function matchIso(tokens: Tokens, { start, end }: Token, iso: RegExpExecArray): DateSpan | undefined {
  const day = dayOf(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  if (day === undefined) return undefined;
  const after = iso[4] === undefined && tokens.isNextTo(0) ? TIME_AFTER.exec(tokens.at(1)?.text ?? "") : null;
  const [hours, minutes, zone] = after === null ? [iso[4], iso[5], iso[7]] : [after[1], after[2], after[4]];
  const timeMs = (Number(hours ?? 0) * 60 + Number(minutes ?? 0) - minutesOf(zone)) * 60_000;
  const readings = [ofDay(day + toDay(timeMs))];
  return { start, end: after === null ? end : (tokens.at(1)?.end ?? end), readings };
}

function minutesOf(zone: string | undefined): number {
  const parts = /^([+-])(\d{2}):?(\d{2})$/.exec(zone ?? "");
  if (parts === null) return 0;
  return (parts[1] === "-" ? -1 : 1) * (Number(parts[2]) * 60 + Number(parts[3]));
}
