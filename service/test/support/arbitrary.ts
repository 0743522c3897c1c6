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

/** Any Unicode text, with awkward characters more often than others. */
export const anyText = fc.string({
  unit: fc.oneof(
    { weight: 3, arbitrary: fc.string({ unit: "binary", minLength: 1, maxLength: 1 }) },
    fc.constantFrom(...AWKWARD),
  ),
  maxLength: 60,
});

const exact = (_: string, item: unknown): unknown =>
  typeof item === "number" && Number.isInteger(item) && !Number.isSafeInteger(item) ? 7 : item;

/** Any JSON that can be stored exactly: no key `__proto__`, no integer beyond 2^53−1, no negative zero. */
export const anyJson = fc
  .jsonValue({ maxDepth: 4, stringUnit: "binary" })
  .map((value): unknown => JSON.parse(JSON.stringify(value).replaceAll('"__proto__"', '"proto"'), exact));

export const anyObject = fc
  .dictionary(
    anyText.filter((key) => key !== "__proto__"),
    anyJson,
    { maxKeys: 6 },
  )
  .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>);

/**
 * Texts with a meaning in SQL, FTS5, JSON paths, shells or this service, which must be treated as plain text.
 */
export const INJECTIONS = [
  "' OR 1=1 --",
  '" OR ""="',
  "'; DROP TABLE messages; --",
  "x') UNION SELECT secret_hash FROM api_keys --",
  "?1",
  ":o",
  "%",
  "_",
  "*",
  "wal*",
  '"walrus',
  "NOT walrus",
  "walrus AND tusk",
  "walrus NEAR/2 tusk",
  "body:walrus",
  "^walrus",
  "1~walrus",
  "-walrus",
  "(walrus",
  "{body} : walrus",
  "$",
  "$.a",
  '$."a"',
  "a.b[0]",
  "[]",
  '["x"]',
  '{"$ne":1}',
  "null",
  "true",
  "0",
  "1e3",
  "refused:not_found",
  "\\",
  "\\u0000",
  "../../v1/keys",
  "%2e%2e%2f",
  "%00",
  "%ff",
  "é",
  "e\u0301",
  "\ufeff",
  "__proto__",
  "constructor",
  "toString",
];
