import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Postings } from "../../src/queries/search.ts";
import { conversationOf, scoreKeywords, toNumber } from "../../src/ranking/bm25.ts";

const CONVERSATION = 9;
const at = (sequence: number) => toNumber(CONVERSATION, sequence);

/** An organization of 2 conversations, 4 messages and 40 words, and what it holds of the query. */
const postings = (packed: string, more: Partial<Postings> = {}): Postings => ({
  conversations: 2,
  messages: 4,
  tokens: 40,
  wordCount: 1,
  words: new Map([[0, { messages: 1, windows: 3, conversations: 1 }]]),
  found: [{ conversation: CONVERSATION, tokens: 20, packed }],
  ...more,
});

describe("scoreKeywords", () => {
  test("scores a message of average length by how often it holds a rare word", () => {
    // idf ln(1 + 3.5/1.5), twice: 2·2.2 / (2 + 1.2)
    expect(scoreKeywords(postings("1 2 10 0 0 2")).messages).toEqual(
      new Map([[at(2), expect.closeTo(1.65546, 5)]]),
    );
  });

  test("scores a longer message less, with b = 0.4", () => {
    // once in 30 words where 10 are average: 2.2 / (1 + 1.2·(0.6 + 0.4·3))
    const { messages } = scoreKeywords(postings("1 2 30 0 0 1"));
    expect(messages.get(at(2))).toBeCloseTo(1.2039728 * 0.6962025, 5);
  });

  test("tells how much of the query stands around each place, words by their rarity and absent ones too", () => {
    const words = new Map([
      [0, { messages: 1, windows: 3, conversations: 1 }],
      [1, { messages: 3, windows: 4, conversations: 2 }],
    ]);
    // idf ln(1 + 3.5/1.5), ln(1 + 1.5/3.5) and, of the word that stands nowhere, ln(1 + 4.5/0.5)
    const [rare, common, absent] = [1.2039728, 0.3566749, Math.log(10)];
    const all = rare + common + absent;
    const { coverage } = scoreKeywords(postings("1 1 10 0 0 2,1 4 10 0 1 1", { words, wordCount: 3 }));
    expect(coverage.get(at(1))).toBeCloseTo(rare / all, 6);
    expect(coverage.get(at(3))).toBeCloseTo((rare + common) / all, 6);
    expect(coverage.get(at(6))).toBeCloseTo(common / all, 6);
  });

  test("scores every place within two of a hit as a window, with unseen neighbours of average length", () => {
    // idf ln(1 + 1.5/3.5), 10 + 4·10 words: 2·2.2 / (2 + 1.2)
    const { windows } = scoreKeywords(postings("1 3 10 0 0 2"));
    expect(windows).toEqual(
      new Map([1, 2, 3, 4, 5].map((place) => [at(place), expect.closeTo(0.490428, 5)])),
    );
    expect([...scoreKeywords(postings("1 1 10 0 0 2")).windows.keys()].sort()).toEqual([at(1), at(2), at(3)]);
  });

  test("adds up the words of neighbours in a window", () => {
    const { windows } = scoreKeywords(postings("1 1 10 0 0 1,1 3 10 0 0 1"));
    expect(windows.get(at(2))).toBeCloseTo(0.490428, 5);
    expect(windows.get(at(4))).toBeCloseTo(0.3566749 * (2.2 / (1 + 1.2)), 5);
  });

  test("scores a conversation by all of its words against the average conversation", () => {
    // idf ln 2, 20 words where 20 are average
    expect(scoreKeywords(postings("1 1 10 0 0 1,0 3 10 0 0 1")).conversations).toEqual(
      new Map([[CONVERSATION, expect.closeTo(0.953077, 5)]]),
    );
  });

  test("lets messages that the filter leaves out lend their words, and scores them not", () => {
    const { messages, windows, conversations } = scoreKeywords(postings("0 2 10 0 0 1,1 3 10 0 0 1"));
    expect([...messages.keys()]).toEqual([at(3)]);
    expect(windows.has(at(2))).toBe(false);
    expect(windows.get(at(3))).toBeGreaterThan(windows.get(at(5)) ?? 0);
    expect(conversations.size).toBe(1);
    expect(scoreKeywords(postings("0 2 10 0 0 1")).conversations.size).toBe(0);
  });

  test("notes the short questions among what it scores", () => {
    expect(scoreKeywords(postings("1 1 10 1 0 1,1 2 10 0 0 1,0 3 10 1 0 1")).questions).toEqual(
      new Set([at(1)]),
    );
  });

  test("never scores below zero, also while deleted messages still count in the index", () => {
    const count = fc.nat(50);
    fc.assert(
      fc.property(
        count,
        count,
        count,
        fc.integer({ min: 1, max: 30 }),
        (inMessages, inWindows, inConversations, tokens) => {
          const words = new Map([
            [0, { messages: inMessages, windows: inWindows, conversations: inConversations }],
          ]);
          const scores = scoreKeywords(postings(`1 5 ${tokens} 0 0 1`, { words }));
          for (const leg of [scores.messages, scores.windows, scores.conversations]) {
            for (const score of leg.values()) expect(score).toBeGreaterThan(0);
          }
        },
      ),
    );
  });

  test("finds nothing in an organization without a hit or without messages", () => {
    const nothing = {
      messages: new Map(),
      windows: new Map(),
      conversations: new Map(),
      coverage: new Map(),
      questions: new Set(),
    };
    expect(scoreKeywords({ ...postings(""), found: [] })).toEqual(nothing);
    const empty = { conversations: 0, messages: 0, tokens: 0, words: new Map() };
    expect(scoreKeywords(postings("", { ...empty, found: [] }))).toEqual(nothing);
  });
});

test("message numbers tell their conversation", () => {
  expect(conversationOf(toNumber(123_456, 16_777_215))).toBe(123_456);
  expect(toNumber(2, 1)).toBe(33_554_433);
});
