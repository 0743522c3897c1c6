import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readQuery, readWords } from "../../src/text/query.ts";
import { createStemmer } from "../../src/text/stems.ts";

const stem = createStemmer();

describe("the words of a query", () => {
  test.for([
    ["What is the refund?", ["refund"]],
    ["When did Maria's order (no. 1029) arrive?!", ["maria", "order", "no", "1029", "arriv"]],
    ["What's why?", ["what", "whi"]],
    ["the who", ["the", "who"]],
    ["Does John Doe deploy? deploys!", ["john", "doe", "deploy"]],
    ["AND OR NEAR(foo*) - bar", ["near", "foo", "bar"]],
    ["where is fetchUserById", ["fetchuserbyid", "fetch", "user", "id"]],
    ["…?!", []],
  ] as [string, string[]][])("of %j are what is worth looking for, each once", ([query, expected]) => {
    expect(readQuery(stem, query).terms).toEqual(expected);
    expect(readWords(stem, query).terms).toEqual(expected);
  });
});

describe("readQuery", () => {
  test.for([
    ["a phrase, small words and all", 'who said "to be or not"', [["to", "be", "or", "not"]], []],
    [
      "phrases in curly quotes",
      "“red panda” “blue whale”",
      [
        ["red", "panda"],
        ["blue", "whale"],
      ],
      [],
    ],
    ["an exclusion", "refund -paypal", [], [["paypal"]]],
    ["an exclusion before", "-paypal refund", [], [["paypal"]]],
    ["an excluded phrase", 'panda -"red panda"', [], [["red", "panda"]]],
    ["an excluded identifier", "timeout -ERR_CONN", [], [["err", "conn"]]],
    ["both", '"red panda" -zoo', [["red", "panda"]], [["zoo"]]],
  ] as [string, string, string[][], string[][]][])("reads %s", ([, query, phrases, excluded]) => {
    expect(readQuery(stem, query)).toMatchObject({ phrases, excluded });
  });

  test.for([
    ["hyphens within words", "well-known e-mail"],
    ["hyphens between blanks", "a - b"],
    ["numbers below zero", "it was -5 outside"],
    ["flags of one letter, and long ones", "git commit -m --amend"],
    ["inches", 'a 5" pipe and a 6" pipe'],
    ["quotes that do not end", 'say "hello'],
    ["quotes around nothing", '"" "…"'],
    ["several lines", 'rm -rf build\nprint("hello world")'],
    ["nothing but exclusions", "-paypal"],
    ["a whole text left out", `-"${Array.from({ length: 300 }, (_, i) => `word${i}`).join(" ")}"`],
  ])("takes %s literally", ([, query = ""]) => {
    const { isPhraseTooLong: _, ...read } = readQuery(stem, query);
    expect(readWords(stem, query)).toMatchObject(read);
  });

  test("shows a model what is wanted, without what is not", () => {
    expect(readQuery(stem, 'the "red panda" -zoo in Asia').text).toBe("the red panda   in Asia");
  });

  test("looks for the words of phrases, and for none that is left out", () => {
    expect(readQuery(stem, 'hamlet "to be" -yorick').terms).toEqual(["to", "be", "hamlet"]);
  });

  test("takes a phrase of 32 words, and a longer one as plain words, which it says", () => {
    const words = Array.from({ length: 33 }, (_, i) => `word${i}`);
    const whole = readQuery(stem, `"${words.slice(1).join(" ")}" zebra`);
    expect(whole).toMatchObject({ phrases: [words.slice(1)], isPhraseTooLong: false });
    for (const sign of ["", "-"]) {
      const { isPhraseTooLong, ...read } = readQuery(stem, `${sign}"${words.join(" ")}" zebra -panda`);
      expect(isPhraseTooLong).toBe(true);
      expect(read).toMatchObject({ phrases: [], excluded: [["panda"]] });
      expect(read.terms).toEqual([...words, "zebra"]);
    }
    expect(readWords(stem, `"${words.join(" ")}"`).isPhraseTooLong).toBe(false);
  });

  test("reads anything, at most 48 words and 16 operators of it", () => {
    const sign = fc.constantFrom('"', "-", " ", "“", "”", "a", "bee", "(", "\u0000", "~", "*", "東京");
    fc.assert(
      fc.property(fc.array(fc.oneof(sign, fc.string({ unit: "binary" })), { maxLength: 300 }), (parts) => {
        const { terms, phrases, excluded } = readQuery(stem, parts.join(""));
        expect(terms.length).toBeLessThanOrEqual(48);
        expect(phrases.length + excluded.length).toBeLessThanOrEqual(16);
        for (const phrase of [...phrases, ...excluded]) {
          expect(phrase.length).toBeLessThanOrEqual(32);
          for (const word of phrase) expect(word).toMatch(/^[\p{L}\p{N}\p{M}\ufffd]+$/u);
        }
      }),
    );
  });
});
