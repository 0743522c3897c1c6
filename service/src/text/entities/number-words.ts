const ONES =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split(
    " ",
  );
const TENS = "thirty forty fifty sixty seventy eighty ninety".split(" ");

/** Values of the words for small numbers. */
export const NUMBER_WORDS: ReadonlyMap<string, number> = new Map([
  ...ONES.map((word, i): [string, number] => [word, i]),
  ...TENS.map((word, i): [string, number] => [word, 30 + 10 * i]),
]);

/** Words that multiply the number before them. */
export const MAGNITUDES: ReadonlySet<string> = new Set(
  "hundred thousand million millions billion billions trillion mn bn mio lakh lakhs crore crores cr".split(
    " ",
  ),
);
