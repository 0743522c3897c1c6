/** Names with more letters are not compared: they may have any length. */
const LETTERS_MAX = 40;
/** Names with fewer letters must not differ: in a short name, another letter makes another word. */
const LETTERS_MIN = 4;
/** A name may differ from the known one by one letter, and from this length on by two. */
const LONG_LETTERS = 8;

/**
 * A sentence that asks whether one of the known names was meant, after a space. Empty if none resembles the name: equal
 * but for its case, `_` and `-`, or with a letter or two wrong.
 */
export function suggestion(name: string, known: readonly string[]): string {
  const letters = lettersOf(name);
  if (letters.length > LETTERS_MAX) return "";
  const editsMax = letters.length < LETTERS_MIN ? 0 : letters.length < LONG_LETTERS ? 1 : 2;
  const [best] = known
    .map((other) => ({ other, edits: editsBetween(letters, lettersOf(other)) }))
    .filter(({ edits }) => edits <= editsMax)
    .sort((a, b) => a.edits - b.edits);
  return best === undefined ? "" : ` Did you mean \`${best.other}\`?`;
}

const lettersOf = (name: string) => name.replace(/[_-]/g, "").toLowerCase();

/** The number of letters to add, remove or replace to get from one text to the other: the Levenshtein distance. */
function editsBetween(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (const [row, letter] of [...one].entries()) {
    const edits = [row + 1];
    for (let column = 1; column <= other.length; column += 1) {
      const replaced = (above[column - 1] ?? 0) + (letter === other[column - 1] ? 0 : 1);
      edits.push(Math.min(replaced, (above[column] ?? 0) + 1, (edits[column - 1] ?? 0) + 1));
    }
    above = edits;
  }
  return above[other.length] ?? 0;
}
