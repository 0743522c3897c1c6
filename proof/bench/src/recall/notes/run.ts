import type { Engram } from "@engram/sdk";
import { CAPTURE_MEMORIES_MAX } from "@engram/spec";
import { writeJson } from "../../command/command.ts";
import type { Mode, RecallArgs } from "../args.ts";
import { isInHalf } from "../halves.ts";
import { whenIndexed } from "../memory.ts";
import type { Output } from "../run.ts";
import { askNotes } from "./ask.ts";
import { NOTES_ASKED } from "./metrics.ts";
import type { Note, NoteSet } from "./notes.ts";
import { describeNotes, figuresOfNotes, formatNotes, type NoteReport, reportNotes } from "./report.ts";
import { createFindByWords } from "./words.ts";

/**
 * Store the notes, run every query in each mode and with plain BM25, print the table, and write the JSON file
 * if requested.
 */
export async function runNotes(
  args: Pick<RecallArgs, "half" | "modes" | "jsonFile">,
  { notes, queries }: NoteSet,
  engram: Engram,
  { progress, print }: Output,
): Promise<{ shared: NoteReport }> {
  const { half, modes } = args;
  const asked = queries.filter(
    ({ query }) => half === undefined || isInHalf({ dialogueId: "notes", text: query }, half),
  );
  progress(`storing ${notes.length} notes`);
  const stored = new Map<string, Note>();
  for (let from = 0; from < notes.length; from += CAPTURE_MEMORIES_MAX) {
    const some = notes.slice(from, from + CAPTURE_MEMORIES_MAX);
    const memories = some.map(({ id: _, ...memory }) => memory);
    const { items } = await engram.memories.createMany({ memories });
    for (const [i, note] of some.entries()) stored.set(items[i]?.id ?? "", note);
  }
  await whenIndexed(engram, (count) => progress(`indexing, ${count} of ${notes.length} notes to go`));
  const measure = async (mode: Mode) =>
    reportNotes(mode, await askNotes(asked, engram, stored, mode, progress));
  const [mode, ...others] = modes;
  const first = await measure(mode);
  const findByWords = createFindByWords(notes);
  const words_alone = figuresOfNotes(
    asked.map(({ kind, relevant, query, filter }) => ({
      kind,
      relevant,
      found: findByWords(query, filter, NOTES_ASKED),
    })),
  );
  const report: NoteReport = { ...first, words_alone };
  for (const other of others) report.baselines = { ...report.baselines, [other]: await measure(other) };
  print(
    `notes: ${notes.length} notes, ${asked.length} queries, all in one organization\n\n${formatNotes(report)}\n`,
  );
  for (const one of [report, ...Object.values(report.baselines ?? {})]) print(describeNotes(one));
  print("");
  await writeJson(args.jsonFile, { shared: report });
  return { shared: report };
}
