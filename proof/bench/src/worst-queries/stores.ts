import { createRandom } from "../../../support/random.ts";

/** An organization whose messages make searches slow. */
export interface Store {
  name: string;
  /** Text of a message, by its position. */
  textOf(place: number): string;
  /** Number of messages, given the size of the other organizations. */
  count(messages: number): number;
}

/** Words that no stemmer changes. The longest query uses all of them. */
export const WORDS = Array.from({ length: 48 }, (_, i) => `q${i}`);
/** Words that occur 32 times in a message, the upper bound that a message counts. */
export const REPEATED = WORDS.slice(0, 8);
const REPEATS = 32;
/** Number of different texts, which repeat. */
const TEXTS = 50;
/** This many messages of a million bytes have 180 MB of words. */
const LONG_MESSAGES = 60;
const LONG_WORDS = 490_000;

const random = createRandom("worst queries");
const shuffled = (words: string[]) =>
  words
    .map((word) => ({ word, place: random.next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ word }) => word)
    .join(" ");
const cycle = (make: () => string) => {
  const texts = Array.from({ length: TEXTS }, make);
  return (place: number) => texts[place % TEXTS] ?? "";
};

export const STORES: Store[] = [
  {
    name: "every word of the query in every message",
    textOf: cycle(() => shuffled(WORDS)),
    count: (messages) => messages,
  },
  {
    name: "8 words 32 times in every message",
    textOf: cycle(() => shuffled(REPEATED.flatMap((word) => Array<string>(REPEATS).fill(word)))),
    count: (messages) => messages,
  },
  {
    name: "one text in every message",
    textOf: () => WORDS.slice(0, 32).join(" "),
    count: (messages) => messages,
  },
  {
    name: "60 messages of a million bytes, two words in random order",
    textOf: () =>
      Array.from({ length: LONG_WORDS }, () => (random.between(0, 1) === 0 ? "q0" : "q1")).join(" "),
    count: (messages) => Math.min(messages, LONG_MESSAGES),
  },
];
