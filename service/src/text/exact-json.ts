import { ApiError } from "../errors.ts";

/** Deepest nesting of arrays and objects in a body. */
export const JSON_DEPTH_MAX = 64;

/**
 * Parse JSON, refusing what would not come back as it was sent: lone surrogates, numbers that a double
 * cannot hold, `__proto__` as a key, and more nesting than 64.
 *
 * @throws {ApiError} `invalid_json`, naming the place.
 */
export function parseExactJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text, refuseInexactNumber as (key: string, value: unknown) => unknown);
  } catch (cause) {
    if (cause instanceof ApiError) throw cause;
    // V8 nests the reviver's calls as deep as the text, and runs out of stack before memory.
    const detail =
      cause instanceof RangeError ? tooDeep : `The body is not JSON: ${(cause as Error).message}.`;
    throw new ApiError("invalid_json", detail, { cause });
  }
  walk(value);
  return value;
}

const tooDeep = `The body nests deeper than ${JSON_DEPTH_MAX} levels.`;

function refuseInexactNumber(key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value === "number" && !isExact(value, context?.source)) {
    throw new ApiError(
      "invalid_json",
      `The number at \`${key}\` has more digits than can be kept; send it as a string.`,
    );
  }
  return value;
}

function isExact(value: number, source: string | undefined): boolean {
  if (!Number.isFinite(value)) return false;
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return false;
  return source === undefined || significantDigits(source) === significantDigits(String(value));
}

/** A decimal number as its digits without zeros around them, and the power of ten behind them. */
function significantDigits(decimal: string): string {
  const [mantissa = "", exponent = "0"] = decimal.replace(/^-/, "").split(/e/i);
  const [whole = "", fraction = ""] = mantissa.split(".");
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  const kept = digits.replace(/0+$/, "");
  if (kept === "") return "0";
  return `${kept}e${Number(exponent) - fraction.length + digits.length - kept.length}`;
}

function walk(root: unknown): void {
  const pending: { value: unknown; path: string; depth: number }[] = [{ value: root, path: "", depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, path, depth } = next;
    if (typeof value === "string") refuseIllFormed(value, path);
    if (typeof value !== "object" || value === null) continue;
    if (depth === JSON_DEPTH_MAX) throw new ApiError("invalid_json", tooDeep);
    for (const [key, item] of Object.entries(value)) {
      const place = path === "" ? key : `${path}.${key}`;
      refuseIllFormed(key, path);
      if (key === "__proto__") throw new ApiError("invalid_json", `\`${place}\`: this key cannot be kept.`);
      pending.push({ value: item, path: place, depth: depth + 1 });
    }
  }
}

function refuseIllFormed(text: string, path: string): void {
  if (!text.isWellFormed()) {
    throw new ApiError(
      "invalid_json",
      `The text at \`${path.toWellFormed()}\` holds half of a surrogate pair.`,
    );
  }
}
