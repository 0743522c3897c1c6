import { BODY_DEPTH_MAX, BODY_VALUES_MAX } from "@engram/sdk/limits";

/** Levels of nesting. The line has some around the value. */
const DEPTH_MAX = BODY_DEPTH_MAX - 4;
/** Fields and array items. Only imports may have more: a message with more could never be sent again. */
const VALUES_MAX = BODY_VALUES_MAX - 100;

/** Reason that cannot be mended: the value is not the one in the file any more. */
export const ROUNDED = "an integer beyond 2^53";

export const HALF_CHARACTER = "half a character";

/** What keeps the service from storing the value exactly. Undefined if it can. */
export function flawOf(value: unknown): string | undefined {
  let values = 0;
  const look = (item: unknown, depth: number): string | undefined => {
    values += 1;
    if (values > VALUES_MAX) return "more than 50,000 values";
    if (typeof item === "string") return item.isWellFormed() ? undefined : HALF_CHARACTER;
    if (typeof item === "number") {
      // `JSON.parse` has rounded a larger integer.
      return Number.isInteger(item) && !Number.isSafeInteger(item) ? ROUNDED : undefined;
    }
    if (typeof item !== "object" || item === null) return undefined;
    if (depth > DEPTH_MAX) return "nested too deeply";
    if (Object.hasOwn(item, "__proto__")) return "the key __proto__";
    for (const [key, inner] of Object.entries(item)) {
      const flaw = look(inner, depth + 1) ?? (key.isWellFormed() ? undefined : HALF_CHARACTER);
      if (flaw !== undefined) return flaw;
    }
    return undefined;
  };
  return look(value, 1);
}
