import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { repairEvidence } from "./evidence.ts";
import { parseSessionDate } from "./session-date.ts";

/** One thing said, as it is stored and as it is counted. */
export interface Turn {
  /** Unique among all dialogues: "26/D1:3". */
  key: string;
  /** Key of the session that holds it. */
  sessionKey: string;
  /** Unique in its dialogue: "D1:3". */
  diaId: string;
  speaker: string;
  role: "user" | "assistant";
  /** What is stored: the text, with ` [shares photo: caption]` where there is a photo. */
  content: string;
  createdAtMs: number;
  /** Words, parted by blanks, of `[Name]: content`. */
  words: number;
}

/** One sitting, stored as one conversation. */
export interface Session {
  /** Unique among all dialogues: "26/session_1". */
  key: string;
  /** Its date, as the data writes it. */
  title: string;
  /** Oldest first, at least one. */
  turns: Turn[];
}

export interface Question {
  text: string;
  /** 1 multi-hop, 2 temporal, 3 open-domain, 4 single-hop. */
  category: number;
  /** Id of the dialogue that it is about. */
  dialogueId: string;
  /** Keys of the turns that answer it, at least one. */
  evidenceTurns: ReadonlySet<string>;
  /** Keys of the sessions that hold them. */
  evidenceSessions: ReadonlySet<string>;
}

export interface Dialogue {
  /** Name of its file without ".json". */
  id: string;
  /** Oldest first. */
  sessions: Session[];
  /** Those that are scored: categories 1 to 4 with evidence that names a turn. */
  questions: Question[];
}

/** Data that cannot be measured with; the message says which file and why. */
export class DataError extends Error {}

/**
 * Read every `<n>.json` of a folder, in the order of the numbers. Other files are passed over.
 *
 * @throws {DataError} when the folder is missing, holds none, or one is no LoCoMo dialogue.
 */
export async function loadDialogues(directory: string): Promise<Dialogue[]> {
  const names = await readdir(directory).catch((cause: unknown) => {
    throw new DataError(`Cannot read the folder ${directory}`, { cause });
  });
  const files = names
    .filter((name) => /^\d+\.json$/.test(name))
    .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
  if (files.length === 0) throw new DataError(`No <n>.json in ${directory}: no LoCoMo dialogues there`);
  return Promise.all(files.map((name) => loadDialogue(join(directory, name))));
}

async function loadDialogue(file: string): Promise<Dialogue> {
  try {
    return toDialogue(basename(file, ".json"), JSON.parse(await readFile(file, "utf8")));
  } catch (cause) {
    throw new DataError(`${file} is no LoCoMo dialogue: ${cause instanceof Error ? cause.message : cause}`);
  }
}

/**
 * A dialogue from one file's JSON.
 *
 * @throws {Error} that says which field is wrong.
 */
export function toDialogue(id: string, json: unknown): Dialogue {
  const file = asObject(json, "the file");
  const userName = asText(file.speaker_a, "speaker_a");
  asText(file.speaker_b, "speaker_b");
  const sessions = Object.keys(file)
    .filter((name) => /^session_\d+$/.test(name))
    .sort((a, b) => Number(a.slice("session_".length)) - Number(b.slice("session_".length)))
    .map((name) => toSession(id, name, file, userName))
    .filter((session) => session.turns.length > 0);
  if (sessions.length === 0) throw new Error("it has no session_1");
  const turns = new Map(sessions.flatMap((session) => session.turns.map((turn) => [turn.diaId, turn])));
  if (turns.size < sessions.reduce((sum, session) => sum + session.turns.length, 0)) {
    throw new Error("two turns have the same dia_id");
  }
  const questions = asList(file.qa, "qa").flatMap((item, index) => toQuestion(id, item, index, turns));
  return { id, sessions, questions };
}

function toSession(
  dialogueId: string,
  name: string,
  file: Record<string, unknown>,
  userName: string,
): Session {
  const title = asText(file[`${name}_date_time`], `${name}_date_time`);
  const startedAtMs = parseSessionDate(title);
  if (startedAtMs === undefined) throw new Error(`${name}_date_time is no date: "${title}"`);
  const key = `${dialogueId}/${name}`;
  const turns = asList(file[name], name).map((item, index): Turn => {
    const turn = asObject(item, `${name}.${index}`);
    const speaker = asText(turn.speaker, `${name}.${index}.speaker`);
    const diaId = asText(turn.dia_id, `${name}.${index}.dia_id`);
    const text = asText(turn.text, `${name}.${index}.text`);
    const content =
      typeof turn.blip_caption === "string" ? `${text} [shares photo: ${turn.blip_caption}]` : text;
    return {
      key: `${dialogueId}/${diaId}`,
      sessionKey: key,
      diaId,
      speaker,
      role: speaker === userName ? "user" : "assistant",
      content,
      // A second apart, so that time order is reading order.
      createdAtMs: startedAtMs + index * 1_000,
      words: countWords(`[${speaker}]: ${content}`),
    };
  });
  return { key, title, turns };
}

/** The question as a list of one, or none when it is not scored. */
function toQuestion(
  dialogueId: string,
  json: unknown,
  index: number,
  turns: ReadonlyMap<string, Turn>,
): Question[] {
  const item = asObject(json, `qa.${index}`);
  const text = asText(item.question, `qa.${index}.question`);
  const category = item.category;
  if (typeof category !== "number") throw new Error(`qa.${index}.category is no number`);
  if (![1, 2, 3, 4].includes(category)) return [];
  const named = asList(item.evidence ?? [], `qa.${index}.evidence`).map((id) =>
    asText(id, `qa.${index}.evidence`),
  );
  const evidence = repairEvidence(named, new Set(turns.keys())).flatMap((id) => turns.get(id) ?? []);
  if (evidence.length === 0) return [];
  return [
    {
      text,
      category,
      dialogueId,
      evidenceTurns: new Set(evidence.map((turn) => turn.key)),
      evidenceSessions: new Set(evidence.map((turn) => turn.sessionKey)),
    },
  ];
}

/** Words of a text, parted by blanks of any kind. */
function countWords(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}

function asObject(value: unknown, name: string): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  throw new Error(`${name} is no object`);
}

function asText(value: unknown, name: string): string {
  if (typeof value === "string") return value;
  throw new Error(`${name} is no text`);
}

function asList(value: unknown, name: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw new Error(`${name} is no list`);
}
