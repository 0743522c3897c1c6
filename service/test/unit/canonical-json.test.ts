import fc from "fast-check";
import { expect, test } from "vitest";
import { scale } from "../../../proof/support/scale.ts";
import { canonicalJson } from "../../src/text/canonical-json.ts";
import { runAtOnce, STEP_CHARACTERS } from "../../src/text/pace.ts";

const textOf = (value: unknown) => runAtOnce(canonicalJson(value));

test.for([
  [{ b: 1, a: [true, null, "x"], "": {} }, '{"":{},"a":[true,null,"x"],"b":1}'],
  [[[], [{}], [undefined]], "[[],[{}],[null]]"],
  [{ a: undefined, b: 2 }, '{"b":2}'],
  [{ é: 1, z: 2, "\ufb33": 3, "😀": 4 }, '{"z":2,"é":1,"😀":4,"\ufb33":3}'],
  [[1e30, 1e21, 1e-7, 0.1, -0, 4.5], "[1e+30,1e+21,1e-7,0.1,0,4.5]"],
  ['\u20ac$\u000f\n"\\', '"€$\\u000f\\n\\"\\\\"'],
  [undefined, "null"],
  // Stored digests of messages depend on it.
  [{ b: 1, "10": 2, "9": 3, "01": 4, "4294967295": 5 }, '{"9":3,"10":2,"01":4,"4294967295":5,"b":1}'],
] as [unknown, string][])("%j is written as %s", ([value, text]) => {
  expect(textOf(value)).toBe(text);
});

test("equal values have equal texts, in whatever order their keys were set, and the text has the same value", () => {
  const shuffled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shuffled);
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).map(([key, inside]) => [key, shuffled(inside)] as const);
    return Object.fromEntries(entries.reverse());
  };
  const property = fc.property(fc.jsonValue(), (value) => {
    expect(textOf(shuffled(value))).toBe(textOf(value));
    expect(JSON.parse(textOf(value))).toEqual(JSON.parse(JSON.stringify(value)));
  });
  fc.assert(property, { numRuns: scale(2_000, 200), seed: 1 });
});

test.for([
  ["many fields", Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`key ${i}`, i]))],
  ["many items in many lists", Array.from({ length: 1_000 }, () => Array.from({ length: 10 }, (_, i) => i))],
  ["long texts", Array.from({ length: 100 }, () => "x".repeat(10_000))],
] as const)("a large value is written in steps: %s", ([, value]) => {
  const steps: number[] = [];
  const writing = canonicalJson(value);
  for (let step = writing.next(); !step.done; step = writing.next()) steps.push(step.value);
  expect(steps.length).toBeGreaterThan(20);
  expect(Math.max(...steps)).toBeLessThan(2 * STEP_CHARACTERS);
});
