import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sample, scale } from "../../../proof/support/scale.ts";
import { packUnits, splitText, type Unit } from "../../src/indexing/split-text.ts";
import { runAtOnce } from "../../src/text/pace.ts";
import { countTokens } from "../../src/text/tokens.ts";

const LABEL = "[user]: ";
const LIMIT = 200;
const split = (content: string, tokensMax = LIMIT) =>
  runAtOnce(splitText(LABEL, { sequence: 7, content }, tokensMax));
const bodies = (content: string, tokensMax = LIMIT) =>
  split(content, tokensMax).map(({ text }) => text.slice(LABEL.length));

/** Whether pieces, each of which may repeat the end of the one before, cover the whole text. */
function cover(pieces: string[], content: string): boolean {
  let reached = new Set([0]);
  for (const piece of pieces) {
    const next = new Set<number>();
    for (const position of reached) {
      for (let from = position; from >= Math.max(0, position - 300); from--) {
        if (content.startsWith(piece, from)) next.add(from + piece.length);
      }
    }
    reached = next;
  }
  return reached.has(content.length);
}

const words = (count: number) => Array.from({ length: count }, (_, i) => `word${i}`).join(" ");
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        " ",
        "  ",
        "\n",
        "\n\n",
        ". ",
        "。",
        "\t",
        "\u3000",
        "👨‍👩‍👧",
        "e\u0301",
        "漢",
        "ไทย",
        "\0",
      ),
      fc.string({ unit: "binary", maxLength: 80 }),
      fc.string({ unit: "grapheme-ascii", maxLength: 400 }),
    ),
    { maxLength: 40 },
  )
  .map((pieces) => pieces.join(""));

describe("splitText", () => {
  test("leaves a message that fits whole, also an empty one", () => {
    expect(bodies("Short enough.")).toEqual(["Short enough."]);
    expect(bodies("")).toEqual([""]);
  });

  test("includes all text in pieces within the limit", () => {
    fc.assert(
      fc.property(text, (content) => {
        const units = split(content);
        expect(
          cover(
            units.map((unit) => unit.text.slice(LABEL.length)),
            content,
          ),
        ).toBe(true);
        for (const unit of units) {
          expect(unit.text.startsWith(LABEL)).toBe(true);
          expect(unit.sequence).toBe(7);
          expect(unit.tokens).toBe(countTokens(unit.text));
          expect(unit.tokens).toBeLessThanOrEqual(LIMIT);
        }
      }),
      { numRuns: scale(200, 40) },
    );
  });

  test("cuts between paragraphs before lines, lines before sentences, sentences before words", () => {
    const paragraph = (name: string) => `${name} one. ${words(30)}.\n${name} two. ${words(30)}.`;
    const [first, second] = bodies(`${paragraph("A")}\n\n${paragraph("B")}`, 400);
    expect(first).toBe(`${paragraph("A")}\n\n`);
    expect(second?.endsWith(paragraph("B"))).toBe(true);
    const sentences = bodies(`Says ${words(30)}. `.repeat(5));
    for (const piece of sentences) expect(piece.endsWith(". ")).toBe(true);
    for (const piece of bodies(words(300))) expect(piece).toMatch(/^word\d+ .*word\d+ ?$/);
  });

  test("starts a piece with the end of the previous one, up to 64 tokens", () => {
    const pieces = bodies(words(300));
    for (const [i, piece] of pieces.entries()) {
      const before = pieces[i - 1];
      if (before === undefined) continue;
      const overlap = [...piece].findLastIndex((_, end) => before.endsWith(piece.slice(0, end + 1))) + 1;
      expect(overlap).toBeGreaterThan(0);
      expect(countTokens(piece.slice(0, overlap))).toBeLessThanOrEqual(64);
    }
  });

  test.for([
    ["emoji of several code points", "👨‍👩‍👧"],
    ["letters with combining marks", "ö̲"],
    ["surrogate pairs", "𝄞"],
  ])("never cuts inside of %s", ([, character]) => {
    const content = (character ?? "").repeat(400);
    for (const piece of bodies(content)) expect(piece.replaceAll(character ?? "", "")).toBe("");
  });

  test("cuts one endless word, and one endless character, without loss", () => {
    const mark = (i: number) => String.fromCharCode(0x300 + ((i * 37) % 112));
    const marks = Array.from({ length: 1_000 }, (_, i) => mark(i)).join("");
    for (const content of [words(500).replaceAll(" ", ""), `a${marks}`]) {
      expect(bodies(content).length).toBeGreaterThan(5);
      expect(cover(bodies(content), content)).toBe(true);
    }
  });

  const LARGE_MESSAGES = [
    ["prose", `${words(100_000)}. `.repeat(2)],
    ["one word", "x".repeat(1_000_000)],
    ["blank lines", "\n".repeat(1_000_000)],
    ["quotes after full stops", `.${'"'.repeat(999_999)}`],
    ["Chinese", "漢字".repeat(160_000)],
    ["marks", `a${"\u0301".repeat(499_999)}`],
  ] as const;
  test.for(sample(LARGE_MESSAGES, 2))(
    "processes a message of a million bytes within seconds: %s",
    ([, content]) => {
      const units = split(content.slice(0, 1_000_000), 500);
      expect(units.every(({ tokens }) => tokens <= 500)).toBe(true);
    },
  );
});

describe("packUnits", () => {
  const unit = (sequence: number, tokens: number): Unit => ({
    sequence,
    tokens,
    text: `[${"a ".repeat(tokens - 2)}]`,
  });
  const packed = (...tokens: number[]) =>
    packUnits(
      tokens.map((count, i) => unit(i + 1, count)),
      LIMIT,
    ).map((part) => part.map(({ sequence }) => sequence));

  test("combines units that fit, and returns whose text a part contains", () => {
    expect(packed(50, 50, 50)).toEqual([[1, 2, 3]]);
    expect(packed(100, 99, 150)).toEqual([[1], [2], [3]]);
    expect(packUnits([], LIMIT)).toEqual([]);
  });

  test("starts a part with the last short message of the previous one, if both fit", () => {
    expect(packed(140, 40, 100)).toEqual([
      [1, 2],
      [2, 3],
    ]);
    expect(packed(120, 65, 100)).toEqual([[1, 2], [3]]);
    expect(packed(140, 40, 190)).toEqual([[1, 2], [3]]);
  });

  test("keeps all units in order, in parts within the limit", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 3, max: LIMIT }), { maxLength: 30 }), (tokens) => {
        const parts = packUnits(
          tokens.map((count, i) => unit(i + 1, count)),
          LIMIT,
        );
        const sequences = parts.flat().map(({ sequence }) => sequence);
        expect([...new Set(sequences)]).toEqual(tokens.map((_, i) => i + 1));
        expect(sequences).toEqual([...sequences].sort((a, b) => a - b));
        for (const part of parts) {
          expect(countTokens(part.map((item) => item.text).join("\n"))).toBeLessThanOrEqual(LIMIT);
        }
      }),
    );
  });
});
