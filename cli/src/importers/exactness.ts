/** The service's limits for one line, minus a margin for the fields around `parts`. */
const DEPTH_MAX = 60;
const VALUES_MAX = 49_900;

/** Why the service could not store a JSON value exactly; undefined when it could. */
export function flawOf(value: unknown): string | undefined {
  let values = 0;
  const look = (item: unknown, depth: number): string | undefined => {
    values += 1;
    if (values > VALUES_MAX) return "more than 50,000 values";
    if (typeof item === "string") return item.isWellFormed() ? undefined : "half a character";
    if (typeof item === "number") {
      // A larger integer was rounded when the file was parsed.
      return Number.isInteger(item) && !Number.isSafeInteger(item) ? "an integer beyond 2^53" : undefined;
    }
    if (typeof item !== "object" || item === null) return undefined;
    if (depth > DEPTH_MAX) return "nested too deeply";
    if (Object.hasOwn(item, "__proto__")) return "the key __proto__";
    for (const [key, inner] of Object.entries(item)) {
      const flaw = look(inner, depth + 1) ?? (key.isWellFormed() ? undefined : "half a character");
      if (flaw !== undefined) return flaw;
    }
    return undefined;
  };
  return look(value, 1);
}
