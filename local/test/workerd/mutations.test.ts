import { env } from "cloudflare:workers";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { newId, newNamespace, outcome, vector } from "./support.ts";

const { VECTORIZE, CONTROL } = env;

/** Longer than any test. */
const LONG_MS = 3_600_000;

afterEach(async () => {
  await CONTROL.clearFaults();
  await CONTROL.setVisibilityDelayMs(0);
  await CONTROL.flush();
});

describe("a mutation of the Vectorize stand-in", () => {
  test("is acknowledged at once, and visible after the delay", async () => {
    const [id, namespace] = [newId(), newNamespace()];
    await CONTROL.setVisibilityDelayMs(200);
    await VECTORIZE.upsert([{ id, namespace, values: vector(1) }]);
    expect((await VECTORIZE.query(vector(1), { namespace })).count).toBe(0);
    expect(await VECTORIZE.getByIds([id])).toEqual([]);
    await scheduler.wait(250);
    expect((await VECTORIZE.query(vector(1), { namespace })).count).toBe(1);
  });

  test("is visible after a flush", async () => {
    const [id, namespace] = [newId(), newNamespace()];
    await CONTROL.setVisibilityDelayMs(LONG_MS);
    await VECTORIZE.upsert([{ id, namespace, values: vector(1) }]);
    await CONTROL.flush();
    expect((await VECTORIZE.query(vector(1), { namespace })).count).toBe(1);
  });

  test("becomes visible after all earlier ones, even if the delay was shortened", async () => {
    const [id, namespace] = [newId(), newNamespace()];
    await CONTROL.setVisibilityDelayMs(LONG_MS);
    await VECTORIZE.upsert([{ id, namespace, values: vector(1) }]);
    await CONTROL.setVisibilityDelayMs(0);
    await VECTORIZE.deleteByIds([id]);
    await CONTROL.flush();
    expect(await VECTORIZE.getByIds([id])).toEqual([]);
  });
});

describe("a simulated fault of Vectorize", () => {
  test("makes every operation fail with Too Many Requests until it is cleared", async () => {
    await CONTROL.setFault({ vectorize: "40041" });
    await expect(outcome(VECTORIZE.upsert([]))).rejects.toThrow(
      "VECTOR_UPSERT_ERROR (code = 40041): Too Many Requests",
    );
    await expect(outcome(VECTORIZE.query(vector(1)))).rejects.toThrow("VECTOR_QUERY_ERROR (code = 40041)");
    await CONTROL.clearFaults();
    await VECTORIZE.query(vector(1));
  });

  test("can be an HTTP status without an error code", async () => {
    await CONTROL.setFault({ vectorize: "500" });
    await expect(outcome(VECTORIZE.deleteByIds([]))).rejects.toThrow(/^VECTOR_DELETE_ERROR: Status \+ 500$/);
  });
});

interface Stored {
  values: number[];
  metadata: { kind?: string; day?: number };
}
type Where = Record<string, Record<string, unknown>>;

/** A simple second implementation of the filter language. All strings here are ASCII. */
function passes({ metadata }: Stored, where: Where): boolean {
  return Object.entries(where).every(([field, condition]) =>
    Object.entries(condition).every(([operator, operand]) => {
      const value = field === "kind" ? metadata.kind : metadata.day;
      if (value === undefined) return false;
      if (operator === "$in" || operator === "$nin")
        return Array.isArray(operand) && operand.includes(value) === (operator === "$in");
      return operator === "$gte" ? Number(value) >= Number(operand) : Number(value) <= Number(operand);
    }),
  );
}

function cosine(left: number[], right: number[]): number {
  const dot = left.reduce((sum, value, i) => sum + value * (right[i] ?? 0), 0);
  return dot / Math.hypot(...left) / Math.hypot(...right);
}

const kinds = fc.constantFrom("a", "b", "bb", "c");
const days = fc.integer({ min: 0, max: 4 });
const membership = (operand: fc.Arbitrary<string | number>) =>
  fc
    .tuple(fc.constantFrom("$in", "$nin"), fc.array(operand, { maxLength: 3 }))
    .map(([operator, listed]) => ({ [operator]: listed }));
const range = fc.record({ $gte: days, $lte: days }, { requiredKeys: ["$gte"], noNullPrototype: true });
const filters = fc.record(
  {
    kind: membership(kinds),
    day: fc.oneof(
      range,
      membership(fc.oneof({ weight: 9, arbitrary: days }, { weight: 1, arbitrary: kinds })),
    ),
  },
  // An object without a prototype does not pass through RPC.
  { requiredKeys: ["day"], noNullPrototype: true },
);
const metadata = fc.record({ kind: kinds, day: days }, { requiredKeys: [], noNullPrototype: true });
const changes = fc.array(
  fc.record({
    slot: fc.integer({ min: 0, max: 20 }),
    values: fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 6, maxLength: 6 }),
    /** Null for a deletion. */
    metadata: fc.option(metadata, { freq: 4 }),
  }),
  { minLength: 15, maxLength: 60, size: "max" },
);

type Changes = typeof changes extends fc.Arbitrary<infer T> ? T : never;

/** Applies the changes in order. Returns the vectors that should then be stored. */
async function makeChanges(namespace: string, list: Changes) {
  const stored = new Map<string, Stored>();
  for (const [step, change] of list.entries()) {
    const id = `${namespace.slice(4)}-${change.slot}`;
    // The seventh number keeps a vector from being zero.
    const values = vector(...change.values, 1);
    if (change.metadata === null) {
      await VECTORIZE.deleteByIds([id]);
      stored.delete(id);
    } else {
      await VECTORIZE.upsert([{ id, namespace, values, metadata: change.metadata }]);
      stored.set(id, { values, metadata: change.metadata });
    }
    // Some changes are applied to the namespace on disk, and others in memory.
    if (step === 10) await VECTORIZE.query(vector(1), { namespace });
  }
  return stored;
}

test("any filtered query after any mutations returns what a full scan would", async () => {
  const query = vector(3, -1, 4, 1, -5, 9);
  const property = fc.asyncProperty(
    changes,
    filters,
    fc.integer({ min: 1, max: 30 }),
    async (list, where, topK) => {
      const namespace = newNamespace();
      const stored = await makeChanges(namespace, list);
      const expected = [...stored.values()]
        .filter((vector) => passes(vector, where))
        .map(({ values }) => cosine(query, values))
        .sort((a, b) => b - a)
        .slice(0, topK);
      const filter = where as VectorizeVectorMetadataFilter;
      const { matches } = await VECTORIZE.query(query, { namespace, topK, filter });
      expect(matches.map(({ score }) => score)).toEqual(expected.map((score) => expect.closeTo(score, 4)));
      // Equal scores may be in any order, so each match is compared with its own score.
      expect(new Set(matches.map(({ id }) => id)).size).toBe(matches.length);
      for (const { id, score } of matches) {
        const vector = stored.get(id);
        if (vector === undefined) throw new Error(`${id} is not stored`);
        expect(passes(vector, where)).toBe(true);
        expect(cosine(query, vector.values)).toBeCloseTo(score, 4);
      }
    },
  );
  await fc.assert(property, { numRuns: 30 });
});
