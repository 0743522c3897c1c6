import { BODY_DEPTH_MAX, BODY_VALUES_MAX } from "@engram/spec";
import { ApiError } from "../errors.ts";

/** JavaScript's numbers (doubles) represent every decimal number with up to this number of digits exactly. */
const EXACT_DIGITS = 15;
/** Maximum length of a number. The smallest double, written without an exponent, has 324 decimal places. */
const NUMBER_CHARACTERS_MAX = 400;
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

export interface ExactJson {
  /** Undefined if the text is not JSON. */
  value: unknown;
  /** The error if the text is not JSON, or its value could not be returned exactly as it was sent. */
  refusal: ApiError | undefined;
  /** Number of fields of all objects and items of all arrays, at every depth. */
  values: number;
}

/**
 * Rejects what could not be returned as it was sent: lone surrogates, numbers that a double cannot hold, a key twice in
 * one object, and `__proto__` as a key.
 *
 * @throws {ApiError} `invalid_json`, or an error of `readExactJson`.
 */
export function parseExactJson(text: string): unknown {
  const { value, refusal } = readExactJson(text);
  if (refusal !== undefined) throw refusal;
  return value;
}

/**
 * Parses JSON and finds values that could not be returned as they were sent. Checks depth and number of values first:
 * for four million nested arrays or half a million keys, `JSON.parse` would block the isolate for seconds.
 *
 * @throws {ApiError} `invalid_json` for too many levels of nesting or a number of more than 400 characters,
 *   `payload_too_large` for more values than `valuesMax`.
 */
export function readExactJson(text: string, valuesMax = BODY_VALUES_MAX): ExactJson {
  const { keys, values, inexactNumber } = scan(text, valuesMax);
  let value: unknown;
  try {
    value = JSON.parse(text);
    if (inexactNumber !== undefined) throw inexact(inexactNumber);
    // `JSON.parse` silently keeps only the last of equal keys, so the value then has fewer keys than the text.
    if (refuseUnkeepable(value, []) === keys) return { value, refusal: undefined, values };
    throw invalid("An object has the same key twice. Send each key once.");
  } catch (error) {
    if (error instanceof ApiError) return { value, refusal: error, values };
    if (!(error instanceof SyntaxError)) throw error;
    return {
      value: undefined,
      refusal: invalid(`The body is not valid JSON: ${error.message}.`, error),
      values,
    };
  }
}

const invalid = (detail: string, cause?: unknown): ApiError =>
  new ApiError("invalid_json", detail, { cause });
const inexact = (number: string): ApiError => {
  const shown = number.length > SHOWN_DIGITS ? `${number.slice(0, SHOWN_DIGITS)}…` : number;
  return invalid(`The number ${shown} cannot be stored exactly. Send it as a string.`);
};

/**
 * Counts keys and values, and finds the first number that a double cannot hold. `JSON.parse` with a reviver could find
 * it too, but needs seconds for a body of 8 MiB.
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
      if (depth > BODY_DEPTH_MAX)
        throw invalid(`The body has more than ${BODY_DEPTH_MAX} levels of nesting.`);
    } else if (character === BRACKET || character === BRACE) {
      depth -= 1;
      // Each value is followed by a comma or by the end of its container.
      if (last !== OPENING_BRACKET && last !== OPENING_BRACE) values += 1;
    } else if (character === MINUS || isDigit(character)) {
      const start = i;
      while (!endsNumber(json.charCodeAt(i + 1))) {
        i++;
        if (i - start >= NUMBER_CHARACTERS_MAX) throw inexact(json.slice(start, i));
      }
      inexactNumber ??= findInexact(json, start, i);
    }
    if (values > valuesMax) {
      const detail = `A body may have at most ${valuesMax} fields and items. Send several requests.`;
      throw new ApiError("payload_too_large", detail);
    }
    last = character;
  }
  return { keys, values, inexactNumber };
}

/**
 * Number of fields and items in a JSON text, at any depth. Counted before parsing, because parsed values take up to
 * twenty times as much memory as the text.
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

function findInexact(json: string, start: number, end: number): string | undefined {
  const isNegativeZero = json.charCodeAt(start) === MINUS && json.charCodeAt(start + 1) === ZERO;
  if (end - start < EXACT_DIGITS && !hasExponent(json, start, end) && !isNegativeZero) return undefined;
  const number = json.slice(start, end + 1);
  return isExact(number) ? undefined : number;
}

function closingQuote(json: string, opening: number): number {
  for (let i = opening + 1; i < json.length; i++) {
    const character = json.charCodeAt(i);
    if (character === QUOTE) return i;
    if (character === BACKSLASH) i++;
  }
  return json.length;
}

const isDigit = (character: number): boolean => character >= ZERO && character <= NINE;

/** Whether a number ends before this character code, which is NaN at the end of the text. */
const endsNumber = (character: number): boolean =>
  !(character > BLANK) || character === COMMA || character === BRACKET || character === BRACE;

/** Tests for characters above the digits: in a number, these are only `e` and `E`. */
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

/** A text that is the same for equal numbers: digits without leading and trailing zeros, and a power of ten. */
function significantDigits(decimal: string): string {
  const [mantissa = "", exponent = "0"] = decimal.replace(/^-/, "").split(/e/i);
  const [whole = "", fraction = ""] = mantissa.split(".");
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  const kept = withoutEndingZeros(digits);
  if (kept === "") return "0";
  return `${kept}e${Number(exponent) - fraction.length + digits.length - kept.length}`;
}

/** Does not use the pattern `/0+$/`, which needs quadratic time for many zeros before another digit. */
function withoutEndingZeros(digits: string): string {
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === ZERO) end--;
  return digits.slice(0, end);
}

/**
 * Number of keys in the value. `path` is unchanged afterwards.
 *
 * @throws {ApiError} `invalid_json` for a lone surrogate or the key `__proto__`.
 */
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
      throw new ApiError("invalid_json", `\`${path.join(".")}\`: This key cannot be stored. Choose another.`);
    }
    count += 1 + refuseUnkeepable((value as Record<string, unknown>)[key], path);
    path.pop();
  }
  return count;
}

function refuseIllFormed(text: string, path: (string | number)[]): void {
  if (!text.isWellFormed()) {
    throw new ApiError(
      "invalid_json",
      `The text at \`${path.join(".")}\` contains half of a surrogate pair. Send valid Unicode.`,
    );
  }
}
