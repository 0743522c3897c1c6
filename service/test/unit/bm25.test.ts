import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { scale } from "../../../proof/support/scale.ts";
import {
  CONVERSATION_CANDIDATES,
  type KeywordScores,
  RETRIEVER_CANDIDATES,
  scoreKeywords,
} from "../../src/search/ranking/bm25.ts";
import { conversationOf, rowKeyOf, WINDOW_REACH } from "../../src/search/ranking/matches.ts";
import type { Lengths, Postings } from "../../src/search/ranking/postings.ts";
import { shareOfMessages } from "../../src/text/word-frequencies.ts";

const CONVERSATION = 9;
const at = (sequence: number, conversation = CONVERSATION) => rowKeyOf(conversation, sequence);

/** A message with words of the query: how often each occurs, and its place. */
interface Said {
  number: number;
  tokens: number;
  counts: number[];
  isQuestion?: boolean;
  eligible?: boolean;
}
const say = (sequence: number, tokens: number, counts: number[], more: Partial<Said> = {}): Said => ({
  number: at(sequence),
  tokens,
  counts,
  ...more,
});

const allows = () => true;
const readMax = 100_000;

/** The size of the whole organization. */
interface Totals {
  conversations: number;
  messages: number;
  tokens: number;
}
const TOTALS: Totals = { conversations: 2, messages: 40, tokens: 400 };
/** Words in every conversation. */
const CONVERSATION_TOKENS = 200;

const toPostings = (said: Said[], wordCount: number, totals: Totals): Postings => ({
  ...totals,
  isPartial: false,
  words: Array.from({ length: wordCount }, (_, word) => `word${word}`),
  terms: Array.from({ length: wordCount }, (_, word) =>
    Float64Array.from(said.flatMap(({ number, counts }) => Array<number>(counts[word] ?? 0).fill(number))),
  ),
});

/** Returns the requested lengths, as D1 does, and counts the messages. */
function readerOf(said: Said[]) {
  const read = new Set<number>();
  return {
    read,
    async readLengths(asked: { messages: number[]; conversations: number[] }): Promise<Lengths> {
      for (const number of asked.messages) read.add(number);
      const wanted = new Set(asked.messages);
      return {
        messages: new Map(
          said
            .filter(({ number }) => wanted.has(number))
            .map(({ number, tokens, isQuestion = false, eligible = true }) => [
              number,
              { tokens, isQuestion, eligible },
            ]),
        ),
        conversations: new Map(asked.conversations.map((number) => [number, CONVERSATION_TOKENS])),
      };
    },
  };
}

const score = (
  said: Said[],
  { wordCount = 1, totals = TOTALS, readAll = false } = {},
): Promise<KeywordScores> =>
  scoreKeywords(toPostings(said, wordCount, totals), readerOf(said).readLengths, {
    readAll,
    readMax,
    allows,
  });

const idf = (containing: number, total: number) =>
  Math.log(1 + (total - Math.min(containing, total) + 0.5) / (Math.min(containing, total) + 0.5));
const bm25 = (weight: number, count: number, norm: number, k1 = 1.2) =>
  (weight * count * (k1 + 1)) / (count + k1 * norm);
const MESSAGE_K1 = 0.6;

describe("scoreKeywords", () => {
  test("scores a message by term frequency and rarity, less the longer it is, with b = 0.4 and k1 = 0.6 where messages are short", async () => {
    const { messages } = await score([say(2, 10, [2]), say(30, 30, [1])]);
    expect(messages).toEqual(
      new Map([
        [at(2), expect.closeTo(bm25(idf(2, 40), 2, 1, MESSAGE_K1), 10)],
        [at(30), expect.closeTo(bm25(idf(2, 40), 1, 0.6 + 0.4 * 3, MESSAGE_K1), 10)],
      ]),
    );
  });

  test.for([
    [60, 0],
    [120, 0.5],
    [180, 1],
    [900, 1],
  ] as [number, number][])(
    "with messages of %i terms on average, goes %f of the way to b = 1 and k1 = 1.2",
    async ([average, shareOfLong]) => {
      const totals = { ...TOTALS, tokens: average * TOTALS.messages };
      const found = await score([say(2, 3 * average, [2])], { totals });
      const [k1, b] = [0.6 + 0.6 * shareOfLong, 0.4 + 0.6 * shareOfLong];
      expect(found.messages.get(at(2))).toBeCloseTo(bm25(idf(1, 40), 2, 1 - b + b * 3, k1), 10);
      expect(found.shareOfLong).toBe(shareOfLong);
    },
  );

  test("scores each window that contains a match, with average lengths for unread neighbors", async () => {
    const { windows } = await score([say(3, 30, [2])]);
    // Five windows contain the word, and each has 30 + 4·10 words.
    const expected = expect.closeTo(bm25(idf(5, 40), 2, 0.25 + (0.75 * 70) / 50), 10);
    expect(windows).toEqual(new Map([1, 2, 3, 4, 5].map((place) => [at(place), expected])));
    expect([...(await score([say(1, 10, [2])])).windows.keys()]).toEqual([at(1), at(2), at(3)]);
  });

  test("adds up the terms of a window's messages, but not those of another conversation", async () => {
    const beyond = { number: at(1, CONVERSATION + 1), tokens: 10, counts: [5] };
    const { windows } = await score([say(1, 10, [1]), say(3, 10, [1]), say(16_777_215, 10, [1]), beyond]);
    // 5 + 2 + 5 + 2 windows are counted: the last two row keys are adjacent, but their conversations differ.
    expect(windows.get(at(2))).toBeCloseTo(bm25(idf(14, 40), 2, 1), 10);
    expect(windows.get(at(4))).toBeCloseTo(bm25(idf(14, 40), 1, 1), 10);
    expect(windows.get(at(16_777_215))).toBeCloseTo(bm25(idf(14, 40), 1, 1), 10);
  });

  test("scores a conversation by all of its terms, relative to the average conversation", async () => {
    const { conversations } = await score([say(1, 10, [1]), say(30, 10, [1])]);
    expect(conversations).toEqual(new Map([[CONVERSATION, expect.closeTo(bm25(idf(1, 2), 2, 1), 10)]]));
  });

  test("computes the share of the query's terms around a message, weighted by rarity, also for terms that occur nowhere", async () => {
    const { coverageOf } = await score(
      [say(1, 10, [2, 0, 0]), say(4, 10, [0, 1, 0]), say(20, 9, [0, 1, 0])],
      {
        wordCount: 3,
      },
    );
    // Added to 1,000 messages of typical English, in which such words are rare.
    const [one, two, none] = [1, 2, 0].map((count) =>
      idf(count + 1_000 * shareOfMessages("word0"), 1_040),
    ) as [number, number, number];
    const all = one + two + none;
    expect(coverageOf(at(1))).toBeCloseTo(one / all, 10);
    expect(coverageOf(at(3))).toBeCloseTo((one + two) / all, 10);
    expect(coverageOf(at(6))).toBeCloseTo(two / all, 10);
    expect(coverageOf(at(12))).toBe(0);
  });

  test("uses the terms of messages outside the filter for windows, but does not return those messages", async () => {
    const said = [say(2, 10, [1], { eligible: false }), say(3, 10, [1])];
    const { messages, windows, conversations } = await score(said, { readAll: true });
    expect([...messages.keys()]).toEqual([at(3)]);
    expect(windows.has(at(2))).toBe(false);
    expect(windows.get(at(3))).toBeGreaterThan(windows.get(at(5)) ?? 0);
    expect(conversations.size).toBe(1);
    const none = await score([say(2, 10, [1], { eligible: false })], { readAll: true });
    expect(none.conversations.size).toBe(0);
  });

  test("reads and scores only messages that may match, with statistics of all", async () => {
    const said = Array.from({ length: 9 }, (_, i) => say(i + 1, 10, [1]));
    const postings = toPostings([{ number: at(4, 3), tokens: 10, counts: [3] }, ...said], 1, TOTALS);
    const reader = readerOf(said);
    const only = { readAll: false, readMax, allows: (number: number) => number === at(5) };
    const { messages, windows, conversations, others } = await scoreKeywords(
      postings,
      reader.readLengths,
      only,
    );
    const all = await scoreKeywords(postings, reader.readLengths, { readAll: true, readMax, allows });
    expect([...messages]).toEqual([[at(5), all.messages.get(at(5))]]);
    expect([...windows]).toEqual([[at(5), all.windows.get(at(5))]]);
    expect([...conversations.keys()]).toEqual([CONVERSATION]);
    expect(others()).toEqual([]);
  });

  test("reads a limited number of messages, those with the highest possible scores, and reports the limit", async () => {
    const said = Array.from({ length: 9 }, (_, i) => say(4 * i + 1, 10, [i + 1]));
    for (const readAll of [true, false]) {
      const postings = toPostings(said, 1, TOTALS);
      const { messages, isPartial } = await scoreKeywords(postings, readerOf(said).readLengths, {
        readAll,
        readMax: 3,
        allows,
      });
      expect([...messages.keys()]).toEqual([at(25), at(29), at(33)]);
      expect(isPartial).toBe(true);
      const whole = await scoreKeywords(postings, readerOf(said).readLengths, {
        readAll,
        readMax: 60,
        allows,
      });
      expect([whole.messages.size, whole.isPartial]).toEqual([9, false]);
    }
  });

  test("counts a term at most 32 times per message", async () => {
    const score = async (times: number) => {
      const said = [say(2, 10, [times])];
      const { messages } = await scoreKeywords(toPostings(said, 1, TOTALS), readerOf(said).readLengths, {
        readAll: false,
        readMax,
        allows,
      });
      return messages.get(at(2)) ?? 0;
    };
    expect(await score(31)).toBeLessThan(await score(32));
    expect(await score(500)).toBe(await score(32));
  });

  test("leaves out deleted messages that the index still contains", async () => {
    const [kept, gone] = [say(2, 10, [1]), { number: at(4, 3), tokens: 10, counts: [3] }];
    const { messages, windows, conversations } = await scoreKeywords(
      toPostings([gone, kept], 1, TOTALS),
      async (asked) => {
        const lengths = await readerOf([kept]).readLengths(asked);
        lengths.conversations.delete(3);
        return lengths;
      },
      { readAll: false, readMax, allows },
    );
    expect([...messages.keys()]).toEqual([at(2)]);
    expect([...windows.keys()].map(conversationOf)).toEqual(Array(4).fill(CONVERSATION));
    expect([...conversations.keys()]).toEqual([CONVERSATION]);
  });

  test("returns which of the scored messages are short questions", async () => {
    const said = [
      say(1, 10, [1], { isQuestion: true }),
      say(2, 10, [1]),
      say(3, 10, [1], { isQuestion: true, eligible: false }),
    ];
    expect((await score(said)).questions).toEqual(new Set([at(1)]));
  });

  test("finds nothing without matches, or in an organization without messages", async () => {
    for (const totals of [TOTALS, { conversations: 0, messages: 0, tokens: 0 }]) {
      const { coverageOf, others, background, ...scores } = await score([], { totals });
      expect(background).toMatchObject({ messages: totals.messages, isKnown: false });
      expect(scores).toEqual({
        messages: new Map(),
        windows: new Map(),
        conversations: new Map(),
        questions: new Set(),
        isPartial: false,
        shareOfLong: 0,
      });
      expect([others(), coverageOf(at(1))]).toEqual([[], 0]);
    }
  });

  test("never returns a score below zero, even while the index still contains deleted messages", async () => {
    await fc.assert(
      fc.asyncProperty(corpus, fc.nat(3), async (said, messages) => {
        const scores = await score(said, { wordCount: 3, totals: { conversations: 1, messages, tokens: 9 } });
        for (const leg of [scores.messages, scores.windows, scores.conversations]) {
          for (const value of leg.values()) expect(value).toBeGreaterThan(0);
        }
      }),
      { numRuns: 20 },
    );
  });
});

/** Conversations with three words, some rare and some in every message. */
const corpus = fc
  .record({
    conversations: fc.integer({ min: 1, max: 40 }),
    length: fc.integer({ min: 1, max: 60 }),
    chances: fc.tuple(...Array.from({ length: 3 }, () => fc.constantFrom(0, 0.02, 0.3, 0.9))),
    seed: fc.integer(),
  })
  .map(({ conversations, length, chances, seed }) => {
    let state = seed >>> 0;
    const random = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32;
    };
    const said: Said[] = [];
    for (let conversation = 1; conversation <= conversations; conversation++) {
      for (let sequence = 1; sequence <= length; sequence++) {
        const counts = chances.map((chance) => (random() < chance ? 1 + Math.floor(random() * 3) : 0));
        if (counts.every((count) => count === 0)) continue;
        said.push({ number: at(sequence, conversation), tokens: 1 + Math.floor(random() ** 3 * 90), counts });
      }
    }
    return said;
  });

/** The scores by their definitions, for every message. */
function scoreAll(said: Said[], wordCount: number, totals: Totals) {
  const words = Array.from({ length: wordCount }, (_, word) => word);
  const holding = (word: number) => said.filter(({ counts }) => (counts[word] ?? 0) > 0);
  const around = (number: number) =>
    Array.from({ length: 2 * WINDOW_REACH + 1 }, (_, i) => number - WINDOW_REACH + i).filter(
      (place) => conversationOf(place) === conversationOf(number) && place % 2 ** 24 > 0,
    );
  const average = totals.tokens / totals.messages;
  const sum = (some: Said[], weights: number[], norm: number, k1?: number) =>
    words.reduce((total, word) => {
      const count = some.reduce((all, { counts }) => all + (counts[word] ?? 0), 0);
      return total + (count === 0 ? 0 : bm25(weights[word] ?? 0, count, norm, k1));
    }, 0);
  // A window that begins before the first message counts too.
  const windowsOf = (word: number) => {
    let [count, last] = [0, Number.NEGATIVE_INFINITY];
    for (const { number } of holding(word)) {
      count += Math.min(5, number - last);
      last = number;
    }
    return count;
  };
  const weights = {
    messages: words.map((word) => idf(holding(word).length, totals.messages)),
    windows: words.map((word) => idf(windowsOf(word), totals.messages)),
    conversations: words.map((word) =>
      idf(new Set(holding(word).map(({ number }) => conversationOf(number))).size, totals.conversations),
    ),
  };
  const byNumber = new Map(said.map((one) => [one.number, one]));
  const centres = new Set(said.flatMap(({ number }) => around(number)));
  return {
    messages: said.map((one): [number, number] => [
      one.number,
      sum([one], weights.messages, 0.6 + (0.4 * one.tokens) / average, MESSAGE_K1),
    ]),
    windows: [...centres].map((centre): [number, number] => {
      const inside = around(centre).flatMap((place) => byNumber.get(place) ?? []);
      const tokens = inside.reduce((all, one) => all + one.tokens, (5 - inside.length) * average);
      return [centre, sum(inside, weights.windows, 0.25 + (0.75 * tokens) / (5 * average))];
    }),
    conversations: [...new Set(said.map(({ number }) => conversationOf(number)))].map(
      (conversation): [number, number] => [
        conversation,
        sum(
          said.filter(({ number }) => conversationOf(number) === conversation),
          weights.conversations,
          0.25 + (0.75 * CONVERSATION_TOKENS) / (totals.tokens / totals.conversations),
        ),
      ],
    ),
  };
}

describe("scoreKeywords with a limit of results", () => {
  const best = (scores: Iterable<[number, number]>, count: number) =>
    [...scores]
      .sort(([one, a], [other, b]) => (Math.abs(a - b) > 1e-9 ? b - a : one - other))
      .slice(0, count)
      .map(([number, value]) => [number, value.toFixed(9)]);

  test("returns the same best results and scores as scoring everything", async () => {
    await fc.assert(
      fc.asyncProperty(corpus, fc.boolean(), async (said, readAll) => {
        const totals = { conversations: 50, messages: 3_000, tokens: 60_000 };
        const scores = await score(said, { wordCount: 3, totals, readAll });
        const all = scoreAll(said, 3, totals);
        expect(best(scores.messages, RETRIEVER_CANDIDATES)).toEqual(best(all.messages, RETRIEVER_CANDIDATES));
        expect(best(scores.windows, RETRIEVER_CANDIDATES)).toEqual(best(all.windows, RETRIEVER_CANDIDATES));
        expect(best(scores.conversations, CONVERSATION_CANDIDATES)).toEqual(
          best(all.conversations, CONVERSATION_CANDIDATES),
        );
        expect([...scores.messages.keys(), ...scores.others()].sort((a, b) => a - b)).toEqual(
          said.map(({ number }) => number),
        );
      }),
      { numRuns: scale(60, 15), endOnFailure: true },
    );
  });

  test("skips most postings of a frequent term if the query has a rare one", async () => {
    const said = Array.from({ length: 9_000 }, (_, i) =>
      say(i + 1, 5 + ((i * 7) % 30), [1, i % 50 === 0 ? 1 : 0]),
    );
    const { read, readLengths } = readerOf(said);
    const totals = { conversations: 200, messages: 10_000, tokens: 200_000 };
    await scoreKeywords(toPostings(said, 2, totals), readLengths, { readAll: false, readMax, allows });
    expect(read.size).toBeGreaterThan(RETRIEVER_CANDIDATES);
    expect(read.size).toBeLessThan(2_500);
  });
});

test("the row key of a message contains the row key of its conversation", () => {
  expect(conversationOf(rowKeyOf(123_456, 16_777_215))).toBe(123_456);
  expect(rowKeyOf(2, 1)).toBe(33_554_433);
});
