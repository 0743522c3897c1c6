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
    ["with the unacknowledged batch", ledger, readBack(4, a, ...batch)],
    ["without it", ledger, readBack(2, a)],
    [
      "with what a killed deletion left",
      { ...ledger, deletions: new Map([["msg_2", false]]) },
      readBack(2, a, message(2, "b")),
    ],
    ["when a killed deletion came through", { ...ledger, deleted: false }, null],
    ["when a killed deletion did not", { ...ledger, deleted: false }, readBack(2, a)],
  ])("accepts a conversation %s", ([, ledger, there]) => {
    expect(whatBroke(ledger, there)).toEqual([]);
  });

  test.for<[string, Ledger, ReadBack]>([
    ["a lost message", ledger, readBack(2)],
    ["an altered message", ledger, readBack(2, message(1, "A"))],
    ["a message at another place", ledger, readBack(4, message(3, "a"))],
    ["half a batch", ledger, readBack(3, a, message(3, "c"))],
    ["a message twice", ledger, readBack(3, a, message(3, "a"))],
    ["a deleted message that is back", ledger, readBack(2, a, message(2, "b"))],
    ["a gap", ledger, readBack(5, a, message(4, "c"), message(5, "d"))],
    ["a sequence after the last", ledger, readBack(3, a, ...batch)],
    ["a lost conversation", ledger, null],
    ["a deleted conversation that is back", { ...ledger, deleted: true }, readBack(2, a)],
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
    ["with the unacknowledged captures", captured, [a, memory("c"), memory("d")]],
    ["without them", captured, [a]],
    [
      "with what a killed deletion left",
      { ...captured, deletions: new Map([["mem_b", false]]) },
      [a, memory("b")],
    ],
    ["when a killed deletion came through", { ...captured, deletions: new Map([["mem_b", false]]) }, [a]],
  ])("accepts memories %s", ([, ledger, there]) => {
    expect(whatMemoriesBroke(ledger, there)).toEqual([]);
  });

  test.for<[string, ReturnType<typeof memory>[]]>([
    ["a lost memory", []],
    ["an altered memory", [memory("A", "mem_a")]],
    ["a memory twice", [a, memory("a", "mem_e")]],
    ["a memory under another id", [memory("a", "mem_e")]],
    ["half a batch", [a, memory("c")]],
    ["a deleted memory that is back", [a, memory("b")]],
  ])("reports %s", ([, there]) => {
    expect(whatMemoriesBroke(captured, there)).not.toEqual([]);
  });
});
