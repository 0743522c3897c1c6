import type { NewMemory } from "@engram/sdk";
import type { Command } from "commander";
import { type Captured, captureAll } from "../captures.ts";
import { CommandError } from "../command-error.ts";
import { contextOf } from "../context.ts";
import { list } from "../options.ts";
import { oneLine, table } from "../output.ts";
import { readText } from "../text-files.ts";

interface CaptureOptions {
  tags?: string[];
  source?: string;
  agent?: string;
}

export function addCapture(program: Command): void {
  program
    .command("capture")
    .description("Remember files or standard input, byte for byte; the same again is the same memory")
    .argument("<file...>", "the files to remember, each as a memory; - is standard input")
    .option("--tags <tags>", "labels to find them by, parted by commas", list)
    .option("--source <name>", "where they come from, as you name it")
    .option("--agent-id, --agent <id>", "the agent that they belong to")
    .addHelpText(
      "after",
      `
Prints the id of each, and whether it was there already. When one of the files cannot be kept as it is, none
is captured.

Examples:
  $ engram capture decisions.md --tags billing,refunds
  $ git log -1 --format=%B | engram capture - --source git
`,
    )
    .action(async (files: string[], options: CaptureOptions, command: Command) => {
      const { output, client } = contextOf(command);
      const engram = client();
      const memories = await Promise.all(files.map(async (file) => toMemory(file, options)));
      const items: (Captured & { file: string })[] = [];
      for await (const captured of captureAll(engram, memories)) {
        items.push(...captured.map(({ id, created, file }) => ({ id, created, file })));
      }
      output.data({ items }, () =>
        table(
          items.map(({ id, created, file }) => [id, created ? "new" : "was there already", oneLine(file)]),
        ),
      );
    });
}

async function toMemory(file: string, options: CaptureOptions): Promise<{ file: string; memory: NewMemory }> {
  const read = await readText(file);
  if ("flaw" in read)
    throw new CommandError(`${file === "-" ? "Standard input" : oneLine(file)} ${read.flaw}.`);
  const memory: NewMemory = { content: read.text };
  if (options.tags !== undefined) memory.tags = options.tags;
  if (options.source !== undefined) memory.source = options.source;
  if (options.agent !== undefined) memory.agent_id = options.agent;
  return { file, memory };
}
