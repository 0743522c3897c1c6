import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createStemmer } from "../../src/text/stems.ts";
import { GROUP_LIMITS, SEGMENT_LIMITS, type SummarizedMessage } from "../../src/text/summaries.ts";
import {
  checkDraft,
  citableMessages,
  citableSentences,
  readDraft,
  toMessagesPrompt,
  toSummariesPrompt,
} from "../../src/text/summary-drafts.ts";

const stem = createStemmer();
const MESSAGES: SummarizedMessage[] = [
  "Priya approves the rollback of shard 7.",
  "Tomás moves invoice 4711 to the Kestrel ledger.",
  "Yuki asks for the report by Friday.",
].map((content, i) => ({ id: `msg_${i + 10}`, sequence: i + 10, role: "user", name: null, content }));
const check = (draft: unknown, limits = SEGMENT_LIMITS) =>
  checkDraft(stem, readDraft({ response: draft }) ?? [], citableMessages(MESSAGES), limits);
const sentence = (text: string, ...cites: unknown[]) => ({ text, cites });

describe("the draft of a model", () => {
  test("gives sentences in the order of what they cite, which have no place in a message", () => {
    const made = check({
      sentences: [
        sentence("Tomás moves invoice 4711, and Yuki asks for the report by Friday.", 12, 11),
        sentence("Priya approves the rollback of shard 7.", 10, 10),
      ],
    });
    const cite = (sequence: number) => ({ message_id: `msg_${sequence}`, sequence, start: null, end: null });
    expect(made).toEqual([
      { text: "Priya approves the rollback of shard 7.", cites: [cite(10)] },
      {
        text: "Tomás moves invoice 4711, and Yuki asks for the report by Friday.",
        cites: [cite(11), cite(12)],
      },
    ]);
  });

  test.for([
    ["no citation", []],
    ["a message outside of the segment", [10, 13]],
    ["a message before it", [9]],
    ["a number that is none", ["x"]],
    ["a fraction", [10.5]],
    ["infinity", [Number.POSITIVE_INFINITY]],
    ["another message than the one that says so", [12]],
  ] as const)("loses a sentence with %s", ([, cites]) => {
    expect(check({ sentences: [sentence("Priya approves the rollback of shard 7.", ...cites)] })).toEqual([]);
  });

  test("has at most as many sentences and tokens as a summary may have", () => {
    const many = Array.from({ length: 50 }, () => sentence("Priya approves the rollback of shard 7.", 10));
    expect(check({ sentences: many })).toHaveLength(SEGMENT_LIMITS.sentences);
    expect(check({ sentences: many }, { sentences: 6, tokens: 30 })).toHaveLength(2);
  });

  test("is read out of words and a code fence, and is null without a list of sentences", () => {
    const text = `Sure!\n\`\`\`json\n${JSON.stringify({ sentences: [sentence("Yuki asks for the report.", 12)] })}\n\`\`\``;
    expect(check(text)).toHaveLength(1);
    for (const rubbish of ["", "no", "{", "[]", "{}", '{"sentences":{}}', 7, null, [], { sentences: "a" }])
      expect(readDraft({ response: rubbish })).toBeNull();
  });

  test("gives valid sentences or none, whatever it is", () => {
    const value = fc.oneof(fc.string({ unit: "binary", maxLength: 200 }), fc.jsonValue());
    const item = fc.oneof(
      value,
      fc.record({ text: value, cites: fc.oneof(value, fc.array(fc.integer({ min: 8, max: 14 }))) }),
    );
    fc.assert(
      fc.property(fc.oneof(value, fc.record({ sentences: fc.array(item) })), (draft) => {
        for (const { text, cites } of check(draft)) {
          expect(text.length).toBeGreaterThan(0);
          expect(cites.length).toBeGreaterThan(0);
          for (const { sequence } of cites) expect([10, 11, 12]).toContain(sequence);
        }
      }),
    );
  });
});

describe("a prompt", () => {
  test("has the messages as JSON in a message of their own, and the same instructions for all", () => {
    const [system, user, ...others] = toMessagesPrompt(MESSAGES, SEGMENT_LIMITS);
    expect(others).toEqual([]);
    expect([system?.role, user?.role]).toEqual(["system", "user"]);
    expect(toMessagesPrompt([], SEGMENT_LIMITS)[0]).toEqual(system);
    expect(JSON.parse(user?.content ?? "").messages[1]).toEqual({
      number: 11,
      role: "user",
      text: "Tomás moves invoice 4711 to the Kestrel ledger.",
    });
  });

  test("of a long message has its start and its end", () => {
    const [long] = MESSAGES;
    if (long === undefined) throw new Error("none");
    const [, user] = toMessagesPrompt([{ ...long, content: `a${"b".repeat(100_000)}c` }], SEGMENT_LIMITS);
    const { text } = JSON.parse(user?.content ?? "").messages[0];
    expect(text.length).toBeLessThan(15_000);
    expect([text.at(0), text.at(-1)]).toEqual(["a", "c"]);
  });

  test("of a higher level has only the sentences of the summaries below, which are all that can be cited", () => {
    const below = [
      {
        sentences: [
          {
            text: "Priya approves the rollback of shard 7.",
            cites: [{ message_id: "msg_10", sequence: 10, start: 0, end: 39 }],
          },
        ],
      },
    ];
    const [, user] = toSummariesPrompt(below, GROUP_LIMITS);
    expect(JSON.parse(user?.content ?? "")).toEqual({
      sentences: [{ text: "Priya approves the rollback of shard 7.", cites: [10] }],
    });
    const kept = (text: string, at: number) =>
      checkDraft(stem, [{ text, cites: [at] }], citableSentences(below), GROUP_LIMITS).length;
    expect(kept("Priya approves the rollback of shard 7.", 10)).toBe(1);
    expect(kept("Tomás moves invoice 4711.", 11)).toBe(0);
    expect(kept("Priya approves the rollback of shard 8.", 10)).toBe(0);
  });
});
