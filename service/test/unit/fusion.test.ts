import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { KeywordScores } from "../../src/search/ranking/bm25.ts";
import { type ChunkMatch, fuse as fuseLegs, scale } from "../../src/search/ranking/fusion.ts";
import { rowKeyOf } from "../../src/search/ranking/matches.ts";
import {
  type Background,
  estimateRelevance,
  GENERAL_CALIBRATION,
  type Signs,
} from "../../src/search/ranking/relevance.ts";

const at = (sequence: number, conversation = 1) => rowKeyOf(conversation, sequence);
const chunk = (chunkId: string, start: number, end: number, score: number): ChunkMatch => ({
  chunkId,
  conversationRowKey: 1,
  startSequence: start,
  endSequence: end,
  score,
});
const TERMS = { messages: 10, information: 12, isKnown: true };
const keywords = (more: Partial<KeywordScores> = {}): KeywordScores => ({
  messages: new Map(),
  windows: new Map(),
  conversations: new Map(),
  coverageOf: () => 0,
  background: TERMS,
  others: () => [],
  questions: new Set(),
  shareOfLong: 0,
  isPartial: false,
  ...more,
});
const PLAIN = {
  termsOnly: false,
  scaleTermsByCoverage: false,
  answerWeight: 0,
  unrelatedCosine: 0,
  calibration: GENERAL_CALIBRATION,
};
const fuse = (words: KeywordScores | null, chunks: ChunkMatch[] = []) => fuseLegs(words, chunks, PLAIN).top;

describe("scale", () => {
  test("maps the best scores of a retriever to 0 to 1, and drops the others", () => {
    const leg = new Map([
      ["a", 3],
      ["b", 5],
      ["c", 1],
      ["d", 0.5],
    ]);
    expect([...scale(leg, 3)]).toEqual([
      ["b", 1],
      ["a", 0.5],
      ["c", 0],
    ]);
  });

  test("gives the worst exactly 0, whatever is lost in rounding", () => {
    const scores = Array.from(
      { length: 50 },
      (_, i) =>
        new Map([
          ["best", 2 + 1 / (i + 1)],
          ["worst", 1 / 3],
        ]),
    );
    for (const each of scores)
      expect(scale(each, 2)).toEqual(
        new Map([
          ["best", 1],
          ["worst", 0],
        ]),
      );
  });

  test("maps equal scores to 1, and no scores to none", () => {
    expect(scale(new Map([["a", 7]]), 10)).toEqual(new Map([["a", 1]]));
    expect(scale(undefined, 10)).toEqual(new Map());
  });

  test("keeps the order, and returns values between 0 and 1", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -999, max: 999 })),
        fc.integer({ min: 1, max: 20 }),
        (scores, count) => {
          const scaled = [...scale(new Map(scores.map((score, i) => [i, score])), count).values()];
          expect(scaled).toHaveLength(Math.min(scores.length, count));
          expect(scaled).toEqual([...scaled].sort((a, b) => b - a));
          for (const score of scaled) expect(score >= 0 && score <= 1).toBe(true);
        },
      ),
    );
  });
});

describe("fuse", () => {
  test("adds up the scores of all retrievers for a message, best first, that of a conversation by their number", () => {
    const ofTwoConversations = 2 / 15;
    const legs = keywords({
      messages: new Map([
        [at(1), 4],
        [at(2), 2],
      ]),
      windows: new Map([
        [at(1), 3],
        [at(2), 9],
      ]),
      conversations: new Map([
        [1, 5],
        [2, 1],
      ]),
    });
    const fused = fuse(legs, [chunk("chk_a", 2, 3, 0.9), chunk("chk_b", 7, 7, 0.5)]);
    expect(fused.map(({ rowKey, score, chunkId }) => ({ rowKey, score, chunkId }))).toEqual([
      { rowKey: at(2), score: 0 + 1 + ofTwoConversations + 1, chunkId: "chk_a" },
      { rowKey: at(1), score: 1 + 0 + ofTwoConversations, chunkId: null },
      { rowKey: at(3), score: ofTwoConversations + 1, chunkId: "chk_a" },
      { rowKey: at(7), score: 0 + ofTwoConversations, chunkId: "chk_b" },
    ]);
    const parts = { message: 0, window: 1, conversation: ofTwoConversations, chunk: 1, answer: 0 };
    expect(fused[0]?.parts).toEqual(parts);
  });

  test("weights conversations as the other retrievers if at least fifteen match", () => {
    const conversations = new Map(Array.from({ length: 20 }, (_, i) => [i + 1, 20 - i]));
    const [first] = fuse(keywords({ messages: new Map([[at(1), 1]]), conversations }));
    expect(first?.parts.conversation).toBe(1);
  });

  test("weights word scores of memories by the largest part of the query that one of them contains", () => {
    const legs = keywords({
      messages: new Map([
        [at(1), 4],
        [at(2), 2],
      ]),
      windows: new Map([[at(1), 3]]),
      conversations: new Map([[1, 5]]),
      coverageOf: (rowKey) => (rowKey === at(1) ? 0.25 : 0.5),
    });
    const chunks = [chunk("chk_a", 1, 1, 0.1), chunk("chk_b", 2, 2, 0.9)];
    const [first, second] = fuseLegs(legs, chunks, { ...PLAIN, scaleTermsByCoverage: true }).top;
    expect(first).toMatchObject({ rowKey: at(2), score: 1 + 0.25 / 15, parts: { message: 0 } });
    expect(second).toMatchObject({
      rowKey: at(1),
      score: 0.5 + 0.25 / 15,
      parts: { message: 0.25, window: 0.25 },
    });
    expect(fuse(legs, chunks).map(({ rowKey }) => rowKey)).toEqual([at(1), at(2)]);
  });

  test("returns a message of two chunks once, with the better score", () => {
    const [best] = fuse(null, [chunk("chk_a", 1, 5, 0.2), chunk("chk_b", 4, 8, 0.8)]).filter(
      ({ rowKey }) => rowKey === at(4),
    );
    expect(best).toMatchObject({ rowKey: at(4), score: 1, chunkId: "chk_b" });
  });

  test("does not return messages that only the conversation retriever proposes", () => {
    expect(fuse(keywords({ conversations: new Map([[1, 3]]) }))).toEqual([]);
    expect(fuse(null)).toEqual([]);
  });

  test("raises the score of the message after a matching question, within the conversation", () => {
    const legs = keywords({
      messages: new Map([
        [at(1), 4],
        [at(2), 2],
        [at(16_777_215), 4],
        [at(0, 2) + 1, 2],
      ]),
      questions: new Set([at(1), at(16_777_215)]),
    });
    const answers = fuseLegs(legs, [], { ...PLAIN, answerWeight: 0.5 })
      .top.filter(({ parts }) => parts.answer > 0)
      .map(({ rowKey, score, parts }) => [rowKey, score, parts.answer]);
    expect(answers).toEqual([[at(2), 0.5, 1]]);
  });

  test("estimates relevance from each message's own words and chunk, and does not look at others", () => {
    const legs = keywords({
      messages: new Map([
        [at(1), 4],
        [at(9), 2],
      ]),
      coverageOf: (rowKey) => ({ [at(1)]: 1, [at(2)]: 1, [at(9)]: 0.5 })[rowKey] ?? 0,
    });
    const places = [at(1), at(5), at(9)];
    const relevances = (words: KeywordScores | null, chunks: ChunkMatch[], isByMeaning = true) =>
      places.map(fuseLegs(words, chunks, { ...PLAIN, unrelatedCosine: isByMeaning ? 0 : null }).relevanceOf);
    const expected = (signs: Signs[], terms: Background["terms"]) =>
      signs.map((each) =>
        estimateRelevance(each, { unrelatedCosine: 0, calibration: GENERAL_CALIBRATION, terms }),
      );
    expect(relevances(legs, [chunk("near", 1, 2, 0.8), chunk("far", 4, 5, 0.1)])).toEqual(
      expected(
        [
          { coverage: 1, cosine: 0.8 },
          { coverage: 0, cosine: 0.1 },
          { coverage: 0.5, cosine: undefined },
        ],
        TERMS,
      ),
    );
    const byWords = [1, 0, 0.5].map((coverage) => ({ coverage, cosine: null }));
    expect(relevances(legs, [], false)).toEqual(expected(byWords, TERMS));
    const byMeaning = [0.8, undefined, undefined].map((cosine) => ({ coverage: null, cosine }));
    expect(relevances(null, [chunk("near", 1, 2, 0.8)])).toEqual(expected(byMeaning, null));
  });

  test("ranks messages outside the best of every retriever after all others", () => {
    const messages = new Map(Array.from({ length: 150 }, (_, i): [number, number] => [at(i + 1), 150 - i]));
    const fused = fuse(keywords({ messages }));
    expect(fused.map(({ rowKey }) => rowKey)).toEqual([...messages.keys()]);
    for (const { score } of fused.slice(0, 100)) expect(score).toBeGreaterThanOrEqual(0);
    for (const { score } of fused.slice(100)) expect(score).toBeLessThan(-10);
  });

  test("ranks candidates without a score last, in the given order", () => {
    const messages = new Map(Array.from({ length: 150 }, (_, i): [number, number] => [at(i + 1), 150 - i]));
    const { top, others } = fuseLegs(keywords({ messages, others: () => [at(400), at(300)] }), [], PLAIN);
    expect(others().map(({ rowKey }) => rowKey)).toEqual([at(400), at(300)]);
    const scores = [...top, ...others()].map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    const [known] = top;
    const again = keywords({ messages, others: () => [known?.rowKey ?? 0] });
    expect(fuseLegs(again, [], PLAIN).others()).toEqual([]);
  });

  test("returns only messages that contain a query term themselves, if termsOnly is set", () => {
    const legs = keywords({
      messages: new Map([[at(1), 4]]),
      windows: new Map([
        [at(1), 3],
        [at(2), 9],
      ]),
    });
    expect(fuseLegs(legs, [], { ...PLAIN, termsOnly: true }).top.map(({ rowKey }) => rowKey)).toEqual([
      at(1),
    ]);
  });

  test("returns the same for any order of the input, and equal scores by position", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 0, max: 3 })), {
          selector: ([n]) => n,
        }),
        (scores) => {
          const entries = scores.map(([sequence, score]): [number, number] => [at(sequence), score]);
          const forward = fuse(keywords({ messages: new Map(entries) }));
          expect(fuse(keywords({ messages: new Map(entries.toReversed()) }))).toEqual(forward);
          const order = forward.toSorted((a, b) => b.score - a.score || a.rowKey - b.rowKey);
          expect(forward).toEqual(order);
        },
      ),
    );
  });
});
