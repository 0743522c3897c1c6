import { expect, test } from "vitest";
import { isFrequentWord, shareOfMessages } from "../../src/text/word-frequencies.ts";

test("shareOfMessages is large for frequent English words and small for others", () => {
  const words = ["you", "work", "kitchen", "sommeli"];
  const shares = words.map(shareOfMessages);
  expect(shares).toEqual(shares.toSorted((a, b) => b - a));
  expect(shares[0]).toBeGreaterThan(0.5);
  expect(shares[1]).toBeGreaterThan(0.01);
  expect(shares[3]).toBeLessThan(0.0002);
});

test("isFrequentWord is false for unknown words", () => {
  expect(["you", "kitchen", "blorf", "zxqj", ""].map(isFrequentWord)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

test("isFrequentWord is false for vulgar words, which the product does not contain", () => {
  expect(["bastard", "bitch", "shit"].map(isFrequentWord)).toEqual([false, false, false]);
});
