import { readFile } from "node:fs/promises";
import TALK from "../../languages/talk.json" with { type: "json" };
import type { DialogueSet } from "../recall/dialogues.ts";
import { type StoredDialogue, toDialogue } from "../recall/transcripts.ts";

/** Names of the languages in English, by tag. English comes first, because the others are compared with it. */
export const LANGUAGES: ReadonlyMap<string, string> = new Map([
  ["en", "English"],
  ["de", "German"],
  ["es", "Spanish"],
  ["fr", "French"],
  ["ru", "Russian"],
  ["tr", "Turkish"],
  ["ar", "Arabic"],
  ["hi", "Hindi"],
  ["ja", "Japanese"],
  ["ko", "Korean"],
]);

/** The talk in one language: proof/bench/languages/<tag>.json. */
export interface Texts {
  /** Of the people whose conversation has no assistant. */
  names: Record<string, string>;
  messages: Record<string, string>;
  questions: Record<string, string>;
}

/** What all languages share: the conversations, and the ids of the messages that answer each question. */
export const { sessions: SESSIONS, answers: ANSWERS } = TALK;
/** The first speaker begins, and they take turns. The messages of a conversation are `<id>.1` to `<id>.6`. */
export const MESSAGES_PER_SESSION = 6;
const MINUTE_MS = 60_000;

export async function readTexts(tag: string): Promise<Texts> {
  return JSON.parse(await readFile(new URL(`../../languages/${tag}.json`, import.meta.url), "utf8"));
}

/** One dialogue for each language. A question's category is its language. */
export async function loadLanguages(): Promise<DialogueSet> {
  const dialogues = await Promise.all(
    [...LANGUAGES.keys()].map(async (tag) => toDialogue(toStored(tag, await readTexts(tag)))),
  );
  return { name: "languages", categories: LANGUAGES, dialogues, unanswerable: [] };
}

function toStored(tag: string, { names, messages, questions }: Texts): StoredDialogue {
  return {
    id: tag,
    sessions: SESSIONS.map(({ id, at, speakers }) => ({
      id,
      title: null,
      at,
      msgs: Array.from({ length: MESSAGES_PER_SESSION }, (_, index) => {
        const speaker = speakers[index % 2] ?? "";
        return {
          id: `${id}.${index + 1}`,
          role: speaker === "assistant" ? "assistant" : "user",
          name: names[speaker] ?? null,
          content: textOf(messages, `${id}.${index + 1}`, tag),
          at: new Date(Date.parse(at) + index * MINUTE_MS).toISOString(),
        };
      }),
    })),
    qs: Object.entries(ANSWERS).map(([id, turns]) => ({
      q: textOf(questions, id, tag),
      turns: [...turns],
      cat: tag,
    })),
  };
}

/** @throws {Error} when the language lacks the text. */
function textOf(texts: Record<string, string>, id: string, tag: string): string {
  const text = texts[id];
  if (text === undefined) throw new Error(`${tag}.json has no ${id}`);
  return text;
}
