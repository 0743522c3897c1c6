import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { rename } from "node:fs/promises";
import { resolve } from "node:path";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import type { ExportedLine } from "@engram/sdk";
import type { Command } from "commander";
import { contextOf } from "../context.ts";
import { COUNTED_AS, type LineCounts, noLines } from "../line-kinds.ts";
import { count } from "../output.ts";
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
A file takes its name only once the export is whole, so a broken one never replaces a good one.
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
      // Beside it, since only there it can be renamed in one step; others have no business reading it.
      const draft = `${path}.part`;
      const target = createWriteStream(draft, { mode: 0o600 });
      const counts = await write(lines, target, ({ messages, memories }) =>
        show(() => `${count(messages)} messages, ${count(memories)} memories`),
      ).finally(clear);
      target.end();
      await finished(target);
      await rename(draft, path);
      const { conversations, messages, memories } = counts;
      output.data({ file: path, ...counts }, () => {
        return `Wrote ${count(conversations)} conversations with ${count(messages)} messages and ${count(memories)} memories to ${file}.`;
      });
    });
}

/** Write lines no faster than they are taken. */
async function write(
  lines: AsyncIterable<ExportedLine>,
  target: Writable,
  onProgress: (counts: LineCounts) => void,
): Promise<LineCounts> {
  const counts = noLines();
  // A file that cannot be written fails before anybody waits for it.
  const failed = new Promise<never>((_, reject) => target.once("error", reject));
  failed.catch(() => {});
  for await (const line of lines) {
    counts[COUNTED_AS[line.type]] += 1;
    if (!target.write(`${JSON.stringify(line)}\n`)) await Promise.race([once(target, "drain"), failed]);
    onProgress(counts);
  }
  return counts;
}
