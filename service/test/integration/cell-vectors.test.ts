import { runInDurableObject } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { OverflowingVectors } from "../../src/platform/cell-vectors/overflow.ts";
import scan from "../../src/platform/cell-vectors/scan-int8.wasm";
import { CellVectors } from "../../src/platform/cell-vectors/store.ts";
import { FilterError } from "../../src/platform/vector-scan/filters.ts";
import type {
  ReadableStore,
  StoredVector,
  VectorFilter,
  VectorMetadata,
} from "../../src/platform/vectors.ts";
import { env } from "../support/env.ts";

const DIMENSIONS = 50;

/** Runs in an object of its own. */
const inCell = <T>(run: (storage: DurableObjectStorage) => T | Promise<T>): Promise<T> =>
  runInDurableObject(env.DATABASE.get(env.DATABASE.newUniqueId()), (_, { storage }) => run(storage));

const open = (storage: DurableObjectStorage, dimensions = DIMENSIONS) =>
  new CellVectors(storage, { scan, dimensions });

/** Numbers from −1 to 1, always the same ones. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), 61 | bits);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 31 - 1;
  };
}

const random = createRandom(1);
const randomVector = (dimensions = DIMENSIONS) => Array.from({ length: dimensions }, random);
const near = (center: number[], distance: number) => center.map((value) => value + distance * random());

const METADATA: VectorMetadata = {
  conversation_id: "one",
  agent: "ada",
  user: "ann",
  kind: "conversation",
  model: "small",
  day: 10,
  last_day: 12,
};

const stored = (id: string, values: number[], metadata: Partial<VectorMetadata> = {}): StoredVector => ({
  id,
  values,
  metadata: { ...METADATA, ...metadata },
  textHash: `hash of ${id}`,
});

function cosine(left: number[], right: number[]): number {
  const dot = (a: number[], b: number[]) => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
  return dot(left, right) / Math.sqrt(dot(left, left) * dot(right, right));
}

/** What a query must find. */
const nearest = (vectors: StoredVector[], query: number[]) =>
  vectors
    .map(({ id, values }) => ({ id, score: cosine(query, values) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, 100);

const idsOf = (matches: { id: string }[]) => matches.map(({ id }) => id);

test("a query finds at least 99.7 % of the 100 nearest vectors, with their exact scores", async () => {
  await inCell((storage) => {
    // Those of a cluster are so close together that their codes often have another order.
    const centers = [1, 2, 3].map(() => randomVector());
    const vectors = centers.flatMap((center, cluster) =>
      Array.from({ length: 1_000 }, (_, i) => stored(`v${cluster}.${i}`, near(center, 0.05))),
    );
    const cell = open(storage);
    cell.upsert(vectors);
    const queries = [...centers, ...centers, ...centers].map((center) => near(center, 0.3));
    const recalls = queries.map((query) => {
      const found = cell.query(query, {});
      const expected = nearest(vectors, query);
      const scores = new Map(expected.map(({ id, score }) => [id, score]));
      const right = found.filter(({ id }) => scores.has(id));
      for (const { id, score } of right) expect(score).toBeCloseTo(scores.get(id) ?? 0, 5);
      expect(found).toEqual(found.toSorted((a, b) => b.score - a.score));
      return right.length / expected.length;
    });
    expect(recalls.reduce((sum, recall) => sum + recall, 0) / recalls.length).toBeGreaterThanOrEqual(0.997);
  });
});

test.for([1, 15, 16, 17, 768])("vectors may have %d dimensions", async (dimensions) => {
  await inCell((storage) => {
    const cell = open(storage, dimensions);
    const vectors = Array.from({ length: 40 }, (_, i) => stored(`v${i}`, randomVector(dimensions)));
    cell.upsert(vectors);
    const query = randomVector(dimensions);
    const expected = new Map(nearest(vectors, query).map(({ id, score }) => [id, score]));
    const found = cell.query(query, {});
    expect(found).toHaveLength(vectors.length);
    for (const { id, score } of found) expect(score).toBeCloseTo(expected.get(id) ?? 0, 5);
  });
});

describe("a filter", () => {
  const query = randomVector();
  /** Most are near the query; those with other metadata are not. */
  const common = Array.from({ length: 500 }, (_, i) => stored(`common.${i}`, near(query, 0.1)));
  const rare = [
    { conversation_id: "two" },
    { agent: "bob" },
    { user: "shared" },
    { kind: "memory" as const },
    { model: "large" },
    { day: 3 },
    { last_day: 30 },
    { user: "shared", kind: "memory" as const, day: 4 },
  ].map((metadata, i) => stored(`rare.${i}`, near(query, 3), metadata));

  const cases: [string, VectorFilter, number[]][] = [
    ["a value", { conversation_id: "two" }, [0]],
    ["another value", { agent: "bob" }, [1]],
    ["$in", { conversation_id: { $in: ["two", "three"] } }, [0]],
    ["an empty $in", { conversation_id: { $in: [] } }, []],
    ["$nin", { user: { $nin: ["ann"] } }, [2, 7]],
    ["$gte", { last_day: { $gte: 13 } }, [6]],
    ["$lte", { day: { $lte: 4 } }, [5, 7]],
    ["both ends of a range", { day: { $gte: 4, $lte: 4 } }, [7]],
    ["several fields", { user: "shared", kind: "memory" }, [7]],
    ["values that no vector has together", { user: "shared", model: "large" }, []],
  ];
  test.for(cases)(
    "with %s finds the few vectors that match, far from the query",
    async ([, filter, expected]) => {
      await inCell((storage) => {
        const cell = open(storage);
        cell.upsert([...common, ...rare]);
        expect(idsOf(cell.query(query, filter)).sort()).toEqual(expected.map((i) => `rare.${i}`));
      });
    },
  );

  test("keeps the vectors of two models apart", async () => {
    await inCell((storage) => {
      const cell = open(storage);
      const large = Array.from({ length: 150 }, (_, i) =>
        stored(`l${i}`, near(query, 0.01), { model: "large" }),
      );
      const small = Array.from({ length: 120 }, (_, i) => stored(`s${i}`, near(query, 2)));
      cell.upsert([...large, ...small]);
      const found = cell.query(query, { model: "small" });
      expect(found).toHaveLength(100);
      expect(idsOf(found)).toEqual(idsOf(nearest(small, query)));
    });
  });

  test("of an unknown operator is rejected", async () => {
    await inCell((storage) => {
      expect(() => open(storage).query(query, { day: { $lt: 1 } } as VectorFilter)).toThrow(FilterError);
    });
  });
});

test("a query sees each change at once", async () => {
  await inCell((storage) => {
    const cell = open(storage);
    const query = randomVector();
    const opposite = query.map((value) => -value);
    expect(cell.query(query, {})).toEqual([]);
    cell.upsert([stored("a", query), stored("b", opposite, { user: "bea" })]);
    expect(idsOf(cell.query(query, {}))).toEqual(["a", "b"]);
    // In place, with its metadata.
    cell.upsert([stored("a", opposite, { user: "zoe" }), stored("b", query)]);
    expect(idsOf(cell.query(query, {}))).toEqual(["b", "a"]);
    expect(idsOf(cell.query(query, { user: "zoe" }))).toEqual(["a"]);
    expect(cell.query(query, { user: "bea" })).toEqual([]);
    cell.delete(["b", "unknown"]);
    expect(idsOf(cell.query(query, {}))).toEqual(["a"]);
    // Deleted and stored again between two queries, and the other way round.
    cell.delete(["a"]);
    cell.upsert([stored("a", query), stored("c", query)]);
    cell.delete(["c"]);
    expect(cell.query(query, {})).toEqual([{ id: "a", score: expect.closeTo(1, 5) }]);
  });
});

test("of an id that is repeated in one call, the last vector counts", async () => {
  await inCell((storage) => {
    const cell = open(storage);
    const query = randomVector();
    cell.upsert([stored("a", randomVector()), stored("a", query)]);
    expect(cell.query(query, {})).toEqual([{ id: "a", score: expect.closeTo(1, 5) }]);
  });
});

test("after any changes, another instance over the same storage gives equal answers", async () => {
  await inCell((storage) => {
    const cell = open(storage);
    const queries = Array.from({ length: 5 }, () => randomVector());
    const answers = (one: CellVectors) => queries.map((query) => one.query(query, { user: "ann" }));
    const kept = new Map<string, StoredVector>();
    for (let round = 0; round < 30; round++) {
      const upserts = Array.from({ length: 20 }, () => {
        const id = `v${Math.floor(Math.abs(random()) * 200)}`;
        return stored(id, randomVector(), { user: random() > 0.5 ? "bob" : "ann" });
      });
      cell.upsert(upserts);
      for (const vector of upserts) kept.set(vector.id, vector);
      const gone = [...kept.keys()].filter(() => random() > 0.6);
      cell.delete(gone);
      for (const id of gone) kept.delete(id);
      const found = answers(cell);
      expect(found).toEqual(answers(open(storage)));
      const matching = [...kept.values()].filter(({ metadata }) => metadata.user === "ann");
      expect(idsOf(found[0] ?? []).sort()).toEqual(idsOf(matching).sort().slice(0, matching.length));
    }
  });
});

test("deleted vectors do not take the places of others", async () => {
  await inCell((storage) => {
    const cell = open(storage);
    const query = randomVector();
    const gone = Array.from({ length: 1_000 }, (_, i) => stored(`gone.${i}`, near(query, 0.1)));
    const kept = Array.from({ length: 150 }, (_, i) => stored(`kept.${i}`, near(query, 2)));
    cell.upsert([...gone, ...kept]);
    cell.query(query, {});
    cell.delete(idsOf(gone));
    expect(idsOf(cell.query(query, {}))).toEqual(idsOf(nearest(kept, query)));
  });
});

test("of a call that fails, nothing is stored", async () => {
  await inCell((storage) => {
    const cell = open(storage);
    const bad = { ...stored("b", randomVector()), textHash: null as unknown as string };
    expect(() => cell.upsert([stored("a", randomVector()), bad])).toThrow("NOT NULL");
    expect(cell.existing(["a", "b"])).toEqual(new Map());
  });
});

test("a change is part of the transaction of the caller", async () => {
  await inCell((storage) => {
    const cell = open(storage);
    const query = randomVector();
    cell.upsert([stored("a", query), stored("b", query)]);
    cell.query(query, {});
    const rollBack = () =>
      storage.transactionSync(() => {
        cell.upsert([stored("c", query), stored("a", randomVector())]);
        cell.delete(["b"]);
        throw new Error("rolled back");
      });
    expect(rollBack).toThrow("rolled back");
    expect(idsOf(cell.query(query, {}))).toEqual(["a", "b"]);
    expect(cell.query(query, {})[0]?.score).toBeCloseTo(1, 5);
    expect([...cell.existing(["a", "b", "c"]).keys()].sort()).toEqual(["a", "b"]);
  });
});

test("deletion leaves nothing of a vector in any table", async () => {
  await inCell((storage) => {
    const cell = open(storage);
    const tables = () =>
      storage.sql
        .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'cell_%'")
        .toArray()
        .map(({ name }) => name);
    const all = () => tables().map((name) => [name, storage.sql.exec(`SELECT * FROM ${name}`).toArray()]);
    const before = all();
    const kept = stored("kept", randomVector());
    const gone = Array.from({ length: 100 }, (_, i) =>
      stored(`gone.${i}`, randomVector(), { user: `user ${i}` }),
    );
    cell.upsert(gone);
    expect(all()).not.toEqual(before);
    cell.delete(idsOf(gone));
    expect(all()).toEqual(before);
    cell.upsert([...gone, kept]);
    cell.delete(idsOf(gone));
    expect(all().map(([, rows]) => rows?.length)).toEqual(tables().map(() => 1));
    expect(tables()).toHaveLength(2);
    expect(idsOf(cell.query(randomVector(), {}))).toEqual(["kept"]);
  });
});

test("vectors with other dimensions are rejected, all of their call", async () => {
  await inCell((storage) => {
    const cell = open(storage);
    const [good, short] = [randomVector(), randomVector(DIMENSIONS - 1)];
    for (const bad of [short, [...good, 1], good.with(3, Number.NaN), good.with(0, 1e39)]) {
      expect(() => cell.upsert([stored("a", good), stored("b", bad)])).toThrow(RangeError);
      expect(() => cell.query(bad, {})).toThrow(RangeError);
    }
    expect(cell.existing(["a", "b"])).toEqual(new Map());
  });
});

test("vectors of an earlier model with other dimensions are not found, and can be replaced and deleted", async () => {
  await inCell((storage) => {
    open(storage, 16).upsert([stored("a", randomVector(16)), stored("b", randomVector(16))]);
    const cell = open(storage);
    const query = randomVector();
    expect(cell.query(query, {})).toEqual([]);
    expect([...cell.existing(["a", "b"]).keys()].sort()).toEqual(["a", "b"]);
    cell.upsert([stored("a", query)]);
    cell.delete(["b"]);
    expect(idsOf(cell.query(query, {}))).toEqual(["a"]);
    expect([...cell.existing(["a", "b"]).keys()]).toEqual(["a"]);
  });
});

test("a zero vector is found, with the score 0", async () => {
  await inCell((storage) => {
    const cell = open(storage);
    const zero = randomVector().map(() => 0);
    const query = randomVector();
    cell.upsert([stored("zero", zero), stored("same", query)]);
    expect(cell.query(query, {})).toEqual([
      { id: "same", score: expect.closeTo(1, 5) },
      { id: "zero", score: 0 },
    ]);
    expect(cell.query(zero, {}).map(({ score }) => score)).toEqual([0, 0]);
  });
});

describe("the vectors of an organization with more than its cell keeps", () => {
  /** A store that shows changes at once, with what it was asked for. */
  function openShared() {
    const vectors = new Map<string, StoredVector>();
    const queries: number[][] = [];
    const store: ReadableStore = {
      hasLag: true,
      upsert: async (_, added) => {
        for (const vector of added) vectors.set(vector.id, vector);
      },
      query: async (_, query) => {
        queries.push(query);
        return nearest([...vectors.values()], query);
      },
      delete: async (ids) => {
        for (const id of ids) vectors.delete(id);
      },
      read: async (ids) => ids.flatMap((id) => vectors.get(id) ?? []),
      existing: async (ids) =>
        new Map(
          ids.flatMap((id) => [vectors.get(id)].flatMap((found) => (found ? [[id, found.textHash]] : []))),
        ),
    };
    return { store, vectors, queries };
  }

  test("are in the shared store, and a query compares those of both", async () => {
    await inCell(async (storage) => {
      const shared = openShared();
      const cell = open(storage);
      const store = new OverflowingVectors(storage, { cell, shared: shared.store, max: 3 });
      const all = Array.from({ length: 6 }, (_, i) => stored(`v${i}`, randomVector()));
      await store.upsert("org_a", all.slice(0, 2));
      expect([store.hasLag, shared.queries.length]).toEqual([false, 0]);
      await store.upsert("org_a", all.slice(2));
      expect([cell.count(), [...shared.vectors.keys()], store.hasLag]).toEqual([3, ["v3", "v4", "v5"], true]);
      const query = randomVector();
      expect(idsOf(await store.query("org_a", query, {}))).toEqual(idsOf(nearest(all, query)));
      const hashes = new Map(all.map(({ id, textHash }) => [id, textHash]));
      expect(await store.existing(all.map(({ id }) => id))).toEqual(hashes);
    });
  });

  test("of an organization that has moved away are deleted some at a time", async () => {
    await inCell(async (storage) => {
      const shared = openShared();
      const store = new OverflowingVectors(storage, { cell: open(storage), shared: shared.store, max: 0 });
      await store.upsert(
        "org_a",
        Array.from({ length: 5 }, (_, i) => stored(`v${i}`, randomVector())),
      );
      expect(await store.deleteShared(3)).toBe(true);
      expect(shared.vectors.size).toBe(2);
      expect(await store.deleteShared(3)).toBe(false);
      expect(shared.vectors.size).toBe(0);
    });
  });

  test("have copies, which each call looks up once", async () => {
    await inCell(async (storage) => {
      const shared = openShared();
      let asked = 0;
      const copies = () => {
        asked += 1;
        return (id: string) => `copy-${id}`;
      };
      const store = new OverflowingVectors(storage, { cell: open(storage), shared: shared.store, copies });
      const ids = ["a", "b", "c"];
      await shared.store.upsert("org_a", [stored("copy-b", randomVector())]);
      for (const [call, answer] of [
        [() => store.hasCopies(ids), true],
        [() => store.existing(ids), new Map([["b", "hash of copy-b"]])],
        [() => store.deleteCopies(ids), undefined],
        [() => store.hasCopies(ids), false],
      ] as const) {
        asked = 0;
        expect(await call()).toEqual(answer);
        expect(asked).toBe(1);
      }
    });
  });

  test("stay where they are when they are replaced, and are gone once they are deleted", async () => {
    await inCell(async (storage) => {
      const shared = openShared();
      const store = new OverflowingVectors(storage, { cell: open(storage), shared: shared.store, max: 1 });
      const query = randomVector();
      await store.upsert("org_a", [stored("here", randomVector()), stored("there", randomVector())]);
      await store.delete(["here"]);
      await store.upsert("org_a", [stored("there", query)]);
      expect(idsOf(await store.query("org_a", query, {}))).toEqual(["there"]);
      expect([...shared.vectors.keys()]).toEqual(["there"]);
      await store.delete(["there"]);
      expect(await store.existing(["here", "there"])).toEqual(new Map());
      expect(await store.query("org_a", query, {})).toEqual([]);
      // With all of them gone from the shared store, it is asked no more.
      expect([store.hasLag, shared.queries.length]).toEqual([false, 1]);
      await store.upsert("org_a", [stored("there", query)]);
      expect(shared.vectors.size).toBe(0);
    });
  });
});
