import type { MessageRole } from "@engram/sdk";
import type { Dialogue } from "../recall/dialogues.ts";
import { FUNCTION_WORDS, GENERAL_WORDS, TOPICS } from "./vocabulary.ts";

export interface Said {
  role: MessageRole;
  content: string;
}

/** Messages to store and queries to run, the same in every run. */
export interface Workload {
  /** The source of the data, for the report. */
  name: string;
  /** Infinite for generated data, otherwise until the data ends. */
  conversations(): Iterable<Said[]>;
  queries: string[];
}

const CONVERSATION_MESSAGES_MIN = 20;
const CONVERSATION_MESSAGES_MAX = 200;
/** Median words per message. Users write short messages of similar length, assistants longer ones. */
const LENGTHS = { user: { median: 14, spread: 0.8 }, assistant: { median: 55, spread: 0.7 } };
const MESSAGE_WORDS_MAX = 400;
/** Probability that the next word is of this kind; the rest are general words. */
const FUNCTION_SHARE = 0.5;
const TOPIC_SHARE = 0.2;
/** Rare words: order numbers, machine names, codes. */
const RARE_SHARE = 0.02;
const SENTENCE_WORDS_MAX = 14;
const QUERIES = 200;

/** Conversations generated from everyday English: 20 to 200 messages with the typical lengths of a chat. */
export function generatedWorkload(seed = 1): Workload {
  return {
    name: "generated conversations",
    *conversations() {
      const random = createRandom(seed);
      for (;;) yield makeConversation(random);
    },
    queries: makeQueries(createRandom(seed + 1)),
  };
}

export function locomoWorkload(dialogues: readonly Dialogue[]): Workload {
  const sessions = dialogues.flatMap((dialogue) => dialogue.sessions);
  return {
    name: `${dialogues.length} LoCoMo dialogues`,
    conversations: () => sessions.map(({ turns }) => turns.map(({ role, content }) => ({ role, content }))),
    queries: dialogues
      .flatMap((dialogue) => dialogue.questions.map(({ text }) => text))
      .filter((_, index, all) => index % Math.ceil(all.length / QUERIES) === 0),
  };
}

type Random = () => number;

function makeConversation(random: Random): Said[] {
  const topics = [pick(random, TOPICS), pick(random, TOPICS)].flat();
  const range = CONVERSATION_MESSAGES_MAX / CONVERSATION_MESSAGES_MIN;
  // Log-uniform: every doubling of the length is equally likely.
  const count = Math.round(CONVERSATION_MESSAGES_MIN * range ** random());
  return Array.from({ length: count }, (_, index) => {
    const role = index % 2 === 0 ? "user" : "assistant";
    const { median, spread } = LENGTHS[role];
    const length = Math.round(median * Math.exp(spread * normal(random)));
    return { role, content: makeText(random, topics, Math.min(MESSAGE_WORDS_MAX, Math.max(1, length))) };
  });
}

function makeQueries(random: Random): string[] {
  return Array.from({ length: QUERIES }, () => {
    const topic = pick(random, TOPICS);
    const asked = [pick(random, topic), pick(random, GENERAL_WORDS), pick(random, topic)];
    return `What did we say about the ${asked.join(" and the ")}?`;
  });
}

function makeText(random: Random, topics: string[], length: number): string {
  const sentences: string[] = [];
  for (let left = length; left > 0; ) {
    const size = Math.min(left, 1 + Math.floor(random() * SENTENCE_WORDS_MAX));
    const sentence = Array.from({ length: size }, () => makeWord(random, topics)).join(" ");
    sentences.push(sentence.charAt(0).toUpperCase() + sentence.slice(1) + (random() < 0.2 ? "?" : "."));
    left -= size;
  }
  return sentences.join(" ");
}

function makeWord(random: Random, topics: string[]): string {
  const kind = random();
  if (kind < RARE_SHARE) return `${pick(random, topics)}-${Math.floor(random() * 100_000)}`;
  if (kind < RARE_SHARE + TOPIC_SHARE) return pick(random, topics);
  if (kind < RARE_SHARE + TOPIC_SHARE + FUNCTION_SHARE) return pickFrequent(random, FUNCTION_WORDS);
  return pickFrequent(random, GENERAL_WORDS);
}

function pick<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new RangeError("nothing to pick from");
  return item;
}

/** Zipf's law: the n-th word is about n times less frequent than the first. */
function pickFrequent(random: Random, words: readonly string[]): string {
  const place = Math.floor(words.length ** random()) - 1;
  return words[place] ?? pick(random, words);
}

/** Normal distribution around 0 (Box-Muller transform). */
const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Random numbers from 0 to 1, determined by the seed (mulberry32). */
function createRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
