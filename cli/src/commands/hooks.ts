import type { Command } from "commander";
import { CommandError } from "../command-error.ts";
import { findConnection } from "../connection.ts";
import { contextOf, type Globals } from "../context.ts";
import { hookArguments, hookCommand, hookCommandsIn, withHooks, withoutHooks } from "../hook-clients.ts";
import { type HookReach, notCaptured } from "../hook-runs.ts";
import { noteFailure, noteStored } from "../hook-state.ts";
import { clientOption, examples } from "../options.ts";
import { explain } from "../output.ts";
import { ownProgram, profileOf } from "../own-program.ts";
import { addSettingsCommand, changeSettings, clientLines, signedLines } from "../settings-changes.ts";
import { planInstallation, planRemoval } from "../settings-files.ts";
import {
  addHookRun,
  clientOf,
  clients,
  expiryOption,
  type HookOptions,
  type Options,
  scopeOption,
  userOption,
} from "./hook-run.ts";
import { hasNothing, importFrom } from "./import.ts";

/** Nobody waits for a capture, but those of a service that does not respond must not pile up. */
const CAPTURE_PATIENCE = { timeoutMs: 60_000, deadlineMs: 120_000, maxRetries: 2 };
const CAPTURE_MAX_MS = 10 * 60_000;
const EXIT_FAILED = 1;

export function addHooks(program: Command): void {
  const hooks = program
    .command("hooks")
    .description(
      "Give a coding agent what Engram knows, at its start and with each prompt, and store what was said",
    )
    .addHelpText(
      ...examples("engram hooks install --client claude-code", "engram hooks remove --client claude-code"),
    );
  addInstall(hooks);
  addRemove(hooks);
  addHookRun(hooks);
  addCapture(hooks);
}

function addInstall(hooks: Command): void {
  const about = "Add the hooks to the settings of a client, after showing the change";
  addSettingsCommand(hooks, "install", about, clients())
    .addOption(scopeOption())
    .addOption(userOption())
    .addOption(expiryOption())
    .addHelpText(
      "after",
      `
Clients:
${clientLines(clients())}

At the start of a session, the agent gets the end of the last one in the same project, and memories of the
--user; with each prompt, what a search for it finds. A project is a Git repository with its worktrees, or a directory outside of one.
With --scope organization, prompts are searched in all conversations and memories that the key may read.
The transcript is stored at the end and before a compaction (Claude Code), or after each turn (Codex), which
needs a key with the scope admin. A hook that fails or takes longer than 4 seconds adds nothing and stops
nothing. The key stays in the profile. The old file is kept as a backup in the same directory.

Examples:
  $ engram hooks install --client claude-code
  $ engram hooks install --client codex --user ann
`,
    )
    .action(async (options: HookOptions, command: Command) => {
      const globals = command.optsWithGlobals<Globals>();
      const { client: name, scope, user, expiresIn } = options;
      const client = clientOf(options);
      const profile = profileOf(globals);
      const ran = hookCommand(
        ownProgram([
          ...[...hookArguments(name), "--profile", profile, "--scope", scope],
          ...(user === undefined ? [] : ["--user", user]),
          ...(expiresIn === undefined ? [] : ["--expires-in", expiresIn]),
        ]),
      );
      const url = findConnection({ profile }, process.env).url;
      let replaced: string[] = [];
      const plan = planInstallation(client.file, (text) => {
        replaced = hookCommandsIn(text).filter((command) => command !== ran);
        return withHooks(text, client, ran);
      });
      await changeSettings(
        plan,
        {
          client: name,
          about: client,
          lines: (output) =>
            [
              ...replaced.map((command) => signedLines("-", command, output)),
              signedLines("+", ran, output),
              `Searches: ${searches(options)}.`,
              `Stores: the whole transcript of each session, at ${url} (profile "${profile}")${expiresIn === undefined ? "" : `, and deletes it ${expiresIn} after it was first stored`}.`,
            ].join("\n"),
          question: "Add this command to the hooks?",
          unchanged: "has the hooks already",
          hint: client.hint,
          more: {
            profile,
            scope,
            user: user ?? null,
            expires_in: expiresIn ?? null,
            transcripts_stored_at: url,
          },
        },
        globals,
      );
    });
}

function searches({ scope, user }: HookReach): string {
  const where =
    scope === "project" ? "of the project in which a session runs" : "of everyone in the organization";
  return user === undefined
    ? `conversations and memories ${where}`
    : `conversations ${where}, and memories of the user "${user}"`;
}

function addRemove(hooks: Command): void {
  addSettingsCommand(hooks, "remove", "Remove the hooks from the settings of a client", clients())
    .addHelpText(
      "after",
      `
If nothing else in the file has changed since \`engram hooks install\`, the file gets the text that it had
before. Otherwise only the hooks are removed. Transcripts that were stored stay stored.

Examples:
  $ engram hooks remove --client claude-code
`,
    )
    .action(async (options: Options, command: Command) => {
      const client = clientOf(options);
      let removed: string[] = [];
      const plan = planRemoval(client.file, (text) => {
        const commands = hookCommandsIn(text);
        const [ran] = commands;
        if (ran === undefined) return undefined;
        // Backups are read after the file itself.
        if (removed.length === 0) removed = commands;
        return { install: (to) => withHooks(to, client, ran), remove: withoutHooks };
      });
      await changeSettings(
        plan,
        {
          client: options.client,
          about: client,
          lines: (output) => removed.map((ran) => signedLines("-", ran, output)).join("\n"),
          question: "Remove the hooks of Engram?",
          unchanged: "has no hooks of Engram",
          hint: "It applies to new sessions. Transcripts that were stored stay stored.",
        },
        command.optsWithGlobals<Globals>(),
      );
    });
}

function addCapture(hooks: Command): void {
  hooks
    .command("capture", { hidden: true })
    .description("Store transcripts in the background, as `run` starts it")
    .addOption(clientOption(clients()))
    .addOption(expiryOption())
    .argument("<transcripts...>", "files or directories")
    .addHelpText(...examples("engram hooks capture --client codex rollout.jsonl"))
    .action(async (transcripts: string[], { client, expiresIn }: HookOptions, command: Command) => {
      const end = setTimeout(() => {
        noteFailure(client, notCaptured("It took too long."));
        process.exit(EXIT_FAILED);
      }, CAPTURE_MAX_MS);
      try {
        const context = contextOf(command);
        for (const transcript of transcripts) {
          const options = expiresIn === undefined ? {} : { expiresIn };
          const { summary } = await importFrom(client, transcript, options, context, CAPTURE_PATIENCE);
          const [refused] = summary.refused;
          if (refused !== undefined) throw new CommandError(`The service rejected a part: ${refused.reason}`);
          // A new version of the client may write another format.
          if (hasNothing(summary) && summary.not_understood.length > 0)
            throw new CommandError(`Nothing in ${transcript} has the format ${client}.`);
        }
        noteStored(client);
      } catch (error) {
        noteFailure(client, notCaptured(explain(error).text));
        throw error;
      } finally {
        clearTimeout(end);
      }
    });
}
