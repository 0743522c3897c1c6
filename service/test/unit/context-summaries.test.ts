import type { ContextMessage, ContextSummary } from "@engram/spec";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ContextBlock, type ContextParts, toBlock } from "../../src/contexts/block.ts";
import { coverWithin, summariesBefore } from "../../src/contexts/summaries.ts";
import { countModelTokens } from "../../src/text/model-tokens.ts";
import { inNoSteps, runAtOnce } from "../../src/text/pace.ts";
import { anyText } from "../support/arbitrary.ts";
import { HOSTILE_NOTES } from "../support/hostile-notes.ts";

const AT = "2026-11-02T09:30:00.000Z";

const summary = (
  level: number,
  from: number,
  to: number,
  text = `What was said from ${from} to ${to}.`,
): ContextSummary => ({
  level,
  from_sequence: from,
  to_sequence: to,
  sentences: [{ text, cites: [{ message_id: `msg_${from}`, sequence: from, start: 0, end: text.length }] }],
  model: null,
  created_at: AT,
});

/** Two full levels of a conversation of 384 messages, and a part of the third span. */
const LEVELS = [
  ...Array.from({ length: 18 }, (_, i) => summary(1, 24 * i + 1, 24 * i + 24)),
  ...[1, 193].map((from) => summary(2, from, from + 191)),
];
const placesOf = (entries: { item: ContextSummary }[]) =>
  entries.map(({ item }) => [item.level, item.from_sequence, item.to_sequence]);
const cover = (summaries: readonly ContextSummary[], tokensMax: number) =>
  runAtOnce(coverWithin(summaries, tokensMax));

describe("the summaries of what is older than the messages shown", () => {
  test("cover all of it, with the finest ones at its end", () => {
    const all = cover(LEVELS, 10_000);
    expect(all.every(({ item }) => item.level === 1)).toBe(true);
    const each = all[0]?.tokens ?? 0;
    // Room for four at the end, and the two above.
    expect(placesOf(cover(LEVELS, 5 * each))).toEqual([
      [2, 1, 192],
      [2, 193, 384],
      [1, 385, 408],
      [1, 409, 432],
    ]);
    // Room for the eight of the second as well.
    expect(placesOf(cover(LEVELS, 12 * each)).map(([level]) => level)).toEqual([2, ...Array(10).fill(1)]);
    expect(placesOf(cover(LEVELS, 2 * each))).toEqual([
      [1, 385, 408],
      [1, 409, 432],
    ]);
    expect(cover(LEVELS, 0)).toEqual([]);
  });

  test("end before the first message shown, and say nothing about messages shown elsewhere", () => {
    const some = summariesBefore(LEVELS, 400, new Set(["msg_25"]));
    const first = some.map(({ level, from_sequence }) => `${level} ${from_sequence}`);
    expect(first).toContain("1 385");
    expect(first).not.toContain("1 409");
    expect(first).not.toContain("1 25");
    expect(summariesBefore(LEVELS, 300, new Set()).map(({ level }) => level)).not.toContain(3);
    // The span of the second level that has message 300 is left to the level below.
    expect(summariesBefore(LEVELS, 300, new Set()).filter(({ level }) => level === 2)).toHaveLength(1);
    expect(summariesBefore(LEVELS, 1, new Set())).toEqual([]);
  });

  test("cover each message once, within their tokens, whatever fits", () => {
    fc.assert(
      fc.property(fc.nat({ max: 500 }), fc.nat({ max: 450 }), (tokensMax, before) => {
        const entries = cover(summariesBefore(LEVELS, before, new Set()), tokensMax);
        expect(entries.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(tokensMax);
        let last = 0;
        for (const { item } of entries) {
          expect(item.from_sequence).toBeGreaterThan(last);
          expect(item.from_sequence).toBeLessThan(before);
          last = item.to_sequence;
        }
      }),
    );
  });
});

describe("a context with summaries", () => {
  const message = (sequence: number, content: string): ContextMessage => ({
    ...{ id: `msg_${sequence}`, sequence, role: "user", name: null, tool_call_id: null, tool_name: null },
    ...{ content, created_at: AT },
  });
  const partsOf = (summaries: ContextSummary[], messages = 60): ContextParts => ({
    conversationId: "conv_0",
    messageCount: 432 + messages,
    messages: Array.from({ length: messages }, (_, i) => message(433 + i, `Ledger ${433 + i} is done.`)),
    ...{ hasEarlier: false, memories: [], validAtMs: Date.parse(AT), results: [] },
    highlight: () => inNoSteps([]),
    summaries,
  });
  const shares = { messages: 0.5, memories: 0.2, results: 0.3, summaries: 0.5 };
  const block = (parts: ContextParts, tokensMax: number, own = shares) =>
    runAtOnce(toBlock(parts, { tokensMax, shares: own })) as ContextBlock;

  test("has them before the newest messages, with the numbers of the messages that say so", () => {
    const { text, summaries, messages } = block(partsOf(LEVELS), 1_000);
    expect(text).toMatch(
      /Summaries of earlier messages of conv_0, derived from those in brackets:\n1 to 192: What was said from 1 to 192\. \[1\]\n[\s\S]+\n\nNewest messages of conv_0:\n\[/,
    );
    expect(summaries?.items.at(-1)?.to_sequence).toBe(432);
    expect(messages.items.length).toBeGreaterThan(3);
  });

  test("without a weight, or without earlier messages, is as it is without summaries", () => {
    const bare = { ...shares, summaries: 0 };
    expect(block(partsOf(LEVELS), 1_000, bare)).toEqual(block(partsOf([]), 1_000, bare));
    const { text, summaries } = block({ ...partsOf([]), summaries: [summary(1, 433, 456)] }, 8_000);
    expect(summaries?.items).toEqual([]);
    expect(text).not.toContain("Summaries of");
  });

  test.for(HOSTILE_NOTES.filter(([, text]) => text.trim() !== ""))(
    "cannot be ended by a sentence with %s",
    ([, hostile]) => {
      const { text } = block(partsOf([summary(1, 1, 24, hostile)]), 8_000);
      expect(text).toMatch(/^<(engram-context(?:-\d+)?)>\n[\s\S]*\n<\/\1>$/);
      const [tag = ""] = /^<[^>]+>/.exec(text) ?? [];
      expect(text.split(tag)).toHaveLength(2);
    },
  );

  test("never costs more than its budget, whatever they say", () => {
    fc.assert(
      fc.property(
        fc.array(anyText, { maxLength: 12 }),
        fc.integer({ min: 300, max: 1_500 }),
        (texts, tokensMax) => {
          const parts = partsOf(texts.map((text, i) => summary(1, 24 * i + 1, 24 * i + 24, text)));
          const { text } = block(parts, tokensMax);
          expect(
            Math.max(countModelTokens(text), countModelTokens(JSON.stringify(text))),
          ).toBeLessThanOrEqual(tokensMax);
        },
      ),
      { numRuns: 50 },
    );
  });
});
