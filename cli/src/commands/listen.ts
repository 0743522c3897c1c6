import type { EventPosition, ListenOptions } from "@engram/sdk";
import type { Command } from "commander";
import { contextOf } from "../context.ts";
import { lineOf, position, storedEvents } from "../event-lines.ts";
import { createWebhookSecret, type Forwarded, forward, loopbackUrl } from "../forwarding.ts";

interface ListenCommandOptions {
  forward: URL;
  conversation?: string;
  after?: EventPosition;
  wait: boolean;
}

export function addListen(program: Command): void {
  program
    .command("listen")
    .description("Send events to a program on this machine, as a webhook does, to try a receiver at home")
    .requiredOption("--forward <url>", "URL of the program, on this machine", loopbackUrl)
    .option("--conversation <id>", "only events of this conversation and its messages")
    .option("--after <position>", "sequence of the last event not to send, 0 or now; default now", position)
    .option("--no-wait", "send the events that exist, and end")
    .addHelpText(
      "after",
      `
Creates no webhook: it reads the event log with your key, and signs each event with a secret of its own,
which it prints first and forgets when it ends. Events are sent one after the other, each once. Prints each
event with the status of the response. --json prints {"event", "status", "duration_ms", "error"}, one per
line, and the secret on stderr. Needs the scope read; events of keys also need admin.

Examples:
  $ engram listen --forward http://localhost:3000/hook
  $ engram listen --forward http://localhost:3000/hook --after 0 --no-wait
`,
    )
    .action(async (options: ListenCommandOptions, command: Command) => {
      const { output, client } = contextOf(command);
      const { forward: url, conversation, after, wait } = options;
      const query: ListenOptions = {
        ...(conversation === undefined ? {} : { conversation_id: conversation }),
        after,
      };
      const engram = client();
      const secret = createWebhookSecret();
      output.note(`Secret of the signatures: ${secret}`);
      for await (const event of wait ? engram.events.listen(query) : storedEvents(engram, query)) {
        const sent = await forward(url, secret, event);
        output.data({ event, ...sent }, () => `${lineOf(event)}  ${shownResult(sent)}`);
      }
    });
}

const shownResult = ({ status, error, duration_ms }: Forwarded): string =>
  `→ ${error ?? status} in ${duration_ms} ms`;
