const names = (words: string, first: number): [string, number][] =>
  words.split(" ").map((word, i) => [word, first + i]);

/** Numbers of weekdays, from 0 for Sunday. */
export const WEEKDAYS: ReadonlyMap<string, number> = new Map([
  ...names("sunday monday tuesday wednesday thursday friday saturday", 0),
  ...names("sun mon tue wed thu fri sat", 0),
  ["tues", 2],
  ["thur", 4],
  ["thurs", 4],
]);

const MONTHS: ReadonlyMap<string, number> = new Map([
  ...names("january february march april may june july august september october november december", 1),
  ...names("jan feb mar apr may jun jul aug sep oct nov dec", 1),
  ["sept", 9],
]);

export const isMonth = (word: string): boolean => MONTHS.has(word);

/** From 1; 0 for a word that is no month. */
export const monthNumber = (word: string): number => MONTHS.get(word.toLowerCase()) ?? 0;

/** Words in small letters with which a date may begin. */
export const DATE_WORDS: readonly string[] = [
  ...WEEKDAYS.keys(),
  ...MONTHS.keys(),
  ..."yesterday today tonight tomorrow last previous past this coming next the day in".split(" "),
];
