import { WORDS_BY_FREQUENCY } from "./generated/word-frequencies.ts";

/** Words rarer than one in 2^17 (131,072) are not listed, and neither are slurs and vulgar words. */
export const FREQUENCY_STEPS = 17;
/** Words of a typical message. */
const MESSAGE_WORDS = 25;

/** The power of two by which a word is rarer than every word: 4 for one in 16 to 32. */
let steps: ReadonlyMap<string, number> | undefined;

function stepOf(word: string): number | undefined {
  steps ??= new Map(
    WORDS_BY_FREQUENCY.flatMap((words, step) => words.split(" ").map((word) => [word, step] as const)),
  );
  return steps.get(word);
}

/** Whether a word (in the form that `splitWords` gives it) is among the 4,400 most frequent ones of English. */
export const isFrequentWord = (word: string): boolean => word !== "" && stepOf(word) !== undefined;

/** Share of messages in English that contain the word (in the form that `splitWords` gives it). */
export function shareOfMessages(word: string): number {
  const frequency = 2 ** -((stepOf(word) ?? FREQUENCY_STEPS) + 0.5);
  return 1 - (1 - frequency) ** MESSAGE_WORDS;
}
