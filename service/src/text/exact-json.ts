import { BODY_DEPTH_MAX, BODY_VALUES_MAX } from "@engram/spec";
import { ApiError } from "../errors.ts";

/** A double keeps every decimal of so many digits. */
const EXACT_DIGITS = 15;
/** What a double holds is no longer, even written out: the smallest has 324 digits behind the point. */
const NUMBER_CHARACTERS_MAX = 400;
/** As much of a number as an error repeats. */
const SHOWN_DIGITS = 40;
const QUOTE = 0x22;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const BACKSLASH = 0x5c;
const BLANK = 0x20;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPENING_BRACKET = 0x5b;
const OPENING_BRACE = 0x7b;
const BRACKET = 0x5d;
const BRACE = 0x7d;

/** A body as JSON. */
export interface ExactJson {
  /** Undefined when it is no JSON. */
  value: unknown;
  /** Set when the value would not come back as it was sent. */
  refusal: ApiError | undefined;
  /** Fields of its objects and items of its arrays, at every depth. */
  values: number;
}

/**
 * Parse JSON, refusing what would not come back as it was sent: lone surrogates, numbers that a double
 * cannot hold, a key twice in one object, and `__proto__` as a key.
 *
 * @throws {ApiError} `invalid_json`, naming the place, or what `readExactJson` throws.
 */
export function parseExactJson(text: string): unknown {
  const { value, refusal } = readExactJson(text);
  if (refusal !== undefined) throw refusal;
  return value;
}

/**
 * Parse JSON, and tell why it is refused where it is.
 *
 * What would take everybody's time is not even parsed: four million arrays in each other keep V8 busy for
 * seconds, half a million keys the same.
 *
 * @throws {ApiError} `invalid_json` for more nesting than 64 or a number of more than 400 characters,
 * `payload_too_large` for more values than `valuesMax`.
 */
export function readExactJson(text: string, valuesMax = BODY_VALUES_MAX): ExactJson {
  const { keys, values, inexactNumber } = scan(text, valuesMax);
  let value: unknown;
  try {
    value = JSON.parse(text);
    if (inexactNumber !== undefined) throw inexact(inexactNumber);
    // Parsing keeps the last of equal keys and drops the others without a word.
    if (refuseUnkeepable(value, []) === keys) return { value, refusal: undefined, values };
    throw invalid("A key stands twice in one object; only one of them could be kept.");
  } catch (error) {
    if (error instanceof ApiError) return { value, refusal: error, values };
    if (!(error instanceof SyntaxError)) throw error;
    return { value: undefined, refusal: invalid(`The body is not JSON: ${error.message}.`, error), values };
  }
}

const invalid = (detail: string, cause?: unknown): ApiError =>
  new ApiError("invalid_json", detail, { cause });
const inexact = (number: string): ApiError => {
  const shown = number.length > SHOWN_DIGITS ? `${number.slice(0, SHOWN_DIGITS)}…` : number;
  return invalid(`The number ${shown} cannot be kept exactly; send it as a string.`);
};

/**
 * Looks through a JSON text, counts its keys, and finds the first number that a double cannot hold. A
 * reviver sees numbers too, but takes seconds for a body of 8 MiB.
 */
function scan(
  json: string,
  valuesMax: number,
): { keys: number; values: number; inexactNumber: string | undefined } {
  let depth = 0;
  let values = 0;
  let keys = 0;
  let inexactNumber: string | undefined;
  let last = 0;
  for (let i = 0; i < json.length; i++) {
    const character = json.charCodeAt(i);
    if (character <= BLANK) continue;
    if (character === QUOTE) {
      i = closingQuote(json, i);
    } else if (character === COLON) {
      keys += 1;
    } else if (character === COMMA) {
      values += 1;
    } else if (character === OPENING_BRACKET || character === OPENING_BRACE) {
      depth += 1;
      if (depth > BODY_DEPTH_MAX) throw invalid(`The body nests deeper than ${BODY_DEPTH_MAX} levels.`);
    } else if (character === BRACKET || character === BRACE) {
      depth -= 1;
      // Behind each value stands a comma, or the end of what it stands in.
      if (last !== OPENING_BRACKET && last !== OPENING_BRACE) values += 1;
    } else if (character === MINUS || isDigit(character)) {
      const start = i;
      while (!isBehindNumber(json.charCodeAt(i + 1))) {
        i++;
        if (i - start >= NUMBER_CHARACTERS_MAX) throw inexact(json.slice(start, i));
      }
      inexactNumber ??= findInexact(json, start, i);
    }
    if (values > valuesMax) {
      const detail = `A body may hold ${valuesMax} fields and items; send several requests.`;
      throw new ApiError("payload_too_large", detail);
    }
    last = character;
  }
  return { keys, values, inexactNumber };
}

/**
 * The fields and items that a JSON text holds, at any depth; never fewer. Each costs memory once it is parsed, up to
 * twenty times its bytes.
 */
export function countJsonValues(json: string): number {
  let values = 0;
  let last = 0;
  for (let i = 0; i < json.length; i++) {
    const character = json.charCodeAt(i);
    if (character <= BLANK) continue;
    if (character === QUOTE) i = closingQuote(json, i);
    else if (character === COMMA) values += 1;
    else if (
      (character === BRACKET || character === BRACE) &&
      last !== OPENING_BRACKET &&
      last !== OPENING_BRACE
    )
      values += 1;
    last = character;
  }
  return values;
}

/** The number between two places when a double cannot hold it. */
function findInexact(json: string, start: number, end: number): string | undefined {
  const isNegativeZero = json.charCodeAt(start) === MINUS && json.charCodeAt(start + 1) === ZERO;
  if (end - start < EXACT_DIGITS && !hasExponent(json, start, end) && !isNegativeZero) return undefined;
  const number = json.slice(start, end + 1);
  return isExact(number) ? undefined : number;
}

/** Where the text that a quote opens ends; the end of everything where nothing closes it. */
function closingQuote(json: string, opening: number): number {
  for (let i = opening + 1; i < json.length; i++) {
    const character = json.charCodeAt(i);
    if (character === QUOTE) return i;
    if (character === BACKSLASH) i++;
  }
  return json.length;
}

const isDigit = (character: number): boolean => character >= ZERO && character <= NINE;

/** Whether a number ends before this character: a blank, a comma, a bracket, or the end (NaN). */
const isBehindNumber = (character: number): boolean =>
  !(character > BLANK) || character === COMMA || character === BRACKET || character === BRACE;

/** An `e` of either case is the only letter in a number. */
function hasExponent(json: string, from: number, to: number): boolean {
  for (let i = from; i <= to; i++) if (json.charCodeAt(i) > NINE) return true;
  return false;
}

function isExact(source: string): boolean {
  const value = Number(source);
  if (!Number.isFinite(value) || Object.is(value, -0)) return false;
  if (String(value) === source) return !Number.isInteger(value) || Number.isSafeInteger(value);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return false;
  return significantDigits(source) === significantDigits(String(value));
}

/** A decimal number as its digits without zeros around them, and the power of ten behind them. */
function significantDigits(decimal: string): string {
  const [mantissa = "", exponent = "0"] = decimal.replace(/^-/, "").split(/e/i);
  const [whole = "", fraction = ""] = mantissa.split(".");
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  const kept = withoutEndingZeros(digits);
  if (kept === "") return "0";
  return `${kept}e${Number(exponent) - fraction.length + digits.length - kept.length}`;
}

/** Not `/0+$/`: over many zeros before another digit that takes time by their square. */
function withoutEndingZeros(digits: string): string {
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === ZERO) end--;
  return digits.slice(0, end);
}

/** Looks at everything in a value, and counts its keys. `path` is where it stands, and the same again afterwards. */
function refuseUnkeepable(value: unknown, path: (string | number)[]): number {
  if (typeof value === "string") refuseIllFormed(value, path);
  if (typeof value !== "object" || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      path.push(i);
      count += refuseUnkeepable(value[i], path);
      path.pop();
    }
    return count;
  }
  for (const key of Object.keys(value)) {
    refuseIllFormed(key, path);
    path.push(key);
    if (key === "__proto__") {
      throw new ApiError("invalid_json", `\`${path.join(".")}\`: this key cannot be kept.`);
    }
    count += 1 + refuseUnkeepable((value as Record<string, unknown>)[key], path);
    path.pop();
  }
  return count;
}

function refuseIllFormed(text: string, path: (string | number)[]): void {
  if (!text.isWellFormed()) {
    throw new ApiError("invalid_json", `The text at \`${path.join(".")}\` holds half of a surrogate pair.`);
  }
}
