import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sample, scale } from "../../../proof/support/scale.ts";
import * as notes from "../../src/indexing/note-chunks.ts";
import { EMBED_TOKENS_MAX } from "../../src/platform/embedder.ts";
import { runAtOnce } from "../../src/text/pace.ts";
import { countTokens } from "../../src/text/tokens.ts";

const words = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => `word${i + from}`).join(" ");
const lines = (count: number, line: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join("\n");
/** The chunks of a note without their overlaps. */
const chunkNote = (content: string) => runAtOnce(notes.chunkNote(content));
const chunks = (content: string) => chunkNote(content).map(({ start, end }) => content.slice(start, end));
const holds = (content: string, part: string) => chunks(content).some((chunk) => chunk.includes(part));

const fence = (count: number) =>
  `\`\`\`ts\n${lines(count, (i) => `call(${i}); // Why? For many reasons.\n`)}\n\`\`\``;
const list = (count: number) => lines(count, (i) => `- Item ${i % 10} of many`);
const table = (count: number) => `| a | b |\n|---|---|\n${lines(count, (i) => `| ${i % 10} | cell |`)}`;
const prose = (count: number) =>
  `${lines(count, (i) => `A sentence has ${words(3, i)}.`).replaceAll("\n", " ")}`;

const markdown = fc
  .array(
    fc.oneof(
      fc.integer({ min: 1, max: 60 }).map(fence),
      fc.integer({ min: 1, max: 80 }).map(list),
      fc.integer({ min: 1, max: 60 }).map(table),
      fc.integer({ min: 1, max: 60 }).map(prose),
      fc.constantFrom(
        "# Title",
        "## Part",
        "---",
        "> quoted\n> text",
        "- a\n  - b\n    1. c",
        "Title\n=====",
      ),
    ),
    { maxLength: 8 },
  )
  .map((blocks) => blocks.join("\n\n"));
const anything = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "\n",
        "\r\n",
        "\r",
        "\n\n",
        "# ",
        "- ",
        "  ",
        "1. ",
        "> ",
        "```\n",
        "~~~",
        "|",
        "|-|\n",
        "---\n",
      ),
      fc.constantFrom(
        ". ",
        "。",
        "\t",
        "\f",
        "\0",
        "\u2028",
        "👨‍👩‍👧",
        "e\u0301",
        " \u0301",
        "漢",
        "\ud83d",
        "\ude00",
      ),
      fc.string({ unit: "binary", maxLength: 80 }),
      fc.string({ unit: "grapheme-ascii", maxLength: 400 }),
      markdown,
    ),
    { maxLength: 60 },
  )
  .map((pieces) => pieces.join(""));

describe("chunkNote", () => {
  test("returns the note in parts within the embedder's limit, with at most 64 repeated tokens", () => {
    fc.assert(
      fc.property(anything, (content) => {
        let reached = 0;
        for (const { start, end, overlapStart } of chunkNote(content)) {
          expect(start).toBe(reached);
          expect(end).toBeGreaterThan(start);
          expect(overlapStart).toBeLessThanOrEqual(start);
          expect(countTokens(content.slice(overlapStart, start))).toBeLessThanOrEqual(64);
          expect(countTokens(content.slice(overlapStart, end))).toBeLessThanOrEqual(EMBED_TOKENS_MAX);
          reached = end;
        }
        expect(reached).toBe(content.length);
      }),
      { numRuns: scale(300, 60) },
    );
  });

  test("returns the same chunks for the same note", () => {
    fc.assert(
      fc.property(anything, (content) => {
        expect(chunkNote(content)).toEqual(chunkNote(content));
      }),
      {
        numRuns: scale(50, 10),
      },
    );
  });

  test("returns one chunk for a note that fits, and none for an empty one", () => {
    const fits = anything.filter((content) => content !== "" && countTokens(content) <= EMBED_TOKENS_MAX);
    fc.assert(
      fc.property(fits, (content) => {
        expect(chunkNote(content)).toEqual([{ start: 0, end: content.length, overlapStart: 0 }]);
      }),
    );
    expect(chunkNote("")).toEqual([]);
  });

  test("starts every chunk except the first with the end of the previous one, in whole sentences if possible", () => {
    const content = `${prose(40)}\n\n${prose(40)}`;
    const overlaps = chunkNote(content).map(({ start, overlapStart }) => content.slice(overlapStart, start));
    expect(overlaps.length).toBeGreaterThan(2);
    expect(overlaps[0]).toBe("");
    for (const overlap of overlaps.slice(1)) expect(overlap).toMatch(/^A sentence .*\.\s+$/s);
  });

  test("cuts between paragraphs rather than inside of one", () => {
    const paragraphs = Array.from({ length: 6 }, (_, i) => `${prose(8 + i)}\n\n`);
    expect(chunks(paragraphs.join("")).length).toBeGreaterThan(2);
    for (const paragraph of paragraphs) expect(holds(paragraphs.join(""), paragraph)).toBe(true);
  });

  test("cuts a long paragraph between sentences, wherever its lines end", () => {
    const wrapped = prose(100).replaceAll(" has ", " has\n");
    expect(chunks(wrapped).length).toBeGreaterThan(2);
    for (const chunk of chunks(wrapped)) expect(chunk).toMatch(/^A sentence has\n.*\.\s?$/s);
  });

  test("cuts a long sentence between words, and a long word without loss", () => {
    for (const chunk of chunks(words(500))) expect(chunk).toMatch(/^word\d+ .*word\d+ ?$/);
    const endless = words(500).replaceAll(" ", "");
    expect(chunks(endless).length).toBeGreaterThan(3);
    expect(chunks(endless).join("")).toBe(endless);
  });

  test.for([
    ["emoji of several code points", "👨‍👩‍👧"],
    ["flags", "🇩🇪"],
    ["surrogate pairs", "𝄞"],
    ["letters with combining marks", "ö̲"],
    ["spaces with combining marks", " \u0301"],
    ["CRLF line endings", ".\r\n"],
  ])("never cuts inside of %s", ([, character = ""]) => {
    const content = character.repeat(1_000);
    expect(chunkNote(content).length).toBeGreaterThan(2);
    for (const { start, end, overlapStart } of chunkNote(content)) {
      for (const at of [start, end, overlapStart]) expect(at % character.length).toBe(0);
    }
  });

  test("never splits a CRLF after an endless word", () => {
    for (let digits = 860; digits <= 880; digits++) {
      const line = `${"1".repeat(digits)}\r\n`;
      for (const chunk of chunks(line.repeat(3))) expect(chunk).not.toMatch(/^\n|\r$/);
    }
  });

  test.for([
    ["fence", fence],
    ["list", list],
    ["table", table],
    ["fence in a list", (count: number) => `- ${fence(count).replaceAll("\n", "\n  ")}`],
  ] as const)("keeps a %s that fits into a chunk whole, whatever is around it", ([, make]) => {
    const largest = Array.from({ length: 100 }, (_, i) => make(i + 1)).findLast(
      (block) => countTokens(block) <= EMBED_TOKENS_MAX,
    );
    expect(countTokens(largest ?? "")).toBeGreaterThan(470);
    const around = fc.oneof(
      fc.integer({ min: 1, max: 60 }).map(prose),
      fc.constantFrom("# Title", "", "\n\n\n"),
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), around, around, (count, before, behind) => {
        const short = make(count);
        const block = countTokens(short) <= EMBED_TOKENS_MAX ? short : (largest ?? "");
        for (const end of ["\n", "\r\n"]) {
          const note = `${before}\n\n${block}\n\n${behind}`.replaceAll("\n", end);
          const kept = block.replaceAll("\n", end);
          if (countTokens(kept) <= EMBED_TOKENS_MAX) expect(holds(note, kept)).toBe(true);
        }
      }),
    );
  });

  test.for([
    ["list between its items", list(200), /^- Item \d of many$/],
    ["table between its rows", table(200), /^\|.*\|$/],
    ["fence between its lines", fence(200).replaceAll("\n\n", "\n"), /^(```|call\(\d+\);.*reasons\.$)/],
  ] as const)("cuts a long %s", ([, block, line]) => {
    expect(chunks(block).length).toBeGreaterThan(2);
    for (const chunk of chunks(block)) {
      for (const each of chunk.split("\n").filter((text) => text !== "")) expect(each).toMatch(line);
    }
  });

  test("cuts a long list between its items, even if they contain blank lines and lists", () => {
    const item = `- ${prose(2)}\n\n  ${prose(3)}\n\n  - inner\n  - inner\n\n`;
    expect(chunks(item.repeat(20)).length).toBeGreaterThan(2);
    for (const chunk of chunks(item.repeat(20))) expect(chunk.replaceAll(item, "").trim()).toBe("");
  });

  test("keeps a heading together with the text after it, even if that must be cut", () => {
    for (const block of [fence(40), list(60), prose(28), prose(200)]) {
      for (let count = 1; count < 40; count++) {
        const start = block.slice(0, 20);
        expect(
          holds(`${prose(count)}\n\n# Part\n\n## Title\n\n${block}`, `# Part\n\n## Title\n\n${start}`),
        ).toBe(true);
      }
    }
  });

  const LARGE_NOTES = [
    ["quotes", ">"],
    ["lazily continued quotes", `${">".repeat(100)}a\n${"a\n".repeat(500_000)}`],
    ["brackets", "["],
    ["lists in lists", "* "],
    ["lists in lists in lines", `${"* ".repeat(20)}a\n`],
    ["items", "- a\n"],
    ["indented items", "- a\n  - b\n    - c\n"],
    ["backticks", "`"],
    ["fences", "```\n"],
    ["pipes", "|"],
    ["cells", `${"|a".repeat(250_000)}\n${"|-".repeat(250_000)}\n`],
    ["tables", "|a|\n|-|\n|b|\n\n"],
    ["headings", "# a\n"],
    ["lines", "a\n"],
    ["one word", "x"],
    ["CRLF line endings", "\r\n"],
    ["CR line endings", "\r"],
    ["zeros", "\0"],
    ["form feeds", "\f"],
    ["line separators", "a\u2028"],
  ] as const;
  test.for(sample(LARGE_NOTES, 1))(
    "processes a note of a million bytes within seconds: %s",
    ([, unit = ""]) => {
      const content = unit.repeat(1 + 1_000_000 / unit.length).slice(0, 1_000_000);
      expect(chunks(content).join("")).toBe(content);
    },
  );
});
