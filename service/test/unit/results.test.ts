import type { Message, MessagesResult } from "@engram/spec";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rowKeyOf } from "../../src/search/ranking/matches.ts";
import {
  type FoundMessage,
  replaceScores,
  toResults as toResultsOf,
} from "../../src/search/ranking/results.ts";
import { countModelTokens } from "../../src/text/model-tokens.ts";
import { inNoSteps, runAtOnce } from "../../src/text/pace.ts";

const found = (sequence: number, score: number | null, conversation = 1, content = "abc"): FoundMessage => ({
  rowKey: rowKeyOf(conversation, sequence),
  message: {
    id: `msg_${conversation}_${sequence}`,
    conversation_id: `conv_${conversation}`,
    sequence,
    content,
  } as Message,
  tokens: countModelTokens(content),
  score,
  chunkId: score === null ? null : `chk_${conversation}_${sequence}`,
  relevance: (score ?? 0) / 10,
  conversation: {
    title: null,
    external_id: null,
    agent_id: null,
    user_id: null,
    shared: false,
    tags: [],
    created_at: "",
  },
  foundMemory: null,
});
const bounds = { messagesMax: 50, bytesMax: Number.POSITIVE_INFINITY, minRelevance: 0, keepBest: 0 };
const noHighlights = () => inNoSteps([]);
const options = { limit: 10, before: 1, after: 1, ...bounds, highlight: noHighlights };
const toResults = (all: FoundMessage[], shape = options, maxTokens?: number) =>
  runAtOnce(toResultsOf(all, [], shape, maxTokens));
const ofMessages = ({ results }: Pick<ReturnType<typeof toResults>, "results">): MessagesResult[] =>
  results.filter((result) => result.type === "messages");
const shape = (answer: ReturnType<typeof toResults>) =>
  ofMessages(answer).map(({ messages, matches }) => [
    messages.map(({ sequence }) => sequence),
    matches.map(({ sequence }) => sequence),
  ]);

describe("toResults", () => {
  test("leaves out and counts results whose best match is below the minimum relevance", () => {
    const all = [found(1, 5), found(2, 1), found(8, 0.9), found(9, null), found(20, 0.4)];
    const answer = toResults(all, { ...options, limit: 3, minRelevance: 0.4 });
    expect(shape(answer)).toEqual([
      [
        [1, 2],
        [1, 2],
      ],
    ]);
    expect(answer).toMatchObject({ below_min_relevance: 2, omitted: 0 });
  });

  test("keeps the best results below the minimum relevance, but none with the relevance 0", () => {
    const all = [found(1, 5), found(8, 3), found(15, 2), found(22, 1), found(29, 0)];
    const kept = (keepBest: number, minRelevance: number) => {
      const answer = toResults(all, { ...options, minRelevance, keepBest });
      return [
        ofMessages(answer).map(({ start_sequence }) => start_sequence),
        answer.below_min_relevance,
      ] as const;
    };
    expect(kept(0, 0.6)).toEqual([[], 5]);
    expect(kept(3, 0.6)).toEqual([[1, 8, 15], 2]);
    expect(kept(3, 0.15)).toEqual([[1, 8, 15], 2]);
    expect(kept(1, 0.25)).toEqual([[1, 8], 3]);
    expect(kept(10, 0.6)).toEqual([[1, 8, 15, 22], 1]);
  });

  test("gives a result the relevance of its best match, however many of its messages fit", () => {
    const all = [found(1, 5), { ...found(2, 1), relevance: 0.9 }, found(3, 2)];
    for (const maxTokens of [1, 3, 100])
      expect(toResults(all, options, maxTokens).results.map(({ relevance }) => relevance)).toEqual([0.5]);
  });

  test("returns each match between its neighbors, best first", () => {
    const answer = toResults([found(1, null), found(2, 0.5), found(3, null), found(8, 0.9)], options);
    expect(shape(answer)).toEqual([
      [[8], [8]],
      [[1, 2, 3], [2]],
    ]);
    expect(answer.results[1]).toMatchObject({
      start_sequence: 1,
      end_sequence: 3,
      score: 0.5,
      chunk_id: "chk_1_2",
    });
    expect(answer.tokens).toBe(4);
  });

  test("merges overlapping windows into one result, at the position of the better one", () => {
    const run = [found(1, null), found(2, 0.5), found(3, null), found(4, 0.9), found(5, null)];
    expect(shape(toResults(run, options))).toEqual([
      [
        [1, 2, 3, 4, 5],
        [4, 2],
      ],
    ]);
  });

  test("merges two windows if a later match lies between them", () => {
    const run = [1, 2, 3, 4, 5].map((sequence) =>
      found(sequence, sequence === 3 ? 0.1 : sequence % 5 === 1 ? 0.9 : sequence === 5 ? 0.8 : null),
    );
    expect(shape(toResults(run, { ...options, limit: 2 }))).toEqual([
      [
        [1, 2, 3, 4, 5],
        [1, 5, 3],
      ],
    ]);
  });

  test("tries a result that is too long without its neighbors, then leaves it out and counts it", () => {
    const run = [
      found(1, null),
      found(2, 0.9),
      found(3, null),
      found(9, 0.5, 1, "abc".repeat(9)),
      found(20, 0.4),
    ];
    const answer = toResults(run, options, 2);
    expect(shape(answer)).toEqual([
      [[2], [2]],
      [[20], [20]],
    ]);
    expect(answer).toMatchObject({ tokens: 2, omitted: 1 });
  });

  test("does not use a neighbor in the range of another result", () => {
    // The match 3 is at the end of the first range, and its next neighbors are in the second.
    const run = [1, 2, 3, 4, 5, 6].map((sequence) =>
      found(sequence, sequence === 2 ? 0.9 : sequence === 3 ? 0.8 : null),
    );
    const long = "abc ".repeat(200);
    const answer = toResults(
      [...run, found(5, 0.7, 1, long)].filter((_, i) => i !== 4),
      options,
      10,
    );
    expect(shape(answer).flatMap(([, matches]) => matches)).toEqual([2, 3]);
    expect(answer).toMatchObject({ omitted: 1 });
  });

  test("returns the windows of the best matches of a long range, and the range to read", () => {
    const run = Array.from({ length: 12 }, (_, i) => found(i + 1, i % 2 === 0 ? 1 - i / 100 : null));
    const lifted = run.map((item) => (item.rowKey === rowKeyOf(1, 9) ? { ...item, score: 2 } : item));
    const answer = toResults([...lifted, found(1, 0.1, 2)], { ...options, messagesMax: 5 });
    expect(shape(answer)).toEqual([
      [
        [1, 2, 8, 9, 10],
        [9, 1],
      ],
      [[1], [1]],
    ]);
    expect(answer.results[0]).toMatchObject({ cut: { from_sequence: 1, to_sequence: 12 } });
    expect(answer.omitted).toBe(0);
  });

  test("never returns neighbors from another conversation with adjacent row keys", () => {
    const last = { ...found(2 ** 24 - 1, 0.9, 1) };
    expect(shape(toResults([last, found(1, 0.8, 2)], { ...options, before: 3, after: 3 }))).toEqual([
      [[2 ** 24 - 1], [2 ** 24 - 1]],
      [[1], [1]],
    ]);
  });

  test("cuts a result that is too large to the messages nearest to its best match, and returns the range to read", () => {
    const long = (sequence: number, score: number | null) => found(sequence, score, 1, "x".repeat(1_000));
    const run = [long(1, 0.5), long(2, null), long(3, 0.9), long(4, null), long(5, null)];
    const other = found(3, 0.8, 2);
    const shaped = { ...options, before: 2, after: 2, bytesMax: 4_500 };
    const answer = toResults([...run, other], shaped);
    expect(shape(answer)).toEqual([
      [[2, 3, 4], [3]],
      [[3], [3]],
    ]);
    expect(answer.results[0]).toMatchObject({
      start_sequence: 2,
      end_sequence: 4,
      cut: { from_sequence: 1, to_sequence: 5 },
    });
    expect(answer.results[1]).not.toHaveProperty("cut");
    expect(JSON.stringify(answer.results).length).toBeLessThanOrEqual(shaped.bytesMax + 10);
  });

  test("leaves out results beyond the size limit, but never the best match", () => {
    const long = (sequence: number, score: number) => found(sequence, score, sequence, "x".repeat(1_000));
    const answer = toResults([long(1, 0.9), long(2, 0.8), found(3, 0.7, 3)], { ...options, bytesMax: 600 });
    expect(shape(answer)).toEqual([[[1], [1]]]);
    expect(answer.omitted).toBe(2);
  });

  test("leaves out a result whose best match was not read, and returns the range of other unread messages", () => {
    const unread = [
      { rowKey: rowKeyOf(2, 1), score: 0.8 },
      { rowKey: rowKeyOf(1, 4), score: null },
    ];
    const answer = runAtOnce(
      toResultsOf([found(3, 0.9), found(2, 0.5, 2)], unread, { ...options, before: 0 }),
    );
    expect(shape(answer)).toEqual([[[3], [3]]]);
    expect(answer).toMatchObject({
      omitted: 1,
      results: [{ cut: { from_sequence: 3, to_sequence: 4 } }],
    });
  });

  test("repeats nothing, keeps limit and max_tokens, and lists every match among its messages", () => {
    const message = fc.record({
      sequence: fc.integer({ min: 1, max: 25 }),
      conversation: fc.integer({ min: 1, max: 2 }),
      score: fc.option(fc.integer({ min: 0, max: 5 })),
      content: fc.string({ maxLength: 12 }),
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(message, { selector: (m) => `${m.conversation}.${m.sequence}` }),
        fc.record({
          limit: fc.integer({ min: 1, max: 5 }),
          before: fc.nat(4),
          after: fc.nat(4),
          maxTokens: fc.option(fc.integer({ min: 1, max: 30 }), { nil: undefined }),
          messagesMax: fc.integer({ min: 3, max: 12 }),
          bytesMax: fc.constantFrom(1_000, 3_000, Number.POSITIVE_INFINITY),
        }),
        (list, input) => {
          const all = list.map((m) => found(m.sequence, m.score, m.conversation, m.content));
          const answer = toResults(
            all,
            { ...input, minRelevance: 0, keepBest: 0, highlight: noHighlights },
            input.maxTokens,
          );
          const { tokens, omitted } = answer;
          const results = ofMessages(answer);
          const shown = results.flatMap(({ messages }) => messages);
          expect(new Set(shown).size).toBe(shown.length);
          for (const item of shown) expect(all.map(({ message: m }) => m)).toContain(item);
          expect(results.length + omitted).toBeLessThanOrEqual(input.limit);
          expect(tokens).toBe(shown.reduce((sum, { content }) => sum + countModelTokens(content), 0));
          expect(tokens).toBeLessThanOrEqual(input.maxTokens ?? Number.POSITIVE_INFINITY);
          const scores = results.map(({ score }) => score);
          expect(scores).toEqual(scores.toSorted((a, b) => b - a));
          for (const result of results) {
            const ids = result.messages.map(({ id }) => id);
            const matching = all.filter((item) => item.score !== null && ids.includes(item.message.id));
            expect(result.matches.map(({ message_id }) => message_id).sort()).toEqual(
              matching.map((item) => item.message.id).sort(),
            );
            expect(result.score).toBe(result.matches[0]?.score);
            expect(result.messages.length).toBeLessThanOrEqual(input.messagesMax);
            // Only a result with `cut` leaves out messages of its range, unless neighbors cost too many tokens.
            const range = result.cut ?? {
              from_sequence: result.start_sequence,
              to_sequence: result.end_sequence,
            };
            const stored = all.filter(
              ({ message: m }) =>
                m.conversation_id === result.conversation_id &&
                m.sequence >= range.from_sequence &&
                m.sequence <= range.to_sequence,
            );
            if (input.maxTokens === undefined) {
              expect(stored.length > result.messages.length).toBe(result.cut !== undefined);
            }
            expect(new Set(result.messages.map((m) => m.conversation_id)).size).toBe(1);
          }
          const answered = new TextEncoder().encode(JSON.stringify(results)).byteLength;
          if (results.length > 1) expect(answered).toBeLessThanOrEqual(input.bytesMax + 20);
          if (input.maxTokens === undefined && all.some(({ score }) => score !== null)) {
            expect(results.length).toBeGreaterThan(0);
          }
        },
      ),
    );
  });
});

test("replaceScores ranks replaced scores before all others, keeps both orders, and gives neighbors no score", () => {
  const some = [found(1, 3), found(2, null), found(3, 2), found(4, 9), found(5, -11)];
  const [replaced, unread] = replaceScores(
    [some, [{ rowKey: rowKeyOf(1, 9), score: 5 }]],
    new Map([
      [rowKeyOf(1, 3), -4],
      [rowKeyOf(1, 5), -2],
    ]),
  );
  const order = replaced
    .filter(({ score }) => score !== null)
    .sort((a, b) => (b.score ?? 0) - (a.score ?? 0))
    .map(({ message }) => message.sequence);
  expect(order).toEqual([5, 3, 4, 1]);
  expect(replaced[1]?.score).toBeNull();
  // As far below as the others.
  expect(unread[0]?.score).toBe((replaced[3]?.score ?? 0) - 4);
});
