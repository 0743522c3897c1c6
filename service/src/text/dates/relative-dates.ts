import { NUMBER_WORDS } from "../entities/number-words.ts";
import type { Token, Tokens } from "../entities/tokens.ts";
import { type Day, mondayOf, monthOf, weekdayOf } from "./calendar.ts";
import { monthOfName, PHRASES, type Relative, WEEKDAYS } from "./names.ts";
import { type DateContext, type DateSpan, ofDay, ofMonth, type Reading } from "./reading.ts";

const DAYS: ReadonlyMap<string, number> = new Map([
  ["yesterday", -1],
  ["today", 0],
  ["tonight", 0],
  ["tomorrow", 1],
]);
const WEEKS: ReadonlyMap<string, number> = new Map([
  ["last", -1],
  ["previous", -1],
  ["past", -1],
  ["this", 0],
  ["coming", 0],
  ["next", 1],
]);
const PARTS_OF_DAY = new Set(["morning", "afternoon", "evening"]);
const UNITS: ReadonlyMap<string, Relative["unit"]> = new Map([
  ["day", "day"],
  ["days", "day"],
  ["week", "week"],
  ["weeks", "week"],
  ["month", "month"],
  ["months", "month"],
  ["fortnight", "week"],
  ["fortnights", "week"],
  ["year", "year"],
  ["years", "year"],
]);
/** Before "in three days" when it means a date and not how long something takes. */
const AHEAD = new Set(
  `will due launch expire expires end ends start starts begin begins renew renews launch launches ship ships arrive arrives leave
  leaves close closes open opens go goes going meet again back run runs 'll we'll i'll it'll you'll they'll scheduled
  planned available`.split(/\s+/),
);
const AHEAD_REACH = 5;
const COUNT_MAX = 10_000;

/** `yesterday`, `next Monday`, `three weeks ago`, `letzte Woche` */
export function matchRelativeDate(tokens: Tokens, token: Token, context: DateContext): DateSpan | undefined {
  const { today, isQuery } = context;
  const word = token.lower;
  const days = DAYS.get(word);
  if (days !== undefined) return { start: token.start, end: token.end, readings: [ofDay(today + days)] };
  const phrase = matchPhrase(tokens, token, context);
  if (phrase !== undefined) return phrase;
  const weeks = WEEKS.get(word);
  if (weeks !== undefined) {
    const counted = isQuery && weeks < 0 ? matchPast(tokens, token, today) : undefined;
    return counted ?? matchNamed(tokens, token, weeks, context);
  }
  if (word === "the" || word === "day") return matchDayBeside(tokens, token, today);
  if (WEEKDAYS.has(word)) return matchWeekdayOfWeek(tokens, token, today);
  if (word === "on") return isQuery ? matchOnWeekday(tokens, token, today) : undefined;
  return matchCount(tokens, token, today);
}

/** `gestern`, `el mes pasado`, in languages other than English */
function matchPhrase(tokens: Tokens, token: Token, context: DateContext): DateSpan | undefined {
  const phrase = PHRASES.get(token.lower)?.find(({ rest }) =>
    rest.every((word, i) => tokens.lower(i + 1) === word && tokens.isNextTo(i)),
  );
  if (phrase === undefined || !(phrase.isSure || context.locale.languages.has(phrase.language)))
    return undefined;
  const end = tokens.at(phrase.rest.length)?.end ?? token.end;
  return { start: token.start, end, readings: [resolve(context.today, phrase)] };
}

/** The day, or the whole week, month or year. */
function resolve(today: Day, { unit, count }: Relative): Reading {
  if (unit === "day") return ofDay(today + count);
  if (unit === "month") return ofMonth(monthOf(today) + count);
  if (unit === "year") return { year: Math.floor(monthOf(today) / 12) + count };
  const monday = mondayOf(today) + 7 * count;
  return { from: monday, to: monday + 7 };
}

/** `the day before yesterday`, `the day after tomorrow` */
function matchDayBeside(tokens: Tokens, token: Token, today: Day): DateSpan | undefined {
  const at = token.lower === "the" ? 1 : 0;
  const words = [0, 1, 2].map((distance) => tokens.lower(at + distance)).join(" ");
  const days = words === "day before yesterday" ? -2 : words === "day after tomorrow" ? 2 : undefined;
  const last = tokens.at(at + 2);
  if (days === undefined || last === undefined) return undefined;
  return { start: token.start, end: last.end, readings: [ofDay(today + days)] };
}

/** `last Friday`, `this month`, `last night`, `next March`, `last week` */
function matchNamed(
  tokens: Tokens,
  token: Token,
  weeks: number,
  { today, isQuery }: DateContext,
): DateSpan | undefined {
  const name = tokens.at(1);
  if (name === undefined || !tokens.isNextTo(0)) return undefined;
  const span = { start: token.start, end: name.end };
  const isCapitalized = name.text !== name.lower || isQuery;
  const weekday = WEEKDAYS.get(name.lower);
  if (weekday !== undefined && (isCapitalized || name.text.length > 3)) {
    // "the last Friday of May"
    if (tokens.lower(2) === "of" || tokens.lower(2) === "in") return undefined;
    return { ...span, readings: [ofDay(resolveWeekday(token.lower, weeks, weekday, today))] };
  }
  const unit = UNITS.get(name.lower);
  if (unit !== undefined && !name.lower.endsWith("s") && unit !== "day") {
    if (["of", "in"].includes(tokens.lower(2))) return undefined;
    return { ...span, readings: [resolve(today, { unit, count: weeks })] };
  }
  if (name.lower === "weekend") {
    const saturday = mondayOf(today) + 7 * weeks + 5;
    return { ...span, readings: [{ from: saturday, to: saturday + 2 }] };
  }
  if (weeks === 0 && token.lower === "this" && PARTS_OF_DAY.has(name.lower))
    return { ...span, readings: [ofDay(today)] };
  if (token.lower === "last" && name.lower === "night") return { ...span, readings: [ofDay(today - 1)] };
  const month = monthOfName(name.lower);
  if (month === undefined || !isCapitalized || tokens.lower(2) === "of") return undefined;
  return { ...span, readings: [ofMonth(resolveMonth(weeks, month.month, today))] };
}

/** `last three weeks`, `past 10 days`: up to today */
function matchPast(tokens: Tokens, token: Token, today: Day): DateSpan | undefined {
  const counted = tokens.lower(1) === "a" ? undefined : readCount(tokens, 1);
  const last = counted === undefined ? undefined : tokens.at(counted.at);
  const unit = UNITS.get(last?.lower ?? "");
  if (counted === undefined || last === undefined || unit === undefined) return undefined;
  const days = { day: 1, week: 7, month: 30, year: 365 }[unit] * counted.count;
  return { start: token.start, end: last.end, readings: [{ from: today - days, to: today + 1 }] };
}

/** `on Monday`: the latest before today */
function matchOnWeekday(tokens: Tokens, token: Token, today: Day): DateSpan | undefined {
  const name = tokens.at(1);
  const weekday = WEEKDAYS.get(name?.lower ?? "");
  if (name === undefined || weekday === undefined || !tokens.isNextTo(0)) return undefined;
  return { start: token.start, end: name.end, readings: [ofDay(resolveWeekday("last", -1, weekday, today))] };
}

function resolveWeekday(word: string, weeks: number, weekday: number, today: Day): Day {
  // The latest before today.
  if (weeks < 0) return today - 1 - ((weekdayOf(today - 1) - weekday + 7) % 7);
  if (word === "coming") return today + 1 + ((weekday - weekdayOf(today + 1) + 7) % 7);
  return mondayOf(today) + 7 * weeks + ((weekday + 6) % 7);
}

/** The latest such month before this one, the next one after it, or the one of this year. */
function resolveMonth(weeks: number, month: number, today: Day): number {
  const now = monthOf(today);
  const same = Math.floor(now / 12) * 12 + month - 1;
  if (weeks < 0) return same < now ? same : same - 12;
  if (weeks > 0) return same > now ? same : same + 12;
  return same;
}

/** `Monday next week`, `Friday of last week` */
function matchWeekdayOfWeek(tokens: Tokens, token: Token, today: Day): DateSpan | undefined {
  const at = tokens.lower(1) === "of" ? 2 : 1;
  const weeks = WEEKS.get(tokens.lower(at));
  const last = tokens.at(at + 1);
  if (weeks === undefined || last?.lower !== "week" || !tokens.isNextTo(0) || !tokens.isNextTo(at))
    return undefined;
  const weekday = WEEKDAYS.get(token.lower) ?? 0;
  return {
    start: token.start,
    end: last.end,
    readings: [ofDay(mondayOf(today) + 7 * weeks + ((weekday + 6) % 7))],
  };
}

/** `three weeks ago`, `2 days from now`, and `in two weeks` where something happens then */
function matchCount(tokens: Tokens, token: Token, today: Day): DateSpan | undefined {
  const isAhead = token.lower === "in";
  const counted = readCount(tokens, isAhead ? 1 : 0);
  if (counted === undefined) return undefined;
  const unit = UNITS.get(tokens.lower(counted.at));
  const last = tokens.at(counted.at);
  if (unit === undefined || last === undefined) return undefined;
  const count = counted.count * (last.lower.startsWith("fortnight") ? 2 : 1);
  if (isAhead) {
    if (!isSaidOfLater(tokens)) return undefined;
    return { start: token.start, end: last.end, readings: [shift(today, count, unit)] };
  }
  const next = tokens.lower(counted.at + 1);
  const end = tokens.at(counted.at + 1)?.end ?? last.end;
  if (next === "ago") return { start: token.start, end, readings: [shift(today, -count, unit)] };
  const isFrom = next === "from" && ["now", "today"].includes(tokens.lower(counted.at + 2));
  if (!isFrom) return undefined;
  return {
    start: token.start,
    end: tokens.at(counted.at + 2)?.end ?? end,
    readings: [shift(today, count, unit)],
  };
}

/** A number and the distance of the token after it: "3", "three", "a", "a couple of". */
function readCount(tokens: Tokens, distance: number): { count: number; at: number } | undefined {
  const word = tokens.lower(distance);
  if (word === "a" && tokens.lower(distance + 1) === "couple") {
    return { count: 2, at: distance + (tokens.lower(distance + 2) === "of" ? 3 : 2) };
  }
  const count =
    word === "a" || word === "one"
      ? 1
      : (NUMBER_WORDS.get(word) ?? (/^\d{1,4}$/.test(word) ? Number(word) : 0));
  return count > 0 && count < COUNT_MAX ? { count, at: distance + 1 } : undefined;
}

function isSaidOfLater(tokens: Tokens): boolean {
  for (let distance = -1; distance >= -AHEAD_REACH; distance--) {
    if (AHEAD.has(tokens.lower(distance))) return true;
    if (/[.!?\n]/.test(tokens.between(distance - 1).slice(0, 8))) break;
  }
  const isFirst = tokens.at(-1) === undefined || /[.!?\n]/.test(tokens.between(-1).slice(0, 8));
  return isFirst && [3, 4, 5, 6].some((distance) => AHEAD.has(tokens.lower(distance)));
}

/** Months and years are not counted to the day. */
function shift(today: Day, count: number, unit: Relative["unit"]): Reading {
  return unit === "week" ? ofDay(today + 7 * count) : resolve(today, { unit, count });
}
