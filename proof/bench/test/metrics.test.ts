import { describe, expect, test } from "vitest";
import { METRICS, meanScores, type RankedTurn, scoreQuestion } from "../src/recall/metrics.ts";

/** A turn named "session:number"; 100 words cost 130 tokens. */
const turn = (key: string, words = 100): RankedTurn => ({ key, sessionKey: key.split(":")[0] ?? "", words });
/** Results of single turns. */
const turns = (...keys: string[]) => keys.map((key) => [turn(key)]);
const evidence = (...keys: string[]) => ({
  evidenceTurns: new Set(keys),
  evidenceSessions: new Set(keys.map((key) => key.split(":")[0] ?? "")),
});

describe("session metrics", () => {
  const ranking = turns("a:1", "a:2", "b:1", "c:1", "d:1", "e:1", "f:1");

  test("s_any@1 is 1 if the first session is evidence", () => {
    expect(scoreQuestion(ranking, evidence("a:9", "f:1"))["s_any@1"]).toBe(1);
    expect(scoreQuestion(ranking, evidence("b:1"))["s_any@1"]).toBe(0);
  });

  test("s_any@5 counts distinct sessions, not turns", () => {
    expect(scoreQuestion(ranking, evidence("e:1"))["s_any@5"]).toBe(1);
    expect(scoreQuestion(ranking, evidence("f:1"))["s_any@5"]).toBe(0);
  });

  test("s_all@10 is 1 only if every session of the evidence is found", () => {
    expect(scoreQuestion(ranking, evidence("a:1", "f:1"))["s_all@10"]).toBe(1);
    expect(scoreQuestion(ranking, evidence("a:1", "z:1"))["s_all@10"]).toBe(0);
  });

  test("s_any@10 and s_all@5 count the first ten and five sessions", () => {
    const many = turns(...Array.from("abcdefghijk", (session) => `${session}:1`));
    expect(scoreQuestion(many, evidence("j:1"))["s_any@10"]).toBe(1);
    expect(scoreQuestion(many, evidence("k:1"))["s_any@10"]).toBe(0);
    expect(scoreQuestion(many, evidence("a:1", "e:1"))["s_all@5"]).toBe(1);
    expect(scoreQuestion(many, evidence("a:1", "f:1"))["s_all@5"]).toBe(0);
  });

  test("s_all@10 ignores sessions after the tenth", () => {
    const many = turns(...Array.from("abcdefghijk", (session) => `${session}:1`));
    expect(scoreQuestion(many, evidence("j:1"))["s_all@10"]).toBe(1);
    expect(scoreQuestion(many, evidence("k:1"))["s_all@10"]).toBe(0);
  });
});

describe("the metric t@k", () => {
  test("is the share of the evidence in the first k items, whatever their size", () => {
    const windows = [
      [turn("a:1"), turn("a:2"), turn("a:3")],
      ...turns("b:1", "b:2", "b:3", "b:4"),
      [turn("c:1"), turn("c:2")],
    ];
    const scores = scoreQuestion(windows, evidence("a:3", "c:2", "z:1"));
    expect(scores["t@5"]).toBeCloseTo(1 / 3);
    expect(scores["t@10"]).toBeCloseTo(2 / 3);
  });

  test("ignores items after the twentieth if k is 20", () => {
    const many = turns(...Array.from({ length: 21 }, (_, index) => `a:${index + 1}`));
    expect(scoreQuestion(many, evidence("a:20", "a:21"))["t@20"]).toBe(0.5);
  });
});

test("r@10 is the share of the evidence in the first ten turns, whatever windows they are in", () => {
  const windows = [turns("a:1", "a:2", "a:3").flat(), ...turns(...Array.from("bcdefghi", (s) => `${s}:1`))];
  expect(scoreQuestion(windows, evidence("a:3", "h:1", "i:1", "z:1"))["r@10"]).toBe(0.5);
});

describe("the metric b<N>, recall within N tokens,", () => {
  test("counts 1.3 tokens per word: 384 words fit into 500 tokens, 385 do not", () => {
    expect(scoreQuestion([[turn("a:1", 384)]], evidence("a:1")).b500).toBe(1);
    expect(scoreQuestion([[turn("a:1", 385)]], evidence("a:1")).b500).toBe(0);
    expect(scoreQuestion([[turn("a:1", 385)]], evidence("a:1")).b1000).toBe(1);
  });

  test("cuts a result between turns at the end of the budget", () => {
    const window = [[turn("a:1"), turn("a:2"), turn("a:3"), turn("a:4")]];
    expect(scoreQuestion(window, evidence("a:3", "a:4")).b500).toBe(0.5);
  });

  test("counts no turn after the first one that does not fit", () => {
    const ranking = [[turn("a:1", 300)], [turn("a:2", 300)], [turn("a:3", 1)]];
    expect(scoreQuestion(ranking, evidence("a:3")).b500).toBe(0);
    expect(scoreQuestion(ranking, evidence("a:3")).b1000).toBe(1);
  });

  test("is computed for each N separately", () => {
    const ranking = [[turn("a:1", 300)], [turn("a:2", 400)], [turn("a:3", 800)], [turn("a:4", 1_500)]];
    const { b500, b1000, b2000, b4000 } = scoreQuestion(ranking, evidence("a:1", "a:2", "a:3", "a:4"));
    expect([b500, b1000, b2000, b4000]).toEqual([0.25, 0.5, 0.75, 1]);
  });
});

describe("metrics over turns in reading order", () => {
  test("mrr is the reciprocal rank of the first evidence turn", () => {
    const windows = [[turn("a:1"), turn("a:2")], [turn("b:1")], [turn("b:2")]];
    expect(scoreQuestion(windows, evidence("b:1", "b:2")).mrr).toBeCloseTo(1 / 3);
    expect(scoreQuestion(windows, evidence("z:1")).mrr).toBe(0);
  });

  test("ndcg@10 is 1 if the evidence comes first, in any order", () => {
    expect(scoreQuestion(turns("a:2", "a:1", "b:1"), evidence("a:1", "a:2"))["ndcg@10"]).toBe(1);
  });

  test("ndcg@10 discounts by the logarithm of the rank", () => {
    // Places 2 and 4, instead of the ideal 1 and 2.
    const ideal = 1 + 1 / Math.log2(3);
    const gain = 1 / Math.log2(3) + 1 / Math.log2(5);
    const scores = scoreQuestion(turns("b:1", "a:1", "b:2", "a:2"), evidence("a:1", "a:2"));
    expect(scores["ndcg@10"]).toBeCloseTo(gain / ideal);
  });

  test("ndcg@10 ignores turns after the tenth, also in the ideal order", () => {
    const keys = Array.from({ length: 12 }, (_, index) => `a:${index + 1}`);
    expect(scoreQuestion(turns(...keys), evidence(...keys))["ndcg@10"]).toBeCloseTo(1);
    expect(scoreQuestion(turns(...keys), evidence("a:11"))["ndcg@10"]).toBe(0);
  });
});

test("a search without results scores 0 in every metric", () => {
  const scores = scoreQuestion([], evidence("a:1"));
  expect(METRICS.map((metric) => scores[metric])).toEqual(METRICS.map(() => 0));
});

test("each metric is averaged over the questions and given in percent", () => {
  const found = scoreQuestion(turns("a:1"), evidence("a:1"));
  const half = scoreQuestion(turns("a:1"), evidence("a:1", "a:2"));
  expect(meanScores([found, half])["t@5"]).toBe(75);
});
