import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readQuery, readWords } from "../../src/text/query.ts";
import { createStemmer } from "../../src/text/stems.ts";

const stem = createStemmer();

describe("the terms of a query", () => {
  test.for([
    ["What is the refund?", ["refund"]],
    ["When did Maria's order (no. 1029) arrive?!", ["maria", "order", "no", "1029", "arriv"]],
    ["What's why?", ["what", "whi"]],
    ["the who", ["the", "who"]],
    ["Does John Doe deploy? deploys!", ["john", "doe", "deploy"]],
    ["AND OR NEAR(foo*) - bar", ["near", "foo", "bar"]],
    ["rm -rf dist", ["rm", "rf", "dist"]],
    ["What was it with tar -xzf app.tgz?", ["tar", "xzf", "app", "tgz", "apptgz"]],
    ["refund -paypal", ["refund", "paypal"]],
    ["where is fetchUserById", ["fetchuserbyid", "fetch", "user", "id"]],
    ["…?!", []],
  ] as [string, string[]][])("%j are the words worth searching for, each once", ([query, expected]) => {
    expect(readQuery(stem, query).terms).toEqual(expected);
    expect(readWords(stem, query).terms).toEqual(expected);
  });
});

describe("readQuery", () => {
  test.for([
    ["a phrase with stop words", 'who said "to be or not"', [["to", "be", "or", "not"]]],
    [
      "phrases in curly quotes",
      "“red panda” “blue whale”",
      [
        ["red", "panda"],
        ["blue", "whale"],
      ],
    ],
    ["a phrase after a flag", 'git commit -m "fix it"', [["fix", "it"]]],
  ] as [string, string, string[][]][])("reads %s", ([, query, phrases]) => {
    expect(readQuery(stem, query)).toMatchObject({ phrases });
  });

  test.for([
    ["hyphens within words", "well-known e-mail"],
    ["hyphens between spaces", "a - b"],
    ["negative numbers", "it was -5 outside"],
    ["flags", "git commit -m --amend -rf"],
    ["a hyphen before a quoted phrase", 'panda -"red panda"'],
    ["inches", 'a 5" pipe and a 6" pipe'],
    ["unclosed quotes", 'say "hello'],
    ["empty quotes", '"" "…"'],
    ["several lines", 'rm -rf build\nprint("hello world")'],
  ])("takes %s literally", ([, query = ""]) => {
    const { isPhraseTooLong: _, ...read } = readQuery(stem, query);
    expect(readWords(stem, query)).toMatchObject(read);
  });

  test("gives a model the whole text, without the quotes of phrases", () => {
    expect(readQuery(stem, 'the "red panda" -zoo in Asia').text).toBe("the red panda -zoo in Asia");
  });

  test("searches the words of phrases, including stop words", () => {
    expect(readQuery(stem, 'hamlet "to be" -yorick').terms).toEqual(["to", "be", "hamlet", "yorick"]);
  });

  test("accepts a phrase of 32 words, and reports a longer one, whose words count separately", () => {
    const words = Array.from({ length: 33 }, (_, i) => `word${i}`);
    const whole = readQuery(stem, `"${words.slice(1).join(" ")}" zebra`);
    expect(whole).toMatchObject({ phrases: [words.slice(1)], isPhraseTooLong: false });
    const { isPhraseTooLong, ...read } = readQuery(stem, `"${words.join(" ")}" zebra`);
    expect(isPhraseTooLong).toBe(true);
    expect(read).toMatchObject({ phrases: [], terms: [...words, "zebra"] });
    expect(readWords(stem, `"${words.join(" ")}"`).isPhraseTooLong).toBe(false);
  });

  test("accepts any text, and reads at most 48 words and 16 phrases", () => {
    const sign = fc.constantFrom('"', "-", " ", "“", "”", "a", "bee", "(", "\u0000", "~", "*", "東京");
    fc.assert(
      fc.property(fc.array(fc.oneof(sign, fc.string({ unit: "binary" })), { maxLength: 300 }), (parts) => {
        const { terms, phrases } = readQuery(stem, parts.join(""));
        expect(terms.length).toBeLessThanOrEqual(48);
        expect(phrases.length).toBeLessThanOrEqual(16);
        for (const phrase of phrases) {
          expect(phrase.length).toBeLessThanOrEqual(32);
          for (const word of phrase) expect(word).toMatch(/^[\p{L}\p{N}\p{M}\ufffd]+$/u);
        }
      }),
    );
  });
});
