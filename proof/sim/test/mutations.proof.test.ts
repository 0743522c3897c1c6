import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { sample } from "../../support/scale.ts";
import { simulate } from "../src/simulate.ts";
import {
  AGENT_AND_CANCEL_MUTATIONS,
  applyMutation,
  CELL_MUTATIONS,
  type CodeMutation,
  EVENT_MUTATIONS,
  FORK_MUTATIONS,
  FURTHER_MUTATIONS,
  GRANT_MUTATIONS,
  HOLD_MUTATIONS,
  IMPORT_MUTATIONS,
  MEMORY_MUTATIONS,
  MOVE_MUTATIONS,
  MUTATIONS,
  RECALL_MUTATIONS,
  RESTORATION_MUTATIONS,
  type SqlMutation,
  SUMMARY_MUTATIONS,
  TOMBSTONE_MUTATIONS,
} from "./support/mutations.ts";

/** Seeds among which one must find a mutation. Without a mutation none of them fails: the proof runs them all. */
const SEEDS_MAX = 500;

/** If this many seeds ran no statement with the mutation, its pattern no longer fits the service's SQL or code. */
const SEEDS_WITHOUT_STATEMENT_MAX = 100;

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
async function firstSeedThatFinds(mutation: SqlMutation | CodeMutation): Promise<number | null> {
  const { change, isReached } = applyMutation(mutation);
  const seeds = Array.from({ length: SEEDS_MAX }, (_, i) => i + 1);
  const known = knownSeeds[mutation.name];
  const tried = known === undefined ? seeds : [known, ...seeds];
  for (const [i, seed] of tried.entries()) {
    const { failure } = await simulate(seed, change);
    if (failure?.invariant === mutation.violates) {
      foundSeeds[mutation.name] = seed;
      if (seed !== known) console.warn(`Found by seed ${seed}, not ${known}: write the seeds again.`);
      return seed;
    }
    if (i >= SEEDS_WITHOUT_STATEMENT_MAX) expect(isReached(), "the service runs such a statement").toBe(true);
  }
  return null;
}

/** Each set, of which a quick run takes one mutation, or all. */
const SETS: [of: string, mutations: (SqlMutation | CodeMutation)[]][] = [
  ["", sample(MUTATIONS, 1)],
  [" of memories", MEMORY_MUTATIONS],
  [" of agents' keys or canceled operations", sample(AGENT_AND_CANCEL_MUTATIONS, 1)],
  [" of forks", sample(FORK_MUTATIONS, 1)],
  [" of imports", IMPORT_MUTATIONS],
  [" of restored organizations", RESTORATION_MUTATIONS],
  [" of tombstones", TOMBSTONE_MUTATIONS],
  [" of legal holds", sample(HOLD_MUTATIONS, 1)],
  [" of receipts of recall", RECALL_MUTATIONS],
  [" of summaries", SUMMARY_MUTATIONS],
  [" of grants", GRANT_MUTATIONS],
  [" of cells", sample(CELL_MUTATIONS, 1)],
  [" of moves", sample(MOVE_MUTATIONS, 1)],
  [" of events", sample(EVENT_MUTATIONS, 1)],
  [" for each further invariant", sample(FURTHER_MUTATIONS, 1)],
];

describe.for(SETS)("the simulator finds a mutation%s", ([, mutations]) => {
  test.for(mutations)("$name: breaks $violates", async (mutation) => {
    expect(await firstSeedThatFinds(mutation)).not.toBeNull();
  });
});
