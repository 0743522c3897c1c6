import { basename, resolve } from "node:path";
import type { Engram } from "@engram/sdk";
import { Argument, type Command } from "commander";
import { findCheckpoint } from "../checkpoint.ts";
import { CommandError, EXIT_FORGOTTEN, NotFoundError, UsageError } from "../command-error.ts";
import type { Connection } from "../connection.ts";
import { type Context, contextOf } from "../context.ts";
import { FORMATS, NOTE_FORMATS } from "../importers/formats.ts";
import { COPIED_MESSAGE } from "../importers/sessions.ts";
import { shortened } from "../importers/text-cuts.ts";
import { ConversationImport, type Import, type Stored } from "../imports.ts";
import { NoteImport } from "../note-imports.ts";
import { timeAfter, timeSpan } from "../options.ts";
import { count, type Output, oneLine, table } from "../output.ts";
import { createProgress } from "../progress.ts";
import type { Reason } from "../reasons.ts";
import { checkFormat, explainPath } from "../recognized-path.ts";
import { findNotes, findSources } from "../sources.ts";
import { STANDARD_STREAM } from "../spooled-input.ts";

/** Long timeouts, because a small machine may need long for a request of 1,000 lines. */
const PATIENCE = { timeoutMs: 120_000, deadlineMs: 900_000, maxRetries: 8 };
const PLACE_CHARACTERS = 200;
const REASONS_SHOWN = 20;
const EXIT_FAILED = 1;
const EXIT_INTERRUPTED = 130;

interface Options {
  dryRun?: boolean;
  vault?: string;
  expiresIn?: string;
}

export function addImport(program: Command): void {
  program
    .command("import")
    .description(
      "Import conversations (needs the scope admin, and read to resume and to recognize forks) or notes (read and write) with their original times; a repeated import adds only what is new",
    )
    .addArgument(
      new Argument("<format>", "format of the file").choices([...FORMATS.keys(), ...NOTE_FORMATS.keys()]),
    )
    .argument("[path]", "file, or a directory or .zip that contains it; - is standard input")
    .option("--dry-run", "show what would be imported, without sending it")
    .option(
      "--expires-in <span>",
      "for conversations: delete those that the import creates after this time, such as 90d",
      timeSpan,
    )
    .option("--vault <name>", "for notes: name of the vault; default the name of the directory")
    .addHelpText(
      "after",
      `
Formats:
${[...FORMATS, ...NOTE_FORMATS].map(([name, { description }]) => `  ${name.padEnd(13)}${description}`).join("\n")}

The summary says how many items were read, stored, and existing before. Items that are left out or not understood
are counted by type and reason, and listed with their position. After an interruption, run the same command again
to resume. Files that are compressed with gzip or zstd are read too. Exits with 1 if the service rejected an
item, if a compressed file is damaged, or if the file has another format; the error then names the format that
it looks like. Exits with 3 if the service only skipped items because they, or their user, were deleted with
forget.

Examples:
  $ engram import chatgpt ~/Downloads/conversations.json --dry-run
  $ engram import ndjson backup.ndjson --profile work
  $ engram export --profile home | engram import ndjson - --profile work
  $ engram import obsidian ~/Notes
  $ engram import obsidian ~/work/Notes --vault work
`,
    )
    .action(async (name: string, path: string | undefined, options: Options, command: Command) => {
      const context = contextOf(command);
      const { output } = context;
      const from = path ?? FORMATS.get(name)?.home?.(process.env);
      if (from === undefined) throw new UsageError(`Name the file to import: engram import ${name} FILE`);
      const { work, summary } = await importFrom(name, from, options, context, PATIENCE);
      const isEmpty = hasNothing(summary);
      if (isEmpty && summary.left_out.length + summary.not_understood.length === 0)
        throw new CommandError(`${shownPath(from)} contains no conversation.`);
      output.data(summary, () => toText(summary));
      const isKnown = summary.left_out.some(({ type }) => type === COPIED_MESSAGE);
      if (isEmpty && !isKnown)
        throw new CommandError(`Nothing in ${shownPath(from)} has the format ${name}.`);
      if (summary.refused.length > 0 || work.isIncomplete) process.exitCode = EXIT_FAILED;
      else if (summary.forgotten.length > 0) process.exitCode = EXIT_FORGOTTEN;
    });
}

/** Whether no item was read. */
export const hasNothing = ({ read }: Summary): boolean => Object.values(read).every((n) => n === 0);

/** Imports what is at a path, shows how far it is, and returns the import when it is done. */
export async function importFrom(
  name: string,
  from: string,
  options: Options,
  { output, client, connection }: Context,
  patience: typeof PATIENCE,
): Promise<{ work: Import; summary: Summary }> {
  const at = from === STANDARD_STREAM ? from : resolve(from);
  const work = await begin(name, at, connection, options).catch(async (error: unknown) => {
    throw error instanceof NotFoundError ? await explainPath(name, from, error) : error;
  });
  const show = watch(work);
  if (options.dryRun) await work.readOnly(show.progress).finally(show.clear);
  else await sendAll(work, client(patience), show, output);
  return { work, summary: toSummary(work, options.dryRun === true) };
}

const shownPath = (path: string): string => (path === STANDARD_STREAM ? "Standard input" : oneLine(path));

async function begin(
  name: string,
  path: string,
  connection: Connection,
  { vault, expiresIn }: Options,
): Promise<Import> {
  const format = FORMATS.get(name);
  if (expiresIn !== undefined && (format === undefined || name === "ndjson"))
    throw new UsageError("--expires-in is only for conversations of other programs.");
  if (format === undefined && path === STANDARD_STREAM)
    throw new UsageError("A vault is a directory and cannot be read from standard input.");
  if (format === undefined)
    return new NoteImport(
      { name: vault ?? basename(path), isNamed: vault !== undefined },
      await findNotes(path),
    );
  if (vault !== undefined) throw new UsageError(`--vault is only for notes, not for ${name}`);
  const found = await findSources(path, format.files);
  const sources = found.sources.sort(format.order ?? (() => 0));
  await checkFormat(name, path, sources);
  const checkpoint = findCheckpoint(process.env, connection, name, sources);
  const expiresAt = expiresIn === undefined ? undefined : timeAfter(expiresIn);
  return new ConversationImport(format.importer, { ...found, sources }, checkpoint, expiresAt);
}

function watch(work: Import) {
  const { show, clear } = createProgress(process.stderr);
  const text = () => {
    const { counts } = work;
    const [what, read] = Object.entries(counts.read).findLast(([, n]) => n > 0) ?? ["lines", 0];
    const stored = storedCount(counts.stored[what]);
    return `${count(read)} ${what} read${stored > 0 ? `, ${count(stored)} stored` : ""}`;
  };
  const progress = () => show(text, () => work.done);
  return { progress, clear };
}

const storedCount = ({ created, updated = 0, existing }: Stored = { created: 0, existing: 0 }): number =>
  created + updated + existing;

async function sendAll(
  work: Import,
  engram: Engram,
  show: ReturnType<typeof watch>,
  output: Output,
): Promise<void> {
  const resumed = (lines: number) =>
    output.note(`Resuming an interrupted import after ${count(lines)} lines.`);
  const ending = new AbortController();
  process.once("SIGINT", () => ending.abort());
  process.once("SIGTERM", () => ending.abort());
  try {
    await work.send(engram, ending.signal, { resumed, progress: show.progress }).finally(show.clear);
  } catch (error) {
    if (work.sentBefore > 0 || Object.values(work.counts.stored).some((kind) => storedCount(kind) > 0)) {
      output.note("Interrupted. Everything sent so far is stored. Run the same command again to resume.");
    }
    const refused = reasons("Rejected by the service so far:", work.counts.refused.list());
    if (refused.length > 0) output.note(refused.join("\n"));
    if (!ending.signal.aborted) throw error;
    process.exit(EXIT_INTERRUPTED);
  }
}

interface Summary {
  dry_run: boolean;
  read: Import["counts"]["read"];
  /** Null for a dry run. */
  stored: Import["counts"]["stored"] | null;
  sent_before: number;
  left_out: Reason[];
  not_understood: Reason[];
  refused: Reason[];
  forgotten: Reason[];
}

const toSummary = ({ counts, sentBefore }: Import, dryRun: boolean): Summary => ({
  dry_run: dryRun,
  read: counts.read,
  stored: dryRun ? null : counts.stored,
  sent_before: dryRun ? 0 : sentBefore,
  left_out: counts.leftOut.list(),
  not_understood: counts.notUnderstood.list(),
  refused: counts.refused.list(),
  forgotten: counts.forgotten.list(),
});

function toText(summary: Summary): string {
  const { read, stored, sent_before, left_out, not_understood, refused, forgotten } = summary;
  // Kinds of items (such as messages) of which none was read are not shown, unless no item was read at all.
  const isEmpty = Object.values(read).every((n) => n === 0);
  const kinds = Object.entries(read).filter(([, n]) => isEmpty || n > 0);
  const hasUpdates = Object.values(stored ?? {}).some(({ updated }) => updated !== undefined);
  const storedCells = (kind: string): string[] => {
    const { created = 0, updated = 0, existing = 0 } = stored?.[kind] ?? {};
    if (stored === null) return [];
    return [count(created), ...(hasUpdates ? [count(updated)] : []), count(existing)];
  };
  const columns = stored === null ? [] : ["stored", ...(hasUpdates ? ["updated"] : []), "existing"];
  const missing: [string, Reason[]][] = [
    ["left out", left_out],
    ["not understood", not_understood],
    ["rejected", refused],
    // Only if there are any: most organizations never delete with `forget`.
    ...(forgotten.length > 0 ? [["forgotten", forgotten] satisfies [string, Reason[]]] : []),
  ];
  const sum = (list: Reason[]) => list.reduce((total, { count: times }) => total + times, 0);
  const rows = [
    ["", "read", ...columns],
    ...kinds.map(([kind, n]) => [kind.replace("_", " "), count(n), ...storedCells(kind)]),
    ...missing.map(([title, list]) => [title, count(sum(list))]),
  ];
  return [
    table(rows),
    ...(stored === null ? ["Nothing was sent: this was a dry run."] : []),
    ...(sent_before > 0 ? [`${count(sent_before)} lines were sent by an earlier import`] : []),
    ...reasons("Left out:", left_out),
    ...reasons("Not understood:", not_understood),
    ...reasons("Rejected by the service:", refused),
    ...reasons("Skipped by the service:", forgotten),
  ].join("\n");
}

function reasons(title: string, list: Reason[]): string[] {
  if (list.length === 0) return [];
  return [
    title,
    ...list
      .slice(0, REASONS_SHOWN)
      .flatMap(({ type, reason, count: times, places }) => [
        `  ${count(times)} × ${oneLine(type)}: ${oneLine(reason)}`,
        ...places.map((place) => `      ${shortened(oneLine(place), PLACE_CHARACTERS)}`),
        ...(times > places.length ? [`      and ${count(times - places.length)} more`] : []),
      ]),
    ...(list.length > REASONS_SHOWN ? [`  and ${count(list.length - REASONS_SHOWN)} more reasons`] : []),
  ];
}
