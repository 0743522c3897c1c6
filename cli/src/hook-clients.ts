import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fieldsOf, listOf } from "./importers/values.ts";
import { valueAt, withoutValue, withValue } from "./json-edits.ts";
import type { ProgramCommand } from "./own-program.ts";

/** A coding agent that runs commands at events, which it calls hooks. */
export interface HookClient {
  title: string;
  /** File with its hooks. */
  file: string;
  /** Whether its settings enable the plugin, and it runs the hooks of that. */
  hasPlugin(): boolean;
  /** Events at which the transcript is stored. */
  captureEvents: readonly string[];
  hint: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The plugin in the settings of its clients: its name, and that of the marketplace in this repository. */
const PLUGIN = "engram@engram";

/** Events before which the agent gets a context. */
export const START_EVENT = "SessionStart";
export const PROMPT_EVENT = "UserPromptSubmit";
/** Time that the agent waits for a hook. The hook itself waits less for the service. */
const TIMEOUT_SECONDS = 5;

export function hookClients(env: Environment): Map<string, HookClient> {
  const claudeFile = join(env.CLAUDE_CONFIG_DIR || join(homedir(), ".claude"), "settings.json");
  const codexHome = env.CODEX_HOME || join(homedir(), ".codex");
  return new Map([
    [
      "claude-code",
      {
        title: "Claude Code",
        file: claudeFile,
        hasPlugin: () => valueAt(textIn(claudeFile), ["enabledPlugins", PLUGIN]) === true,
        // A compaction drops messages from the agent's context, and a long session may never end.
        captureEvents: ["PreCompact", "SessionEnd"],
        hint: "It applies to new sessions; `/hooks` lists the hooks.",
      },
    ],
    [
      "codex",
      {
        title: "Codex",
        file: join(codexHome, "hooks.json"),
        hasPlugin: () => false,
        // Older versions of Codex have no event at the end of a session. A repeated import adds only what is new.
        captureEvents: ["Stop"],
        hint: "Codex runs the hooks once you have reviewed them with `/hooks`.",
      },
    ],
  ]);
}

/** Empty if there is no such file. */
const textIn = (file: string): string => (existsSync(file) ? readFileSync(file, "utf8") : "");

/** Whether the client runs the hooks: its settings have them, or the plugin. */
export function hasHooks({ file, hasPlugin }: HookClient): boolean {
  try {
    return hookCommandsIn(textIn(file)).length > 0 || hasPlugin();
  } catch {
    // Settings that are invalid, or that this user cannot read, are the client's to complain about.
    return false;
  }
}

const eventsOf = ({ captureEvents }: HookClient): string[] => [START_EVENT, PROMPT_EVENT, ...captureEvents];

/** The part of the command by which the hooks of this program are found again. */
export const hookArguments = (client: string): string[] => ["hooks", "run", "--client", client];
const OWN = /\bhooks run --client (?:claude-code|codex)\b/;

/** The command of a hook, as a shell reads it. The client runs it through one. */
export const hookCommand = ({ command, args }: ProgramCommand): string =>
  [command, ...args].map(quoted).join(" ");

/** The commands of this program's hooks, each once. */
export const hookCommandsIn = (text: string): string[] => [
  ...new Set(ownHooks(text).map(({ command }) => command)),
];

/**
 * Adds the hooks after those that are there. Changes nothing if they are there already, and replaces an earlier command.
 *
 * @throws {CommandError} If the settings are invalid.
 */
export function withHooks(given: string, client: HookClient, command: string): string {
  const present = ownHooks(given);
  const events = eventsOf(client);
  const isSame = (hook: OwnHook) => hook.command === command && events.includes(hook.event);
  if (present.length === events.length && present.every(isSame)) return given;
  let text = withoutHooks(given);
  for (const event of events) {
    const group = { hooks: [{ type: "command", command, timeout: TIMEOUT_SECONDS }] };
    text = withValue(text, ["hooks", event, -1], group);
  }
  return text;
}

/** Removes the hooks of this program, and the lists that are empty without them. */
export function withoutHooks(given: string): string {
  let text = given;
  for (let [hook] = ownHooks(text); hook !== undefined; [hook] = ownHooks(text))
    text = withoutValue(text, hook.path);
  return text;
}

interface OwnHook {
  event: string;
  command: string;
  /** The hook itself, or the outermost list that has nothing else. */
  path: (string | number)[];
}

function ownHooks(given: string): OwnHook[] {
  const hooks = valueAt(given, ["hooks"]);
  return Object.entries(fieldsOf(hooks)).flatMap(([event, groups]) =>
    listOf(groups).flatMap((group, groupIndex) => {
      const commands = listOf(fieldsOf(group).hooks);
      return commands.flatMap((hook, index): OwnHook[] => {
        const { command } = fieldsOf(hook);
        if (typeof command !== "string" || !OWN.test(command)) return [];
        const path: OwnHook["path"] = ["hooks"];
        if (Object.entries(fieldsOf(hooks)).length > 1 || listOf(groups).length > 1 || commands.length > 1)
          path.push(event);
        if (listOf(groups).length > 1 || commands.length > 1) path.push(groupIndex);
        if (commands.length > 1) path.push("hooks", index);
        return [{ event, command, path }];
      });
    }),
  );
}

/** An argument as a shell reads it. */
const quoted = (argument: string): string => {
  if (/^[\w@%+=:,./-]+$/.test(argument)) return argument;
  return process.platform === "win32" ? `"${argument}"` : `'${argument.replaceAll("'", "'\\''")}'`;
};
