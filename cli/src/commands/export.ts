import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { resolve } from "node:path";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import type { Engram, ExportedLine } from "@engram/sdk";
import type { Command } from "commander";
import { contextOf } from "../context.ts";
import { COUNTED_AS, type LineCounts, noLines } from "../line-kinds.ts";
import { count, oneLine, toJson } from "../output.ts";
import { createProgress } from "../progress.ts";

export function addExport(program: Command): void {
  program
    .command("export")
    .description("Export all conversations, messages and memories as NDJSON; needs the scope admin")
    .argument("[file]", "file to write; default standard output")
    .addHelpText(
      "after",
      `
The file gets its name once the export is complete, so an interrupted export never replaces a complete one. An
existing file is replaced. If it is a symbolic link, the link is replaced, not its target. Only you can read the
new file. \`engram import ndjson\` imports it again, into this service or another.

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
  if (file === undefined) {
    await write(lines, process.stdout, () => {});
    return;
  }
  const path = resolve(file);
  const counts = await writeFile(lines, path, ({ messages, memories }) =>
    show(() => `${count(messages)} messages, ${count(memories)} memories`),
  ).finally(clear);
  const { conversations, messages, memories } = counts;
  output.data({ file: path, ...counts }, () => {
    return `Wrote ${count(conversations)} conversations with ${count(messages)} messages and ${count(memories)} memories to ${oneLine(file)}.`;
  });
}

/**
 * Writes a temporary file and renames it at the end. A symbolic link's target is never written: the flag `wx`
 * fails for a link, and the rename replaces the link itself.
 */
async function writeFile(
  lines: AsyncIterable<ExportedLine>,
  path: string,
  onProgress: (counts: LineCounts) => void,
): Promise<LineCounts> {
  // A rename is atomic only within a file system, so the temporary file is in the same directory.
  const draft = `${path}.part`;
  // An interrupted export may have left the temporary file. If it is a symbolic link, only the link is
  // removed.
  await rm(draft, { force: true });
  const target = createWriteStream(draft, { flags: "wx", mode: 0o600 });
  const counts = await write(lines, target, onProgress);
  target.end();
  await finished(target);
  await rename(draft, path);
  return counts;
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
