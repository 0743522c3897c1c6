import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RowMemory } from "../../../service/src/platform/vector-scan/row-memory.ts";
import { Slab } from "../../../service/src/platform/vector-scan/slab.ts";
import { TopMatches } from "../../../service/src/platform/vector-scan/top-matches.ts";
import { compileScan, SCANS } from "../../scripts/compile-wat.ts";
import { floatRows } from "../../src/vectorize/float-rows.ts";

const bytes = readFileSync(join(import.meta.dirname, "../../src/vectorize/scan.wasm"));
// The types are those of a Worker, which cannot compile at run time.
const module: WebAssembly.Module = Reflect.construct(WebAssembly.Module, [bytes]);

const vector = (dimensions: number) =>
  fc.array(fc.float({ min: -10, max: 10, noNaN: true }), { minLength: dimensions, maxLength: dimensions });

function cosine(left: readonly number[], right: readonly number[]): number {
  const dot = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
  const norms = Math.sqrt(dot(left, left) * dot(right, right));
  return norms === 0 ? 0 : dot(left, right) / norms;
}

test.for(SCANS)("the committed %s equals its compiled source", async (file) => {
  expect(Buffer.from(await compileScan(file))).toEqual(readFileSync(file));
});

describe("a slab of vectors", () => {
  test("computes cosine similarity for any number of dimensions", () => {
    const sample = fc
      .integer({ min: 1, max: 13 })
      .chain((dimensions) =>
        fc.tuple(vector(dimensions), fc.array(vector(dimensions), { maxLength: 100, size: "max" })),
      );
    fc.assert(
      fc.property(sample, ([query, rows]) => {
        const memory = new RowMemory(module, floatRows(query.length));
        const slab = new Slab(memory);
        rows.forEach((row, i) => {
          slab.put(`v${i}`, Float32Array.from(row), {});
        });
        memory.setQuery(Float32Array.from(query));
        const best = new TopMatches(rows.length || 1);
        slab.search(undefined, best);
        const found = new Map(best.matches.map(({ id, score }) => [id, score]));
        expect(found.size).toBe(rows.length);
        rows.forEach((row, i) => {
          expect(found.get(`v${i}`)).toBeCloseTo(cosine(query, row), 4);
        });
      }),
      { numRuns: 60 },
    );
  });

  test("holds the same vectors as a map after any puts and deletes, next to another slab", () => {
    const change = fc.record({ id: fc.integer({ min: 0, max: 100 }), values: fc.option(vector(3)) });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 300, size: "max" }), (changes) => {
        const memory = new RowMemory(module, floatRows(3));
        const slab = new Slab(memory);
        const neighbour = new Slab(memory);
        const expected = new Map<string, readonly number[]>();
        for (const { id, values } of changes) {
          neighbour.put(`n${id}`, Float32Array.of(1, 2, 3), {});
          if (values === null) slab.delete(`v${id}`);
          else slab.put(`v${id}`, Float32Array.from(values), {});
          if (values === null) expected.delete(`v${id}`);
          else expected.set(`v${id}`, values);
        }
        memory.setQuery(Float32Array.of(1, -2, 3));
        const best = new TopMatches(1_000);
        slab.search(undefined, best);
        expect(best.matches.map(({ id }) => id).sort()).toEqual([...expected.keys()].sort());
        for (const { id, score } of best.matches) {
          expect(score).toBeCloseTo(cosine([1, -2, 3], expected.get(id) ?? []), 4);
        }
      }),
      { numRuns: 60 },
    );
  });
});

test("the best matches are sorted by score, and equal scores by id", () => {
  const scored = fc.record({ id: fc.string(), score: fc.constantFrom(-1, 0, 0.5, 0.75) });
  const list = fc.uniqueArray(scored, { selector: ({ id }) => id, maxLength: 30 });
  fc.assert(
    fc.property(list, fc.integer({ min: 1, max: 10 }), (all, limit) => {
      const best = new TopMatches(limit);
      for (const { id, score } of all) best.offer(id, score);
      const sorted = all.toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
      expect(best.matches).toEqual(sorted.slice(0, limit));
    }),
  );
});
