import { createRandom, type Random } from "../../../support/random.ts";
import { GENERAL_WORDS, makeText, normal, TOPICS } from "../generated-text.ts";

/** A message of one of two people. */
export interface Line {
  /** Position among all lines, from 0. */
  place: number;
  role: "user" | "assistant";
  name: string;
  content: string;
  /** One second after the preceding line, so that no two times are equal. */
  createdAtMs: number;
}

/** All messages of two people; stored as one conversation. */
export interface Talk {
  id: string;
  /** Oldest first. */
  lines: Line[];
}

/** Data and queries for every system, the same in every run. */
export interface Workload {
  talks: Talk[];
  queries: string[];
  /** Queries that run first and are not measured. */
  warmUps: string[];
}

/** The number of messages in LoCoMo's ten dialogues. */
export const LOCOMO_MESSAGES = 5_882;
const LOCOMO_DIALOGUES = 10;
const NAMES =
  "Ana Ben Carla Deniz Elif Farid Greta Hugo Ines Jonas Kira Leon Mina Noor Otis Pia Quinn Rosa".split(" ");
/**
 * Lengths like those of LoCoMo's turns: half have fewer words than the median, and two thirds are within the
 * factor of it. Windows of five stay short enough for the model to embed each as a whole, so the bench knows
 * exactly what Engram embeds.
 */
const LINE_WORDS = { median: 22, factor: 1.7, max: 45 };
const SHORT_WORDS = { user: LINE_WORDS, assistant: LINE_WORDS };
type LineWords = typeof SHORT_WORDS;
/** Lengths like those of chats with an assistant, 2 kB on average: long answers to short questions. */
const LONG_WORDS = {
  user: { median: 100, factor: 1.7, max: 400 },
  assistant: { median: 530, factor: 1.7, max: 2_000 },
};
const LONG_TALK_LINES = 26;
/** Lines until the topic changes, as in LoCoMo's sessions. */
const TOPIC_LINES = 20;
/** Share of queries that quote earlier text instead of asking about a topic. */
const QUOTING_SHARE = 0.5;
const QUOTED_WORDS = 6;
const STARTED_AT_MS = Date.UTC(2025, 0, 1);

/**
 * Generate dialogues of two people: `messages` lines in talks of LoCoMo's length, and questions about them.
 *
 * More messages mean more talks. The talks of a smaller workload are the same in a larger one.
 */
export function makeWorkload(size: Size): Workload {
  return makeTalks(size, Math.ceil(LOCOMO_MESSAGES / LOCOMO_DIALOGUES), SHORT_WORDS);
}

/** Generate chats with an assistant, with long messages, and questions about them. */
export function makeLongWorkload(size: Size): Workload {
  return makeTalks(size, LONG_TALK_LINES, LONG_WORDS);
}

interface Size {
  messages: number;
  queries: number;
  warmUps: number;
}

function makeTalks(size: Size, length: number, words: LineWords): Workload {
  const talks: Talk[] = [];
  for (let from = 0; from < size.messages; from += length) {
    talks.push(makeTalk(talks.length, from, Math.min(length, size.messages - from), words));
  }
  const asking = (seed: string, count: number) => {
    const random = createRandom(seed);
    return Array.from({ length: count }, () => makeQuery(random, talks));
  };
  return {
    talks,
    queries: asking("speed queries", size.queries),
    warmUps: asking("speed warm-up", size.warmUps),
  };
}

/** One talk of `length` lines, the first at place `from`. */
export function makeTalk(index: number, from: number, length: number, words = SHORT_WORDS): Talk {
  const random = createRandom(`speed talk ${index}`);
  const names = random.sample(NAMES, 2);
  let topics: string[] = [];
  const lines = Array.from({ length }, (_, i): Line => {
    if (i % TOPIC_LINES === 0) topics = random.sample(TOPICS, 2).flat();
    const role = i % 2 === 0 ? "user" : "assistant";
    const { median, factor, max } = words[role];
    const count = Math.min(max, Math.max(1, Math.round(median * factor ** normal(random))));
    return {
      place: from + i,
      role,
      name: names[i % 2] ?? "",
      content: makeText(random, topics, count),
      createdAtMs: STARTED_AT_MS + (from + i) * 1_000,
    };
  });
  return { id: `talk-${index}`, lines };
}

function makeQuery(random: Random, talks: readonly Talk[]): string {
  const line = random.pick(random.pick(talks).lines);
  if (random.next() >= QUOTING_SHARE) {
    const topic = random.pick(TOPICS);
    return `What did ${line.name} say about the ${random.pick(topic)} and the ${random.pick(GENERAL_WORDS)}?`;
  }
  const words = line.content.split(" ");
  const start = random.between(0, Math.max(0, words.length - QUOTED_WORDS));
  return words.slice(start, start + QUOTED_WORDS).join(" ");
}
