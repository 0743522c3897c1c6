import type { Command } from "commander";
import { contextOf } from "../context.ts";
import { addEventOptions, type EventOptions, lineOf, readEvents } from "../event-lines.ts";

export function addTail(program: Command): void {
  const tail = program
    .command("tail")
    .description(
      "Print events, which are changes of conversations, messages, memories and keys, as they happen",
    );
  addEventOptions(tail, "the last event that you have", "print")
    .addHelpText(
      "after",
      `
Runs until Ctrl-C, and continues after a lost connection. Events have ids and numbers, never content, and are kept for
seven days. --json prints one event per line. Needs the scope read; events of keys also need admin.

Examples:
  $ engram tail
  $ engram tail --conversation conv_06e3tqz8m1k4v9x2c7d0 --json
  $ engram tail --after 0 --no-wait
`,
    )
    .action(async (options: EventOptions, command: Command) => {
      const { output, client } = contextOf(command);
      for await (const event of readEvents(client(), options)) output.data(event, () => lineOf(event));
    });
}
