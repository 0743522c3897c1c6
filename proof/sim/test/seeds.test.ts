import { queryObjects } from "node:v8";
import { expect, test } from "vitest";
import { describeFailure } from "../src/report.ts";
import { type Run, simulate } from "../src/simulate.ts";
import { runSeeds } from "../src/worker-pool.ts";
import { World } from "../src/world.ts";

/** `npm run sim` runs 500. */
const SEEDS = 8;

async function run(input: { from: number; seeds: number; threads: number }): Promise<Run[]> {
  const runs: Run[] = [];
  await runSeeds(
    input,
    (one) => runs.push(one),
    () => false,
  );
  return runs.sort((a, b) => a.seed - b.seed);
}

test("without a mutation every invariant holds", async () => {
  const runs = await run({ from: 1, seeds: SEEDS, threads: 2 });
  expect(runs.map(describeFailure).join("")).toBe("");
  expect(runs.map(({ seed }) => seed)).toEqual(Array.from({ length: SEEDS }, (_, i) => i + 1));
});

test("a seed gives the same trace whatever ran before it, and another seed another", async () => {
  const last = 9;
  const together = await run({ from: 7, seeds: last - 6, threads: 1 });
  for (const seed of [7, last]) {
    const alone = await simulate(seed);
    const before = together.find((other) => other.seed === seed);
    expect([alone.hash, alone.steps]).toEqual([before?.hash, before?.steps]);
  }
  expect(new Set(together.map(({ hash }) => hash)).size).toBe(together.length);
});

test("a finished run frees its memory, so that any number of runs fit", async () => {
  for (let seed = 1; seed <= 4; seed++) await simulate(seed);
  // The last may still be held by what called it.
  expect(queryObjects(World)).toBeLessThanOrEqual(1);
});
