import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toRelevance, toUnrelatedCosine } from "../../src/search/ranking/relevance.ts";

const share = fc.double({ min: 0, max: 1, noNaN: true });
const cosine = fc.double({ min: -1, max: 1, noNaN: true });

describe("toRelevance", () => {
  test("stays within 0 and 1 and never falls when more of the query is there or its meaning is nearer", () => {
    const some = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null });
    fc.assert(
      fc.property(
        some(share),
        some(cosine),
        share,
        cosine,
        cosine,
        (coverage, near, more, nearer, unrelated) => {
          const base = Math.min(0.95, unrelated);
          const relevance = toRelevance({ coverage, cosine: near }, base);
          expect(relevance > 0 && relevance < 1).toBe(true);
          if (coverage !== null) {
            const covered = toRelevance({ coverage: Math.max(coverage, more), cosine: near }, base);
            expect(covered).toBeGreaterThanOrEqual(relevance);
          }
          if (near !== null) {
            const closer = toRelevance({ coverage, cosine: Math.max(near, nearer) }, base);
            expect(closer).toBeGreaterThanOrEqual(relevance);
          }
        },
      ),
    );
  });

  test("calls all of a query nearby likely, and nothing of it unlikely, however it was searched", () => {
    for (const signs of [
      { coverage: 1, cosine: 0.6 },
      { coverage: 1, cosine: null },
      { coverage: null, cosine: 0.9 },
    ]) {
      expect(toRelevance(signs, 0)).toBeGreaterThan(0.75);
    }
    for (const signs of [
      { coverage: 0, cosine: 0.3 },
      { coverage: 0, cosine: null },
      { coverage: null, cosine: 0.1 },
    ]) {
      expect(toRelevance(signs, 0)).toBeLessThan(0.1);
    }
  });

  test("reads a cosine by what is unrelated in its model", () => {
    const signs = { coverage: 0.5, cosine: 0.6 };
    expect(toRelevance(signs, 0.6)).toBeCloseTo(toRelevance({ ...signs, cosine: 0 }, 0), 10);
    expect(toRelevance({ ...signs, cosine: 1 }, 0.6)).toBeCloseTo(
      toRelevance({ ...signs, cosine: 1 }, 0),
      10,
    );
  });
});

describe("toUnrelatedCosine", () => {
  test("is the mean cosine of all pairs, whatever the vectors' lengths", () => {
    expect(
      toUnrelatedCosine([
        [2, 0],
        [0, 3],
        [5, 0],
      ]),
    ).toBeCloseTo(1 / 3, 10);
  });

  test("leaves room above it, and stands for vectors of zeros and for none", () => {
    expect(
      toUnrelatedCosine([
        [1, 0],
        [1, 0],
      ]),
    ).toBe(0.95);
    expect(
      toUnrelatedCosine([
        [0, 0],
        [0, 0],
      ]),
    ).toBe(0);
    expect(toUnrelatedCosine([])).toBe(0);
  });
});
