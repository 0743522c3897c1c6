import { describe, expect, test } from "vitest";
import { cutText, shortened } from "../src/importers/text-cuts.ts";
import { titleFrom } from "../src/importers/values.ts";
import { excerpt } from "../src/results.ts";

describe("shortened texts", () => {
  test("are never cut inside a surrogate pair", () => {
    const text = "a😀😀";
    expect([1, 2, 3, 4, 5].map((units) => cutText(text, units))).toEqual(["a", "a", "a😀", "a😀", text]);
    expect([2, 3, 4, 5].map((units) => shortened(text, units))).toEqual(["a…", "a…", "a😀…", text]);
    for (const length of [78, 79, 80, 81]) {
      expect(titleFrom(`${"x".repeat(length)}😀😀`).isWellFormed()).toBe(true);
    }
  });

  test("begin and end with whole characters in search results", () => {
    for (const offset of [0, 1]) {
      const content = "x".repeat(offset) + "😀".repeat(600);
      const shown = excerpt(content, [{ start: 601, end: 601 }], (word) => word);
      expect(shown.isWellFormed()).toBe(true);
    }
  });
});
