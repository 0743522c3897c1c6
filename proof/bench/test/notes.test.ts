import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { generateNotes, type Note, type NoteQuery, passesFilter } from "../src/notes/notes.ts";
import { KINDS, parseNotes } from "../src/notes/script.ts";
import { contentWords, namesIn } from "./support/content-words.ts";

const made = generateNotes();
const { notes, queries } = made;
const noteById = new Map(notes.map((note) => [note.id, note]));
const answered = queries.filter(({ kind }) => kind !== "unanswered");
const isByRule = ({ id }: Note) => id.includes("/");
const familyOf = ({ id }: Note) => id.replace(/\/\d+$/, "");
const relevantOf = ({ relevant }: NoteQuery) => [...relevant].flatMap((id) => noteById.get(id) ?? []);
const has = (content: string, text: string) => content.toLowerCase().includes(text.toLowerCase());
const wordsOf = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu));
const countWords = (content: string) => content.split(/\s+/).length;

const hash = (set: typeof made) => {
  const plain = (_: string, value: unknown) => (value instanceof Set ? [...value] : value);
  return createHash("sha256").update(JSON.stringify(set, plain)).digest("hex");
};

describe("the notes", () => {
  // When this fails because a script was changed: measure the floors again, then put the new hash here.
  test("are the same every time and on every machine", () => {
    expect(hash(generateNotes())).toBe(hash(made));
    expect(hash(made)).toBe("d679e3e0887d83871ee353da7bd693bf16e092eb63dffcb5289376ad9d8c5d6a");
  });

  test("are as many and as long as the README says", () => {
    const lengths = notes.map(({ content }) => countWords(content));
    expect(notes.filter(isByRule).length).toBeGreaterThanOrEqual(180);
    expect(notes.filter((note) => !isByRule(note)).length).toBeGreaterThanOrEqual(120);
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(10);
    expect(Math.max(...lengths)).toBeGreaterThan(400);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(1_500);
    expect(lengths.filter((length) => length < 120).length / lengths.length).toBeGreaterThan(0.9);
  });

  test("have an id and a content that no other note has, and every slot filled", () => {
    expect(noteById.size).toBe(notes.length);
    expect(new Set(notes.map(({ content }) => content)).size).toBe(notes.length);
    const texts = [...notes.map(({ content }) => content), ...queries.map(({ query }) => query)];
    expect(texts.filter((text) => text.includes("<<"))).toEqual([]);
  });

  test("hold headings, lists, tables, quotes and code, and come from people and from agents", () => {
    for (const form of [/^# /m, /^- /m, /^\d\. /m, /^\| --- /m, /^> /m, /^```\w+$/m]) {
      expect(notes.filter(({ content }) => form.test(content)).length, String(form)).toBeGreaterThanOrEqual(
        3,
      );
    }
    const share = notes.filter(({ agent_id }) => agent_id !== undefined).length / notes.length;
    expect(share).toBeGreaterThan(0.2);
    expect(share).toBeLessThan(0.5);
  });

  test("made by one rule differ in more than a word from each other", () => {
    const close = notes.filter(isByRule).flatMap((note, index, all) =>
      all
        .slice(index + 1)
        .filter((other) => familyOf(other) === familyOf(note))
        .filter(
          (other) =>
            [...wordsOf(note.content)].filter((word) => !wordsOf(other.content).has(word)).length < 2,
        )
        .map((other) => [note.id, other.id]),
    );
    expect(close).toEqual([]);
  });
});

describe("the queries", () => {
  test("are as many of each kind as the README says, and asked once", () => {
    const count = (kind: string) => queries.filter((query) => query.kind === kind).length;
    expect(Object.fromEntries(KINDS.map((kind) => [kind, count(kind)]))).toEqual({
      word: 108,
      paraphrase: 113,
      code: 45,
      list: 12,
      "tag-filtered": 22,
      time: 29,
      unanswered: 31,
    });
    expect(new Set(queries.map(({ query }) => query)).size).toBe(queries.length);
  });

  test("are written by hand for more than half of them", () => {
    const byRule = answered.filter((query) => relevantOf(query).some(isByRule));
    expect(byRule.length).toBeGreaterThan(70);
    expect(queries.length - byRule.length).toBeGreaterThan(queries.length / 2);
  });

  test("have one note that answers them, several for a list, none where nothing answers", () => {
    const wrong = queries.filter(({ kind, relevant }) => {
      if (kind === "unanswered") return relevant.size !== 0;
      return kind === "list" ? relevant.size < 2 : relevant.size !== 1;
    });
    expect(wrong).toEqual([]);
    expect(answered.filter((query) => relevantOf(query).length !== query.relevant.size)).toEqual([]);
  });

  test("are answered by each of their notes, and by no note that they do not name", () => {
    const wrong = answered.filter((query) => {
      const relevant = relevantOf(query);
      return !(
        query.answers.every((answer) => relevant.some(({ content }) => has(content, answer))) &&
        relevant.every(({ content }) => query.answers.some((answer) => has(content, answer)))
      );
    });
    expect(wrong).toEqual([]);
  });

  test("narrowed by tags or agent are so narrowed that their notes pass", () => {
    const narrowed = queries.filter(({ filter }) => Object.keys(filter).length > 0);
    expect(new Set(narrowed.map(({ kind }) => kind))).toEqual(new Set(["tag-filtered"]));
    expect(narrowed).toEqual(queries.filter(({ kind }) => kind === "tag-filtered"));
    expect(
      narrowed.filter((query) => !relevantOf(query).every((note) => passesFilter(note, query.filter))),
    ).toEqual([]);
    expect(narrowed.filter(({ filter }) => notes.every((note) => passesFilter(note, filter)))).toEqual([]);
  });

  test("by rule name what parts their note from every other of its rule", () => {
    const confused = answered.flatMap((query) => {
      const [note] = relevantOf(query);
      if (note === undefined || !isByRule(note)) return [];
      const said = wordsOf(note.content);
      const named = [...wordsOf(query.query)].filter((word) => said.has(word));
      const rivals = notes.filter((other) => other !== note && familyOf(other) === familyOf(note));
      return rivals
        .filter(({ content }) => named.every((word) => wordsOf(content).has(word)))
        .map(({ id }) => [query.query, id]);
    });
    expect(confused).toEqual([]);
  });

  test("that paraphrase share at most one content word with their note, besides names", () => {
    const close = answered
      .filter(({ kind }) => kind === "paraphrase")
      .map((query) => {
        const words = contentWords(
          relevantOf(query)
            .map(({ content }) => content)
            .join("\n"),
        );
        const names = namesIn(query.query);
        return [
          query.query,
          ...[...contentWords(query.query)].filter((word) => words.has(word) && !names.has(word)),
        ];
      })
      .filter((shared) => shared.length > 2);
    expect(close).toEqual([]);
  });

  test("that nothing answers stand in no note", () => {
    const unanswered = queries.filter(({ kind }) => kind === "unanswered");
    expect(unanswered.filter(({ query }) => notes.some(({ content }) => has(content, query)))).toEqual([]);
  });
});

describe("a script", () => {
  const script = `=== tea #kitchen #hot @cook app 2025-03-04
# Tea

- seventy degrees
? paraphrase +milk,cup all:hot agent:cook | How warm? => seventy & lukewarm
?? Which pot?

=== milk x3 asked2 #kitchen mail
Milk is lukewarm.
`;

  test("gives its notes with their queries", () => {
    const [tea, milk] = parseNotes(script);
    expect(tea).toEqual({
      id: "tea",
      times: undefined,
      asked: undefined,
      tags: ["kitchen", "hot"],
      agentId: "cook",
      source: "app",
      date: "2025-03-04",
      content: "# Tea\n\n- seventy degrees",
      queries: [
        {
          kind: "paraphrase",
          text: "How warm?",
          filter: { tags_all: ["hot"], agent_id: "cook" },
          others: ["milk", "cup"],
          answers: ["seventy", "lukewarm"],
        },
        { kind: "unanswered", text: "Which pot?", filter: {}, others: [], answers: [] },
      ],
    });
    expect(milk).toMatchObject({ times: 3, asked: 2, source: "mail", content: "Milk is lukewarm." });
  });

  test("with a line that fits nowhere, or a kind that there is not, is refused", () => {
    expect(() => parseNotes("hello")).toThrow(/Line 1 .*hello/);
    expect(() => parseNotes("=== a #b app\nc\n?? d?\nhello")).toThrow(/Line 4 .*hello/);
    expect(() => parseNotes("=== a #b app\nc\n? tale | d? => e")).toThrow(/no kind tale/);
  });
});
