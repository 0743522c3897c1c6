import { describe, expect, test } from "vitest";
import { codeOf, piecesOf } from "../src/hidden-characters.ts";

/** The text as a reader sees it, with the code of each hidden character in brackets. */
const seen = (text: string): string =>
  piecesOf(text)
    .map((piece) => ("text" in piece ? piece.text : `[${codeOf(piece.hidden)}]`))
    .join("");

describe("invisible characters in the console", () => {
  test.for([
    ["a bidi override", "invoice\u202efdp.exe", "invoice[U+202E]fdp.exe"],
    ["a zero-width space", "pay\u200bpal", "pay[U+200B]pal"],
    ["a joiner that joins no pictographs", "a\u200db", "a[U+200D]b"],
    ["a selector that follows no pictograph", "a\ufe0f", "a[U+FE0F]"],
    ["a filler character that looks like a space", "a\u3164b\u2800c", "a[U+3164]b[U+2800]c"],
    ["tags, which spell a hidden text", "a\u{e0041}\u{e0042}", "a[U+E0041][U+E0042]"],
    ["a terminal's escape sequence", "\u001b[31mred", "[U+001B][31mred"],
    ["a lone surrogate", "a\ud83d", "a[U+D83D]"],
    ["line separators of other kinds", "a\u2028b\u0085c\rd", "a[U+2028]b[U+0085]c[U+000D]d"],
  ] as const)("are shown by their code: %s", ([, text, expected]) => {
    expect(seen(text)).toBe(expected);
  });

  test.for(["two\nlines\tand a tab", "👩‍👩‍👧 ❤️ 👍🏽", "مرحبا", "नमस्ते", "é e\u0301", ""])(
    "do not include the characters of %j",
    (text) => {
      expect(seen(text)).toBe(text);
    },
  );
});
