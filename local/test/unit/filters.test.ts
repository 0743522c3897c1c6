import { describe, expect, test } from "vitest";
import { FilterError } from "../../../service/src/platform/vector-scan/filters.ts";
import { compileFilter } from "../../src/vectorize/filters.ts";
import { indexedString, indexedValues } from "../../src/vectorize/indexed-values.ts";

const matches = (metadata: Record<string, unknown>, filter: unknown) =>
  compileFilter(filter)(indexedValues(metadata));

describe("a metadata filter of the Vectorize stand-in", () => {
  test.for([
    ["a bare value", { kind: "chunk" }, { kind: "note" }],
    ["$lte", { day: { $lte: 10 } }, { day: { $lte: 9 } }],
    ["$gte", { day: { $gte: 10 } }, { day: { $gte: 11 } }],
    ["$in", { kind: { $in: ["note", "chunk"] } }, { kind: { $in: [] } }],
    ["$nin", { kind: { $nin: ["note"] } }, { kind: { $nin: ["note", "chunk"] } }],
    [
      "several operators of one field together",
      { day: { $gte: 1, $lte: 10 } },
      { day: { $gte: 1, $lte: 9 } },
    ],
    ["several fields together", { kind: "chunk", day: 10 }, { kind: "chunk", day: 11 }],
  ] as const)("accepts %s", ([, passing, failing]) => {
    const metadata = { kind: "chunk", day: 10 };
    expect([matches(metadata, passing), matches(metadata, failing)]).toEqual([true, false]);
  });

  test("matches nothing for a field without a metadata index, with any operator", () => {
    const metadata = { title: "x" };
    for (const condition of ["x", { $in: ["x"] }, { $nin: ["y"] }, { $gte: 0 }]) {
      expect(matches(metadata, { title: condition })).toBe(false);
    }
  });

  test("does not match a vector without the field", () => {
    expect(matches({}, { kind: { $in: ["note"] } })).toBe(false);
    expect(matches({}, { kind: { $nin: ["note"] } })).toBe(false);
    expect(matches({}, { day: { $gte: 0 } })).toBe(false);
  });

  test("never compares a number with a string", () => {
    expect(matches({ day: 10 }, { day: "10" })).toBe(false);
    expect(matches({ day: "10" }, { day: "10" })).toBe(false);
  });

  test("compares strings by their first 64 bytes, cut between characters", () => {
    const start = "a".repeat(63);
    expect(indexedString(`${start}é`)).toBe(start);
    expect(indexedString(`${start}bc`)).toBe(`${start}b`);
    expect(matches({ kind: `${start}bc` }, { kind: `${start}bd` })).toBe(true);
    expect(matches({ kind: `${start}bc` }, { kind: `${start}c` })).toBe(false);
  });

  test.for([
    ["nothing", {}],
    ["an array", []],
    ["an empty key", { "": 1 }],
    ["a key that starts with a dollar", { $or: [] }],
    ["a key with a quote", { 'a"b': 1 }],
    ["a nested empty key", { "a..b": 1 }],
    ["a key of 513 characters", { ["k".repeat(513)]: 1 }],
    ["an unknown operator", { kind: { $regex: "x" } }],
    ["an operator that the service does not use", { kind: { $ne: "x" } }],
    ["a range of strings", { kind: { $gte: "x" } }],
    ["no operator", { kind: {} }],
    ["a list without $in", { kind: ["chunk"] }],
    ["$in without a list", { kind: { $in: "chunk" } }],
    ["2,048 bytes of JSON", { kind: "k".repeat(2048 - '{"kind":""}'.length) }],
  ] as const)("is rejected with %s", ([, filter]) => {
    expect(() => compileFilter(filter)).toThrow(FilterError);
  });

  test("may have up to 2,047 bytes of JSON", () => {
    expect(() => compileFilter({ kind: "k".repeat(2047 - '{"kind":""}'.length) })).not.toThrow();
  });
});
