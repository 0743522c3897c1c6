import { text } from "node:stream/consumers";
import { type Command, Option } from "commander";
import { shownPath } from "../config.ts";
import { contextOf, type Globals } from "../context.ts";
import { type HookClient, hookArguments, hookClients, withHooks, withoutHooks } from "../hook-clients.ts";
import { runHook } from "../hook-runs.ts";
import { createOutput, explain } from "../output.ts";
import { ownProgram, profileOf } from "../own-program.ts";
import { planChange, writeChange } from "../settings-files.ts";
import { confirm } from "../terminal.ts";

/** The agent waits for its hooks, so they wait less than a person would. */
const IMPATIENCE = { timeoutMs: 5_000, deadlineMs: 5_000, maxRetries: 0 };

interface Options {
  client: string;
  yes?: boolean;
}

export function addHooks(program: Command): void {
  const clients = hookClients(process.env);
  const clientOption = () =>
    new Option("--client <client>", "client to configure").choices([...clients.keys()]).makeOptionMandatory();
  const hooks = program
    .command("hooks")
    .description(
      "Give a coding agent what Engram knows, at its start and with each prompt, and store what was said",
    )
    .addHelpText(
      "after",
      `
Examples:
  $ engram hooks install --client claude-code
  $ engram hooks remove --client claude-code
`,
    );

  hooks
    .command("install")
    .description("Add the hooks to the settings of a client, after showing the change")
    .addOption(clientOption())
    .option("--yes", "skip the confirmation")
    .addHelpText(
      "after",
      `
Clients:
${[...clients].map(([name, { title, file }]) => `  ${name.padEnd(13)}${title}, ${shownPath(file)}`).join("\n")}

At the start of a session, the agent gets the end of the last one in the same directory; with each prompt,
what a search for it finds. The transcript is imported at the end (Claude Code) or after each turn (Codex),
which needs a key with the scope admin. A hook that fails or takes longer than 5 seconds adds nothing and
stops nothing. The key stays in the profile. The old file is kept as a backup in the same directory.

Examples:
  $ engram hooks install --client claude-code
`,
    )
    .action(async (options: Options, command: Command) => {
      const globals = command.optsWithGlobals<Globals>();
      const server = ownProgram([...hookArguments(options.client), "--profile", profileOf(globals)]);
      await change(options, command, (settings, client) => withHooks(settings, client, server), {
        shown: `  + ${[server.command, ...server.args].join(" ")}`,
        question: "Add this command to the hooks?",
        unchanged: "has the hooks already",
      });
    });

  hooks
    .command("remove")
    .description("Remove the hooks from the settings of a client")
    .addOption(clientOption())
    .option("--yes", "skip the confirmation")
    .addHelpText(
      "after",
      `
Examples:
  $ engram hooks remove --client claude-code
`,
    )
    .action(async (options: Options, command: Command) => {
      await change(options, command, (settings) => (settings === "" ? settings : withoutHooks(settings)), {
        shown: "  - engram hooks run",
        question: "Remove the hooks of Engram?",
        unchanged: "has no hooks of Engram",
      });
    });

  hooks
    .command("run", { hidden: true })
    .description("Run as a hook: read its input from standard input, write its output to standard output")
    .addOption(clientOption())
    .addHelpText(
      "after",
      `
Examples:
  $ engram hooks run --client codex < event.json
`,
    )
    .action(async ({ client }: Options, command: Command) => {
      const { captureEvent } = clients.get(client) as HookClient;
      const { profile } = command.optsWithGlobals<Globals>();
      try {
        const output = await runHook(await text(process.stdin), {
          engram: () => contextOf(command).client(IMPATIENCE),
          client,
          captureEvent,
          flags: profile === undefined ? [] : ["--profile", profile],
        });
        if (output !== undefined && Object.keys(output).length > 0)
          process.stdout.write(JSON.stringify(output));
      } catch (error) {
        // Whatever fails must not stop the agent, and an exit code other than 0 might.
        process.stderr.write(`${explain(error).text}\n`);
      }
    });
}

async function change(
  options: Options,
  command: Command,
  edit: (settings: string, client: HookClient) => string,
  { shown, question, unchanged }: { shown: string; question: string; unchanged: string },
): Promise<void> {
  const client = hookClients(process.env).get(options.client) as HookClient;
  const output = createOutput(command.optsWithGlobals<Globals>().json === true);
  const { file, title, hint } = client;
  const planned = planChange(file, (settings) => ({ text: edit(settings, client) }));
  if ((planned.before ?? "") === planned.text) {
    output.data(
      { client: options.client, file, changed: false, backup: null },
      () => `${title} ${unchanged}.`,
    );
    return;
  }
  output.note(`${file}\n${shown}`);
  await confirm(question, options);
  const backup = writeChange(file, planned);
  output.data({ client: options.client, file, changed: true, backup }, () => {
    return `Done. ${hint}${backup === null ? "" : ` Backup of the old file: ${backup}`}`;
  });
}
