import fc from "fast-check";
import { expect, test } from "vitest";
import { nthHighest, topIndexes } from "../../src/search/ranking/top-k.ts";

const values = fc.array(fc.integer({ min: -20, max: 20 }), { maxLength: 200 });

test("best() returns what sorting everything returns, the first of equal ones first", () => {
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 50 }), (list, count) => {
      const sorted = [...list.keys()].sort((a, b) => (list[b] ?? 0) - (list[a] ?? 0) || a - b);
      expect(topIndexes(Float64Array.from(list), count)).toEqual(sorted.slice(0, count));
      const nth = list.toSorted((a, b) => b - a)[count - 1] ?? Number.NEGATIVE_INFINITY;
      expect(nthHighest(Float64Array.from(list), count)).toBe(nth);
    }),
  );
});
