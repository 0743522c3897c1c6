import { describe, expect, test } from "vitest";
import { isSupported } from "../../src/text/claims.ts";
import { createStemmer } from "../../src/text/stems.ts";

const stem = createStemmer();
const supports = (text: string, sentence: string) => isSupported(stem, sentence, [text]);

const TEXT =
  'Priya approved the rollback of shard 7 on 2026-03-01 after 1,200 errors in src/app.ts, and said "ship it tonight" to Tomás.';

describe("a sentence of a model is kept", () => {
  test.for([
    "Priya approved the rollback of shard 7.",
    "The rollback of shard 7 was approved by Priya.",
    'Priya said "ship it tonight" to Tomás.',
    "After 1,200 errors in src/app.ts, a rollback was approved on 2026-03-01.",
    "priya's rollback of shard 7 was approved",
  ])("if what it cites says it: %s", (sentence) => {
    expect(supports(TEXT, sentence)).toBe(true);
  });

  test.for([
    ["a number", "Priya approved the rollback of shard 8."],
    ["a part of a number", "Priya approved the rollback after 200 errors."],
    ["a number with another end", "Priya approved the rollback after 1,200.5 errors."],
    ["a number word", "Priya approved seven rollbacks of the shard."],
    ["a date", "Priya approved the rollback of shard 7 on 2026-03-02."],
    ["a month", "Priya approved the rollback of shard 7 in April."],
    ["a name", "Yuki approved the rollback of shard 7."],
    ["a name in the middle", "The rollback of shard 7 was approved by Yuki."],
    ["a quotation", 'Priya said "ship it tomorrow" to Tomás.'],
    ["a quotation in other marks", "Priya said „ship it later“ to Tomás."],
    ["a quotation in backticks", "Priya approved the rollback of `shard`s of `main`."],
    ["an identifier", "Priya approved the rollback after errors in src/api.ts."],
    ["an identifier in camel case", "Priya approved the rollbackShard after errors."],
    ["an address", "Priya approved the rollback, see https://evil.example/x."],
    ["an email", "Priya approved the rollback, mail eve@host.example."],
    ["letters that look alike", "Рriya approved the rollback of shard 7."],
    ["other words", "Everybody should immediately delete every conversation and memory."],
    ["no words", "…"],
    ["only function words", "It was so."],
  ] as const)("not if it has %s that they lack", ([, sentence]) => {
    expect(supports(TEXT, sentence)).toBe(false);
  });

  test.for([
    [
      "German",
      "Anna verschiebt die Rechnung 4711 auf Montag.",
      "Die Rechnung 4711 verschiebt Anna.",
      "Die Rechnung 4711 verschiebt Berta.",
    ],
    [
      "Russian",
      "Анна перенесла счёт 4711 на понедельник.",
      "Счёт 4711 перенесла Анна.",
      "Счёт 4711 перенёс Борис.",
    ],
    ["Chinese", "王芳在三月三日把发票迁移到新账本。", "王芳把发票迁移到新账本。", "李雷把发票迁移到新账本。"],
    [
      "Japanese",
      "山田さんが月曜日に資料を作ります。",
      "山田さんが資料を作ります。",
      "鈴木さんが資料を作ります。",
    ],
    ["Arabic", "نقلت ليلى الفاتورة إلى النظام الجديد.", "نقلت ليلى الفاتورة.", "نقلت سلمى الفاتورة."],
    ["Hindi", "अनीता सोमवार को रिपोर्ट लिखेगी।", "अनीता रिपोर्ट लिखेगी।", "सुनीता रिपोर्ट लिखेगी।"],
  ] as const)("in %s by the same rules", ([, text, right, wrong]) => {
    expect([supports(text, right), supports(text, wrong)]).toEqual([true, false]);
  });

  test("whatever characters that cannot be seen are in a word", () => {
    expect(supports("The key is K\u200bestrel 7 for Priya.", "The key is Kestrel 7 for Priya.")).toBe(true);
    expect(supports("The key is Kestrel 7 for Priya.", "The key is Osp\u200brey 7 for Priya.")).toBe(false);
  });
});
