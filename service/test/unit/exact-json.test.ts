import { BODY_DEPTH_MAX, BODY_VALUES_MAX } from "@engram/spec";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseExactJson } from "../../src/text/exact-json.ts";

const refusal = (text: string) => {
  try {
    parseExactJson(text);
    return null;
  } catch (error) {
    return error as Error & { code: string };
  }
};

test("JSON that can be stored exactly is accepted", () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: "binary", maxDepth: 8 }), (text) => {
      fc.pre(text.isWellFormed() && !/__proto__|\\u[dD][89a-fA-F]/.test(text));
      // A double prints its own shortest digits, which are the ones sent.
      const value: unknown = JSON.parse(text);
      const unsafe = /\d{16}|e[+]?\d\d/.test(text);
      if (!unsafe) expect(parseExactJson(text)).toEqual(value);
    }),
    { numRuns: 40 },
  );
});

test.for([
  "0",
  "0.0",
  "1.0",
  "100",
  "1e2",
  "0.1",
  "1.50",
  "-2.5e-3",
  "9007199254740991",
  "1e-7",
  "5e-324",
  "123456.789",
  `0.${"0".repeat(323)}5`,
])("the number %s is accepted", (text) => {
  expect(parseExactJson(`[${text}]`)).toEqual([Number(text)]);
});

test.for([
  "9007199254740993",
  "1e21",
  "1e400",
  "1e-400",
  "0.1000000000000000055",
  "1.00000000000000000001",
  "9007199254740991.4",
])("the number %s is rejected, since a double cannot represent it", (text) => {
  expect(refusal(`{"a":[1,"2",{"b":${text}}]}`)).toMatchObject({
    code: "invalid_json",
    message: expect.stringContaining(text),
  });
});

test("digits inside of a string are not read as a number", () => {
  const body = { '"1e400': ["9007199254740993", '\\"1e400,', "\\", "-"] };
  expect(parseExactJson(JSON.stringify(body))).toEqual(body);
});

test.for([
  ["a lone surrogate in a string", '{"a":["\\ud800"]}', "`a.0`"],
  ["a lone surrogate in a key", '{"a":{"\\udc00":1}}', "`a`"],
  ["the key __proto__", '{"a":{"__proto__":1}}', "`a.__proto__`"],
  ["a key twice in one object", '{"x":[{"a":1,"b":{},"a":1}]}', "twice"],
  ["a key twice, spelled two ways", '{"a":1,"\\u0061":2}', "twice"],
  ["negative zero", '{"a":-0}', "-0"],
  ["text that is not JSON", '{"a":', "not valid JSON"],
  ["an empty body", "", "not valid JSON"],
])("%s is rejected with its position", ([, text, place]) => {
  expect(refusal(text ?? "")).toMatchObject({
    code: "invalid_json",
    message: expect.stringContaining(place ?? ""),
  });
});

test("the same key in different objects is accepted, and colons in strings and keys", () => {
  const body = { "a:b": [{ a: ":" }, { a: '":' }], a: { a: "a:1" }, "": -0.5 };
  expect(parseExactJson(JSON.stringify(body))).toEqual(body);
  expect(parseExactJson(JSON.stringify(body, null, 2))).toEqual(body);
});

test("brackets in strings do not count as nesting, however a string ends", () => {
  for (const ending of ["", '\\"', "\\\\", '\\\\\\"']) {
    const text = JSON.stringify("[{".repeat(BODY_DEPTH_MAX)).slice(0, -1);
    expect(refusal(`[${text}${ending}",1]`)).toBeNull();
    expect(refusal(`["${ending}",${"[".repeat(BODY_DEPTH_MAX)}`)).toMatchObject({
      message: expect.stringContaining("levels of nesting"),
    });
  }
  expect(refusal('["never closed')).toMatchObject({ message: expect.stringContaining("not valid JSON") });
});

test("too deep nesting is rejected before parsing, which would take seconds", () => {
  // After parsing, the error would be that it is not JSON.
  expect(refusal("[".repeat(BODY_DEPTH_MAX + 1))).toMatchObject({
    message: expect.stringContaining("levels of nesting"),
  });
});

test("arrays and objects are accepted up to the nesting limit, and rejected with one level more or a million", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  expect(refusal(nested(BODY_DEPTH_MAX))).toBeNull();
  expect(refusal(nested(BODY_DEPTH_MAX + 1))).toMatchObject({ code: "invalid_json" });
  expect(refusal(nested(1_000_000))).toMatchObject({ code: "invalid_json" });
});

test.for<[title: string, value: unknown, text: string, values: number]>([
  ["items", 0, "0", 1],
  ["fields", { a: "," }, '{"a":","}', 2],
  ["arrays of arrays", [[1, 2], []], "[[1,2],[]]", 5],
  ["empty objects and arrays", {}, "{ }", 1],
  ["objects with spaces", [{ a: {}, b: [""] }], '[ { "a" : { } , "b" : [ "" ] } ]', 5],
  ["strings with brackets and commas", '[{,"', '"[{,\\""', 1],
])("a body may contain as many values as its limit, and not one more: %s", ([, value, text, values]) => {
  const times = Math.floor(BODY_VALUES_MAX / values);
  const padding = Array(BODY_VALUES_MAX - times * values).fill("null");
  const items = [...Array(times).fill(text), ...padding];
  const taken = parseExactJson(`[${items.join(",")}]`) as unknown[];
  expect([taken.length, taken[0]]).toEqual([items.length, value]);
  expect(refusal(`[null,${items.join(",")}]`)).toMatchObject({ code: "payload_too_large" });
});

// After parsing, the error would be that they are not JSON.
test("too many values and too long numbers are rejected before parsing", () => {
  expect(refusal(`[${"0,".repeat(BODY_VALUES_MAX + 1)}`)).toMatchObject({ code: "payload_too_large" });
  expect(refusal(`[0.${"1".repeat(8_000_000)}`)).toMatchObject({
    code: "invalid_json",
    message: expect.stringContaining("The number 0.11111"),
  });
});
