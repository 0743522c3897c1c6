import { describe, expect, test } from "vitest";
import { sample } from "../../support/scale.ts";
import { simulate } from "../src/simulate.ts";
import {
  AGENT_AND_CANCEL_MUTATIONS,
  applyMutation,
  FORK_MUTATIONS,
  FURTHER_MUTATIONS,
  IMPORT_MUTATIONS,
  MEMORY_MUTATIONS,
  MUTATIONS,
  RESTORATION_MUTATIONS,
  type SqlMutation,
} from "./support/mutations.ts";

/** Seeds among which one must find a bug. Without a bug none of them fails: CI runs them all. */
const SEEDS_MAX = 100;

/** The first seed that finds a bug by the invariant it breaks; null when none does. */
async function firstSeedThatFinds(mutation: SqlMutation): Promise<number | null> {
  const { rewrite, isReached } = applyMutation(mutation);
  const seeds = Array.from({ length: SEEDS_MAX }, (_, i) => i + 1);
  for (const seed of mutation.seed === undefined ? seeds : [mutation.seed, ...seeds]) {
    const { failure } = await simulate(seed, rewrite);
    if (failure?.invariant === mutation.violates) return seed;
  }
  expect(isReached(), "the service runs such a statement").toBe(true);
  return null;
}

describe("a mutation is found", () => {
  test.for(sample(MUTATIONS, 1))("$name: breaks $violates", async (mutation) => {
    expect(await firstSeedThatFinds(mutation)).not.toBeNull();
  });
});

describe("a mutation for memories is found", () => {
  test.for(MEMORY_MUTATIONS)("$name: breaks $violates", async (mutation) => {
    expect(await firstSeedThatFinds(mutation)).not.toBeNull();
  });
});

describe("a mutation for agents' keys and for canceled operations is found", () => {
  test.for(sample(AGENT_AND_CANCEL_MUTATIONS, 1))("$name: breaks $violates", async (mutation) => {
    expect(await firstSeedThatFinds(mutation)).not.toBeNull();
  });
});

describe("a mutation for forks is found", () => {
  test.for(sample(FORK_MUTATIONS, 1))("$name: breaks $violates", async (mutation) => {
    expect(await firstSeedThatFinds(mutation)).not.toBeNull();
  });
});

describe("a mutation for imports is found", () => {
  test.for(IMPORT_MUTATIONS)("$name: breaks $violates", async (mutation) => {
    expect(await firstSeedThatFinds(mutation)).not.toBeNull();
  });
});

describe("a mutation for restored organizations is found", () => {
  test.for(RESTORATION_MUTATIONS)("$name: breaks $violates", async (mutation) => {
    expect(await firstSeedThatFinds(mutation)).not.toBeNull();
  });
});

describe("each further invariant is broken by what it guards against", () => {
  test.for(sample(FURTHER_MUTATIONS, 1))("$name: breaks $violates", async (mutation) => {
    expect(await firstSeedThatFinds(mutation)).not.toBeNull();
  });
});
