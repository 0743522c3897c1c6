import { ApiError } from "../errors.ts";

/** Deepest nesting of arrays and objects in a body. */
export const JSON_DEPTH_MAX = 64;

/** A double keeps every decimal of so many digits. */
const EXACT_DIGITS = 15;
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

/**
 * Parse JSON, refusing what would not come back as it was sent: lone surrogates, numbers that a double
 * cannot hold, a key twice in one object, `__proto__` as a key, and more nesting than 64.
 *
 * @throws {ApiError} `invalid_json`, naming the place.
 */
export function parseExactJson(text: string): unknown {
  refuseDeep(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ApiError("invalid_json", `The body is not JSON: ${(cause as Error).message}.`, { cause });
  }
  const keysSent = refuseInexactNumbers(text);
  // Parsing keeps the last of equal keys and drops the others without a word.
  if (refuseUnkeepable(value, []) !== keysSent) {
    throw new ApiError("invalid_json", "A key stands twice in one object; only one of them could be kept.");
  }
  return value;
}

/** Looks at the nesting before anything is parsed: four million empty arrays in each other take V8 seconds. */
function refuseDeep(json: string): void {
  let depth = 0;
  for (let i = 0; i < json.length; i++) {
    const character = json.charCodeAt(i);
    if (character === QUOTE) {
      i = closingQuote(json, i);
    } else if (character === OPENING_BRACKET || character === OPENING_BRACE) {
      depth += 1;
      if (depth > JSON_DEPTH_MAX) {
        throw new ApiError("invalid_json", `The body nests deeper than ${JSON_DEPTH_MAX} levels.`);
      }
    } else if (character === BRACKET || character === BRACE) {
      depth -= 1;
    }
  }
}

/**
 * Looks at the numbers of a JSON text, and counts its keys. A reviver sees the numbers too, but takes
 * seconds for a body of 8 MiB.
 */
function refuseInexactNumbers(json: string): number {
  let keys = 0;
  for (let i = 0; i < json.length; i++) {
    const character = json.charCodeAt(i);
    if (character === QUOTE) {
      i = closingQuote(json, i);
    } else if (character === COLON) {
      keys += 1;
    } else if (character === MINUS || isDigit(character)) {
      const start = i;
      while (!isBehindNumber(json.charCodeAt(i + 1))) i++;
      const isShort = i - start < EXACT_DIGITS && !hasExponent(json, start, i);
      if (isShort && !(character === MINUS && json.charCodeAt(start + 1) === ZERO)) continue;
      const number = json.slice(start, i + 1);
      if (!isExact(number)) {
        const shown = number.length > 40 ? `${number.slice(0, 40)}…` : number;
        throw new ApiError(
          "invalid_json",
          `The number ${shown} cannot be kept exactly; send it as a string.`,
        );
      }
    }
  }
  return keys;
}

/** Where the text that a quote opens ends; the end of everything where nothing closes it. */
function closingQuote(json: string, opening: number): number {
  for (let at = json.indexOf('"', opening + 1); at > 0; at = json.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (json.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return at;
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
