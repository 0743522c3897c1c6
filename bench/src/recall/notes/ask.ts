import type { Progress } from "../../command/progress.ts";
import type { Note, NoteQuery } from "../../notes/notes.ts";
import type { Kind } from "../../notes/script.ts";
import type { Mode } from "../args.ts";
import { CONCURRENCY } from "../load.ts";
import { mapPooled } from "../pool.ts";
import { NOTES_ASKED } from "./metrics.ts";
import type { NoteAnswer, Notebook } from "./notebook.ts";

/** A query with the notes that it was answered with. */
export interface AskedNoteQuery {
  kind: Kind;
  relevant: ReadonlySet<string>;
  /** Ids of notes, best first. */
  found: string[];
  /** The highest of its results; 0 for none. */
  relevance: number;
  /** True when something was not searched. */
  degraded: boolean;
  /** From sending to reading. */
  searchMs: number;
}

/**
 * Ask every query, a few at a time.
 *
 * @param stored The notes by the ids that the service gave them.
 * @returns One entry per query, in their order.
 * @throws {Error} when an answer holds what was never stored, or holds it altered.
 */
export async function askNotes(
  queries: readonly NoteQuery[],
  notebook: Notebook,
  stored: ReadonlyMap<string, Note>,
  mode: Mode,
  progress: Progress,
): Promise<AskedNoteQuery[]> {
  let asked = 0;
  return mapPooled(queries, CONCURRENCY, async ({ kind, relevant, query, filter }) => {
    const startedAtMs = performance.now();
    const answer = await notebook.search({ query, mode, limit: NOTES_ASKED, ...filter });
    const searchMs = performance.now() - startedAtMs;
    asked += 1;
    progress(`${mode}: asked ${asked} of ${queries.length} queries`);
    return {
      kind,
      relevant,
      found: toNoteIds(answer, stored),
      relevance: Math.max(0, ...answer.results.map((result) => result.relevance)),
      degraded: answer.degraded.length > 0,
      searchMs,
    };
  });
}

function toNoteIds({ results }: NoteAnswer, stored: ReadonlyMap<string, Note>): string[] {
  const ids = results.map(({ memory }) => {
    const note = stored.get(memory.id);
    if (note === undefined) throw new Error(`A search answered what was not stored: ${memory.id}`);
    if (note.content !== memory.content) {
      throw new Error(`Note ${note.id} came back altered: ${JSON.stringify(memory.content)}`);
    }
    return note.id;
  });
  // A note that several of its chunks found counts at its best place.
  return [...new Set(ids)];
}
