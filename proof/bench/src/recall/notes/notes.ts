import { readLines } from "../own-sets.ts";

/** Kinds of queries. proof/bench/README.md defines them. */
export const KINDS = ["word", "paraphrase", "code", "list", "tag-filtered", "time", "unanswered"] as const;
export type Kind = (typeof KINDS)[number];

/** A search filter, with the API's field names. */
export interface Filter {
  tags_any?: string[];
  tags_all?: string[];
  agent_id?: string;
}

/** A note as it is stored. The id is the corpus's own, not the service's. */
export interface Note {
  /** "boiler-pressure", or "refund/3" for a note made by a rule. */
  id: string;
  /** Markdown. */
  content: string;
  tags: string[];
  agent_id?: string;
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

type StoredQuery = Omit<NoteQuery, "relevant"> & { relevant: string[] };

/** Notes of people and agents, with queries about them. */
export function readNotes(): NoteSet {
  const lines = readLines<Note | StoredQuery>("notes.jsonl");
  return {
    notes: lines.flatMap((line) => ("query" in line ? [] : [line])),
    queries: lines.flatMap((line) =>
      "query" in line ? [{ ...line, relevant: new Set(line.relevant) }] : [],
    ),
  };
}

export function passesFilter(note: Note, { tags_any, tags_all, agent_id }: Filter): boolean {
  return (
    (tags_any === undefined || tags_any.some((tag) => note.tags.includes(tag))) &&
    (tags_all === undefined || tags_all.every((tag) => note.tags.includes(tag))) &&
    (agent_id === undefined || note.agent_id === agent_id)
  );
}
