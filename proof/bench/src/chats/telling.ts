import { createRandom } from "../../../support/random.ts";
import type { Line, Story } from "./script.ts";
import { createFill } from "./values.ts";

/** The period of stories without a date of their own. */
const FIRST_DAY_MS = Date.UTC(2025, 2, 1);
const DAYS = 540;
const DAY_MS = 86_400_000;
/** Number of repetitions that ask the unanswerable questions. More would only repeat them. */
const UNANSWERABLE_TELLINGS = 2;

/** A conversation of a story, before small talk is added. */
export interface Scene {
  /** The seed for small talk; unique among all scenes. */
  seed: string;
  startedAtMs: number;
  title: string | undefined;
  stretches: Line[][];
}

/** One repetition of a story, with values in its slots. */
export interface Telling {
  scenes: Scene[];
  questions: {
    category: string;
    text: string;
    answers: string[];
    evidence: Line[];
  }[];
  unanswerable: string[];
}

/**
 * Fill in a story's slots for one repetition.
 *
 * @param time Number of the repetition, from 0.
 * @param taken Values that other repetitions use; this one's are added.
 * @throws {Error} when a question refers to a message that the story does not have.
 */
export function tell(story: Story, time: number, taken: Set<string>): Telling {
  const seed = `${story.id}/${time}`;
  const random = createRandom(seed);
  const fill = createFill(random, time, taken);
  const labelled = new Map<string, Line>();
  let startedAtMs = toRandomDay(seed);
  const scenes = story.parts.map((part, index): Scene => {
    if (part.date?.startsWith("+")) startedAtMs += Number(part.date) * DAY_MS;
    else if (part.date !== undefined) startedAtMs = Date.parse(part.date);
    // In reading order, because a slot gets its value at its first occurrence.
    const title = part.title && fill(part.title);
    const stretches = part.stretches.map((stretch) =>
      stretch.map((line): Line => {
        const filled = { ...line, name: line.name && fill(line.name), text: fill(line.text) };
        if (line.label !== undefined) labelled.set(line.label, filled);
        return filled;
      }),
    );
    return { seed: `${seed}/${index}`, startedAtMs, title, stretches };
  });
  const questions = questionsOf(story, time).map(({ category, text, answers, evidence }) => ({
    category,
    text: fill(text),
    answers: answers.map(fill),
    evidence: evidence.map((label) => {
      const line = labelled.get(label);
      if (line === undefined) throw new Error(`Story ${story.id} has no message called ${label}`);
      return line;
    }),
  }));
  const unanswerable = time < UNANSWERABLE_TELLINGS ? story.unanswerable.map(fill) : [];
  return { scenes, questions, unanswerable };
}

/** A conversation with small talk only. */
export function tellNothing(seed: string): Scene {
  return { seed, startedAtMs: toRandomDay(seed), title: undefined, stretches: [] };
}

/** The questions of one repetition: all of them, or the next ones in rotation. */
function questionsOf({ asks, questions }: Story, time: number): Story["questions"] {
  if (asks === undefined) return questions;
  const first = (asks * time) % questions.length;
  return [...questions.slice(first), ...questions.slice(0, first)].slice(0, asks);
}

function toRandomDay(seed: string): number {
  return FIRST_DAY_MS + createRandom(`${seed}/day`).between(0, DAYS - 1) * DAY_MS;
}
