import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Background,
  calibrationOf,
  estimateRelevance,
  GENERAL_CALIBRATION,
  meanCosine,
  meanDirection,
  type Signs,
} from "../../src/search/ranking/relevance.ts";

const share = fc.double({ min: 0, max: 1, noNaN: true });
const cosine = fc.double({ min: -1, max: 1, noNaN: true });
const terms = (more: Partial<NonNullable<Background["terms"]>> = {}) => ({
  messages: 100,
  information: 15,
  isKnown: true,
  ...more,
});
const relevanceOf = (signs: Signs, { unrelatedCosine = 0, ...more }: Partial<Background> = {}) =>
  estimateRelevance(signs, {
    unrelatedCosine,
    calibration: GENERAL_CALIBRATION,
    terms: signs.coverage === null ? null : terms(),
    ...more,
  });

describe("estimateRelevance", () => {
  test("stays within 0 and 1, and does not fall with more query terms or a higher cosine", () => {
    const some = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null });
    fc.assert(
      fc.property(
        some(share),
        some(cosine),
        share,
        cosine,
        cosine,
        (coverage, near, more, nearer, unrelated) => {
          const unrelatedCosine = Math.min(0.95, unrelated);
          const relevance = relevanceOf({ coverage, cosine: near }, { unrelatedCosine });
          expect(relevance > 0 && relevance < 1).toBe(true);
          if (coverage !== null) {
            const signs = { coverage: Math.max(coverage, more), cosine: near };
            expect(relevanceOf(signs, { unrelatedCosine })).toBeGreaterThanOrEqual(relevance);
          }
          if (near !== null) {
            const signs = { coverage, cosine: Math.max(near, nearer) };
            expect(relevanceOf(signs, { unrelatedCosine })).toBeGreaterThanOrEqual(relevance);
          }
        },
      ),
    );
  });

  test("is high for all query terms nearby and low for none, in every search mode", () => {
    for (const signs of [
      { coverage: 1, cosine: 0.6 },
      { coverage: 1, cosine: null },
      { coverage: null, cosine: 0.9 },
    ]) {
      expect(relevanceOf(signs)).toBeGreaterThan(0.75);
    }
    for (const signs of [
      { coverage: 0, cosine: 0.1 },
      { coverage: 0, cosine: null },
      { coverage: null, cosine: 0.1 },
    ]) {
      expect(relevanceOf(signs)).toBeLessThan(0.05);
    }
  });

  test("is lower if more messages could match by chance, and zero if the words are unknown", () => {
    const signs = { coverage: 0.5, cosine: 0.3 };
    const among = (messages: number) => relevanceOf(signs, { terms: terms({ messages }) });
    expect(among(10)).toBeGreaterThan(2 * among(10_000));
    expect(among(30_000)).toBe(among(3_000_000));
    expect(relevanceOf(signs, { terms: terms({ isKnown: false }) })).toBe(0);
  });

  test("of a message whose chunk is not among the nearest is between those of an unrelated and of a near chunk", () => {
    const at = (cosine: Signs["cosine"]) => relevanceOf({ coverage: 0.5, cosine });
    expect(at(undefined)).toBeGreaterThan(at(0));
    expect(at(undefined)).toBeLessThan(at(0.4));
  });

  test("in a small store, judges a low cosine stricter with the model of sentences, in which fewer unrelated texts reach it", () => {
    const sentences = calibrationOf("engram/all-minilm-l6-v2-128");
    expect(calibrationOf("@cf/baai/bge-base-en-v1.5")).toBe(GENERAL_CALIBRATION);
    const at = (cosine: Signs["cosine"], calibration: Background["calibration"]) =>
      relevanceOf({ coverage: 0, cosine }, { calibration, terms: terms({ messages: 6 }) });
    expect(at(0.15, sentences)).toBeLessThan(0.8 * at(0.15, GENERAL_CALIBRATION));
    expect(at(undefined, sentences)).toBeLessThan(at(undefined, GENERAL_CALIBRATION));
    expect(at(0.6, sentences)).toBeGreaterThan(at(0.6, GENERAL_CALIBRATION));
  });

  test("reads a cosine relative to that of unrelated texts", () => {
    const signs = { coverage: 0.5, cosine: 0.6 };
    expect(relevanceOf(signs, { unrelatedCosine: 0.6 })).toBeCloseTo(
      relevanceOf({ ...signs, cosine: 0 }),
      10,
    );
    expect(relevanceOf({ ...signs, cosine: 1 }, { unrelatedCosine: 0.6 })).toBeCloseTo(
      relevanceOf({ ...signs, cosine: 1 }),
      10,
    );
  });
});

describe("meanCosine", () => {
  test("is the mean of the cosines with the vectors, whatever their lengths", () => {
    const mean = meanDirection([
      [2, 0],
      [0, 3],
      [-1, 0],
      [0, 4],
    ]);
    expect(meanCosine([0, 7], mean)).toBeCloseTo(0.5, 10);
    expect(meanCosine([3, 0], mean)).toBeCloseTo(0, 10);
  });

  test("is at most 0.95, and 0 for zero vectors and for no vectors", () => {
    expect(meanCosine([1, 0], meanDirection([[5, 0]]))).toBe(0.95);
    expect(meanCosine([0, 0], meanDirection([[1, 0]]))).toBe(0);
    expect(meanCosine([1, 0], meanDirection([[0, 0]]))).toBe(0);
    expect(meanCosine([1, 0], meanDirection([]))).toBe(0);
  });
});
