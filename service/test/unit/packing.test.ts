import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Cost, cutAround } from "../../src/text/cut.ts";
import { countModelTokens, toModelTokens } from "../../src/text/model-tokens.ts";
import { inNoSteps, runAtOnce } from "../../src/text/pace.ts";
import type { Budget, Packable } from "../../src/text/packing.ts";
import * as inSteps from "../../src/text/packing.ts";
import type { TextRange } from "../../src/text/words.ts";

/** One token per word. */
const words = (count: number, word = "cat") => Array(count).fill(word).join(" ");
const item = (place: number, score: number | null, content = "cat", more: Partial<Packable> = {}) => ({
  group: 1,
  place,
  score,
  content,
  overhead: 0,
  ...more,
});
const placedAt = (places: TextRange[]) => () => inNoSteps(places);
const budgetOf = (tokensMax: number, more: Partial<Budget<Packable>> = {}): Budget<Packable> => ({
  tokensMax,
  cost: toModelTokens,
  before: 2,
  after: 2,
  groupOverhead: () => 0,
  cutOverhead: 0,
  places: placedAt([]),
  ...more,
});
const pack = <Item extends Packable>(items: Item[], budget: Budget<Item>) =>
  runAtOnce(inSteps.pack(items, budget));
const placesOf = (chosen: Map<Packable, unknown>) => [...chosen.keys()].map(({ place }) => place);
const groupsOf = (chosen: Map<Packable, unknown>) => [...chosen.keys()].map(({ group }) => group);
const costsOf = (chosen: ReturnType<typeof pack>) =>
  [...chosen].map(([{ content }, { start, end }]) => countModelTokens(content.slice(start, end)));
const sum = (costs: number[]) => costs.reduce((total, cost) => total + cost, 0);

describe("pack", () => {
  test("selects the best matches up to half of the tokens, then their nearest neighbors, then further matches", () => {
    const matches = [10, 20, 30, 40, 50, 60].map((place, i) => item(place, 1 - i / 10, words(250)));
    const neighbors = [8, 9, 11, 12].map((place) => item(place, null, words(30)));
    const chosen = pack([...neighbors, ...matches.toReversed()], budgetOf(1_000));
    expect(placesOf(chosen)).toEqual([10, 20, 11, 9, 12, 8, 30, 40]);
    // The last one is cut.
    expect(costsOf(chosen)).toEqual([250, 250, 30, 30, 30, 30, 250, 130]);
  });

  test("selects the best match of each other result before neighbors, up to 70 %", () => {
    const first = [10, 20].map((place, i) => item(place, 1 - i / 10, words(250)));
    const neighbors = [9, 11, 19, 21].map((place) => item(place, null, words(40)));
    const others = [2, 3, 4].map((group) => item(1, 0.5 - group / 10, words(100), { group }));
    const chosen = [...pack([...first, ...neighbors, ...others], budgetOf(1_000)).keys()];
    expect(chosen.map(({ group, place }) => [group, place])).toEqual([
      ...[10, 20].map((place) => [1, place]),
      ...[2, 3].map((group) => [group, 1]),
      ...[11, 21, 9, 19].map((place) => [1, place]),
      [4, 1],
    ]);
  });

  test("selects 300 tokens of each match before more of any, and spends the remaining tokens", () => {
    const long = [1, 5, 9, 13].map((place, i) => item(place, 1 - i / 10, words(1_000)));
    const chosen = pack(long, budgetOf(4_000));
    expect(placesOf(chosen)).toEqual([1, 5, 9, 13]);
    expect(costsOf(chosen).slice(0, 3)).toEqual([1_000, 1_000, 1_000]);
    expect(sum(costsOf(chosen))).toBeGreaterThan(3_960);
  });

  test("shows at least six of ten conversations that each have one long answer", () => {
    const found = Array.from({ length: 10 }, (_, group) => [
      item(1, null, words(15), { group, overhead: 15 }),
      item(2, 1 - group / 20, words(1_200), { group, overhead: 15 }),
    ]);
    const chosen = pack(found.flat(), budgetOf(4_000, { groupOverhead: () => 40, cutOverhead: 16 }));
    const answers = [...chosen.keys()].filter(({ place }) => place === 2);
    expect(answers.length).toBeGreaterThanOrEqual(6);
    expect(new Set(groupsOf(chosen)).size).toBe(answers.length);
  });

  test("cuts a match around the matching words, also when it is lengthened", () => {
    const content = `${words(900)} whale ${words(900)}`;
    const at = content.indexOf("whale");
    const places = placedAt([{ start: at, end: at + 5 }]);
    const [range] = pack([item(1, 1, content)], budgetOf(500, { places })).values();
    const part = content.slice(range?.start, range?.end);
    expect(part).toContain("whale");
    expect(countModelTokens(part)).toBeGreaterThan(480);
    expect(countModelTokens(part)).toBeLessThanOrEqual(500);
  });

  test("skips a neighbor that costs more than a quarter of the remaining tokens", () => {
    const few = [item(1, 1), item(2, null, words(30)), item(3, null, words(20))];
    expect(placesOf(pack(few, budgetOf(101)))).toEqual([1, 3]);
  });

  test("counts the overhead of messages, and the overhead of a result once", () => {
    const some = [item(1, 0.9, "cat", { overhead: 10 }), item(2, 0.8, "cat", { overhead: 10 })];
    const other = item(1, 0.7, "cat", { overhead: 10, group: 2 });
    const groupOverhead = () => 20;
    expect(pack([...some, other], budgetOf(20 + 11 + 11 + 30, { groupOverhead })).size).toBe(2);
    expect(pack([...some, other], budgetOf(20 + 11 + 11 + 31, { groupOverhead })).size).toBe(3);
  });

  test("never exceeds the budget, and repeats nothing", () => {
    const any = fc.record({
      group: fc.nat(2),
      place: fc.nat(20),
      score: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
      content: fc.nat(300).map((count) => words(count, "cats, dogs")),
      overhead: fc.nat(30),
    });
    const items = fc.uniqueArray(any, { selector: ({ group, place }) => `${group} ${place}` });
    fc.assert(
      fc.property(items, fc.nat(2_000), fc.nat(40), (all, tokensMax, head) => {
        const chosen = pack(all, budgetOf(tokensMax, { groupOverhead: () => head }));
        const heads = new Set([...chosen.keys()].map(({ group }) => group)).size * head;
        const overheads = [...chosen.keys()].reduce((sum, { overhead }) => sum + overhead, 0);
        const contents = costsOf(chosen).reduce((sum, cost) => sum + cost, 0);
        if (chosen.size > 0) expect(heads + overheads + contents).toBeLessThanOrEqual(tokensMax);
      }),
    );
  });
});

describe("cutAround", () => {
  const placesIn = (content: string, word: string) =>
    [...content.matchAll(new RegExp(word, "g"))].map(({ index }) => ({
      start: index,
      end: index + word.length,
    }));
  const cut = (content: string, word: string, tokensMax: number) => {
    const { start, end } = runAtOnce(cutAround(content, placesIn(content, word), tokensMax, toModelTokens));
    return content.slice(start, end);
  };

  test("keeps the part with most of the matching words, cut between words", () => {
    const content = `whale ${words(300)} a whale and a whale ${words(300)} whale`;
    const part = cut(content, "whale", 50);
    expect(part.match(/whale/g)).toHaveLength(2);
    expect(part).toMatch(/^cat .* cat$/);
    expect(countModelTokens(part)).toBeLessThanOrEqual(50);
    expect(countModelTokens(part)).toBeGreaterThan(45);
  });

  test("keeps the beginning of a text without a matching word, and a whole short text", () => {
    expect(cut(`first ${words(300)}`, "whale", 40)).toMatch(/^first cat/);
    expect(cut("a whale", "whale", 40)).toBe("a whale");
  });

  /** Where the longest beginning that fits ends, tried at each character. A word is not divided if a blank is near. */
  const exactEnd = (text: string, tokensMax: number): number => {
    let end = Math.min(text.length, 60 + 7 * tokensMax);
    while (countModelTokens(text.slice(0, end)) > tokensMax) end -= 1;
    if (end === text.length || /\s/.test(text.charAt(end))) return end;
    const blank = text.slice(0, end).search(/\s\S*$/);
    return blank > 0 && end - blank <= 40 ? blank : end - (/^[\uDC00-\uDFFF]/.test(text.slice(end)) ? 1 : 0);
  };
  const beginning = (text: string, tokensMax: number) =>
    runAtOnce(cutAround(text, [], tokensMax, toModelTokens)).end;
  const guide = readFileSync(join(import.meta.dirname, "../../../CONTRIBUTING.md"), "utf8");
  const program = readFileSync(join(import.meta.dirname, "../../src/text/packing.ts"), "utf8");

  test.for([
    ["English", guide.slice(0, 6_000)],
    ["English without line breaks", guide.slice(0, 6_000).replace(/\s+/g, " ")],
    ["a program", program],
    ["JSON", JSON.stringify({ program, numbers: Array.from({ length: 300 }, (_, i) => i * 7) }, null, 2)],
    ["a list", "- milk\n- bread and butter\n".repeat(150)],
    ["words with accents", "Die Größe der Straße überrascht mich, où j'étais. ".repeat(60)],
    ["emoji", "We won 🎉🎉! 👩‍👩‍👧 came too. ".repeat(90)],
  ])("of %s takes the longest part that fits", ([, text = ""]) => {
    for (const tokensMax of [1, 2, 3, 40, 137, 300, 500])
      expect([tokensMax, text.slice(0, beginning(text, tokensMax)).trimEnd()]).toEqual([
        tokensMax,
        text.slice(0, exactEnd(text, tokensMax)).trimEnd(),
      ]);
  });

  const RARE = Array.from({ length: 500 }, (_, i) => String.fromCharCode(0x4e00 + 37 * ((i * 7_919) % 500)));
  const UNSPACED: [name: string, text: string][] = [
    ["Chinese", "今天天气很好，我们去公园散步吧。你昨天说的那家餐厅在哪里？".repeat(9_000)],
    ["rare Chinese characters", RARE.join("").repeat(500)],
    ["Greek letters", "αβωδεζψθικχμνφοπρυστξηγλ".repeat(10_000)],
    ["one word", "qwertzuiopasdfghjklyxcvbnm".repeat(10_000)],
    ["one letter", "a".repeat(250_000)],
    ["signs", "!@#$%^&*()_+-=~`<>?|;:'.,".repeat(10_000)],
    ["blanks", `${" ".repeat(250_000)}x`],
    ["ends of lines", "\r\n".repeat(120_000)],
  ];

  test.for(UNSPACED)("of %s without words takes nearly all that fits", ([, text]) => {
    for (const tokensMax of [40, 300, 2_000]) {
      const tokens = countModelTokens(text.slice(0, beginning(text, tokensMax)));
      expect(tokens).toBeLessThanOrEqual(tokensMax);
      expect(tokens).toBeGreaterThanOrEqual(0.9 * tokensMax - 5);
    }
  });

  test.for([...UNSPACED, ["English", guide.repeat(20)] as (typeof UNSPACED)[number]])(
    "of %s counts what may fit, not the whole text",
    ([, text]) => {
      let characters = 0;
      const cost: Cost = (part, most) => {
        characters += part.length;
        return toModelTokens(part, most);
      };
      const places = [{ start: text.length - 9, end: text.length - 8 }];
      runAtOnce(cutAround(text.repeat(4), places, 100, cost));
      expect(characters).toBeLessThan(150_000);
    },
  );

  test("never splits a character", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", minLength: 50, maxLength: 300 }),
        fc.nat(60),
        (content, at) => {
          const place = { start: Math.min(at, content.length), end: Math.min(at + 2, content.length) };
          const { start, end } = runAtOnce(cutAround(content, [place], 40, toModelTokens));
          expect(content.slice(start, end).isWellFormed()).toBe(content.isWellFormed());
          expect(start).toBeLessThanOrEqual(end);
          expect(countModelTokens(content.slice(start, end))).toBeLessThanOrEqual(40);
        },
      ),
    );
  });
});
