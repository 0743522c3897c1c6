import { describe, expect, test } from "vitest";
import { FEATURES, featuresOf } from "../../src/text/features.ts";

const has = (feature: keyof typeof FEATURES, content: string, words = 8) =>
  (featuresOf(content, words) & FEATURES[feature]) !== 0;

describe("featuresOf", () => {
  test.for([
    "What did you do?",
    "Really?! 😄 And then? 🙂",
    'He asked "why?"',
    "お元気ですか？",
    "كيف حالك؟",
    "What is on it? [shares photo: a cake]",
  ])("recognizes %s as a question", (content) => {
    expect(has("question", content)).toBe(true);
  });

  test.for(["What? I do not know.", "https://example.com/?q=1", "f(x) ? y : z;", ""])(
    "does not recognize %s as a question",
    (content) => {
      expect(has("question", content)).toBe(false);
    },
  );

  test("does not recognize a long text as a question because it ends with one", () => {
    expect(has("question", "Here is all of it. Would you like more?", 41)).toBe(false);
  });

  test.for([
    "We met yesterday.",
    "on 2026-05-03",
    "at 14:30",
    "at 5 pm",
    "the 3rd of them",
    "It was in May.",
    "two years ago",
    "last spring",
  ])("finds a time in: %s", (content) => {
    expect(has("time", content)).toBe(true);
  });

  test.for(["You may go.", "March on!", "It fell down.", "version 4.12.1"])(
    "finds no time in: %s",
    (content) => {
      expect(has("time", content)).toBe(false);
    },
  );

  test("finds numbers in digits and words", () => {
    expect(has("number", "They have three dogs.")).toBe(true);
    expect(has("number", "Order 66")).toBe(true);
    expect(has("number", "They have dogs; nothing else.")).toBe(false);
  });

  test("processes a million characters in a short time", () => {
    for (const text of ["?".repeat(1e6), "[".repeat(1e6), "? [".repeat(3e5), "last ".repeat(2e5)])
      featuresOf(text, 1);
  });
});
