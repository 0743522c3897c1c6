import fc from "fast-check";
import { expect, test } from "vitest";
import { countTokens } from "../../src/text/tokens.ts";

test.for([
  ["", 0],
  ["a", 1],
  ["abc", 1],
  ["abcd", 2],
  ["the cat", 2],
  ["2026", 4],
  ["a-b", 3],
  [" ", 0],
  ["  ", 1],
  ["    ", 2],
  ["\n", 1],
  ["é", 2],
  ["漢字", 6],
  ["👍", 4],
  ["\0", 1],
] as [string, number][])("counts %j as %i", ([text, tokens]) => {
  expect(countTokens(text)).toBe(tokens);
});

test("countTokens returns at least a third of the letters plus the bytes of all other characters", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const letters = text.replace(/[^A-Za-z]/g, "").length;
      const others = text.replace(/[A-Za-z\s]/g, "");
      const bytes = new TextEncoder().encode(others).byteLength;
      expect(countTokens(text)).toBeGreaterThanOrEqual(Math.ceil(letters / 3) + bytes);
      expect(countTokens(text)).toBeLessThanOrEqual(new TextEncoder().encode(text).byteLength);
    }),
  );
});

test("countTokens of two joined texts is at most one more than their sum, unless a word is joined", () => {
  const text = fc.string({
    unit: fc.oneof(
      fc.constantFrom(" ", "\n", "a", "1", "\u3000"),
      fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
    ),
  });
  fc.assert(
    fc.property(text, text, (a, b) => {
      fc.pre((a + b).isWellFormed() && !(/[A-Za-z]$/.test(a) && /^[A-Za-z]/.test(b)));
      expect(countTokens(a + b)).toBeLessThanOrEqual(countTokens(a) + countTokens(b) + 1);
    }),
  );
});
