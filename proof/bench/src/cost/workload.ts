import type { MessageRole } from "@engram/sdk";
import { type Random, toRandom, uniform } from "../../../support/random.ts";
import { GENERAL_WORDS, makeText, normal, TOPICS } from "../generated-text.ts";
import type { Dialogue } from "../recall/dialogues.ts";

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
const QUERIES = 200;

/** Conversations generated from everyday English: 20 to 200 messages with the typical lengths of a chat. */
export function generatedWorkload(seed = 1): Workload {
  return {
    name: "generated conversations",
    *conversations() {
      const random = toRandom(uniform(seed));
      for (;;) yield makeConversation(random);
    },
    queries: makeQueries(toRandom(uniform(seed + 1))),
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

function makeConversation(random: Random): Said[] {
  const topics = [random.pick(TOPICS), random.pick(TOPICS)].flat();
  const range = CONVERSATION_MESSAGES_MAX / CONVERSATION_MESSAGES_MIN;
  // Log-uniform: every doubling of the length is equally likely.
  const count = Math.round(CONVERSATION_MESSAGES_MIN * range ** random.next());
  return Array.from({ length: count }, (_, index) => {
    const role = index % 2 === 0 ? "user" : "assistant";
    const { median, spread } = LENGTHS[role];
    const length = Math.round(median * Math.exp(spread * normal(random)));
    return { role, content: makeText(random, topics, Math.min(MESSAGE_WORDS_MAX, Math.max(1, length))) };
  });
}

function makeQueries(random: Random): string[] {
  return Array.from({ length: QUERIES }, () => {
    const topic = random.pick(TOPICS);
    const asked = [random.pick(topic), random.pick(GENERAL_WORDS), random.pick(topic)];
    return `What did we say about the ${asked.join(" and the ")}?`;
  });
}
