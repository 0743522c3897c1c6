import { describe, expect, test } from "vitest";
import { type Sent, type Stored, whatDiffers } from "../src/support/history.ts";

const sent: Sent[] = [
  { writer: 0, content: "a", id: "msg_a", sequence: 1 },
  { writer: 1, content: "b", id: "msg_b", sequence: 2 },
  { writer: 0, content: "c", id: "msg_c", sequence: 3 },
];
const stored: Stored[] = sent.map(({ id, sequence, content }) => ({ id, sequence, content }));

describe("whatDiffers compares a conversation with the responses to its writers", () => {
  test("and reports nothing if every message is stored once and in order", () => {
    expect(whatDiffers(sent, stored)).toEqual([]);
  });

  test.for<[string, Sent[], Stored[]]>([
    ["a message that is lost", sent, stored.slice(0, 2)],
    ["a gap", sent.toSpliced(1, 1), stored.toSpliced(1, 1)],
    ["an unacknowledged message", sent.slice(0, 2), stored],
    ["one effect acknowledged twice", [...sent, ...sent.slice(2)], stored],
    ["an altered character", sent, stored.with(1, { id: "msg_b", sequence: 2, content: "B" })],
    ["another sequence than in the response", sent.with(0, { ...sent[0], sequence: 2 } as Sent), stored],
    ["messages of one writer in another order than it sent them", sent.toReversed(), stored],
  ])("and reports %s", ([, sent, stored]) => {
    expect(whatDiffers(sent, stored)).not.toEqual([]);
  });
});
