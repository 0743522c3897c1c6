import { expect, test } from "vitest";
import { readQuery } from "../../../service/src/text/query.ts";
import { createStemmer } from "../../../service/src/text/stems.ts";
import { splitWords } from "../../../service/src/text/words.ts";
import STORES from "../sets/small-stores.json" with { type: "json" };

// Written before the search was ever asked them. They must not be changed to suit it. Each question has the place of its
// memory among the notes.

const stem = createStemmer();

test("the small stores are ten of six memories and four questions", () => {
  expect(STORES.map(({ notes, questions }) => [notes.length, questions.length])).toEqual(
    Array.from({ length: 10 }, () => [6, 4]),
  );
});

test("no question of a small store has a search term in common with the memory that answers it", () => {
  const shared = STORES.flatMap(({ notes, questions }) =>
    questions.flatMap(([text = "", place = 0]) => {
      const words = new Set(splitWords(stem, notes[Number(place)] ?? "").words);
      const common = readQuery(stem, String(text)).terms.filter((term) => words.has(term));
      return common.length === 0 ? [] : [[text, ...common]];
    }),
  );
  expect(shared).toEqual([]);
});
