import { once } from "node:events";
import { resolve } from "node:path";
import type { Writable } from "node:stream";
import type { Engram, ExportedLine } from "@engram/sdk";
import type { Command } from "commander";
import { contextOf } from "../context.ts";
import { isStandardOutput, writeThrough } from "../file-outputs.ts";
import { COUNTED_AS, type LineCounts, noLines } from "../line-kinds.ts";
import { count, oneLine, toJson } from "../output.ts";
import { createProgress } from "../progress.ts";
import { STANDARD_STREAM } from "../spooled-input.ts";

export function addExport(program: Command): void {
  program
    .command("export")
    .description("Export all conversations, messages and memories as NDJSON; needs the scope admin")
    .argument("[file]", "file to write; - or none is standard output")
    .addHelpText(
      "after",
      `
A regular file is replaced once the export is complete, so an interrupted export never replaces a complete one.
Only you can read the new file. A device, a pipe or a symbolic link is written into directly. The summary of an
export to standard output is on standard error. \`engram import ndjson\` imports the file again, into this
service or another.

Examples:
  $ engram export backup.ndjson
  $ engram export | gzip > backup.ndjson.gz
`,
    )
    .action((file: string | undefined, _options: unknown, command: Command) =>
      exportTo(file, command, (client) => client.export()),
    );
}

/** Writes the lines of an export to a file, or to standard output if there is none. */
export async function exportTo(
  file: string | undefined,
  command: Command,
  linesOf: (client: Engram) => AsyncIterable<ExportedLine>,
): Promise<void> {
  const { output, client } = contextOf(command);
  const { show, clear } = createProgress(process.stderr);
  const lines = linesOf(client());
  const progress = ({ messages, memories }: LineCounts) =>
    show(() => `${count(messages)} messages, ${count(memories)} memories`);
  const toText = (
    { conversations, messages, memories, memory_versions: versions, recalls }: LineCounts,
    to: string,
  ) => {
    const withVersions = versions === 0 ? "" : ` with ${count(versions)} earlier versions`;
    const andRecalls = recalls === 0 ? "" : ` and ${count(recalls)} receipts of recall`;
    return `Wrote ${count(conversations)} conversations with ${count(messages)} messages and ${count(memories)} memories${withVersions}${andRecalls} to ${to}.`;
  };
  if (file === undefined || file === STANDARD_STREAM || isStandardOutput(file)) {
    // On a terminal, the progress would be between the lines.
    const shown = process.stdout.isTTY ? () => {} : progress;
    const counts = await write(lines, process.stdout, shown).finally(clear);
    // On standard output, the summary would be part of the export.
    output.note(
      output.json ? toJson({ file: STANDARD_STREAM, ...counts }) : toText(counts, "standard output"),
    );
    return;
  }
  const path = resolve(file);
  const counts = await writeThrough(path, (target) => write(lines, target, progress)).finally(clear);
  output.data({ file: path, ...counts }, () => toText(counts, oneLine(file)));
}

async function write(
  lines: AsyncIterable<ExportedLine>,
  target: Writable,
  onProgress: (counts: LineCounts) => void,
): Promise<LineCounts> {
  const counts = noLines();
  // After a write error, `drain` is never emitted, so the error must end the wait.
  const failed = new Promise<never>((_, reject) => target.once("error", reject));
  failed.catch(() => {});
  for await (const line of lines) {
    counts[COUNTED_AS[line.type]] += 1;
    if (!target.write(`${toJson(line)}\n`)) await Promise.race([once(target, "drain"), failed]);
    onProgress(counts);
  }
  return counts;
}
