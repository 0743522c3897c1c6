import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countModelTokens } from "../../src/text/model-tokens.ts";
import { runAtOnce } from "../../src/text/pace.ts";
import { createStemmer } from "../../src/text/stems.ts";
import {
  extractFromMessages,
  extractFromSummaries,
  GROUP_LIMITS,
  SEGMENT_LIMITS,
  type SummarizedMessage,
} from "../../src/text/summaries.ts";

const stem = createStemmer();

const toMessages = (texts: readonly string[], role = "user"): SummarizedMessage[] =>
  texts.map((content, i) => ({ id: `msg_${i + 1}`, sequence: i + 1, role, name: null, content }));

const extract = (texts: readonly string[], limits = SEGMENT_LIMITS) =>
  runAtOnce(extractFromMessages(stem, toMessages(texts), limits));

const one = { sentences: 1, tokens: 100 };

describe("a summary without a model", () => {
  test("has the sentences with the rarest words, in the order of the messages", () => {
    const texts = [
      "Hi there, how are you doing today?",
      "Good, thanks! The invoices of Acme move to the Kestrel ledger on March 3.",
      "Okay, that sounds good to me.",
      "Priya approves the rollback plan for shard 7.",
      "Great, thank you so much!",
    ];
    expect(extract(texts, { sentences: 2, tokens: 100 }).map(({ text }) => text)).toEqual([
      "The invoices of Acme move to the Kestrel ledger on March 3.",
      "Priya approves the rollback plan for shard 7.",
    ]);
  });

  test.for([
    ["German", "Das ist gut so.", "Die Rechnung 4711 geht an die Firma Brückner in Graz."],
    ["Chinese", "好的，谢谢你。那就这样吧。", "王芳在三月三日把发票迁移到新的账本系统。"],
    ["Russian", "Хорошо, так и будет.", "Счёт номер 4711 отправлен в компанию Брюкнер."],
    ["Arabic", "نعم هذا جيد جدا.", "تنتقل الفواتير إلى النظام الجديد في الثالث من مارس."],
  ] as const)("works in %s", ([, small, large]) => {
    expect(extract([small, large, small], one).map(({ text }) => text)).toEqual([large]);
  });

  test("prefers what people and agents say to the output of tools", () => {
    const tool = toMessages(["Backup finished: volume kestrel, snapshot 88121."], "tool");
    const said = toMessages(["Backup finished for volume osprey, snapshot 88120, says Priya."]);
    const [first] = runAtOnce(extractFromMessages(stem, [...tool, ...said], one));
    expect(first?.text).toContain("osprey");
  });

  test("leaves out text that is no sentence", () => {
    expect(extract(["", "👍👍", "----------------", "| --- | --- | --- |", "ok"])).toEqual([]);
  });

  test("cites each sentence exactly, within the limits, whatever the messages are", () => {
    const word = fc.constantFrom(
      "oats",
      "Kestrel",
      "4711",
      "ledger.",
      "Why?",
      "发票。",
      "\n",
      "- ",
      "the",
      "👍",
      "x".repeat(500),
    );
    fc.assert(
      fc.property(fc.array(fc.array(word, { maxLength: 30 }), { maxLength: 24 }), (list) => {
        const messages = toMessages(list.map((words) => words.join(" ")));
        const sentences = runAtOnce(extractFromMessages(stem, messages));
        expect(sentences.length).toBeLessThanOrEqual(SEGMENT_LIMITS.sentences);
        for (const { text, cites } of sentences) {
          const [cite, ...others] = cites;
          expect(others).toEqual([]);
          const message = messages.find(({ id }) => id === cite?.message_id);
          expect(message?.sequence).toBe(cite?.sequence);
          expect(message?.content.slice(cite?.start ?? 0, cite?.end ?? 0)).toBe(text);
        }
        const tokens = sentences.reduce((sum, { text }) => sum + countModelTokens(text), 0);
        expect(sentences.length === 1 || tokens <= SEGMENT_LIMITS.tokens).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  test("cuts a sentence that is too long at a word", () => {
    const [cut] = extract([`Kestrel ${"ledger ".repeat(200)}end.`]);
    expect(cut?.text.length).toBeLessThanOrEqual(400);
    expect(cut?.text.endsWith("ledger")).toBe(true);
  });

  test("of summaries has sentences of them, with what they cite", () => {
    const children = [
      { sentences: extract(["Priya approves the rollback plan for shard 7."]) },
      { sentences: extract(["Thanks for that.", "Acme moves to the Kestrel ledger on March 3."]) },
    ];
    const made = runAtOnce(extractFromSummaries(stem, children));
    expect(made.length).toBeLessThanOrEqual(GROUP_LIMITS.sentences);
    const all = children.flatMap(({ sentences }) => sentences);
    for (const sentence of made) expect(all).toContainEqual(sentence);
    expect(made.map(({ text }) => text).join(" ")).toMatch(/Priya.*Acme/);
  });
});
