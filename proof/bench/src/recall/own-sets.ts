import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import {
  countWords,
  type Dialogue,
  type DialogueSet,
  type Question,
  type Session,
  type Turn,
  toEvidence,
} from "./dialogues.ts";

const FOLDER = join(import.meta.dirname, "../../sets");
const CHATS = "identifier fact paraphrase date preference multi assistant tool other-language".split(" ");
const CODE = "symbol file error command".split(" ");

interface StoredSession extends Omit<Session, "key" | "turns"> {
  id: string;
  turns: Omit<Turn, "key" | "sessionKey" | "words">[];
}
interface StoredQuestion extends Pick<Question, "category" | "text"> {
  /** Each occurs in a turn of the evidence. */
  answers?: string[];
  /** Ids of sessions and turns: "c3/m9". */
  evidence: string[];
}
/** A line of a dialogue's file. */
type StoredLine = StoredSession | StoredQuestion | { unanswerable: string };

/** Conversations of people and teams with assistants, and questions about them. */
export const readChats = (): DialogueSet => {
  const files = readdirSync(join(FOLDER, "chats")).sort();
  return readSet(
    "chats",
    CHATS,
    files.map((file) => join("chats", file)),
  );
};

/** Conversations on code, and questions that name something in it by a part or in another case. */
export const readCode = (): DialogueSet => readSet("code", CODE, ["code.jsonl"], ":");

/** The lines of a file of a set. */
export function readLines<Line>(file: string): Line[] {
  const lines = readFileSync(join(FOLDER, file), "utf8").trimEnd().split("\n");
  return lines.map((line): Line => JSON.parse(line));
}

/** @param mark Between a session's key and the id of its turn, in the key of the turn. */
function readSet(
  name: string,
  categories: readonly string[],
  files: readonly string[],
  mark = "/",
): DialogueSet {
  const read = files.map((file) => {
    const dialogueId = basename(file, ".jsonl").replace(/^\d+-/, "");
    const lines = readLines<StoredLine>(file);
    const unanswerable = lines.flatMap((line) =>
      "unanswerable" in line ? [{ text: line.unanswerable, dialogueId }] : [],
    );
    return { dialogue: toDialogue(dialogueId, lines, mark), unanswerable };
  });
  return {
    name,
    categories: new Map(categories.map((category) => [category, category])),
    dialogues: read.map(({ dialogue }) => dialogue),
    unanswerable: read.flatMap((one) => one.unanswerable),
  };
}

function toDialogue(dialogueId: string, lines: readonly StoredLine[], mark: string): Dialogue {
  const turnByKey = new Map<string, Turn>();
  const sessions = lines.flatMap((line): Session[] => {
    if (!("turns" in line)) return [];
    const { id, turns, ...described } = line;
    const key = `${dialogueId}/${id}`;
    const told = turns.map((turn) => {
      const whole = { key: `${key}${mark}${turn.id}`, sessionKey: key, ...turn };
      return { ...whole, words: countWords(turn.name ?? turn.role, turn.content) };
    });
    for (const turn of told) turnByKey.set(turn.key, turn);
    return [{ key, ...described, turns: told }];
  });
  const questions = lines.flatMap((line): Question[] => {
    if (!("evidence" in line)) return [];
    const { evidence, ...asked } = line;
    const turns = evidence.flatMap((at) => turnByKey.get(`${dialogueId}/${at}`) ?? []);
    return [{ ...asked, dialogueId, ...toEvidence(turns) }];
  });
  return { id: dialogueId, sessions, questions };
}
