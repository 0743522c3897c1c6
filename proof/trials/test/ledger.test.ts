import { describe, expect, test } from "vitest";
import { type Ledger, type ReadBack, whatBroke } from "../src/support/ledger.ts";
import { type MemoryLedger, whatMemoriesBroke } from "../src/support/memory-ledger.ts";

const message = (sequence: number, content: string) => ({ id: `msg_${sequence}`, sequence, content });

/** One acknowledged message, one acknowledged and deleted, an unacknowledged batch. */
const ledger: Ledger = {
  id: "conv_a",
  appends: [
    { contents: ["a"], answer: { ids: ["msg_1"], firstSequence: 1 } },
    { contents: ["b"], answer: { ids: ["msg_2"], firstSequence: 2 } },
    { contents: ["c", "d"] },
  ],
  deletions: new Map([["msg_2", true]]),
};
const a = message(1, "a");
const batch = [message(3, "c"), message(4, "d")];
const readBack = (lastSequence: number, ...messages: ReturnType<typeof message>[]): ReadBack => ({
  lastSequence,
  messages,
});

describe("the ledger of the crash trial", () => {
  test.for<[string, Ledger, ReadBack]>([
    ["with the unacknowledged batch stored", ledger, readBack(4, a, ...batch)],
    ["without the unacknowledged batch", ledger, readBack(2, a)],
    [
      "with what an interrupted deletion left",
      { ...ledger, deletions: new Map([["msg_2", false]]) },
      readBack(2, a, message(2, "b")),
    ],
    ["after an interrupted deletion that took effect", { ...ledger, deleted: false }, null],
    ["after an interrupted deletion that did not", { ...ledger, deleted: false }, readBack(2, a)],
  ])("accepts a conversation %s", ([, ledger, there]) => {
    expect(whatBroke(ledger, there)).toEqual([]);
  });

  test.for<[string, Ledger, ReadBack]>([
    ["a lost message", ledger, readBack(2)],
    ["an altered message", ledger, readBack(2, message(1, "A"))],
    ["a message with another sequence", ledger, readBack(4, message(3, "a"))],
    ["a part of a batch", ledger, readBack(3, a, message(3, "c"))],
    ["a duplicate message", ledger, readBack(3, a, message(3, "a"))],
    ["a deleted message that was restored", ledger, readBack(2, a, message(2, "b"))],
    ["a gap", ledger, readBack(5, a, message(4, "c"), message(5, "d"))],
    ["a sequence beyond last_sequence", ledger, readBack(3, a, ...batch)],
    ["a lost conversation", ledger, null],
    ["a deleted conversation that was restored", { ...ledger, deleted: true }, readBack(2, a)],
  ])("reports %s", ([, ledger, there]) => {
    expect(whatBroke(ledger, there)).not.toEqual([]);
  });
});

describe("the ledger of memories of the crash trial", () => {
  /** One captured twice, one deleted, and two unacknowledged ones, sent with the first again. */
  const captured: MemoryLedger = {
    source: "s",
    captures: [
      { contents: ["a"], ids: ["mem_a"] },
      { contents: ["a"], ids: ["mem_a"] },
      { contents: ["b"], ids: ["mem_b"] },
      { contents: ["a", "c", "d"] },
    ],
    deletions: new Map([["mem_b", true]]),
  };
  const memory = (content: string, id = `mem_${content}`) => ({ id, content });
  const a = memory("a");

  test.for<[string, MemoryLedger, ReturnType<typeof memory>[]]>([
    ["with the unacknowledged captures stored", captured, [a, memory("c"), memory("d")]],
    ["without the unacknowledged captures", captured, [a]],
    [
      "with what an interrupted deletion left",
      { ...captured, deletions: new Map([["mem_b", false]]) },
      [a, memory("b")],
    ],
    [
      "after an interrupted deletion that took effect",
      { ...captured, deletions: new Map([["mem_b", false]]) },
      [a],
    ],
  ])("accepts memories %s", ([, ledger, there]) => {
    expect(whatMemoriesBroke(ledger, there)).toEqual([]);
  });

  test.for<[string, ReturnType<typeof memory>[]]>([
    ["a lost memory", []],
    ["an altered memory", [memory("A", "mem_a")]],
    ["a duplicate memory", [a, memory("a", "mem_e")]],
    ["a memory under another id", [memory("a", "mem_e")]],
    ["a part of a batch", [a, memory("c")]],
    ["a deleted memory that was restored", [a, memory("b")]],
  ])("reports %s", ([, there]) => {
    expect(whatMemoriesBroke(captured, there)).not.toEqual([]);
  });
});
