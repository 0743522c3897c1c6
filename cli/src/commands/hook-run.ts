import { text } from "node:stream/consumers";
import { type Command, Option } from "commander";
import { contextOf, type Globals } from "../context.ts";
import { type HookClient, hookClients } from "../hook-clients.ts";
import { HOOK_SCOPES, type HookReach, noContext, runHook } from "../hook-runs.ts";
import { noteFailure } from "../hook-state.ts";
import { clientOption, examples, filled, timeSpan } from "../options.ts";
import { explain } from "../output.ts";

/** The agent waits for its hooks, so they wait less than a person would, and end before the client ends them. */
const IMPATIENCE = { timeoutMs: 4_000, deadlineMs: 4_000, maxRetries: 0 };

export interface Options {
  client: string;
}
export interface HookOptions extends Options, HookReach {
  expiresIn?: string;
}

export const clients = () => hookClients(process.env);
export const clientOf = ({ client }: Options): HookClient => clients().get(client) as HookClient;

export const scopeOption = () =>
  new Option("--scope <scope>", "conversations that prompts are searched in")
    .choices(HOOK_SCOPES)
    .default("project" satisfies HookReach["scope"]);
export const userOption = () =>
  new Option("--user <id>", "user whose memories are searched; default those of the project").argParser(
    filled,
  );

export const expiryOption = () =>
  new Option(
    "--expires-in <span>",
    "delete each stored session this long after it was first stored, such as 90d",
  ).argParser(timeSpan);

/** The command that the client runs. Nothing that only other commands need is imported here: the client waits. */
export function addHookRun(hooks: Command): void {
  hooks
    .command("run", { hidden: true })
    .description("Run as a hook: read its input from standard input, write its output to standard output")
    .addOption(clientOption(clients()))
    .addOption(scopeOption())
    .addOption(userOption())
    .addOption(expiryOption())
    .addHelpText(...examples("engram hooks run --client codex < event.json"))
    .action(async (options: HookOptions, command: Command) => {
      const { client, scope, user, expiresIn } = options;
      const { profile } = command.optsWithGlobals<Globals>();
      try {
        const output = await runHook(await text(process.stdin), {
          engram: () => contextOf(command).client(IMPATIENCE),
          client,
          captureEvents: clientOf(options).captureEvents,
          scope,
          user,
          flags: [
            ...(profile === undefined ? [] : ["--profile", profile]),
            ...(expiresIn === undefined ? [] : ["--expires-in", expiresIn]),
          ],
        });
        if (output !== undefined && Object.keys(output).length > 0)
          process.stdout.write(JSON.stringify(output));
      } catch (error) {
        // Whatever fails must not stop the agent, and an exit code other than 0 might.
        noteFailure(client, noContext(error));
        process.stderr.write(`${explain(error).text}\n`);
      }
    });
}
