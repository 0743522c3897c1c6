import { describe, expect, test } from "vitest";
import { scale } from "../../support/scale.ts";
import { runLoad } from "../src/load/load.ts";
import { LOADS } from "../src/load/loads.ts";

/**
 * A load with almost as many deletions as appends. It starts more deletions than a sweep with these amounts records
 * as complete, so tests compare only the vectors.
 */
const DELETING = { ...LOADS.day, minutes: 10, appendsPerSecond: 2, messageDeletions: 0.8 };

const ofVectors = (problems: string[]) =>
  problems.filter((problem) => problem.startsWith("vector_deletions"));

test("the sweep keeps up with appends and deletions", async () => {
  const { problems } = await runLoad({ ...LOADS.day, minutes: scale(60, 5) });
  expect(problems).toEqual([]);
});

describe("under a load with almost as many deletions as appends", () => {
  test("the sweep deletes all vectors in time", async () => {
    const { problems } = await runLoad(DELETING);
    expect(ofVectors(problems)).toEqual([]);
  });

  test("a sweep limited to one round of deletions per invocation falls behind", async () => {
    const limits = { deleteSweepRounds: 1, deleteInvocationRounds: 1 };
    const { problems } = await runLoad(DELETING, { limits });
    expect(ofVectors(problems)).toContainEqual(
      expect.stringMatching(/^vector_deletions has a row that waited/),
    );
  });
});

test("the load test reports vector deletions that are never confirmed", async () => {
  const confirmed = "DELETE FROM vector_deletions WHERE (";
  const rewrite = (sql: string) => sql.replace(confirmed, "DELETE FROM vector_deletions WHERE FALSE AND (");
  const { problems } = await runLoad({ ...LOADS.day, minutes: 10 }, { rewrite });
  expect(problems).toContainEqual(expect.stringMatching(/^vector_deletions has \d+ rows left/));
});
