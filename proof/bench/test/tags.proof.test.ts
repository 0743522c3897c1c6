import { describe, expect, test } from "vitest";
import { enrichByExtraction } from "../../../local/src/enricher/enricher.ts";
import { measureDrift, type Tagger, tagNotes } from "../src/tags/drift.ts";
import { TOPICS, type Topic } from "../src/tags/topics.ts";

const words = (text: string) => ` ${text.toLowerCase().replace(/[^a-z0-9]+/g, " ")} `;

describe("the topics", () => {
  test("are called by one of their names in each note, and by more than one in all", () => {
    for (const { names, notes } of TOPICS) {
      const called = notes.map((note) => names.filter((name) => words(note).includes(words(name))));
      for (const [i, found] of called.entries()) expect(found, notes[i]).toHaveLength(1);
      expect(new Set(called.flat()).size, names[0]).toBeGreaterThan(1);
    }
  });

  test("share no name", () => {
    const names = TOPICS.flatMap((topic) => topic.names);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe("drift", () => {
  const cars: Topic = { kinship: "unlike", names: ["car", "auto"], notes: ["a car", "an auto", "a car"] };
  const pets: Topic = { kinship: "inflected", names: ["dog", "dogs"], notes: ["a dog", "dogs"] };
  const byLastWord: Tagger = async (note) => [note.split(" ").at(-1) ?? ""];

  test("counts names in use and the pairs that one name finds together", async () => {
    const notes = await tagNotes([cars, pets], byLastWord, "alone");
    expect(measureDrift(notes)).toEqual({ notes: 5, named: 100, namesPerTopic: 2, together: 25 });
    expect(measureDrift(notes, "inflected")).toEqual({ notes: 2, named: 100, namesPerTopic: 2, together: 0 });
  });

  test("counts what was not named, or not answered, as found by nothing", async () => {
    const notes = await tagNotes([cars], async (note) => (note === "an auto" ? null : ["wheels"]), "alone");
    expect(measureDrift(notes)).toMatchObject({ named: 0, together: 0 });
  });

  test("shows the model what the notes before had, or what a first pass found, most frequent first", async () => {
    const shown: string[][] = [];
    const watch: Tagger = (note, vocabulary) => {
      shown.push(vocabulary);
      return byLastWord(note, vocabulary);
    };
    await tagNotes([cars, pets], watch, "as captured");
    expect(shown).toEqual([
      [],
      ["car"],
      ["car", "dog"],
      ["auto", "car", "dog"],
      ["auto", "car", "dog", "dogs"],
    ]);
    shown.length = 0;
    await tagNotes([cars, pets], watch, "backfilled");
    expect(shown.slice(0, 5)).toEqual(Array(5).fill([]));
    expect(shown.slice(5)).toEqual(Array(5).fill(["car", "auto", "dog", "dogs"]));
  });

  test("of the built-in text model is less with a vocabulary, and less again after two passes", async () => {
    const tag: Tagger = async (note, vocabulary) => enrichByExtraction(note, vocabulary).tags;
    const [alone, captured, backfilled] = await Promise.all(
      (["alone", "as captured", "backfilled"] as const).map(async (manner) =>
        measureDrift(await tagNotes(TOPICS, tag, manner)),
      ),
    );
    expect(captured?.together).toBeGreaterThan((alone?.together ?? 100) + 5);
    expect(backfilled?.together).toBeGreaterThan(captured?.together ?? 100);
    expect(captured?.namesPerTopic).toBeLessThan(alone?.namesPerTopic ?? 0);
  });
});
