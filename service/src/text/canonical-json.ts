import { STEP_CHARACTERS, type Steps } from "./pace.ts";

/** Writing a field or an item takes about as long as reading this number of characters of a text. */
const VALUE_CHARACTERS = 8;
/** Number of characters of a string that are written in the time of reading one. */
const WRITTEN_CHARACTERS = 32;

/**
 * JSON without white space and with sorted keys, so that equal values give equal texts. Numbers and strings are written
 * as RFC 8785 states. Keys that are array indices come first in numerical order, which differs from it: stored digests
 * depend on this order.
 */
export function* canonicalJson(value: unknown): Steps<string> {
  const written: string[] = [];
  let unread = 0;
  const write = (text: string) => {
    written.push(text);
    unread += VALUE_CHARACTERS + text.length / WRITTEN_CHARACTERS;
  };
  function* writeInside(container: object): Steps<void> {
    const isArray = Array.isArray(container);
    let separator = isArray ? "[" : "{";
    for (const key of isArray ? container.keys() : sortedKeys(container)) {
      const inside: unknown = container[key as keyof typeof container];
      if (inside === undefined && !isArray) continue;
      const before = isArray ? separator : `${separator}${JSON.stringify(key)}:`;
      separator = ",";
      if (typeof inside === "object" && inside !== null) {
        write(before);
        yield* writeInside(inside);
      } else write(before + (JSON.stringify(inside) ?? "null"));
      if (unread < STEP_CHARACTERS) continue;
      yield unread;
      unread = 0;
    }
    const isEmpty = separator !== ",";
    write(`${isEmpty ? separator : ""}${isArray ? "]" : "}"}`);
  }
  // As the only item of an array, whose brackets are removed, so that the value may be of any type.
  yield* writeInside([value]);
  return written.join("").slice(1, -1);
}

/** JavaScript lists the keys that are array indices first. */
function sortedKeys(fields: object): string[] {
  const keys = Object.keys(fields);
  const other = keys.findIndex((key) => !isArrayIndex(key));
  return other < 0 ? keys : [...keys.slice(0, other), ...keys.slice(other).sort()];
}

const isArrayIndex = (key: string): boolean => /^(0|[1-9]\d{0,9})$/.test(key) && Number(key) < 2 ** 32 - 1;
