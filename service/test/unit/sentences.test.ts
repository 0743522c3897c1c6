import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runAtOnce } from "../../src/text/pace.ts";
import { findSentences } from "../../src/text/sentences.ts";

const sentences = (text: string) =>
  runAtOnce(findSentences(text)).map(({ start, end }) => text.slice(start, end));

describe("the sentences of a text", () => {
  test.for([
    ["English", "It rained. We left at 5.30 p.m. because of it! Why?", 3],
    ["abbreviations", "Dr. Ito met J. Doe at St. Mary. See No. 5.", 2],
    ["German", "Das gilt z. B. für Verträge. Herr Dr. Maier kommt.", 2],
    ["Chinese", "发票三月三日迁移。谁负责？王芳负责。", 3],
    ["Japanese", "会議は月曜日です。資料は山田さんが作ります。", 2],
    ["Hindi", "बैठक सोमवार को है। रिपोर्ट अनीता लिखेगी।", 2],
    ["Arabic", "الاجتماع يوم الاثنين. من يكتب التقرير؟ تكتبه ليلى.", 3],
    ["Thai without signs", "ประชุมวันจันทร์", 1],
  ] as const)("are found in %s", ([, text, count]) => {
    expect(sentences(text)).toHaveLength(count);
    expect(sentences(text).join(" ").replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
  });

  test("have no Markdown before them, and none is in a code block", () => {
    const text = "# Plan\n\n- Buy oats.\n2. Call Ana.\n> [x] Done here.\n```sh\nrm -rf. Now.\n```\nAfter it.";
    expect(sentences(text)).toEqual(["Plan", "Buy oats.", "Call Ana.", "Done here.", "After it."]);
  });

  test("go on in the next line if it was broken within them", () => {
    const text =
      "The service keeps all messages of a conversation in the order\nof their numbers. A short line\nNext";
    expect(sentences(text)).toEqual([
      "The service keeps all messages of a conversation in the order\nof their numbers.",
      "A short line",
      "Next",
    ]);
  });

  test("are parts of the text in order, without blanks around them, whatever the text is", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            "a",
            "B",
            ". ",
            "!",
            "\n",
            "\r\n",
            " ",
            "```\n",
            "- ",
            "。",
            "👍",
            "\ud800",
            "Dr. ",
            "\t",
          ),
        ),
        (parts) => {
          const text = parts.join("");
          let before = 0;
          for (const { start, end } of runAtOnce(findSentences(text))) {
            expect(start).toBeGreaterThanOrEqual(before);
            expect(end).toBeGreaterThan(start);
            const sentence = text.slice(start, end);
            expect(sentence).toBe(sentence.trim());
            before = end;
          }
        },
      ),
    );
  });
});
