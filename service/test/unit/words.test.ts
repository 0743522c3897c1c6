import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toIndexedWords } from "../../src/text/index-words.ts";
import { createWordFinder, queryWords, splitWords } from "../../src/text/words.ts";

const words = (text: string) => splitWords([text])[0];

describe("splitWords", () => {
  test.for([
    ["case", "DEPLOY Deploy deploy", ["deploy", "deploy", "deploy"]],
    ["English endings", "deploys deployed deploying", ["deploy", "deploy", "deploy"]],
    [
      "accents of Latin, Greek and Cyrillic",
      "Café naïve Straße Łódź Ελλάδα ёлка",
      ["cafe", "naiv", "strass", "lodz", "ελλαδα", "елка"],
    ],
    ["accents in either form", "re\u0301sume\u0301 résumé", ["resum", "resum"]],
    ["full-width letters", "ＡＢＣ１２３", ["abc123"]],
    ["possessives", "Maria's dogs’ James's o'clock", ["maria", "dog", "jame", "oclock"]],
  ] as [string, string, string[]][])("folds %s", ([, text, expected]) => {
    expect(words(text)).toEqual(expected);
  });

  test.for([
    ["Japanese", "東京タワーに行きました。", ["東京タワー", "行き"]],
    ["Chinese", "我喜欢北京烤鸭", ["喜欢", "北京"]],
    ["Thai", "ฉันชอบกินข้าว", ["ชอบ", "กิน"]],
  ] as [string, string, string[]][])("cuts %s into words, which has no spaces", ([, text, expected]) => {
    const found = words(text) ?? [];
    expect(found).toEqual(expect.arrayContaining(expected));
    expect(found.length).toBeGreaterThan(2);
  });

  test.for([
    ["Korean", "서울에서 만나요", ["서울에서", "만나요"]],
    ["Hindi with its vowel signs", "हिन्दी में बात", ["हिन्दी", "में", "बात"]],
    ["Arabic", "مرحبا بالعالم", ["مرحبا", "بالعالم"]],
    ["numbers and identifiers", "order 1029, INV-77 v2.1", ["order", "1029", "inv", "77", "v2", "1"]],
  ] as [string, string, string[]][])("keeps %s as written between spaces", ([, text, expected]) => {
    expect(words(text)).toEqual(expected);
  });

  test("finds a text's words again in any part of it, whatever stands around", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("Maria", "café", "東京", "नमस्ते", "2026", "deployed")), (list) => {
        const spaced = words(list.join(" ")) ?? [];
        expect(words(`«${list.join("», ")}!`)).toEqual(spaced);
        expect(spaced).toEqual(list.flatMap((word) => words(word) ?? []));
      }),
    );
  });

  test("yields only well-formed words of at most 64 characters, without blanks or signs", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        for (const word of words(text) ?? []) {
          expect(word).toMatch(/^[\p{L}\p{N}\p{M}\ufffd]+$/u);
          expect(word.length).toBeLessThanOrEqual(64);
          expect(word.isWellFormed()).toBe(true);
        }
      }),
      { numRuns: 30 },
    );
    expect(words("x".repeat(100))).toEqual(["x".repeat(64)]);
  });

  test("takes a long run of marks in a time that does not grow by its square", () => {
    const before = performance.now();
    expect(words(`e${"\u0301\u0323".repeat(200_000)}`)).toEqual(["e"]);
    words("a ".repeat(500_000));
    expect(performance.now() - before).toBeLessThan(5_000);
  });
});

describe("queryWords", () => {
  test.for([
    ["What is the refund?", ["refund"]],
    ["When did Maria's order (no. 1029) arrive?!", ["maria", "order", "no", "1029", "arriv"]],
    ["What's why?", ["what", "whi"]],
    ["the who", ["the", "who"]],
    ["Does John Doe deploy? deploys!", ["john", "doe", "deploy"]],
    ['"AND" OR NEAR(foo*) -bar', ["near", "foo", "bar"]],
    ["…?!", []],
  ] as [string, string[]][])("of %j are what is worth looking for, each once", ([query, expected]) => {
    expect(queryWords(query)).toEqual(expected);
  });
});

describe("toIndexedWords", () => {
  test("marks every word with its organization and counts them", () => {
    expect(toIndexedWords(17, ["Deploy it", ""])).toEqual([
      { words: "17~deploy 17~it", token_count: 2 },
      { words: "", token_count: 0 },
    ]);
  });

  test("keeps the row of a million bytes within what D1 takes, every distinct word in it", () => {
    const many = Array.from({ length: 300_000 }, (_, i) => `${String.fromCharCode(97 + (i % 26))}${i % 10}`);
    const [row] = toIndexedWords(1_234_567, [many.join(" ")]);
    const kept = (row?.words ?? "").split(" ");
    expect(new TextEncoder().encode(row?.words).byteLength).toBeLessThan(1_950_000);
    expect(new Set(kept)).toEqual(new Set(many.map((word) => `1234567~${word}`)));
    expect(row?.token_count).toBe(kept.length);
    const [random] = toIndexedWords(1_234_567, [
      Array.from({ length: 200_000 }, (_, i) => 9e4 + i).join(" "),
    ]);
    expect(random?.words.length).toBeLessThan(1_950_000);
  });
});

describe("createWordFinder", () => {
  const find = (query: string, text: string) =>
    createWordFinder(new Set(queryWords(query)), 100)(text).map(({ start, end }) => text.slice(start, end));

  test.for([
    ["other forms", "deploying", "We deploy; the last Deployment broke.", ["deploy", "Deployment"]],
    ["accents", "cafe", "🎉 Le Café, café", ["Café", "café"]],
    ["a possessive", "maria", "Maria’s sister, not the Marians", ["Maria’s"]],
    ["words without blanks between", "猫", "東京で猫が好きです", ["猫"]],
    ["a code", "ERR_CONN_RESET", "It says ERR_CONN_RESET.", ["ERR", "CONN", "RESET"]],
    ["nothing", "zebra", "no such word", []],
  ] as const)("marks %s as they are written", ([, query, text, expected]) => {
    expect(find(query, text)).toEqual(expected);
  });

  test("marks what the index holds of a text, in order and apart", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat(20), (text, place) => {
        const [words = []] = splitWords([text]);
        const wanted = words[place % Math.max(1, words.length)] ?? "none";
        let last = 0;
        for (const { start, end } of createWordFinder(new Set([wanted]), 100)(text)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          expect(splitWords([text.slice(start, end)])[0]).toContain(wanted);
          last = end;
        }
        expect(last).toBeLessThanOrEqual(text.length);
      }),
    );
  });

  test("stops at the count it is given", () => {
    expect(createWordFinder(new Set(["a"]), 2)("a a a a")).toHaveLength(2);
  });
});
