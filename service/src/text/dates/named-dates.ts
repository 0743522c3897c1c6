import type { Token, Tokens } from "../entities/tokens.ts";
import { digitsOf, hasDigit } from "./digits.ts";
import { isEnglish, type MonthName, monthOfName, WEEKDAYS } from "./names.ts";
import { type DateContext, type DateParts, type DateSpan, exists, fullYear } from "./reading.ts";

/** 3, 3rd, 1er, 1º and 3-го; the first day of a range such as 3-5 */
const DATE = /^(\d{1,2})(st|nd|rd|th|er|ère|ème|[ºª°]|-?го|-?е)?(?:[-/]\d{1,2}(?:st|nd|rd|th)?)?$/;
const YEAR = /^(?:19|20|21)\d{2}$/;
const SHORT_YEAR = /^\d{2}$/;
const BLANK_AND_APOSTROPHE = /^[.,]?[ \u00a0]['‘’]$/;
/** Between a day and its month, or a month and its year. */
const OF = new Set(["of", "de", "del"]);
const ARTICLES = new Set(["the", "den", "dem", "der", "el", "le", "il", "de"]);
const YEAR_SIGN = /^ ?[年년] ?$/;
const MONTH_SIGN = /^ ?[月월] ?$/;
const AFTER_YEAR = /^ ?[年년]/;
const AFTER_MONTH = /^ ?[月월](?!간)/;
const AFTER_DAY = /^ ?[日号號일]/;
/** The first letter of a script that writes dates as 2023年12月31日. */
const EAST_ASIAN = 0x3000;

/** `March 3, 2026`, `3rd of March`, `31 de diciembre de 2023`, `März 2026`, from the token at a distance. */
export function matchNamed(tokens: Tokens, distance: number, context: DateContext): DateSpan | undefined {
  const token = tokens.at(distance);
  if (token === undefined) return undefined;
  if (hasDigit(token)) {
    return isBeforeSign(tokens, token)
      ? matchEastAsian(tokens, distance, context)
      : matchDateFirst(tokens, distance, token, context);
  }
  const name = monthOfName(token.lower);
  return name === undefined ? undefined : matchMonthFirst(tokens, distance, name, context);
}

/** `Monday, May 11`, `lunes, 3 de marzo` */
export function matchAfterWeekday(tokens: Tokens, token: Token, context: DateContext): DateSpan | undefined {
  if (!WEEKDAYS.has(token.lower) || !isCloseTo(tokens, 0)) return undefined;
  const dated = matchNamed(tokens, ARTICLES.has(tokens.lower(1)) ? 2 : 1, context);
  return dated === undefined ? undefined : { ...dated, start: token.start };
}

function matchDateFirst(
  tokens: Tokens,
  distance: number,
  token: Token,
  context: DateContext,
): DateSpan | undefined {
  const parts = DATE.exec(digitsOf(token));
  if (parts === null) return undefined;
  // "31. Dezember"
  const isDotted = /^\.[ \u00a0]$/.test(tokens.between(distance));
  if (!isDotted && !tokens.isNextTo(distance)) return undefined;
  const skipped = OF.has(tokens.lower(distance + 1)) && tokens.isNextTo(distance + 1) ? 1 : 0;
  const at = distance + 1 + skipped;
  const month = tokens.at(at);
  const name = month === undefined ? undefined : monthOfName(stemOf(month.lower));
  if (month === undefined || name === undefined) return undefined;
  const year = yearAfter(tokens, at, name, context);
  const hasYear = year !== undefined;
  const isDated = hasYear || (isEnglish(name) && (parts[2] !== undefined || context.isQuery));
  if (!isMeant(month, name, context, isDated)) return undefined;
  // In English, a full stop before the month ends a sentence.
  if (isDotted && isEnglish(name) && !hasYear && !isOfLocale(name, context)) return undefined;
  const date = Number(/\d+(?=\D*$)/.exec(parts[0])?.[0]);
  const end = month.end - (month.lower.length - stemOf(month.lower).length);
  return toDay(token.start, year?.end ?? end, { year: year?.year, month: name.month, date });
}

function matchMonthFirst(
  tokens: Tokens,
  distance: number,
  name: MonthName,
  context: DateContext,
): DateSpan | undefined {
  const token = tokens.at(distance);
  if (token === undefined) return undefined;
  const year = yearAfter(tokens, distance, name, context);
  if (year === undefined)
    return isEnglish(name) ? matchEnglish(tokens, distance, token, name, context) : undefined;
  const isName = isEnglish(name) ? isMeant(token, name, context, context.isQuery) : isCertain(name, context);
  if (!isName) return undefined;
  return { start: token.start, end: year.end, readings: [{ year: year.year, month: name.month }] };
}

/** "December 1,2023": the tokens do not divide it. */
const DATE_AND_YEAR = /^(\d{1,2}),((?:19|20)\d{2})$/;

/** `March 3`, `Dec. 31, 2023`, `May the 4th` */
function matchEnglish(
  tokens: Tokens,
  distance: number,
  token: Token,
  name: MonthName,
  context: DateContext,
): DateSpan | undefined {
  if (!/^\.?[ \u00a0]+(?:the )?$/.test(tokens.between(distance).slice(0, 8))) return undefined;
  const skipped = tokens.lower(distance + 1) === "the" ? 1 : 0;
  const number = tokens.at(distance + 1 + skipped);
  const joined = DATE_AND_YEAR.exec(number?.text ?? "");
  if (number !== undefined && joined !== null) {
    return toDay(token.start, number.end, {
      year: Number(joined[2]),
      month: name.month,
      date: Number(joined[1]),
    });
  }
  const parts = number === undefined ? null : DATE.exec(digitsOf(number));
  if (number === undefined || parts === null || isApostrophe(tokens, distance + skipped)) return undefined;
  const at = distance + 1 + skipped;
  const year = yearAfter(tokens, at, name, context);
  const isKnown = parts[2] !== undefined || year !== undefined || context.isQuery;
  if (!isCapitalized(token) && !isKnown) return undefined;
  const length = /^\d+(?:st|nd|rd|th)?/.exec(number.text)?.[0].length ?? 0;
  const isDays = length > 0 && length < number.text.length;
  const end = isDays ? number.start + length : (year?.end ?? number.end);
  return toDay(token.start, end, { year: year?.year, month: name.month, date: Number(parts[1]) });
}

/** `2023年12月31日`, `12월 31일`, `2023年12月` */
function matchEastAsian(tokens: Tokens, distance: number, { isQuery }: DateContext): DateSpan | undefined {
  const first = tokens.at(distance);
  if (first === undefined) return undefined;
  const { text } = tokens;
  const isAfterYear = distance === 0 && YEAR_SIGN.test(tokens.between(-1));
  const hasYear = AFTER_YEAR.test(text.slice(first.end, first.end + 2));
  // 5年12月 counts the years of an emperor.
  const number = digitsOf(first);
  if (isAfterYear || (hasYear && !YEAR.test(number))) return undefined;
  const year = hasYear ? Number(number) : undefined;
  const at = hasYear ? distance + 1 : distance;
  const month = tokens.at(at);
  const isMonth =
    month !== undefined &&
    (!hasYear || YEAR_SIGN.test(tokens.between(distance))) &&
    AFTER_MONTH.test(text.slice(month.end, month.end + 3));
  if (!isMonth) {
    return isQuery && hasYear
      ? { start: first.start, end: endOf(text, first), readings: [{ year }] }
      : undefined;
  }
  const parts = { year, month: Number(digitsOf(month)) };
  const date = tokens.at(at + 1);
  const isDay =
    date !== undefined &&
    MONTH_SIGN.test(tokens.between(at)) &&
    AFTER_DAY.test(text.slice(date.end, date.end + 2));
  if (isDay) return toDay(first.start, endOf(text, date), { ...parts, date: Number(digitsOf(date)) });
  if (!isQuery && !hasYear) return undefined;
  return toDay(first.start, endOf(text, month), parts);
}

/** Whether one of the signs follows that mark a year or a month in East Asian languages. */
function isBeforeSign({ text }: Tokens, { end }: Token): boolean {
  const isBlank = text.charCodeAt(end) === 0x20;
  const code = text.charCodeAt(isBlank ? end + 1 : end);
  return code > EAST_ASIAN && "年년月월".includes(String.fromCharCode(code));
}

/** The end of a number with its sign. */
const endOf = (text: string, { end }: Token): number => end + (text.charAt(end) === " " ? 2 : 1);

/** A name without the ending that Turkish writes after an apostrophe: `Aralık'ta`. */
const stemOf = (word: string): string => word.replace(/['’].*$/, "");

/** Whether a word is the name of a month here. `isDated` says that a year, an ordinal or a query makes it likely. */
function isMeant(token: Token, name: MonthName, context: DateContext, isDated: boolean): boolean {
  if (isEnglish(name)) return isDated || isCapitalized(token) || isOfLocale(name, context);
  return isDated || isCertain(name, context);
}

const isCertain = (name: MonthName, context: DateContext): boolean =>
  name.isSure || isOfLocale(name, context);

/** Whether the text is in a language other than English in which the word is a month. */
function isOfLocale({ languages }: MonthName, { locale }: DateContext): boolean {
  for (const language of locale.languages) if (languages.has(language)) return true;
  return false;
}

/** English names of months that are other words, too, count only when they are capitalized. */
const isCapitalized = (token: Token): boolean =>
  token.text !== token.lower || (token.text.length > 4 && token.lower !== "march") || token.lower === "july";

/** The year after the token at a distance: `, 2026`, `'26`, `of 2026`. */
function yearAfter(
  tokens: Tokens,
  distance: number,
  name: MonthName,
  { today }: DateContext,
): { year: number; end: number } | undefined {
  const next = tokens.lower(distance + 1);
  // "10 out of 2024" is no day of the Portuguese "outubro".
  const hasOf = OF.has(next) && (next !== "of" || isEnglish(name)) && tokens.isNextTo(distance);
  const at = distance + (hasOf ? 2 : 1);
  const token = tokens.at(at);
  if (token === undefined || !hasDigit(token)) return undefined;
  const digits = digitsOf(token);
  const isShort = SHORT_YEAR.test(digits) && isApostrophe(tokens, at - 1);
  if (!isShort && !(YEAR.test(digits) && isCloseTo(tokens, at - 1))) return undefined;
  return { year: fullYear(digits, today), end: token.end };
}

const isApostrophe = (tokens: Tokens, distance: number): boolean =>
  BLANK_AND_APOSTROPHE.test(tokens.between(distance).slice(0, 5));

/** Whether only a comma, a full stop or a blank stands between two neighbors. */
const isCloseTo = (tokens: Tokens, distance: number): boolean =>
  /^[.,،]?[ \u00a0]{1,2}$/.test(tokens.between(distance).slice(0, 5));

const toDay = (start: number, end: number, parts: DateParts): DateSpan | undefined =>
  exists(parts) ? { start, end, readings: [parts] } : undefined;
