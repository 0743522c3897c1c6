import { expect, test } from "vitest";
import { readQuery } from "../../../service/src/text/query.ts";
import { createStemmer } from "../../../service/src/text/stems.ts";
import { splitWords } from "../../../service/src/text/words.ts";
import { SMALL_STORES } from "../src/recall/small-stores/stores.ts";

const stem = createStemmer();

test("the small stores are ten of six memories and four questions", () => {
  expect(SMALL_STORES.map(({ notes, questions }) => [notes.length, questions.length])).toEqual(
    Array.from({ length: 10 }, () => [6, 4]),
  );
});

test("no question of a small store has a search term in common with the memory that answers it", () => {
  const shared = SMALL_STORES.flatMap(({ notes, questions }) =>
    questions.flatMap(([text, note]) => {
      const words = new Set(splitWords(stem, notes[note] ?? "").words);
      const common = readQuery(stem, text).terms.filter((term) => words.has(term));
      return common.length === 0 ? [] : [[text, ...common]];
    }),
  );
  expect(shared).toEqual([]);
});
