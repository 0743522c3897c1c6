import type { NewMemory } from "@engram/sdk";
import { type Command, Option } from "commander";
import { type Captured, captureAll } from "../captures.ts";
import { CommandError, EXIT_FORGOTTEN } from "../command-error.ts";
import { contextOf } from "../context.ts";
import { list } from "../options.ts";
import { count, oneLine, table } from "../output.ts";
import { readText } from "../text-files.ts";

interface CaptureOptions {
  tags?: string[];
  source?: string;
  agent?: string;
  user?: string;
  shared?: true;
}

export function addCapture(program: Command): void {
  program
    .command("capture")
    .description("Store files or standard input as memories; the same content is stored once")
    .argument("<file...>", "files to store, one memory each; - is standard input")
    .option("--tags <tags>", "tags, separated by commas", list)
    .option("--source <name>", "name of the source, chosen by you")
    .option("--agent-id, --agent <id>", "agent that the memories belong to")
    .option("--user <id>", "user that the memories belong to")
    .addOption(
      new Option("--shared", "share the memories with all users of the organization").conflicts("user"),
    )
    .addHelpText(
      "after",
      `
Prints the id of each memory, and whether it is new. If one of the files cannot be stored byte for byte,
none is. Exits with 3 if the service skipped a file, because the memory or its user was deleted with forget.

Examples:
  $ engram capture decisions.md --tags billing,refunds
  $ git log -1 --format=%B | engram capture - --source git
  $ engram capture handbook/*.md --shared
`,
    )
    .action(async (files: string[], options: CaptureOptions, command: Command) => {
      const { output, client } = contextOf(command);
      const engram = client();
      const memories = await Promise.all(files.map(async (file) => toMemory(file, options)));
      const items: (Captured & { file: string })[] = [];
      for await (const captured of captureAll(engram, memories)) {
        items.push(
          ...captured.map(({ id, created, skipped, file }) => ({
            id,
            created,
            ...(skipped && { skipped }),
            file,
          })),
        );
      }
      const created = items.filter((item) => item.created).length;
      const forgotten = items.filter((item) => item.skipped !== undefined).length;
      const existing = items.length - created - forgotten;
      const stored = { memories: { created, existing, forgotten } };
      const stateOf = (item: Captured) => item.skipped ?? (item.created ? "new" : "exists");
      output.data({ items, read: { memories: items.length }, stored }, () =>
        table(items.map((item) => [item.id ?? "-", stateOf(item), oneLine(item.file)])),
      );
      const skipped = forgotten === 0 ? "" : `, ${count(forgotten)} skipped: deleted with forget`;
      if (!output.json && (items.length > 1 || forgotten > 0))
        output.note(
          `${count(items.length)} read, ${count(created)} stored, ${count(existing)} existing${skipped}`,
        );
      if (forgotten > 0) process.exitCode = EXIT_FORGOTTEN;
    });
}

async function toMemory(file: string, options: CaptureOptions): Promise<{ file: string; memory: NewMemory }> {
  const read = await readText(file);
  if ("flaw" in read)
    throw new CommandError(`${file === "-" ? "Standard input" : oneLine(file)} ${read.flaw}.`);
  const { tags, source, agent: agent_id, user: user_id, shared } = options;
  return { file, memory: { content: read.text, tags, source, agent_id, user_id, shared } as NewMemory };
}
