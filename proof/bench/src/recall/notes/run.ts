import { writeJson } from "../../command/command.ts";
import type { Mode, RecallArgs } from "../args.ts";
import { isInHalf } from "../halves.ts";
import type { Output } from "../run.ts";
import { askNotes } from "./ask.ts";
import { NOTES_ASKED } from "./metrics.ts";
import type { Notebook } from "./notebook.ts";
import type { NoteSet } from "./notes.ts";
import { describeNotes, figuresOfNotes, formatNotes, type NoteReport, reportNotes } from "./report.ts";
import { createFindByWords } from "./words.ts";

/**
 * Store the notes, run every query in each mode and with plain BM25, print the table, and write the JSON file
 * if requested.
 */
export async function runNotes(
  args: Pick<RecallArgs, "half" | "modes" | "jsonFile">,
  { notes, queries }: NoteSet,
  notebook: Notebook,
  { progress, print }: Output,
): Promise<{ shared: NoteReport }> {
  const { half, modes } = args;
  const asked = queries.filter(
    ({ query }) => half === undefined || isInHalf({ dialogueId: "notes", text: query }, half),
  );
  progress(`storing ${notes.length} notes`);
  const ids = await notebook.capture(notes);
  if (ids.length !== notes.length) throw new Error(`Stored ${notes.length} notes, but got ${ids.length} ids`);
  await notebook.whenIndexed((count) => progress(`indexing, ${count} of ${notes.length} notes to go`));
  const stored = new Map(notes.map((note, place) => [ids[place] ?? "", note]));
  const measure = async (mode: Mode) =>
    reportNotes(mode, await askNotes(asked, notebook, stored, mode, progress));
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
