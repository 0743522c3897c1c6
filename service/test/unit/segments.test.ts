import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  BLOCK_SEQUENCES,
  GROUP_SUMMARIES,
  groupsOf,
  LEVELS_MAX,
  SEGMENT_TOKENS_MAX,
  segmentsOf,
  spanEnd,
  spanOf,
  spanStart,
} from "../../src/text/segments.ts";

interface Message {
  sequence: number;
  tokens: number;
}

const messages = (count: number, tokens = 10): Message[] =>
  Array.from({ length: count }, (_, i) => ({ sequence: i + 1, tokens }));

const anyMessages = fc
  .array(fc.record({ gap: fc.integer({ min: 1, max: 4 }), tokens: fc.integer({ min: 0, max: 4_000 }) }), {
    maxLength: 120,
  })
  .map((list) => {
    let sequence = 0;
    return list.map(({ gap, tokens }): Message => {
      sequence += gap;
      return { sequence, tokens };
    });
  });

const places = (list: Message[], last = list.at(-1)?.sequence ?? 0) =>
  segmentsOf(list, last).map(({ items, isFull }) => [items[0]?.sequence, items.at(-1)?.sequence, isFull]);

describe("segments", () => {
  test("are of 24 sequence numbers, and the last one is full once its numbers are assigned", () => {
    expect(places(messages(50))).toEqual([
      [1, 24, true],
      [25, 48, true],
      [49, 50, false],
    ]);
    expect(places(messages(48))).toEqual([
      [1, 24, true],
      [25, 48, true],
    ]);
    expect(places(messages(23), 24)).toEqual([[1, 23, true]]);
  });

  test("end before the message with which they would have more than 3,000 tokens", () => {
    expect(places(messages(7, 1_000))).toEqual([
      [1, 3, true],
      [4, 6, true],
      [7, 7, false],
    ]);
    expect(places(messages(3, 9_000))).toEqual([
      [1, 1, true],
      [2, 2, true],
      [3, 3, false],
    ]);
  });

  test("have each message once, in order, within the bounds", () => {
    fc.assert(
      fc.property(anyMessages, (list) => {
        const segments = segmentsOf(list, list.at(-1)?.sequence ?? 0);
        expect(segments.flatMap(({ items }) => items)).toEqual(list);
        for (const { items } of segments) {
          const [first, last] = [items[0]?.sequence ?? 0, items.at(-1)?.sequence ?? 0];
          expect(spanStart(1, last)).toBe(spanStart(1, first));
          const tokens = items.reduce((sum, one) => sum + one.tokens, 0);
          expect(items.length === 1 || tokens <= SEGMENT_TOKENS_MAX).toBe(true);
        }
      }),
    );
  });

  test("that are full stay the same, however the messages that follow are appended", () => {
    fc.assert(
      fc.property(anyMessages, fc.nat({ max: 120 }), (list, length) => {
        const full = (some: Message[]) => places(some).filter(([, , isFull]) => isFull);
        const early = full(list.slice(0, length));
        expect(full(list).slice(0, early.length)).toEqual(early);
      }),
    );
  });

  test("of other blocks stay the same if a message is changed or deleted", () => {
    fc.assert(
      fc.property(
        anyMessages,
        fc.nat({ max: 119 }),
        fc.option(fc.nat({ max: 4_000 })),
        (list, at, tokens) => {
          const changed = list[at];
          if (changed === undefined) return;
          const last = list.at(-1)?.sequence ?? 0;
          const others = list.flatMap((one) =>
            one !== changed ? one : tokens === null ? [] : { ...one, tokens },
          );
          const block = spanStart(1, changed.sequence);
          const outside = (some: Message[]) =>
            places(some, last).filter(([first]) => spanStart(1, Number(first)) !== block);
          expect(outside(others)).toEqual(outside(list));
        },
      ),
    );
  });
});

describe("groups", () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

  test("have eight summaries, and fewer only at the end of a span that gets no more", () => {
    expect(groupsOf(numbers(19), false).map(({ length }) => length)).toEqual([8, 8]);
    expect(groupsOf(numbers(19), true).map(({ length }) => length)).toEqual([8, 8, 3]);
    expect(groupsOf([], true)).toEqual([]);
  });

  test("of a level lie in spans of eight spans of the level below", () => {
    expect([spanOf(1), spanOf(2), spanOf(3)]).toEqual([24, 192, 1_536]);
    expect([spanStart(2, 192), spanStart(2, 193), spanEnd(2, 193)]).toEqual([1, 193, 384]);
    // No conversation has eight full spans of the highest level.
    expect(spanOf(LEVELS_MAX) * GROUP_SUMMARIES).toBeGreaterThan(16_777_215);
    expect(BLOCK_SEQUENCES * GROUP_SUMMARIES).toBe(192);
  });
});
