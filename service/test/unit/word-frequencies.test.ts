import { expect, test } from "vitest";
import { isFrequentWord, shareOfMessages } from "../../src/text/word-frequencies.ts";

test("frequent words of English stand in many messages, others in hardly any", () => {
  const words = ["you", "work", "kitchen", "sommeli"];
  const shares = words.map(shareOfMessages);
  expect(shares).toEqual(shares.toSorted((a, b) => b - a));
  expect(shares[0]).toBeGreaterThan(0.5);
  expect(shares[1]).toBeGreaterThan(0.01);
  expect(shares[3]).toBeLessThan(0.0002);
});

test("a word that is not one is not frequent", () => {
  expect(["you", "kitchen", "blorf", "zxqj", ""].map(isFrequentWord)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
