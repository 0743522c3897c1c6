import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createRandom } from "../../../support/random.ts";
import { createFill, type Fill } from "../chats/values.ts";
import { type Filter, type Kind, type NoteScript, parseNotes, type QueryScript } from "./script.ts";

/** The period of notes without a date of their own. */
const FIRST_DAY_MS = Date.UTC(2024, 11, 1);
const DAYS = 400;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** A note as it is stored. The id is the corpus's own, not the service's. */
export interface Note {
  /** "boiler-pressure", or "refund/3" for a generated note. */
  id: string;
  /** Markdown. */
  content: string;
  tags: string[];
  agent_id: string | undefined;
  /** Origin: "app", "mail", "agent" and so on. */
  source: string;
  /** ISO 8601, UTC. */
  created_at: string;
}

export interface NoteQuery {
  kind: Kind;
  query: string;
  filter: Filter;
  /** Ids of the notes that answer it; empty when none does. */
  relevant: ReadonlySet<string>;
  /** Each occurs in a relevant note. */
  answers: string[];
}

export interface NoteSet {
  notes: Note[];
  queries: NoteQuery[];
}

interface MadeNote {
  note: Note;
  queries: NoteQuery[];
}

/**
 * Notes of people and agents, written by hand or generated from the scripts in this folder, with queries
 * about them. Deterministic.
 *
 * @throws {Error} when a query refers to an unknown note.
 */
export function generateNotes(): NoteSet {
  const made = ["hand", "rules"].flatMap(readScripts).flatMap(parseNotes).flatMap(makeNotes);
  const ids = new Set(made.map(({ note }) => note.id));
  const queries = made.flatMap((one) => one.queries);
  for (const { query, relevant } of queries) {
    for (const id of relevant) if (!ids.has(id)) throw new Error(`There is no note ${id}: ${query}`);
  }
  return { notes: made.map(({ note }) => note), queries };
}

export function passesFilter(note: Note, { tags_any, tags_all, agent_id }: Filter): boolean {
  return (
    (tags_any === undefined || tags_any.some((tag) => note.tags.includes(tag))) &&
    (tags_all === undefined || tags_all.every((tag) => note.tags.includes(tag))) &&
    (agent_id === undefined || note.agent_id === agent_id)
  );
}

function readScripts(folder: string): string[] {
  const path = join(import.meta.dirname, folder);
  const names = readdirSync(path).sort();
  return names.map((name) => readFileSync(join(path, name), "utf8"));
}

/** The notes of a script entry. Identifying values are used in one of them only. */
function makeNotes(script: NoteScript): MadeNote[] {
  const taken = new Set<string>();
  return Array.from({ length: script.times ?? 1 }, (_, telling) => makeNote(script, telling, taken));
}

function makeNote(script: NoteScript, telling: number, taken: Set<string>): MadeNote {
  const id = script.times === undefined ? script.id : `${script.id}/${telling + 1}`;
  const random = createRandom(`note ${id}`);
  const day =
    script.date === undefined ? FIRST_DAY_MS + random.between(0, DAYS - 1) * DAY_MS : Date.parse(script.date);
  const createdAtMs = day + random.between(6 * 60, 22 * 60) * MINUTE_MS;
  const fill = createFill(random, telling, taken);
  const note: Note = {
    id,
    content: fill(script.content),
    tags: script.tags,
    agent_id: script.agentId,
    source: script.source,
    created_at: new Date(createdAtMs).toISOString(),
  };
  return { note, queries: queriesOf(script, telling).map((query) => makeQuery(query, id, fill)) };
}

/** The queries of one repetition: all of them, or one in rotation for the first few repetitions. */
function queriesOf({ asked, queries }: NoteScript, telling: number): QueryScript[] {
  if (asked === undefined) return queries;
  return telling < asked ? queries.slice(telling % queries.length).slice(0, 1) : [];
}

function makeQuery({ kind, text, filter, others, answers }: QueryScript, id: string, fill: Fill): NoteQuery {
  return {
    kind,
    query: fill(text),
    filter,
    relevant: new Set(kind === "unanswered" ? [] : [id, ...others]),
    answers: answers.map(fill),
  };
}
