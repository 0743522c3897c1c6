import type { Engram, MemorySearchAnswer } from "@engram/sdk";
import pMap from "p-map";
import type { Progress } from "../../../../support/progress.ts";
import type { Mode } from "../args.ts";
import { CONCURRENCY } from "../load.ts";
import { NOTES_ASKED } from "./metrics.ts";
import type { Kind, Note, NoteQuery } from "./notes.ts";

export interface AskedNoteQuery {
  kind: Kind;
  relevant: ReadonlySet<string>;
  /** Ids of notes, best first. */
  found: string[];
  /** Highest relevance of its results; 0 without results. */
  relevance: number;
  degraded: boolean;
  /** From sending the request to reading the response. */
  searchMs: number;
}

/**
 * Run every query, a few at a time.
 *
 * @param stored The notes by the ids that the service assigned.
 * @returns One entry per query, in their order.
 * @throws {Error} when a response contains a note that was never stored, or that was altered.
 */
export async function askNotes(
  queries: readonly NoteQuery[],
  engram: Engram,
  stored: ReadonlyMap<string, Note>,
  mode: Mode,
  progress: Progress,
): Promise<AskedNoteQuery[]> {
  let asked = 0;
  return pMap(
    queries,
    async ({ kind, relevant, query, filter }) => {
      const startedAtMs = performance.now();
      const answer = await engram.memories.search({ query, mode, limit: NOTES_ASKED, ...filter });
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
    },
    { concurrency: CONCURRENCY },
  );
}

function toNoteIds({ results }: MemorySearchAnswer, stored: ReadonlyMap<string, Note>): string[] {
  const ids = results.map(({ memory }) => {
    const note = stored.get(memory.id);
    if (note === undefined) throw new Error(`A search answered what was not stored: ${memory.id}`);
    if (note.content !== memory.content) {
      throw new Error(`Note ${note.id} came back altered: ${JSON.stringify(memory.content)}`);
    }
    return note.id;
  });
  // A note that was found by several chunks counts at its best position.
  return [...new Set(ids)];
}
