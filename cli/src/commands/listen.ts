import type { Command } from "commander";
import { UsageError } from "../command-error.ts";
import { configFile, readConfig, shownPath, writeConfig } from "../config.ts";
import { contextOf, type Globals } from "../context.ts";
import { addEventOptions, type EventOptions, lineOf, readEvents } from "../event-lines.ts";
import { createWebhookSecret, type Forwarded, forward, loopbackUrl } from "../forwarding.ts";
import { toJson } from "../output.ts";

interface ListenOptions extends EventOptions {
  forward?: URL;
  printSecret?: boolean;
}

export function addListen(program: Command): void {
  const listen = program
    .command("listen")
    .description("Send events to a program on this machine, as a webhook does, to try a receiver at home")
    .option("--forward <url>", "URL of the program, on this machine", loopbackUrl)
    .option("--print-secret", "print the secret of the signatures, and end");
  addEventOptions(listen, "the last event not to send", "send")
    .addHelpText(
      "after",
      `
Creates no webhook: it reads the event log with your key, and signs each event. The secret of the signatures
stays the same: the first run creates it for the profile, in ${shownPath(configFile(process.env))},
which only you can read. Remove it there to get another one.

Events are sent one after the other, each once. Prints each event with the status of the response. --json
prints {"event", "status", "duration_ms", "error"}, one per line, and first {"secret", "profile", "file"} on
stderr. Needs the scope read; events of keys also need admin.

Examples:
  $ engram listen --forward http://localhost:3000/hook
  $ engram listen --forward http://localhost:3000/hook --after 0 --no-wait
  $ WEBHOOK_SECRET=$(engram listen --print-secret) node receiver.ts
`,
    )
    .action(async (options: ListenOptions, command: Command) => {
      const { output, client } = contextOf(command);
      const { forward: url, printSecret } = options;
      if (url === undefined && !printSecret)
        throw new UsageError("Name the URL of your program with --forward.");
      const signing = listenSecret(command.optsWithGlobals<Globals>());
      if (url === undefined || printSecret) {
        output.data(signing, () => signing.secret);
        return;
      }
      const engram = client();
      const { secret, profile, file } = signing;
      output.note(
        output.json
          ? toJson(signing)
          : `Secret of the signatures: ${secret} (of profile "${profile}", in ${shownPath(file)})`,
      );
      for await (const event of readEvents(engram, options)) {
        const sent = await forward(url, secret, event);
        output.data({ event, ...sent }, () => `${lineOf(event)}  ${shownResult(sent)}`);
      }
    });
}

/**
 * The secret of a profile, so that a receiver can be started with it once and for all. Created and stored by the first
 * run.
 */
function listenSecret(flags: Globals): { secret: string; profile: string; file: string } {
  const config = readConfig(process.env);
  const profile = flags.profile ?? config.current;
  const stored = config.listen_secrets[profile];
  const secret = stored ?? createWebhookSecret();
  if (stored === undefined) {
    config.listen_secrets[profile] = secret;
    writeConfig(process.env, config);
  }
  return { secret, profile, file: configFile(process.env) };
}

const shownResult = ({ status, error, duration_ms }: Forwarded): string =>
  `→ ${error ?? status} in ${duration_ms} ms`;
