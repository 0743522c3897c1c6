/** What a query asks for. bench/README.md defines them. */
export const KINDS = ["word", "paraphrase", "code", "list", "tag-filtered", "time", "unanswered"] as const;
export type Kind = (typeof KINDS)[number];

/** What a search is narrowed to, as it goes over the wire. */
export interface Filter {
  tags_any?: string[];
  tags_all?: string[];
  agent_id?: string;
}

/** A query of a script, before its slots are filled. */
export interface QueryScript {
  kind: Kind;
  text: string;
  filter: Filter;
  /** Ids of notes that answer it besides the one it stands under. */
  others: string[];
  /** Each stands in a note that answers it; empty where nothing does. */
  answers: string[];
}

/** A note of a script with what is asked about it, before slots are filled. */
export interface NoteScript {
  id: string;
  /** How many notes it makes, each with other values; undefined for one written by hand. */
  times: number | undefined;
  /** How many of them are asked about, each by one query in turn; all queries are asked when undefined. */
  asked: number | undefined;
  tags: string[];
  agentId: string | undefined;
  source: string;
  /** "2025-03-04"; undefined for any day. */
  date: string | undefined;
  content: string;
  queries: QueryScript[];
}

const HEADING = /^=== (\S+)(?: x(\d+) asked(\d+))?((?: #\S+)+)(?: @(\S+))? (\w+)(?: (\d{4}-\d\d-\d\d))?$/;
const QUERY = /^\? (\S+)((?: (?:\+|any:|all:|agent:)\S+)*) \| (.+?) => (.+)$/;
const UNANSWERED = /^\?\? (.+)$/;

/**
 * The notes of a script; notes/README.md says how one is written.
 *
 * @throws {Error} that names the first line that fits nowhere.
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
