import { resolve } from "node:path";
import { Argument, type Command } from "commander";
import { type Checkpoint, findCheckpoint } from "../checkpoint.ts";
import { CommandError, UsageError } from "../command-error.ts";
import { contextOf } from "../context.ts";
import { FORMATS, type Format } from "../importers/formats.ts";
import { Import } from "../imports.ts";
import { count, type Output, oneLine, shortened } from "../output.ts";
import { createProgress } from "../progress.ts";
import type { Reason } from "../reasons.ts";
import { findSources } from "../sources.ts";

/** A request of a thousand lines takes a small machine a while, and one may have to wait for its turn. */
const PATIENCE = { timeoutMs: 120_000, deadlineMs: 900_000, maxRetries: 8 };
const PLACE_CHARACTERS = 200;
const REASONS_SHOWN = 20;
const EXIT_FAILED = 1;
const EXIT_INTERRUPTED = 130;

export function addImport(program: Command): void {
  program
    .command("import")
    .description(
      "Import conversations with their own times; importing again changes nothing; needs the scope admin",
    )
    .addArgument(new Argument("<format>", "where they come from").choices([...FORMATS.keys()]))
    .argument("[path]", "the file, or a directory or .zip that holds it")
    .option("--dry-run", "read everything, send nothing, say what would be imported")
    .addHelpText(
      "after",
      `
Formats:
${[...FORMATS].map(([name, { description }]) => `  ${name.padEnd(13)}${description}`).join("\n")}

What cannot be imported is left out, counted, and named with its place. After an interruption the same
command goes on where it was. Ends with 1 when the service refused something.

Examples:
  $ engram import chatgpt ~/Downloads/conversations.json --dry-run
  $ engram import ndjson backup.ndjson --profile work
`,
    )
    .action(
      async (name: string, path: string | undefined, options: { dryRun?: boolean }, command: Command) => {
        const format = FORMATS.get(name) as Format;
        const from = path ?? format.home?.(process.env);
        if (from === undefined) throw new UsageError(`Say which file to import: engram import ${name} FILE`);
        const sources = await findSources(resolve(from), format.files);
        const { output, client, connection } = contextOf(command);
        const work = new Import(format.importer, sources);
        const checkpoint = findCheckpoint(process.env, connection, name, sources);
        const show = watch(work);
        if (options.dryRun) await work.readOnly(show.progress).finally(show.clear);
        else await sendAll(work, client(PATIENCE), checkpoint, show, output);
        if (work.isEmpty) throw new CommandError(`${from} holds no conversation.`);
        const summary = toSummary(work, options.dryRun === true, checkpoint);
        output.data(summary, () => toText(summary));
        if (summary.refused.length > 0) process.exitCode = EXIT_FAILED;
      },
    );
}

function watch(work: Import) {
  const { show, clear } = createProgress(process.stderr);
  const text = () => {
    const { read } = work.counts;
    const stored = storedMessages(work);
    return `${count(read.messages)} messages read${stored > 0 ? `, ${count(stored)} stored` : ""}`;
  };
  const progress = () => show(text, () => work.done);
  return { progress, clear };
}

const storedMessages = ({ counts: { stored } }: Import): number =>
  stored.messages.created + stored.messages.existing;

/** Send, and when it ends early say what is to be done, whatever ended it. */
async function sendAll(
  work: Import,
  engram: Parameters<Import["send"]>[0],
  checkpoint: Checkpoint,
  show: ReturnType<typeof watch>,
  output: Output,
): Promise<void> {
  if (checkpoint.lines > 0)
    output.note(`Going on behind ${count(checkpoint.lines)} lines of an interrupted import.`);
  const ending = new AbortController();
  process.once("SIGINT", () => ending.abort());
  process.once("SIGTERM", () => ending.abort());
  try {
    await work.send(engram, checkpoint, ending.signal, show.progress).finally(show.clear);
  } catch (error) {
    if (checkpoint.lines + storedMessages(work) > 0) {
      output.note("Not done. What was sent is stored; the same command again goes on from there.");
    }
    if (!ending.signal.aborted) throw error;
    process.exit(EXIT_INTERRUPTED);
  }
}

interface Summary {
  dry_run: boolean;
  /** What the files hold. */
  read: Import["counts"]["read"];
  /** What of it is new and what was there already; null for a dry run. */
  stored: Import["counts"]["stored"] | null;
  /** Lines that an interrupted import had sent before. */
  sent_before: number;
  left_out: Reason[];
  refused: Reason[];
}

const toSummary = ({ counts }: Import, dryRun: boolean, { lines }: Checkpoint): Summary => ({
  dry_run: dryRun,
  read: counts.read,
  stored: dryRun ? null : counts.stored,
  sent_before: dryRun ? 0 : lines,
  left_out: counts.leftOut.list(),
  refused: counts.refused.list(),
});

function toText({ read, stored, sent_before, left_out, refused }: Summary): string {
  const sum = (what: "conversations" | "messages") =>
    stored === null
      ? `${count(read[what])} ${what} would be imported`
      : `${count(stored[what].created)} ${what} imported, ${count(stored[what].existing)} were there already`;
  return [
    sum("conversations"),
    sum("messages"),
    ...(sent_before > 0 ? [`${count(sent_before)} lines were sent before`] : []),
    ...reasons("Left out:", left_out),
    ...reasons("Refused by the service:", refused),
  ].join("\n");
}

function reasons(title: string, list: Reason[]): string[] {
  if (list.length === 0) return [];
  return [
    title,
    ...list
      .slice(0, REASONS_SHOWN)
      .flatMap(({ reason, count: times, places }) => [
        `  ${count(times)} × ${oneLine(reason)}`,
        ...places.map((place) => `      ${shortened(oneLine(place), PLACE_CHARACTERS)}`),
        ...(times > places.length ? [`      and ${count(times - places.length)} more`] : []),
      ]),
    ...(list.length > REASONS_SHOWN ? [`  and ${count(list.length - REASONS_SHOWN)} more reasons`] : []),
  ];
}
