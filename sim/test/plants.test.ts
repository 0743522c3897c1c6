import { describe, expect, test } from "vitest";
import { simulate } from "../src/simulate.ts";
import {
  AGENT_AND_CANCEL_BUGS,
  BUGS,
  FORK_BUGS,
  FURTHER_BUGS,
  IMPORT_BUGS,
  MEMORY_BUGS,
  type Plant,
  plant,
  RESTORATION_BUGS,
} from "./support/plants.ts";

/** Seeds among which one must find a bug. Without a bug none of them fails: CI runs them all. */
const SEEDS_MAX = 100;

/** The first seed that finds a bug by the invariant it breaks; null when none does. */
async function firstSeedThatFinds(bug: Plant): Promise<number | null> {
  const { rewrite, isMet } = plant(bug);
  for (let seed = 1; seed <= SEEDS_MAX; seed++) {
    const { failure } = await simulate(seed, rewrite);
    if (failure?.invariant === bug.violates) return seed;
  }
  expect(isMet(), "the service runs such a statement").toBe(true);
  return null;
}

describe("a planted bug is found", () => {
  test.for(BUGS)("$name: breaks $violates", async (bug) => {
    expect(await firstSeedThatFinds(bug)).not.toBeNull();
  });
});

describe("a bug planted for memories is found", () => {
  test.for(MEMORY_BUGS)("$name: breaks $violates", async (bug) => {
    expect(await firstSeedThatFinds(bug)).not.toBeNull();
  });
});

describe("a bug planted for agents' keys and for what is called off is found", () => {
  test.for(AGENT_AND_CANCEL_BUGS)("$name: breaks $violates", async (bug) => {
    expect(await firstSeedThatFinds(bug)).not.toBeNull();
  });
});

describe("a bug planted for forks is found", () => {
  test.for(FORK_BUGS)("$name: breaks $violates", async (bug) => {
    expect(await firstSeedThatFinds(bug)).not.toBeNull();
  });
});

describe("a bug planted for imports is found", () => {
  test.for(IMPORT_BUGS)("$name: breaks $violates", async (bug) => {
    expect(await firstSeedThatFinds(bug)).not.toBeNull();
  });
});

describe("a bug planted for organizations that come back is found", () => {
  test.for(RESTORATION_BUGS)("$name: breaks $violates", async (bug) => {
    expect(await firstSeedThatFinds(bug)).not.toBeNull();
  });
});

describe("each further invariant is broken by what it guards against", () => {
  test.for(FURTHER_BUGS)("$name: breaks $violates", async (bug) => {
    expect(await firstSeedThatFinds(bug)).not.toBeNull();
  });
});
