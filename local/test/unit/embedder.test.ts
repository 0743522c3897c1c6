import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createEmbedder, TEXT_WORDS_MAX } from "../../src/embedder/embedder.ts";
import { createPieceSplitter } from "../../src/embedder/pieces.ts";
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
        expect(vector).toHaveLength(256);
        expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
      }),
    );
  });

  test("gives the same vectors in every process", () => {
    const vectors = ["The cat sat on the mat.", "Zxqvw meets 机器学习", "!!!"].map((text) =>
      embedder.embed(text),
    );
    const rounded = vectors.map((vector) => [...vector.slice(0, 4)].map((value) => Number(value.toFixed(5))));
    expect(rounded).toMatchInlineSnapshot(`
      [
        [
          -0.02567,
          -0.16021,
          0.0058,
          0.03899,
        ],
        [
          -0.04249,
          -0.16013,
          -0.02522,
          0.02031,
        ],
        [
          0.0625,
          0.0625,
          0.0625,
          0.0625,
        ],
      ]
    `);
  });

  test("gives similar vectors to texts of similar meaning, and different ones to others", () => {
    expect(cosine("The dog chased a cat", "a puppy ran after kittens")).toBeGreaterThan(0.5);
    expect(cosine("The dog chased a cat", "quarterly revenue grew")).toBeLessThan(0.3);
  });

  test.for([
    ["full-width letters", "ｂｅｒｌｉｎ", "berlin"],
    ["a possessive", "the dog's bowl", "the dog bowl"],
    ["a typographic apostrophe", "the dog’s bowl", "the dog's bowl"],
    ["accents", "crème brûlée", "creme brulee"],
  ] as const)("treats %s as the same word", ([, left, right]) => {
    expect(cosine(left, right)).toBeCloseTo(1, 5);
  });

  test("gives similar vectors to a word in upper and lower case", () => {
    expect(cosine("The Dog", "the dog")).toBeGreaterThan(0.9);
    expect(cosine("Berlin", "berlin")).toBeGreaterThan(0.8);
    expect(cosine("BERLIN", "berlin")).toBeGreaterThan(0.5);
  });

  test.for([
    ["a name", "Zyxandra", "Did you meet Zyxandra?", "Did you meet Qoprilla?"],
    ["a ticket number", "4812", "what about ticket 4812", "what about ticket 9377"],
    ["a Chinese word", "学习", "我喜欢学习", "我喜欢音乐"],
    ["a Thai word", "ภาษา", "ฉันชอบภาษา", "ฉันชอบแมว"],
  ] as const)("finds a text by %s that has no word vector", ([, word, same, other]) => {
    expect(cosine(word, same)).toBeGreaterThan(cosine(word, other) + 0.15);
  });

  test("truncates a text after 510 words, between words", () => {
    const full = "dog ".repeat(TEXT_WORDS_MAX);
    expect(embedder.embed(`${full} quarterly revenue`)).toEqual(embedder.embed(full));
    expect(embedder.embed(`dog quarterly revenue`)).not.toEqual(embedder.embed("dog"));
  });

  test("counts words, but not punctuation, single letters or the endings of contractions", () => {
    expect([...splitWords("It's a dog, dog! And a cat", 4)]).toEqual(["It", "dog", "dog", "And"]);
  });

  test("splits a word into the longest known pieces, and reports letters that are in no piece", () => {
    const vocabulary = openVocabulary(file);
    const split = createPieceSplitter(vocabulary);
    expect(split("dog")).toMatchObject({ rows: [expect.any(Number)], whole: true });
    expect(split("unbelievableness").rows.length).toBeGreaterThan(1);
    expect(split("学习").whole).toBe(false);
  });
});

describe("the file of word vectors", () => {
  test("names its model and dimensions", () => {
    expect(readEmbeddingModel(file)).toEqual({ model: "engram/use-pieces-256d-int8", dimensions: 256 });
  });

  test("lists its pieces by falling frequency", () => {
    const vocabulary = openVocabulary(file);
    const ranks = ["▁the", "▁and", "▁people", "▁yo"].map((piece) => vocabulary.find(piece) ?? -1);
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
    expect(ranks[0]).toBeGreaterThan(0);
  });

  test("is rejected if it is another file or another version", () => {
    const other = file.slice(0);
    new DataView(other).setUint32(4, 2, true);
    expect(() => openVocabulary(other)).toThrow("version 2");
    expect(() => openVocabulary(new ArrayBuffer(64))).toThrow("not a file of word vectors");
    expect(() => openVocabulary(new ArrayBuffer(0))).toThrow("not a file of word vectors");
  });
});
