import { createRandom } from "../chats/random.ts";

/** An organization whose messages make searches slow. */
export interface Store {
  name: string;
  /** Text of a message, by its place. */
  textOf(place: number): string;
  /** Messages, of as many as an organization has. */
  count(messages: number): number;
}

/** Words that no stemmer changes, and of which the longest query is made. */
export const WORDS = Array.from({ length: 48 }, (_, i) => `q${i}`);
/** Words that stand 32 times in a message: so often a message counts a word. */
export const REPEATED = WORDS.slice(0, 8);
const REPEATS = 32;
/** Texts that differ; they come again and again. */
const TEXTS = 50;
/** So many messages of a million bytes have 180 MB of words. */
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
