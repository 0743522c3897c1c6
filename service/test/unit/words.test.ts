import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { scale } from "../../../proof/support/scale.ts";
import { WRITTEN_WORD } from "../../src/text/fold.ts";
import * as index from "../../src/text/index-terms.ts";
import { runAtOnce } from "../../src/text/pace.ts";
import { readQuery } from "../../src/text/query.ts";
import { createStemmer } from "../../src/text/stems.ts";
import { type Language, STOP_WORDS } from "../../src/text/stop-words.ts";
import { formsOfWord } from "../../src/text/word-forms.ts";
import * as inSteps from "../../src/text/words.ts";
import { splitWords } from "../../src/text/words.ts";

const stem = createStemmer();

const anyPiece = fc.oneof(
  fc.string({ unit: "binary", maxLength: 100 }),
  fc.constantFrom("_", "-", ".", "\ufdfa", "½", "ﬀ", "aB"),
);
const words = (text: string) => splitWords(stem, text).words;
const toIndexedTerms = (termPrefix: string, text: string) =>
  runAtOnce(index.toIndexedTerms(stem, termPrefix, text));

describe("splitWords", () => {
  test.for([
    ["case", "DEPLOY Deploy deploy", ["deploy", "deploy", "deploy"]],
    ["English endings", "deploys deployed deploying", ["deploy", "deploy", "deploy"]],
    [
      "irregular English forms",
      "Went GONE goes going child's Children",
      ["go", "go", "go", "go", "child", "child"],
    ],
    ["no form that is also another word", "left rose bore", ["left", "rose", "bore"]],
    [
      "accents of Latin, Greek and Cyrillic",
      "Café naïve Straße Łódź Ελλάδα ёлка",
      ["cafe", "naiv", "strass", "lodz", "ελλαδα", "елка"],
    ],
    ["accents in either form", "re\u0301sume\u0301 résumé", ["resum", "resum"]],
    ["full-width letters", "ＡＢＣ１２３", ["abc123"]],
    ["possessives", "Maria's dogs’ James's o'clock", ["maria", "dog", "jame", "oclock"]],
  ] as [string, string, string[]][])("folds %s", ([, text, expected]) => {
    expect(words(text)).toEqual(expected);
  });

  test.for([
    ["Japanese", "東京タワーに行きました。", ["東京タワー", "行き"]],
    ["Chinese", "我喜欢北京烤鸭", ["喜欢", "北京"]],
    ["Thai", "ฉันชอบกินข้าว", ["ชอบ", "กิน"]],
  ] as [string, string, string[]][])(
    "splits %s into words, although it has no spaces",
    ([, text, expected]) => {
      const found = words(text);
      expect(found).toEqual(expect.arrayContaining(expected));
      expect(found.length).toBeGreaterThan(2);
    },
  );

  test.for([
    ["Korean", "서울에서 만나요", ["서울에서", "만나요"]],
    ["Hindi with its vowel signs", "हिन्दी में बात", ["हिन्दी", "में", "बात"]],
    ["Arabic", "مرحبا بالعالم", ["مرحبا", "بالعالم"]],
    ["numbers and identifiers", "order 1029, INV-77 v2.1", ["order", "1029", "inv", "77", "v2", "1"]],
  ] as [string, string, string[]][])("keeps %s between spaces unchanged", ([, text, expected]) => {
    expect(words(text)).toEqual(expected);
  });

  test("finds the same words whatever punctuation is around them", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("Maria", "café", "東京", "नमस्ते", "2026", "deployed")), (list) => {
        const spaced = words(list.join(" "));
        expect(words(`«${list.join("», ")}!`)).toEqual(spaced);
        expect(spaced).toEqual(list.flatMap((word) => words(word)));
      }),
    );
  });

  test("returns well-formed words of at most 64 characters, without spaces or punctuation", () => {
    fc.assert(
      fc.property(
        fc.array(anyPiece).map((pieces) => pieces.join("")),
        (text) => {
          const { words, identifiers } = splitWords(stem, text);
          for (const word of [...words, ...identifiers]) {
            expect(word).toMatch(/^[\p{L}\p{N}\p{M}\ufffd·]+$/u);
            expect(word.length).toBeLessThanOrEqual(64);
            expect(word.isWellFormed()).toBe(true);
          }
        },
      ),
      { numRuns: 30 },
    );
    expect(words("x".repeat(100))).toEqual(["x".repeat(64)]);
  });

  test.for([
    ["camel case", "fetchUserById", ["fetch", "user", "by", "id"]],
    ["successive capitals", "HTTPServerError", ["http", "server", "error"]],
    ["punctuation, as one word", "ERR_CONN_RESET", ["errconnreset"]],
    ["hyphens", "well-known e-mail", ["wellknown", "email"]],
    ["both", "src/fetchUser.ts", ["fetch", "user", "fetchusert"]],
    ["digits, which stay apart", "v1.2.3 and 12.3 on 2024-05-13", ["1", "1·2·3", "12·3", "2024·05·13"]],
    ["a UUID", "550e8400-e29b-41d4-a716-446655440000", ["550e8400e29b41d4a716·446655440000"]],
    ["nothing plain", "Deploy it. Now, OK? a - b", []],
    ["no data", `${"aB".repeat(33)} ${"a-".repeat(33)}b`, []],
  ] as [string, string, string[]][])(
    "returns the parts and the whole of an identifier: %s",
    ([, text, expected]) => {
      expect(splitWords(stem, text).identifiers).toEqual(expected);
    },
  );

  test("returns one common term for all spellings of an identifier", () => {
    const ways = [
      "fetchUserById",
      "FetchUserByID",
      "fetch_user_by_id",
      "FETCH_USER_BY_ID",
      "fetch-user-by-id",
    ];
    for (const way of [...ways, "fetchuserbyid"]) {
      const { words, identifiers } = splitWords(stem, `call ${way}(42)`);
      expect([...words, ...identifiers], way).toContain("fetchuserbyid");
    }
  });

  test("returns the stems of other languages than English, and none for English", () => {
    const forms = (text: string) => splitWords(stem, text).forms;
    expect(forms("Wir haben die Rechnungen bezahlt")).toContain("rechnung");
    expect(forms("I'm going to look at the kettles, they're so nice in January")).toEqual([]);
    expect(forms("Los Angeles was the best of all the cities that we saw on our trip to the west")).toEqual(
      [],
    );
  });

  test("returns forms of any word in any language, also of words that do not exist", () => {
    const languages = Object.keys(STOP_WORDS) as Language[];
    const word = fc.constantFrom(...languages).chain((language) => {
      const list = STOP_WORDS[language].split(/\s+/);
      const letters = Array.from(new Set(list.join("")));
      const part = fc.oneof(fc.constantFrom(...list), fc.constantFrom(...letters));
      return fc.tuple(fc.constant(language), fc.array(part, { minLength: 1, maxLength: 12 }));
    });
    fc.assert(
      fc.property(word, ([language, parts]) => {
        const written = parts.join("").slice(0, 64);
        for (const form of formsOfWord(stem, written, { languages: [language], isUnknown: false }))
          expect(form).toMatch(/^[\p{L}\p{N}\p{M}]*$/u);
      }),
      { numRuns: scale(100_000, 5_000) },
    );
  });

  test("finds a word under each of its forms, whatever text it is alone or in", () => {
    const word = fc.oneof(
      anyPiece,
      fc.string({ unit: "grapheme", maxLength: 12 }),
      fc.constantFrom(
        ..."Rechnungen Häuser Budapesten Helsingissä İstanbul'da l'hôtel Москве Львові والكتاب בבית किताबें".split(
          " ",
        ),
        ..."서울에서 실패했습니다 Notion에 清华大学图书馆 東京タワー ข้าว १२३ ket\u200dtle".split(" "),
      ),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), (list) => {
        // A symbol such as ㏠ becomes several words, and is none by itself.
        const text = list.join(" ").normalize("NFKC");
        const { words, identifiers, forms } = splitWords(stem, text);
        const all = new Set([...words, ...identifiers, ...forms]);
        for (const [written] of text.matchAll(WRITTEN_WORD)) {
          const query = readQuery(stem, written);
          for (const term of query.terms)
            expect(
              [term, ...(query.forms.get(term) ?? [])].filter((form) => all.has(form)),
              written,
            ).not.toEqual([]);
        }
      }),
      { numRuns: scale(2_000, 200) },
    );
  });

  test("takes linear time for a long run of combining marks", () => {
    expect(words(`e${"\u0301\u0323".repeat(200_000)}`)).toEqual(["e"]);
    words("a ".repeat(500_000));
    words(`a${"\u200b\u00ad".repeat(200_000)}`);
    words(`${"1".repeat(200_000)}${"\u0301".repeat(200_000)}가`);
  });
});

describe("splitWords of a text that is processed in parts", () => {
  test("returns the words of the whole text, wherever its parts start", () => {
    const blank = fc.constantFrom(" ", "\n", "\t", "\r\n", " \u0301", "\u3000", "Σ ", "’ s");
    const piece = fc.oneof(anyPiece, blank, fc.constantFrom("Σ", "ΑΣ", "e\u0301", "東京で猫", "a'b", "v1.2"));
    const rest = fc.array(piece, { minLength: 2, maxLength: 60 }).map((pieces) => ` ${pieces.join("")}`);
    fc.assert(
      fc.property(rest, fc.nat(4_000), (text, back) => {
        // The first part ends at the first space after 4,096 characters, which is somewhere in the text.
        const before = "x".repeat(4_096 - Math.min(back, text.length - 1));
        // As many words as the whole text, because a text of few words is read in more languages.
        const { words: expected, identifiers, forms } = splitWords(stem, `x${text}`);
        expect(splitWords(stem, before + text)).toEqual({
          words: ["x".repeat(64), ...expected.slice(1)],
          identifiers,
          forms,
        });
      }),
      { numRuns: scale(500, 100) },
    );
  });
});

describe("toIndexedWords", () => {
  test("prefixes and counts every term", () => {
    expect(toIndexedTerms("17~", "Deploy it")).toEqual({
      terms: "17~deploy 17~it",
      phrases: [],
      term_count: 2,
    });
    expect(toIndexedTerms("17~", "")).toEqual({ terms: "", phrases: [], term_count: 0 });
  });

  test("puts the extra terms of identifiers after a separator, each once", () => {
    expect(toIndexedTerms("17~", "getUser getUser get")).toEqual({
      terms: "17~getus 17~getus 17~get ~ 17~user",
      phrases: [],
      term_count: 3,
    });
  });

  test("keeps the row of a million bytes within D1's limit, with every distinct term", () => {
    const many = Array.from({ length: 300_000 }, (_, i) => `${String.fromCharCode(97 + (i % 26))}${i % 10}`);
    const row = toIndexedTerms("1234567~", many.join(" "));
    const kept = row.terms.split(" ").filter((word) => word !== "~");
    expect(new TextEncoder().encode(row.terms).byteLength).toBeLessThan(1_950_000);
    expect(new Set(kept)).toEqual(new Set(many.map((word) => `1234567~${word}`)));
    expect(row.term_count).toBe(kept.length);
    const random = toIndexedTerms("1234567~", Array.from({ length: 200_000 }, (_, i) => 9e4 + i).join(" "));
    expect(random.terms.length).toBeLessThan(1_950_000);
  });

  /** Whether these words follow each other in the indexed form of a text. */
  const holds = ({ terms, phrases }: index.IndexedTerms, phrase: string[]) =>
    [terms, ...phrases].some((body) =>
      ` ${body} `.includes(` ${phrase.map((word) => `17~${word}`).join(" ")} `),
    );

  test("keeps a term at most 32 times, and writes phrase rows only if a text exceeds that", () => {
    const text = "walrus zebra ".repeat(32);
    expect(toIndexedTerms("17~", text)).toMatchObject({ phrases: [], term_count: 64 });
    const more = toIndexedTerms("17~", `${text}walrus panda`);
    expect(more.terms.split(" ").filter((word) => word === "17~walrus")).toHaveLength(32);
    expect(more.terms.endsWith("17~zebra ~ 17~panda")).toBe(true);
    expect(more.term_count).toBe(65);
    // As far from the dropped word as a phrase that contains it reaches.
    expect(more.phrases.map((piece) => piece.split(" ").length)).toEqual([33]);
  });

  test("covers every phrase of up to 32 words in a text, and no other, however repetitive", () => {
    const word = fc.constantFrom("a", "b", "c", "d", "e");
    const stretch = fc.oneof(
      fc.array(word, { maxLength: 60 }),
      fc.tuple(word, fc.nat(80)).map(([one, times]) => Array<string>(times).fill(one)),
      fc.nat(150).map((length) => Array.from({ length }, (_, i) => `f${i}`)),
    );
    const texts = fc.array(stretch, { maxLength: 12 }).map((stretches) => stretches.flat());
    fc.assert(
      fc.property(
        texts,
        fc.infiniteStream(fc.nat()),
        fc.array(word, { minLength: 1, maxLength: 8 }),
        (text, stream, other) => {
          const row = toIndexedTerms("17~", text.join(" "));
          const isIn = (phrase: string[]) => ` ${text.join(" ")} `.includes(` ${phrase.join(" ")} `);
          for (let i = 0; i < 20; i++) {
            const from = (stream.next().value ?? 0) % Math.max(1, text.length);
            const phrase = text.slice(from, from + 1 + ((stream.next().value ?? 0) % 32));
            if (phrase.length === 0) continue;
            expect(holds(row, phrase)).toBe(true);
            // The same with another word in it.
            const changed = phrase.with(0, "b").concat(phrase.length < 32 ? other.slice(0, 1) : []);
            expect(holds(row, changed)).toBe(isIn(changed));
          }
          expect(holds(row, other)).toBe(isIn(other));
        },
      ),
    );
  });

  test("writes the surroundings of dropped terms in phrase rows that overlap by a phrase", () => {
    const text = Array.from({ length: 20_000 }, (_, i) => ["a", "b", "c", "d"][(i * i + (i >> 3)) % 4] ?? "");
    const row = toIndexedTerms("17~", text.join(" "));
    expect(row.term_count).toBe(128);
    expect(row.phrases.length).toBe(5);
    for (const piece of row.phrases) expect(piece.split(" ").length).toBeLessThanOrEqual(index.PIECE_WORDS);
    for (let from = 0; from + 32 <= text.length; from += 7) {
      expect(holds(row, text.slice(from, from + 32))).toBe(true);
    }
  });

  test("keeps a term fewer times if the text's terms do not fit otherwise, in order", () => {
    const text = Array.from({ length: 150_000 }, (_, i) => `w${i % 50_000}`);
    const row = toIndexedTerms("17~", text.join(" "));
    expect(new TextEncoder().encode(row.terms).byteLength).toBeLessThan(1_450_000);
    expect(row.term_count).toBeGreaterThanOrEqual(50_000);
    expect(holds(row, ["w7", "w8", "w9"])).toBe(true);
    expect(holds(row, ["w49999", "w0"])).toBe(true);
    expect(holds(row, ["w8", "w7"])).toBe(false);
  });
});

const createWordFinder = (...input: Parameters<typeof inSteps.createWordFinder>) => {
  const find = inSteps.createWordFinder(...input);
  return (text: string) => runAtOnce(find(text));
};

describe("createWordFinder", () => {
  test("marks an identifier only where one begins, also beside an apostrophe", () => {
    const find = createWordFinder(stem, new Set(["stopnow"]), 10);
    const marked = (text: string) => find(text).map(({ start, end }) => text.slice(start, end));
    expect(marked("Use stop-now, stopNow or stop_now.")).toEqual(["stop-now", "stopNow", "stop_now"]);
    expect(marked("don't-stop-now, go-stop-now")).toEqual([]);
  });

  const find = (query: string, text: string) =>
    createWordFinder(
      stem,
      new Set(readQuery(stem, query).terms),
      100,
    )(text).map(({ start, end }) => text.slice(start, end));

  test.for([
    ["other forms", "deploying", "We deploy; the last Deployment broke.", ["deploy", "Deployment"]],
    [
      "irregular forms",
      "has he written it",
      "She writes; he wrote, she has written.",
      ["writes", "wrote", "written"],
    ],
    ["accents", "cafe", "🎉 Le Café, café", ["Café", "café"]],
    ["a possessive", "maria", "Maria’s sister, not the Marians", ["Maria’s"]],
    ["words without spaces", "猫", "東京で猫が好きです", ["猫"]],
    ["a code", "ERR_CONN_RESET", "It says ERR_CONN_RESET.", ["ERR_CONN_RESET"]],
    ["a code in words", "conn reset", "It says ERR_CONN_RESET.", ["CONN", "RESET"]],
    ["a part of a name", "user id", "fetchUserById(id)", ["fetchUserById", "id"]],
    ["a name in another spelling", "fetch_user", "so fetchUser() or FETCH_USER", ["fetchUser", "FETCH_USER"]],
    ["nothing", "zebra", "no such word", []],
  ] as const)("marks %s as they are written", ([, query, text, expected]) => {
    expect(find(query, text)).toEqual(expected);
  });

  test("returns non-overlapping offsets of the query's words in order", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat(20), (text, place) => {
        const all = words(text);
        const wanted = all[place % Math.max(1, all.length)] ?? "none";
        let last = 0;
        for (const { start, end } of createWordFinder(stem, new Set([wanted]), 100)(text)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          expect(words(text.slice(start, end))).toContain(wanted);
          last = end;
        }
        expect(last).toBeLessThanOrEqual(text.length);
      }),
    );
  });

  test("finds the same words whichever words it can skip", () => {
    const piece = fc.constantFrom(
      ..."stop Stop STOP went gone be'er é 猫 1 _ - . ' ’ \u0301".split(" "),
      " ",
      "ﬀ",
      "aB",
    );
    const wanted = fc.subarray(["stop", "go", "stopnow", "be", "b'er", "1"], { minLength: 1 });
    /** One for each letter, so that no word is skipped. */
    const others = Array.from("abcdefghijklmnopqrstuvwxyz", (letter) => `${letter}qqq`);
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), wanted, (pieces, some) => {
        const text = pieces.join("");
        const everyWord = createWordFinder(stem, new Set([...some, ...others]), 100);
        expect(createWordFinder(stem, new Set(some), 100)(text)).toEqual(everyWord(text));
      }),
      { numRuns: scale(20_000, 1_000) },
    );
  });

  test("stops at the given count", () => {
    expect(createWordFinder(stem, new Set(["a"]), 2)("a a a a")).toHaveLength(2);
  });
});
