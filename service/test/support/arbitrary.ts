import fc from "fast-check";

const AWKWARD = [
  "\0",
  "\ufeff",
  "\u2028",
  "\uffff",
  "\u{10ffff}",
  "\r\n",
  "é",
  "e\u0301",
  " ",
  "👩‍👩‍👧",
  "\u202e",
];

/** Any text, all of Unicode, the awkward parts of it more often. */
export const anyText = fc.string({
  unit: fc.oneof(
    { weight: 3, arbitrary: fc.string({ unit: "binary", minLength: 1, maxLength: 1 }) },
    fc.constantFrom(...AWKWARD),
  ),
  maxLength: 60,
});

const exact = (_: string, item: unknown): unknown =>
  typeof item === "number" && Number.isInteger(item) && !Number.isSafeInteger(item) ? 7 : item;

/** Any JSON that can be kept: no key `__proto__`, no integer beyond 2^53−1, no negative zero. */
export const anyJson = fc
  .jsonValue({ maxDepth: 4, stringUnit: "binary" })
  .map((value): unknown => JSON.parse(JSON.stringify(value).replaceAll('"__proto__"', '"proto"'), exact));

/** Any object that can be metadata. */
export const anyObject = fc
  .dictionary(
    anyText.filter((key) => key !== "__proto__"),
    anyJson,
    { maxKeys: 6 },
  )
  .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>);
