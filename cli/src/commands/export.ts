import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { resolve } from "node:path";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import type { ExportedLine } from "@engram/sdk";
import type { Command } from "commander";
import { contextOf } from "../context.ts";
import { COUNTED_AS, type LineCounts, noLines } from "../line-kinds.ts";
import { count, oneLine, toJson } from "../output.ts";
import { createProgress } from "../progress.ts";

export function addExport(program: Command): void {
  program
    .command("export")
    .description(
      "Write every conversation with its messages, and every memory, one JSON object a line; needs the scope admin",
    )
    .argument("[file]", "the file to write; standard output unless named")
    .addHelpText(
      "after",
      `
A file takes its name only once the export is whole, so a broken one never replaces a good one. It replaces a file
of that name, and a link itself rather than what it leads to; its owner alone can read it.
\`engram import ndjson\` brings it all back, here or elsewhere.

Examples:
  $ engram export backup.ndjson
  $ engram export | gzip > backup.ndjson.gz
`,
    )
    .action(async (file: string | undefined, _options: unknown, command: Command) => {
      const { output, client } = contextOf(command);
      const { show, clear } = createProgress(process.stderr);
      const lines = client().export();
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
    });
}

/**
 * Write lines to a new file that only the user can read, and rename it to its final name when it is complete.
 *
 * Follows no symbolic link: the temporary file is created with `wx`, and the rename replaces a link itself.
 */
async function writeFile(
  lines: AsyncIterable<ExportedLine>,
  path: string,
  onProgress: (counts: LineCounts) => void,
): Promise<LineCounts> {
  // In the same directory, so that the rename is atomic.
  const draft = `${path}.part`;
  // Left by an interrupted export. If it is a link, only the link is removed.
  await rm(draft, { force: true });
  const target = createWriteStream(draft, { flags: "wx", mode: 0o600 });
  const counts = await write(lines, target, onProgress);
  target.end();
  await finished(target);
  await rename(draft, path);
  return counts;
}

/** Write lines with back pressure. */
async function write(
  lines: AsyncIterable<ExportedLine>,
  target: Writable,
  onProgress: (counts: LineCounts) => void,
): Promise<LineCounts> {
  const counts = noLines();
  // Without this, a write error would leave the wait for `drain` hanging.
  const failed = new Promise<never>((_, reject) => target.once("error", reject));
  failed.catch(() => {});
  for await (const line of lines) {
    counts[COUNTED_AS[line.type]] += 1;
    if (!target.write(`${toJson(line)}\n`)) await Promise.race([once(target, "drain"), failed]);
    onProgress(counts);
  }
  return counts;
}
