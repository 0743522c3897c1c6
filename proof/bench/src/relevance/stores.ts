import { createHash } from "node:crypto";
import type { Dialogue, DialogueSet, Question } from "../recall/dialogues.ts";

/** Numbers of conversations, and how many stores of this size each set gives. */
const SMALL = { 1: 8, 3: 5, 10: 4 };
/** Sizes of stores that mix all sets. */
const MIXED = [100, 1_000];
const QUESTIONS_MAX = 100;
/** Dialogues of each set that are stored as a whole. */
const WHOLE_MAX = 5;

/** Conversations of one organization, with the questions that they answer. */
export interface Store {
  /** Name of the set; "mixed" if they are of all sets. */
  set: string;
  /** Whether all conversations of a dialogue are there, which is how the set is meant. */
  isWhole: boolean;
  dialogue: Dialogue;
  questions: readonly Question[];
}

/** Draws stores of 1, 3, 10, 100 and 1,000 conversations, and each dialogue as a whole. The same sets give the same stores. */
export function drawStores(sets: readonly DialogueSet[]): Store[] {
  const small = sets.flatMap(({ name, dialogues }) =>
    Object.entries(SMALL).flatMap(([size, count]) =>
      Array.from({ length: count }, (_, i) => {
        const dialogue = dialogues[i % dialogues.length] as Dialogue;
        return drawStore(name, [dialogue], Number(size), `${name} ${size} ${i}`);
      }),
    ),
  );
  const whole = sets.flatMap(({ name, dialogues }) =>
    dialogues.slice(0, WHOLE_MAX).map(
      (dialogue): Store => ({
        set: name,
        isWhole: true,
        dialogue,
        questions: shuffled(dialogue.questions, ({ text }) => text, "questions").slice(0, QUESTIONS_MAX),
      }),
    ),
  );
  const all = sets.flatMap(({ dialogues }) => dialogues);
  const count = all.reduce((sum, { sessions }) => sum + sessions.length, 0);
  const mixed = [...new Set(MIXED.map((size) => Math.min(size, count)))].map((size) =>
    drawStore("mixed", all, size, `mixed ${size}`),
  );
  return [...small, ...whole, ...mixed];
}

function drawStore(set: string, dialogues: readonly Dialogue[], size: number, seed: string): Store {
  const questions = dialogues.flatMap((dialogue) => dialogue.questions);
  const sessions = shuffled(
    dialogues.flatMap((dialogue) => dialogue.sessions),
    ({ key }) => key,
    seed,
  );
  // A store of one conversation must have a question: the first one answers one.
  const answering = new Set(questions.flatMap(({ evidenceSessions }) => [...evidenceSessions]));
  const first = sessions.findIndex(({ key }) => answering.has(key));
  const drawn = [...sessions.splice(first, 1), ...sessions.slice(0, size - 1)];
  const keys = new Set(drawn.map(({ key }) => key));
  const answered = questions.filter(({ evidenceSessions }) =>
    [...evidenceSessions].every((key) => keys.has(key)),
  );
  return {
    set,
    isWhole: false,
    dialogue: { id: seed, sessions: drawn, questions: [] },
    questions: shuffled(answered, ({ text }) => text, seed).slice(0, QUESTIONS_MAX),
  };
}

function shuffled<Item>(items: readonly Item[], nameOf: (item: Item) => string, seed: string): Item[] {
  const placeOf = (item: Item) =>
    createHash("sha256")
      .update(`${seed}\n${nameOf(item)}`)
      .digest("hex");
  return items
    .map((item) => ({ item, place: placeOf(item) }))
    .sort((a, b) => (a.place < b.place ? -1 : 1))
    .map(({ item }) => item);
}
