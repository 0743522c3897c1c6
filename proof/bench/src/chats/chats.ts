import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Dialogue,
  type DialogueSet,
  type Question,
  type Turn,
  toEvidence,
} from "../recall/dialogues.ts";
import { type Line, parseStories, parseTopics, type Topic } from "./script.ts";
import { toSession } from "./session.ts";
import { type Telling, tell, tellNothing } from "./telling.ts";
import { USERS, type User } from "./users.ts";

const CATEGORIES = "identifier fact paraphrase date preference multi assistant tool other-language".split(
  " ",
);
/** Conversations per user with small talk only. */
const QUIET_CONVERSATIONS = 3;

export interface ChatQuestion extends Question {
  /** Each occurs in a turn of the evidence. */
  answers: string[];
}

export interface Chats extends DialogueSet {
  dialogues: ChatDialogue[];
}

interface ChatDialogue extends Dialogue {
  questions: ChatQuestion[];
}

/**
 * Generate conversations of people and teams with assistants, and questions about them, from the scripts in
 * this folder. Deterministic.
 */
export function generateChats(): Chats {
  const stories = readScripts("stories").flatMap(parseStories);
  const topics = readScripts("talk").flatMap(parseTopics);
  const taken = new Set<string>();
  const told = USERS.map((user) => ({
    user,
    tellings: stories
      .filter(({ userId }) => userId === user.id)
      .flatMap((story) => Array.from({ length: story.times }, (_, time) => tell(story, time, taken))),
  }));
  return {
    name: "chats",
    categories: new Map(CATEGORIES.map((category) => [category, category])),
    dialogues: told.map(({ user, tellings }) => toDialogue(user, tellings, topics)),
    unanswerable: told.flatMap(({ user, tellings }) =>
      tellings.flatMap(({ unanswerable }) => unanswerable.map((text) => ({ text, dialogueId: user.id }))),
    ),
  };
}

function readScripts(folder: string): string[] {
  const path = join(import.meta.dirname, folder);
  const names = readdirSync(path).sort();
  return names.map((name) => readFileSync(join(path, name), "utf8"));
}

function toDialogue(user: User, tellings: readonly Telling[], topics: readonly Topic[]): ChatDialogue {
  const quiet = Array.from({ length: QUIET_CONVERSATIONS }, (_, index) =>
    tellNothing(`${user.id}/quiet/${index}`),
  );
  const turns = new Map<Line, Turn>();
  const sessions = [...tellings.flatMap(({ scenes }) => scenes), ...quiet]
    .sort((a, b) => a.startedAtMs - b.startedAtMs || (a.seed < b.seed ? -1 : 1))
    .map((scene, index) => toSession(`${user.id}/c${index + 1}`, scene, user, topics, turns));
  const questions = tellings.flatMap((telling) =>
    telling.questions.map(({ category, text, answers, evidence }): ChatQuestion => {
      if (!CATEGORIES.includes(category)) throw new Error(`There is no category ${category}: ${text}`);
      const found = evidence.flatMap((line) => turns.get(line) ?? []);
      return { category, text, answers, dialogueId: user.id, ...toEvidence(found) };
    }),
  );
  return { id: user.id, sessions, questions };
}
