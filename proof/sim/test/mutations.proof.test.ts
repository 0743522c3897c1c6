import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { sample } from "../../support/scale.ts";
import { simulate } from "../src/simulate.ts";
import {
  AGENT_AND_CANCEL_MUTATIONS,
  applyMutation,
  EVENT_MUTATIONS,
  FORK_MUTATIONS,
  FURTHER_MUTATIONS,
  IMPORT_MUTATIONS,
  MEMORY_MUTATIONS,
  MUTATIONS,
  RESTORATION_MUTATIONS,
  type SqlMutation,
} from "./support/mutations.ts";

/** Seeds among which one must find a mutation. Without a mutation none of them fails: CI runs them all. */
const SEEDS_MAX = 100;

/** If this many seeds ran no statement with the mutation, its pattern no longer fits the service's SQL. */
const SEEDS_WITHOUT_STATEMENT_MAX = 20;

/**
 * The seed that found each mutation last, by name. It is tried first, since others cost a second each. After a
 * change of the simulator, `ENGRAM_FULL=1 ENGRAM_WRITE_SEEDS=1` searches again and writes them.
 */
const SEEDS_FILE = join(import.meta.dirname, "support/seeds.json");
const knownSeeds: Record<string, number> = JSON.parse(readFileSync(SEEDS_FILE, "utf8"));
const foundSeeds: Record<string, number> = {};

afterAll(() => {
  if (process.env.ENGRAM_WRITE_SEEDS !== undefined)
    writeFileSync(SEEDS_FILE, `${JSON.stringify(foundSeeds, null, 2)}\n`);
});

/** The first seed that finds the mutation by the invariant it breaks; null if none does. */
async function firstSeedThatFinds(mutation: SqlMutation): Promise<number | null> {
  const { rewrite, isReached } = applyMutation(mutation);
  const seeds = Array.from({ length: SEEDS_MAX }, (_, i) => i + 1);
  const known = knownSeeds[mutation.name];
  const tried = known === undefined ? seeds : [known, ...seeds];
  for (const [i, seed] of tried.entries()) {
    const { failure } = await simulate(seed, rewrite);
    if (failure?.invariant === mutation.violates) {
      foundSeeds[mutation.name] = seed;
      if (seed !== known) console.warn(`Found by seed ${seed}, not ${known}: write the seeds again.`);
      return seed;
    }
    if (i >= SEEDS_WITHOUT_STATEMENT_MAX) expect(isReached(), "the service runs such a statement").toBe(true);
  }
  return null;
}

describe("the simulator finds a mutation", () => {
  test.for(sample(MUTATIONS, 1))("$name: breaks $violates", async (mutation) => {
    expect(await firstSeedThatFinds(mutation)).not.toBeNull();
  });
});

describe("the simulator finds a mutation of memories", () => {
  test.for(MEMORY_MUTATIONS)("$name: breaks $violates", async (mutation) => {
    expect(await firstSeedThatFinds(mutation)).not.toBeNull();
  });
});

describe("the simulator finds a mutation of agents' keys or canceled operations", () => {
  test.for(sample(AGENT_AND_CANCEL_MUTATIONS, 1))("$name: breaks $violates", async (mutation) => {
    expect(await firstSeedThatFinds(mutation)).not.toBeNull();
  });
});

describe("the simulator finds a mutation of forks", () => {
  test.for(sample(FORK_MUTATIONS, 1))("$name: breaks $violates", async (mutation) => {
    expect(await firstSeedThatFinds(mutation)).not.toBeNull();
  });
});

describe("the simulator finds a mutation of imports", () => {
  test.for(IMPORT_MUTATIONS)("$name: breaks $violates", async (mutation) => {
    expect(await firstSeedThatFinds(mutation)).not.toBeNull();
  });
});

describe("the simulator finds a mutation of restored organizations", () => {
  test.for(RESTORATION_MUTATIONS)("$name: breaks $violates", async (mutation) => {
    expect(await firstSeedThatFinds(mutation)).not.toBeNull();
  });
});

describe("the simulator finds a mutation of events", () => {
  test.for(sample(EVENT_MUTATIONS, 1))("$name: breaks $violates", async (mutation) => {
    expect(await firstSeedThatFinds(mutation)).not.toBeNull();
  });
});

describe("the simulator finds a mutation for each further invariant", () => {
  test.for(sample(FURTHER_MUTATIONS, 1))("$name: breaks $violates", async (mutation) => {
    expect(await firstSeedThatFinds(mutation)).not.toBeNull();
  });
});
