import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { CommandError } from "../command/options.ts";
import {
  countWords,
  type Dialogue,
  type DialogueSet,
  type Question,
  type Session,
  type Turn,
  toEvidence,
} from "./dialogues.ts";
import { repairEvidence } from "./evidence.ts";
import { parseSessionDate } from "./session-date.ts";

/** The scored categories, by their numbers in the data. */
const CATEGORIES: ReadonlyMap<string, string> = new Map([
  ["1", "multi-hop"],
  ["2", "temporal"],
  ["3", "open-domain"],
  ["4", "single-hop"],
]);

/** Unusable data. The message names the file and the reason. */
export class DataError extends CommandError {}

export async function loadLocomo(directory: string): Promise<DialogueSet> {
  const dialogues = await loadDialogues(directory);
  // Its adversarial questions ask about the wrong person, so the other person's turns do answer them.
  return { name: "locomo", categories: CATEGORIES, dialogues, unanswerable: [] };
}

/**
 * Read every `<n>.json` of a folder, in the order of the numbers. Other files are ignored.
 *
 * @throws {DataError} when the folder is missing, has no dialogues, or a file is not a LoCoMo dialogue.
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

/** @throws {Error} that names the invalid field. */
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
  const turns = new Map(sessions.flatMap((session) => session.turns.map((turn) => [turn.id, turn])));
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
    const turnId = asText(turn.dia_id, `${name}.${index}.dia_id`);
    const text = asText(turn.text, `${name}.${index}.text`);
    const content =
      typeof turn.blip_caption === "string" ? `${text} [shares photo: ${turn.blip_caption}]` : text;
    return {
      key: `${dialogueId}/${turnId}`,
      sessionKey: key,
      id: turnId,
      role: speaker === userName ? "user" : "assistant",
      name: speaker,
      content,
      // One second apart, so that the order of times is the reading order.
      createdAtMs: startedAtMs + index * 1_000,
      words: countWords(speaker, content),
    };
  });
  return { key, title, turns };
}

/** The question in a list, or an empty list when it is not scored. */
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
  if (!CATEGORIES.has(String(category))) return [];
  const named = asList(item.evidence ?? [], `qa.${index}.evidence`).map((id) =>
    asText(id, `qa.${index}.evidence`),
  );
  const evidence = repairEvidence(named, new Set(turns.keys())).flatMap((id) => turns.get(id) ?? []);
  if (evidence.length === 0) return [];
  return [
    {
      text,
      category: String(category),
      dialogueId,
      ...toEvidence(evidence),
    },
  ];
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
