/** Kinds of queries. proof/bench/README.md defines them. */
export const KINDS = ["word", "paraphrase", "code", "list", "tag-filtered", "time", "unanswered"] as const;
export type Kind = (typeof KINDS)[number];

/** A search filter, with the API's field names. */
export interface Filter {
  tags_any?: string[];
  tags_all?: string[];
  agent_id?: string;
}

export interface QueryScript {
  kind: Kind;
  text: string;
  filter: Filter;
  /** Ids of notes that answer it, in addition to the note that it belongs to. */
  others: string[];
  /** Each occurs in a note that answers the query; empty for unanswered queries. */
  answers: string[];
}

/** A note with its queries, before slots are filled. */
export interface NoteScript {
  id: string;
  /** Number of notes generated, each with different values; undefined for a note written by hand. */
  times: number | undefined;
  /** Number of generated notes with a query, one each in rotation; undefined for all queries. */
  asked: number | undefined;
  tags: string[];
  agentId: string | undefined;
  source: string;
  /** "2025-03-04"; undefined for a random day. */
  date: string | undefined;
  content: string;
  queries: QueryScript[];
}

const HEADING = /^=== (\S+)(?: x(\d+) asked(\d+))?((?: #\S+)+)(?: @(\S+))? (\w+)(?: (\d{4}-\d\d-\d\d))?$/;
const QUERY = /^\? (\S+)((?: (?:\+|any:|all:|agent:)\S+)*) \| (.+?) => (.+)$/;
const UNANSWERED = /^\?\? (.+)$/;

/**
 * Parse the notes of a script. notes/README.md describes the format.
 *
 * @throws {Error} that names the first invalid line.
 */
export function parseNotes(script: string): NoteScript[] {
  const notes: NoteScript[] = [];
  for (const [index, row] of script.split("\n").entries()) {
    const note = notes.at(-1);
    const [heading, asked, unanswered] = [HEADING, QUERY, UNANSWERED].map((form) => form.exec(row));
    if (heading) {
      notes.push(toNote(heading));
    } else if (asked && note) {
      note.queries.push(toQuery(asked));
    } else if (unanswered && note) {
      const [, text = ""] = unanswered;
      note.queries.push({ kind: "unanswered", text, filter: {}, others: [], answers: [] });
    } else if (note?.queries.length === 0) {
      note.content += `${row}\n`;
    } else if (row !== "") {
      throw new Error(`Line ${index + 1} fits nowhere: ${row}`);
    }
  }
  for (const note of notes) note.content = note.content.trimEnd();
  return notes;
}

function toNote([
  ,
  id = "",
  times,
  asked,
  tags = "",
  agentId,
  source = "",
  date,
]: RegExpExecArray): NoteScript {
  return {
    id,
    times: times === undefined ? undefined : Number(times),
    asked: asked === undefined ? undefined : Number(asked),
    tags: tags
      .trim()
      .split(" ")
      .map((tag) => tag.slice(1)),
    agentId,
    source,
    date,
    content: "",
    queries: [],
  };
}

function toQuery([row, name, narrowed = "", text = "", answers = ""]: RegExpExecArray): QueryScript {
  const kind = KINDS.find((known) => known === name);
  if (kind === undefined) throw new Error(`There is no kind ${name}: ${row}`);
  const query: QueryScript = { kind, text, filter: {}, others: [], answers: answers.split(" & ") };
  for (const word of narrowed.trim().split(" ").filter(Boolean)) {
    const [, sign, value = ""] = /^(\+|\w+:)(.*)$/.exec(word) ?? [];
    if (sign === "+") query.others = value.split(",");
    else if (sign === "any:") query.filter.tags_any = value.split(",");
    else if (sign === "all:") query.filter.tags_all = value.split(",");
    else query.filter.agent_id = value;
  }
  return query;
}
