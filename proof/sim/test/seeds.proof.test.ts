import { queryObjects } from "node:v8";
import { beforeAll, expect, test } from "vitest";
import { describeFailure } from "../src/report.ts";
import { type Run, simulate } from "../src/simulate.ts";
import { runSeeds } from "../src/worker-pool.ts";
import { World } from "../src/world.ts";

/** `npm run sim` runs 500. */
const SEEDS = 4;

/** The first seeds, run in sequence in a separate thread. */
const runs: Run[] = [];
beforeAll(
  () =>
    runSeeds(
      { from: 1, seeds: SEEDS, threads: 1 },
      (run) => runs.push(run),
      () => false,
    ),
  240_000,
);

test("the simulator finds no broken invariant without a mutation", () => {
  expect(runs.map(describeFailure).join("")).toBe("");
  expect(runs.map(({ seed }) => seed)).toEqual(Array.from({ length: SEEDS }, (_, i) => i + 1));
});

test("a seed gives the same trace whatever ran before it, and different seeds give different traces", async () => {
  const alone = await simulate(SEEDS);
  const after = runs.find(({ seed }) => seed === SEEDS);
  expect([alone.hash, alone.steps]).toEqual([after?.hash, after?.steps]);
  expect(new Set(runs.map(({ hash }) => hash)).size).toBe(SEEDS);
});

test("a finished simulation frees its memory", async () => {
  for (let seed = 1; seed <= 3; seed++) await simulate(seed);
  // The caller may still hold the last one.
  expect(queryObjects(World)).toBeLessThanOrEqual(1);
});
