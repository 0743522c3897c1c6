import { expect, test } from "vitest";
import { QueryVectors } from "../../src/search/query-vectors.ts";

const query = { organizationId: "org_a", model: "model", text: "lunch" };
const textOf = (text: string) => ({ ...query, text });

test("a query vector is found only for the same organization, model and text", async () => {
  const vectors = new QueryVectors();
  await vectors.set(query, [1, 2]);
  expect(await vectors.get({ ...query })).toEqual([1, 2]);
  for (const other of [{ organizationId: "org_b" }, { model: "other" }, { text: "lunch " }]) {
    expect(await vectors.get({ ...query, ...other })).toBeUndefined();
  }
});

test.for([
  ["entries", new QueryVectors(2, 1_000)],
  ["bytes", new QueryVectors(1_000, 2 * 16)],
] as const)("too many %s drop the least recently used query vector", async ([, vectors]) => {
  await vectors.set(textOf("one"), [1, 1]);
  await vectors.set(textOf("two"), [2, 2]);
  await vectors.set(textOf("two"), [2, 2]);
  await vectors.get(textOf("one"));
  await vectors.set(textOf("three"), [3, 3]);
  expect(await vectors.get(textOf("one"))).toEqual([1, 1]);
  expect(await vectors.get(textOf("two"))).toBeUndefined();
  expect(await vectors.get(textOf("three"))).toEqual([3, 3]);
});
