import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test } from "vitest";
import { newId, newNamespace, outcome, vector } from "./support.ts";

const { VECTORIZE, CONTROL } = env;

const idsOf = ({ matches }: VectorizeMatches) => matches.map(({ id }) => id);

afterEach(async () => {
  await CONTROL.clearFaults();
  await CONTROL.setVisibilityDelayMs(0);
  await CONTROL.flush();
});

describe("query of the Vectorize stand-in", () => {
  test("returns the nearest vectors by cosine, best first, whatever their length", async () => {
    const namespace = newNamespace();
    const [near, far, opposite] = [newId(), newId(), newId()];
    await VECTORIZE.upsert([
      { id: opposite, namespace, values: vector(-5) },
      { id: far, namespace, values: vector(1, 1) },
      { id: near, namespace, values: vector(1_000) },
    ]);
    const { matches, count } = await VECTORIZE.query(vector(0.5), { namespace });
    expect(matches.map(({ id }) => id)).toEqual([near, far, opposite]);
    expect(matches.map(({ score }) => score)).toEqual([1, expect.closeTo(Math.SQRT1_2, 5), -1]);
    expect(count).toBe(3);
  });

  test("returns five matches without topK", async () => {
    const namespace = newNamespace();
    await VECTORIZE.upsert(Array.from({ length: 7 }, () => ({ id: newId(), namespace, values: vector(1) })));
    expect((await VECTORIZE.query(vector(1), { namespace })).count).toBe(5);
    expect((await VECTORIZE.query(vector(1), { namespace, topK: 100 })).count).toBe(7);
  });

  test("searches one namespace, or all without one", async () => {
    const [mine, theirs] = [newNamespace(), newNamespace()];
    const [own, foreign] = [newId(), newId()];
    const direction = vector(...Array.from({ length: 256 }, (_, i) => Math.sin(i + 1)));
    await VECTORIZE.upsert([{ id: own, namespace: mine, values: direction }]);
    await VECTORIZE.upsert([{ id: foreign, namespace: theirs, values: direction }]);
    expect(idsOf(await VECTORIZE.query(direction, { namespace: mine }))).toEqual([own]);
    expect(idsOf(await VECTORIZE.query(direction, { topK: 2 })).sort()).toEqual([own, foreign].sort());
  });

  test("applies the filter before topK", async () => {
    const namespace = newNamespace();
    const far = newId();
    const near = Array.from({ length: 50 }, () => ({
      id: newId(),
      namespace,
      values: vector(1),
      metadata: { kind: "note" },
    }));
    await VECTORIZE.upsert([
      ...near,
      { id: far, namespace, values: vector(-1), metadata: { kind: "chunk" } },
    ]);
    const answer = await VECTORIZE.query(vector(1), { namespace, topK: 1, filter: { kind: "chunk" } });
    expect(idsOf(answer)).toEqual([far]);
  });

  test("returns values and metadata only if requested", async () => {
    const namespace = newNamespace();
    await VECTORIZE.upsert([{ id: newId(), namespace, values: vector(1), metadata: { kind: "chunk" } }]);
    const { matches } = await VECTORIZE.query(vector(1), { namespace });
    expect(Object.keys(matches[0] ?? {}).sort()).toEqual(["id", "namespace", "score"]);
  });

  test("returns, with 'indexed', only indexed fields with strings cut to 64 bytes, and with 'all' all metadata", async () => {
    const namespace = newNamespace();
    const metadata = { kind: "k".repeat(70), day: 3, title: "T", nested: { a: [`b`] } };
    await VECTORIZE.upsert([{ id: newId(), namespace, values: vector(1), metadata }]);
    const returned = async (returnMetadata: VectorizeQueryOptions["returnMetadata"]) =>
      (await VECTORIZE.query(vector(1), { namespace, returnMetadata })).matches[0]?.metadata;
    expect(await returned("indexed")).toEqual({ kind: "k".repeat(64), day: 3 });
    expect(await returned("all")).toEqual(metadata);
    expect(await returned(true)).toEqual(metadata);
    expect(await returned("none")).toBeUndefined();
  });

  test("returns values as the stored float32 numbers, not normalized", async () => {
    const namespace = newNamespace();
    await VECTORIZE.upsert([{ id: newId(), namespace, values: vector(58.8, 3) }]);
    const { matches } = await VECTORIZE.query(vector(1), { namespace, returnValues: true });
    expect(matches[0]?.values?.slice(0, 2)).toEqual([58.79999923706055, 3]);
  });

  test("accepts a Float32Array", async () => {
    const answer = await VECTORIZE.query(Float32Array.from(vector(1)), { namespace: newNamespace() });
    expect(answer).toEqual({ count: 0, matches: [] });
  });

  test.for([
    [
      "another size",
      [1, 2],
      {},
      /^VECTOR_QUERY_ERROR \(code = 40006\): invalid query vector, expected 256 dimensions, and got 2 dimensions$/,
    ],
    ["no numbers", [], {}, /got 0 dimensions$/],
    ["NaN", vector(Number.NaN), {}, /\(code = 40026\)/],
    ["topK 101", vector(1), { topK: 101 }, /\(code = 40025\): max top K is 100, but got 101$/],
    ["topK 0", vector(1), { topK: 0 }, /\(code = 40026\)/],
    [
      "topK 51 with values",
      vector(1),
      { topK: 51, returnValues: true },
      /\(code = 40025\): with returnValues=true or returnMetadata=all, max top K is 50, but got 51; for a top K up to 100, retry with returnValues=false and returnMetadata=indexed$/,
    ],
    ["topK 51 with all metadata", vector(1), { topK: 51, returnMetadata: "all" }, /\(code = 40025\)/],
    [
      "returnMetadata false",
      vector(1),
      { returnMetadata: false },
      /\(code = 40026\): Failed to parse the request body as JSON: returnMetadata: expected value$/,
    ],
    ["an empty filter", vector(1), { filter: {} }, /\(code = 40026\)/],
    ["a namespace over 64 bytes", vector(1), { namespace: "é".repeat(33) }, /\(code = 40009\)/],
  ] as const)("rejects %s", async ([, values, options, message]) => {
    await expect(outcome(VECTORIZE.query([...values], { ...options }))).rejects.toThrow(message);
  });

  test("accepts topK 50 with all metadata, and 100 with indexed metadata", async () => {
    const namespace = newNamespace();
    await VECTORIZE.query(vector(1), { namespace, topK: 50, returnMetadata: "all", returnValues: true });
    await VECTORIZE.query(vector(1), { namespace, topK: 100, returnMetadata: "indexed" });
  });

  test("rejects an unknown metadata retrieval level, as the binding does", async () => {
    const options = { returnMetadata: "some" } as unknown as VectorizeQueryOptions;
    await expect(outcome(VECTORIZE.query(vector(1), options))).rejects.toThrow(
      'Invalid returnMetadata option. Expected: true, false, "none", "indexed" or "all"; got: some',
    );
  });
});

describe("upsert of the Vectorize stand-in", () => {
  test("replaces the whole vector: values, metadata and namespace", async () => {
    const [from, to, id] = [newNamespace(), newNamespace(), newId()];
    await VECTORIZE.upsert([{ id, namespace: from, values: vector(1), metadata: { kind: "chunk", day: 1 } }]);
    // Both are in memory now, so the move happens there too.
    expect((await VECTORIZE.query(vector(1), { namespace: from })).count).toBe(1);
    expect((await VECTORIZE.query(vector(1), { namespace: to })).count).toBe(0);
    await VECTORIZE.upsert([{ id, namespace: to, values: vector(0, 1), metadata: { day: 2 } }]);
    expect((await VECTORIZE.query(vector(1), { namespace: from })).count).toBe(0);
    expect(await VECTORIZE.query(vector(0, 1), { namespace: to, returnMetadata: "all" })).toEqual({
      count: 1,
      matches: [{ id, namespace: to, score: 1, metadata: { day: 2 } }],
    });
  });

  test.for([
    [
      "an id of 65 bytes",
      { id: `${"é".repeat(32)}x` },
      /\(code = 40008\): id too long; max is 64 bytes, got 65 bytes$/,
    ],
    ["a namespace of 65 bytes", { namespace: "n".repeat(65) }, /\(code = 40009\)/],
    [
      "another size",
      { id: "x", values: [1] },
      /\(code = 40012\): invalid vector for id="x", expected 256 dimensions, and got 1 dimensions$/,
    ],
    [
      "metadata of 10,241 bytes",
      { id: "x", metadata: { a: `${"é".repeat(5116)}x` } },
      /\(code = 40016\): oversized metadata for vector id="x"; the compact JSON representation of the metadata must not exceed 10240 bytes, got 10241 bytes$/,
    ],
    [
      "NaN",
      { values: vector(Number.NaN) },
      /\(code = 40023\): failed to parse upsert vectors request in json format$/,
    ],
    ["Infinity", { values: vector(Number.POSITIVE_INFINITY) }, /\(code = 40023\)/],
    ["a number beyond float32", { values: vector(1e39) }, /\(code = 40023\)/],
    ["a lone surrogate in metadata", { metadata: { a: ["\ud83d"] } }, /\(code = 40023\)/],
    ["a lone surrogate in the id", { id: "\ud83d" }, /\(code = 40023\)/],
    ["a metadata key with a dot", { metadata: { "a.b": 1 } }, /\(code = 40023\)/],
  ] as const)("rejects the whole batch for %s", async ([, broken, message]) => {
    const [good, namespace] = [newId(), newNamespace()];
    const bad = { id: newId(), namespace, values: vector(1), ...broken } as VectorizeVector;
    const call = outcome(VECTORIZE.upsert([{ id: good, namespace, values: vector(1) }, bad]));
    await expect(call).rejects.toThrow(/^VECTOR_UPSERT_ERROR /);
    await expect(outcome(VECTORIZE.upsert([bad]))).rejects.toThrow(message);
    expect(await VECTORIZE.getByIds([good])).toEqual([]);
  });

  test("accepts ids of 64 bytes and metadata of 10,240 bytes", async () => {
    const id = `${newId()}${"i".repeat(64)}`.slice(0, 64);
    const metadata = { a: "x".repeat(10_240 - '{"a":""}'.length) };
    await VECTORIZE.upsert([{ id, values: vector(1), metadata }]);
    expect(await VECTORIZE.getByIds([id])).toEqual([{ id, values: vector(1), metadata }]);
  });

  test("accepts 1,000 vectors at once and rejects 1,001", async () => {
    const namespace = newNamespace();
    const vectors = Array.from({ length: 1_001 }, () => ({ id: newId(), namespace, values: vector(1) }));
    await expect(outcome(VECTORIZE.upsert(vectors))).rejects.toThrow(
      /^VECTOR_UPSERT_ERROR .*1000, got 1001$/,
    );
    await VECTORIZE.upsert(vectors.slice(1));
    expect((await VECTORIZE.query(vector(1), { namespace, topK: 100 })).count).toBe(100);
  });
});

describe("getByIds and deleteByIds of the Vectorize stand-in", () => {
  test("getByIds returns the vectors that are stored", async () => {
    const [id, namespace] = [newId(), newNamespace()];
    await VECTORIZE.upsert([{ id, namespace, values: vector(1, 2), metadata: { kind: "chunk" } }]);
    const found = await VECTORIZE.getByIds([newId(), id]);
    expect(found).toEqual([{ id, namespace, values: vector(1, 2), metadata: { kind: "chunk" } }]);
  });

  test("deleteByIds removes stored vectors and ignores unknown ids", async () => {
    const [gone, kept, namespace] = [newId(), newId(), newNamespace()];
    await VECTORIZE.upsert([gone, kept].map((id) => ({ id, namespace, values: vector(1) })));
    expect((await VECTORIZE.query(vector(1), { namespace })).count).toBe(2);
    await VECTORIZE.deleteByIds([gone, newId()]);
    expect(idsOf(await VECTORIZE.query(vector(1), { namespace }))).toEqual([kept]);
    expect(await VECTORIZE.getByIds([gone])).toEqual([]);
  });

  test("getByIds accepts 20 ids and rejects 21", async () => {
    expect(await VECTORIZE.getByIds(Array.from({ length: 20 }, newId))).toEqual([]);
    await expect(outcome(VECTORIZE.getByIds(Array.from({ length: 21 }, newId)))).rejects.toThrow(
      "VECTOR_GET_ERROR (code = 40007): too many ids in payload; max id count is 20, got 21",
    );
  });

  test("deleteByIds accepts 100 ids and rejects 101", async () => {
    await VECTORIZE.deleteByIds(Array.from({ length: 100 }, newId));
    await expect(outcome(VECTORIZE.deleteByIds(Array.from({ length: 101 }, newId)))).rejects.toThrow(
      "VECTOR_DELETE_ERROR (code = 40007): too many ids in payload; max id count is 100, got 101",
    );
  });
});
