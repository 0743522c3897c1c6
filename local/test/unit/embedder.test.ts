import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createEmbedder, TEXT_TOKENS_MAX } from "../../src/embedder/embedder.ts";
import { openVocabulary, readEmbeddingModel } from "../../src/embedder/vocabulary.ts";
import { splitWords } from "../../src/embedder/words.ts";
import { readWordVectors } from "./word-vectors.ts";

const file = readWordVectors();
const embedder = createEmbedder(file);

function cosine(left: string, right: string): number {
  const vector = embedder.embed(right);
  return embedder.embed(left).reduce((sum, value, i) => sum + value * (vector[i] ?? 0), 0);
}

describe("the built-in embedder", () => {
  test("gives every text a vector of length 1 without NaN", () => {
    const text = fc.oneof(fc.string({ unit: "binary", minLength: 1 }), fc.string({ unit: "grapheme" }));
    fc.assert(
      fc.property(text, (value) => {
        const vector = embedder.embed(value);
        expect(vector).toHaveLength(100);
        expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
      }),
    );
  });

  test("gives the same numbers in every process", () => {
    const vectors = ["The cat sat on the mat.", "Zxqvw meets 机器学习", "!!!"].map((text) =>
      embedder.embed(text),
    );
    const rounded = vectors.map((vector) => [...vector.slice(0, 4)].map((value) => Number(value.toFixed(5))));
    expect(rounded).toMatchInlineSnapshot(`
      [
        [
          -0.08476,
          0.13375,
          0.06154,
          -0.12482,
        ],
        [
          -0.02982,
          -0.04321,
          0.23548,
          0.02386,
        ],
        [
          0.1,
          0.1,
          0.1,
          0.1,
        ],
      ]
    `);
  });

  test("puts texts that mean alike near each other, and others far", () => {
    expect(cosine("The dog chased a cat", "a puppy ran after kittens")).toBeGreaterThan(0.5);
    expect(cosine("The dog chased a cat", "quarterly revenue grew")).toBeLessThan(0.3);
  });

  test.for([
    ["capitals", "BERLIN", "berlin"],
    ["full-width letters", "ｂｅｒｌｉｎ", "berlin"],
    ["a possessive", "the dog's bowl", "the dog bowl"],
    ["a typographic apostrophe", "the dog’s bowl", "the dog's bowl"],
    ["accents", "crème brûlée", "creme brulee"],
    ["an ending of a word not known", "snickerdoodles", "snickerdoodle"],
  ] as const)("takes %s for the same word", ([, left, right]) => {
    expect(cosine(left, right)).toBeCloseTo(1, 5);
  });

  test.for([
    ["a name", "Zyxandra", "Did you meet Zyxandra?", "Did you meet Qoprilla?"],
    ["a ticket number", "4812", "what about ticket 4812", "what about ticket 9377"],
    ["a Chinese word", "学习", "我喜欢学习", "我喜欢音乐"],
    ["a Thai word", "ภาษา", "ฉันชอบภาษา", "ฉันชอบแมว"],
  ] as const)("lets %s without a vector meet itself", ([, word, same, other]) => {
    expect(cosine(word, same)).toBeGreaterThan(cosine(word, other) + 0.2);
  });

  test("cuts a text off at 512 tokens without a word", () => {
    const full = "dog ".repeat(TEXT_TOKENS_MAX);
    expect(embedder.embed(`${full} quarterly revenue`)).toEqual(embedder.embed(full));
    expect(embedder.embed(`dog quarterly revenue`)).not.toEqual(embedder.embed("dog"));
  });

  test("counts marks, and four letters of an unknown word, as a token each", () => {
    const words = (text: string) => [...splitWords(text, 4, (word) => word === "dog")];
    expect(words("dog, dog! dog")).toEqual(["dog", "dog"]);
    expect(words("abcdefghijklm dog")).toEqual(["abcdefghijklm"]);
    expect(words(`${"x".repeat(101)} dog dog dog dog`)).toHaveLength(4);
  });
});

describe("the file of word vectors", () => {
  test("names its model and dimensions", () => {
    expect(readEmbeddingModel(file)).toEqual({ model: "engram/glove-100d-int8", dimensions: 100 });
  });

  test("holds its words by falling frequency", () => {
    const vocabulary = openVocabulary(file);
    const ranks = ["the", "people", "yoga", "racicot"].map((word) => vocabulary.find(word) ?? -1);
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
    expect(ranks[0]).toBe(0);
  });

  test("is refused when it is another file or another version", () => {
    const other = file.slice(0);
    new DataView(other).setUint32(4, 2, true);
    expect(() => openVocabulary(other)).toThrow("version 2");
    expect(() => openVocabulary(new ArrayBuffer(64))).toThrow("not a file of word vectors");
    expect(() => openVocabulary(new ArrayBuffer(0))).toThrow("not a file of word vectors");
  });
});
