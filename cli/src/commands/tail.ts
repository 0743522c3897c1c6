import type { EventPosition, ListenOptions } from "@engram/sdk";
import type { Command } from "commander";
import { contextOf } from "../context.ts";
import { lineOf, position, storedEvents } from "../event-lines.ts";

interface TailOptions {
  conversation?: string;
  after?: EventPosition;
  wait: boolean;
}

export function addTail(program: Command): void {
  program
    .command("tail")
    .description(
      "Print events, which are changes of conversations, messages, memories and keys, as they happen",
    )
    .option("--conversation <id>", "only events of this conversation and its messages")
    .option("--after <position>", "number of the last event that you have, 0 or now; default now", position)
    .option("--no-wait", "print the events that exist, and end")
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
    .action(async ({ conversation, after, wait }: TailOptions, command: Command) => {
      const { output, client } = contextOf(command);
      const query: ListenOptions = {
        ...(conversation === undefined ? {} : { conversation_id: conversation }),
        after,
      };
      const events = wait ? client().events.listen(query) : storedEvents(client(), query);
      for await (const event of events) output.data(event, () => lineOf(event));
    });
}
