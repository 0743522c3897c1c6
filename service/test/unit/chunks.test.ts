import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  chunksOfWindow,
  firstWindowOf,
  lastCompleteSequence,
  lastWindowBefore,
  lastWindowOf,
  messagesOfWindow,
  textOf,
  windowsOf,
} from "../../src/indexing/chunks.ts";
import type { IndexedMessage } from "../../src/indexing/chunks-queries.ts";
import { WINDOW_STRIDE } from "../../src/jobs/window-size.ts";
import { readVectorId, toVectorId } from "../../src/platform/chunk-ids.ts";
import { countTokens } from "../../src/text/tokens.ts";
import { tireless } from "../support/pace.ts";

const message = (sequence: number, more: Partial<IndexedMessage> = {}): IndexedMessage => ({
  id: `msg_${sequence}`,
  sequence,
  role: "user",
  name: null,
  content: `text ${sequence}`,
  createdAtMs: 0,
  updatedAtMs: null,
  ...more,
});
const conversation = (sequences: number[]) => sequences.map((sequence) => message(sequence));
const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1);
const starts = (last: number) => upTo(last).filter((sequence) => (sequence - 1) % WINDOW_STRIDE === 0);
/** The non-empty windows of a conversation, as the sequences in them. */
const windows = (sequences: number[]) =>
  starts(Math.max(0, ...sequences))
    .map((start) => messagesOfWindow(conversation(sequences), start).map(({ sequence }) => sequence))
    .filter((inside) => inside.length > 0);

const sequences = fc
  .uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 40 })
  .map((list) => list.sort((a, b) => a - b));

describe("windows of messages", () => {
  test.for([
    [0, []],
    [1, [[1]]],
    [5, [[1, 2, 3, 4, 5]]],
    [
      6,
      [
        [1, 2, 3, 4, 5],
        [4, 5, 6],
      ],
    ],
    [
      8,
      [
        [1, 2, 3, 4, 5],
        [4, 5, 6, 7, 8],
      ],
    ],
    [
      10,
      [
        [1, 2, 3, 4, 5],
        [4, 5, 6, 7, 8],
        [7, 8, 9, 10],
      ],
    ],
  ] as [number, number[][]][])(
    "of a conversation of %i messages have five each and start at every third",
    ([count, expected]) => {
      expect(windows(upTo(count))).toEqual(expected);
    },
  );

  test("keep their positions after a deletion", () => {
    expect(windows([1, 2, 5, 9, 10])).toEqual([
      [1, 2, 5],
      [9, 10],
    ]);
    expect(windows([4, 5])).toEqual([[4, 5]]);
  });

  test("cover every message, and each has a message that the previous one does not have", () => {
    fc.assert(
      fc.property(sequences, (list) => {
        const found = windows(list);
        expect(new Set(found.flat())).toEqual(new Set(list));
        for (const [i, inside] of found.entries()) {
          const before = found[i - 1] ?? [];
          expect(inside.every((sequence) => before.includes(sequence))).toBe(false);
        }
      }),
    );
  });

  test("of given messages are all windows with any of them, in order", () => {
    fc.assert(
      fc.property(sequences, (list) => {
        const messages = list.map((sequence) => ({ sequence }));
        const holding = starts(60).filter((start) =>
          list.some((sequence) => sequence >= start && sequence < start + 5),
        );
        expect(windowsOf(messages)).toEqual(holding);
      }),
    );
  });

  test("end before a given sequence up to the one that lastWindowBefore returns", () => {
    fc.assert(
      fc.property(fc.integer({ min: 6, max: 1_000 }), (sequence) => {
        expect(lastWindowBefore(sequence)).toBe(starts(sequence).findLast((start) => start + 4 < sequence));
      }),
    );
  });

  test("that contain a sequence are those from firstWindowOf to lastWindowOf", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 16_777_215 }), (sequence) => {
        const holding = starts(12)
          .map((start) => start + lastWindowOf(sequence) - 10)
          .filter((start) => start >= 1 && start <= sequence && sequence < start + 5);
        expect([firstWindowOf(sequence), lastWindowOf(sequence)]).toEqual([
          Math.min(...holding),
          Math.max(...holding),
        ]);
      }),
    );
  });
});

test("lastCompleteSequence returns the end of the last complete window", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000 }), (last) => {
      const ends = starts(last + 1).map((start) => start + 4);
      expect(lastCompleteSequence(last)).toBe(ends.findLast((end) => end <= last) ?? 0);
    }),
  );
});

const identity = {
  organizationId: "org_a",
  conversationId: "conv_1",
  corpus: "conversations" as const,
  model: "model-a",
  windowStart: 1,
  lastSequence: 5,
  tokensMax: 500,
};
const ids = async (input: Partial<typeof identity>, messages = conversation(upTo(5))) =>
  (await chunksOfWindow({ ...identity, ...input }, messages, tireless())).map(({ id }) => id);

describe("chunks", () => {
  test("contain each message after its speaker, by name if there is one", async () => {
    const [chunk, ...others] = await chunksOfWindow(
      identity,
      [message(1, { name: "Maria", content: "Hello" }), message(3, { role: "assistant", content: "Hi" })],
      tireless(),
    );
    expect(others).toEqual([]);
    expect(chunk).toMatchObject({ windowStart: 1, startSequence: 1, endSequence: 3 });
    expect(textOf(chunk?.units ?? [])).toBe("[Maria]: Hello\n[assistant]: Hi");
  });

  test("have the same id for the same input, and another for another organization, conversation, model or window, or after a deletion", async () => {
    const all = await Promise.all([
      ids({}),
      ids({ organizationId: "org_b" }),
      ids({ conversationId: "conv_2" }),
      ids({ model: "model-b" }),
      ids({ windowStart: 4, lastSequence: 8 }, conversation([4, 5, 6, 7, 8])),
      ids({}, conversation([1, 2, 3, 4])),
      ids({}, conversation([2, 3, 4, 5])),
      ids({ lastSequence: 3 }, conversation([1])),
    ]);
    expect(await ids({})).toEqual(all[0]);
    expect(new Set(all.flat()).size).toBe(all.length);
    for (const id of all.flat()) expect(id).toMatch(/^chk_[0-9a-hjkmnp-tv-z]{20}$/);
  });

  test("keep their ids while messages are appended to their window, whatever fits into a chunk", async () => {
    const long = { content: "One sentence of many. ".repeat(60) };
    for (const messages of [conversation(upTo(5)), upTo(5).map((sequence) => message(sequence, long))]) {
      const grown = await Promise.all(
        upTo(5).map((last) => ids({ lastSequence: last }, messages.slice(0, last))),
      );
      const closed = grown.map((all) => all.slice(0, -1));
      for (const [i, before] of closed.entries())
        expect(grown.at(i + 1) ?? before).toEqual(expect.arrayContaining(before));
      if (messages[0]?.content !== long.content) expect(new Set(grown.flat()).size).toBe(1);
    }
  });

  test("of one long message have different ids and keep within the limit, whatever the speaker's name", async () => {
    const long = message(7, { name: "名".repeat(256), content: "One sentence of many. ".repeat(300) });
    const window = { ...identity, windowStart: 4, lastSequence: 8 };
    const chunks = await chunksOfWindow(window, [message(6), long, message(8)], tireless());
    expect(chunks.length).toBeGreaterThan(3);
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(chunks.length);
    for (const { units } of chunks) expect(countTokens(textOf(units))).toBeLessThanOrEqual(500);
    expect(chunks[1]).toMatchObject({ startSequence: 7, endSequence: 7 });
  });

  test("of a message that takes more than half of the room have it alone, and divide its neighbors", async () => {
    const long = (sequence: number) => message(sequence, { content: "One sentence of many. ".repeat(40) });
    const rangesOf = async (windowStart: number, messages: IndexedMessage[]) => {
      const window = { ...identity, windowStart, lastSequence: windowStart + 4 };
      const chunks = await chunksOfWindow(window, messages, tireless());
      return chunks.map(({ startSequence, endSequence }) => [startSequence, endSequence]);
    };
    const messages = [message(1), message(2), long(3), long(4), message(5), message(6), long(7), message(8)];
    expect(await rangesOf(1, messages.slice(0, 5))).toEqual([
      [1, 2],
      [3, 3],
      [4, 4],
      [5, 5],
    ]);
    expect(await rangesOf(4, messages.slice(3))).toEqual([
      [4, 4],
      [5, 6],
      [7, 7],
      [8, 8],
    ]);
  });

  test("of every message exist, whatever the lengths, and keep their ids when a further message is appended", async () => {
    const lengths = fc.array(fc.constantFrom(1, 20, 40, 200), { minLength: 1, maxLength: 16 });
    const toMessage = (length: number, i: number) =>
      message(i + 1, { content: "One sentence of many. ".repeat(length) });
    const chunksOf = async (all: IndexedMessage[], lastSequence: number) => {
      const inWindows = starts(lastSequence).map((windowStart) =>
        chunksOfWindow(
          { ...identity, windowStart, lastSequence },
          messagesOfWindow(all, windowStart),
          tireless(),
        ),
      );
      return (await Promise.all(inWindows)).flat();
    };
    await fc.assert(
      fc.asyncProperty(lengths, async (list) => {
        const all = list.map(toMessage);
        const chunks = await chunksOf(all, all.length);
        const covered = chunks.flatMap(({ units }) => units.map(({ sequence }) => sequence));
        expect(new Set(covered)).toEqual(new Set(upTo(all.length)));
        const before = await chunksOf(all.slice(0, -1), all.length - 1);
        const kept = new Set(chunks.map(({ id }) => id));
        const isLong = (list.at(-1) ?? 0) > 20;
        // Only a part to which the new message may belong, or which it closes, is another.
        expect(before.filter(({ id }) => !kept.has(id)).length).toBeLessThanOrEqual(isLong ? 2 : 1);
      }),
    );
  });

  test("do not exist for a window without messages", async () => {
    expect(await chunksOfWindow(identity, [], tireless())).toEqual([]);
  });
});

describe("vector ids", () => {
  test("have at most 64 bytes and contain the chunk, the conversation and the sequences", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2 ** 29 }),
        fc.integer({ min: 1, max: 16_777_215 }),
        fc.integer({ min: 1, max: 16_777_215 }),
        (conversationRowKey, startSequence, endSequence) => {
          const chunkId = `chk_${"z".repeat(20)}`;
          const id = toVectorId(
            { id: chunkId, startSequence, lastSequence: endSequence },
            conversationRowKey,
          );
          expect(id.length).toBeLessThanOrEqual(64);
          expect(readVectorId(id)).toEqual({ chunkId, conversationRowKey, startSequence, endSequence });
        },
      ),
    );
  });

  test.for(["", "chk_x", "chk_x.1.2", ".1.2.3", "chk_x.0.1.1", "chk_x.?.1.1"])(
    "in another format are not read: %j",
    (id) => {
      expect(readVectorId(id)).toBeNull();
    },
  );
});
