import type { SearchAnswer } from "@engram/spec";
import { expect, test } from "vitest";
import { scoresOf } from "../../src/evaluations/scores.ts";

const results = (...ids: string[][]) =>
  ids.map((of) => ({
    type: "messages",
    messages: of.map((id) => ({ id })),
  })) as unknown as SearchAnswer["results"];
const of = (expected: string[], depth = 10) =>
  scoresOf(results(["a", "b"], ["c"], ["d"]), { expected, depth });

test("an expected item has the rank of the result that has it, and no rank if none does", () => {
  expect(of(["c", "b", "x"]).ranks).toEqual([
    { id: "c", rank: 2 },
    { id: "b", rank: 1 },
    { id: "x", rank: null },
  ]);
});

test("an item that two results have is found by the first", () => {
  const found = results(["a"], ["a", "b"]);
  expect(scoresOf(found, { expected: ["a"], depth: 1 })).toMatchObject({
    any: true,
    ranks: [{ id: "a", rank: 1 }],
  });
});

test("any@k and nDCG@k are those of the first k results", () => {
  expect(of(["a"])).toMatchObject({ any: true, ndcg: 1 });
  expect(of(["x"])).toMatchObject({ any: false, ndcg: 0 });
  expect(of(["c"])).toMatchObject({ any: true, ndcg: 0.63093 });
  expect(of(["c"], 1)).toMatchObject({ any: false, ndcg: 0 });
  // (1/log2(3) + 1/log2(4)) / (1 + 1/log2(3))
  expect(of(["c", "d"])).toMatchObject({ any: true, ndcg: 0.693426 });
});

test("items of one result count each, up to 1", () => {
  expect(of(["a", "b"])).toMatchObject({ any: true, ndcg: 1 });
});
