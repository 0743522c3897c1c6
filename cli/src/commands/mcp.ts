import { copyFileSync, mkdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { type Command, Option } from "commander";
import { CommandError } from "../command-error.ts";
import { readConfig, shownPath } from "../config.ts";
import { shownKey } from "../connection.ts";
import { contextOf, type Globals } from "../context.ts";
import { writeText } from "../file-outputs.ts";
import { bridge, TOOL_SETS } from "../mcp-bridge.ts";
import { type Added, type McpClient, type McpServer, mcpClients } from "../mcp-clients.ts";
import { listOf } from "../options.ts";
import { createOutput, type Output, printable } from "../output.ts";
import { confirm } from "../terminal.ts";

const PACKAGE = "@engram/cli";

interface ToolsOption {
  tools?: string[];
}
interface InstallOptions extends ToolsOption {
  client: string;
  yes?: boolean;
}

const toolsOption = () =>
  new Option(
    "--tools <sets>",
    `tool sets, separated by commas: ${TOOL_SETS.join(", ")}; default conversations`,
  ).argParser(listOf(TOOL_SETS));

export function addMcp(program: Command): void {
  const mcp = program
    .command("mcp")
    .description("Serve MCP on standard input and output, as a bridge to the service")
    .addOption(toolsOption())
    .addHelpText(
      "after",
      `
For clients that start a local server. Clients that support HTTP can use /mcp of the service.

Examples:
  $ engram mcp install --client claude
  $ engram mcp --profile work
  $ engram mcp --tools conversations,memories
`,
    )
    .action(async ({ tools }: ToolsOption, command: Command) => {
      const { connection, client } = contextOf(command);
      // Throws if there is no key, before the bridge starts.
      client();
      await bridge(connection.url, connection.apiKey ?? "", tools);
    });
  addInstall(mcp);
}

function addInstall(mcp: Command): void {
  const clients = mcpClients(process.env, process.platform);
  mcp
    .command("install")
    .description("Add Engram to the settings of a client, after showing the change")
    .addOption(
      new Option("--client <client>", "client to configure")
        .choices([...clients.keys()])
        .makeOptionMandatory(),
    )
    .addOption(toolsOption())
    .option("--yes", "skip the confirmation")
    .addHelpText(
      "after",
      `
Clients:
${[...clients].map(([name, { title, file }]) => `  ${name.padEnd(13)}${title}, ${shownPath(file)}`).join("\n")}

The client runs \`engram mcp\` with the current profile. The key stays in the profile and is never
written to the client's file. The old file is kept as a backup in the same directory.

Examples:
  $ engram mcp install --client cursor
  $ engram mcp install --client claude-code --profile work --yes
  $ engram mcp install --client codex --tools conversations,memories
`,
    )
    .action(async (options: InstallOptions, command: Command) => {
      // The parent command `mcp` also has --tools. Commander gives the option to the parent even if it stands
      // after `install`.
      const globals = command.optsWithGlobals<Globals & ToolsOption>();
      const output = createOutput(globals.json === true);
      const client = clients.get(options.client) as McpClient;
      const server = toServer(profileOf(globals), globals.tools);
      const change = plan(client, server);
      if (change.before === change.text) {
        output.data({ client: options.client, file: client.file, changed: false, backup: null }, () => {
          return `${client.title} is configured already.`;
        });
        return;
      }
      output.note(`${client.file}
${diff(change, output)}`);
      await confirm("Write this change?", options);
      const backup = write(client.file, change);
      output.data({ client: options.client, file: client.file, changed: true, backup }, () => {
        return `Done. ${client.hint}${backup === null ? "" : ` Backup of the old file: ${backup}`}`;
      });
    });
}

function profileOf({ profile }: Globals): string {
  const { current, profiles } = readConfig(process.env);
  const name = profile ?? current;
  if (profiles[name] !== undefined) return name;
  throw new CommandError(`Profile "${name}" not found. Create it with \`engram login\`.`);
}

/**
 * The command that the client runs to start `engram mcp`. If npx runs this program, its copy may be deleted
 * later, so the client then uses npx too.
 */
function toServer(profile: string, tools: string[] | undefined): McpServer {
  const args = ["mcp", "--profile", profile, ...(tools === undefined ? [] : ["--tools", tools.join(",")])];
  const program = realpathSync(process.argv[1] ?? "");
  return /[\\/]_npx[\\/]/.test(program)
    ? { command: "npx", args: ["-y", PACKAGE, ...args] }
    : { command: process.execPath, args: [program, ...args] };
}

interface Change extends Added {
  before: string | undefined;
}

function plan({ file, add }: McpClient, server: McpServer): Change {
  let before: string | undefined;
  try {
    before = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  try {
    return { before, ...add(before ?? "", server) };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw new CommandError(`${file} was not changed. ${error.message}`);
  }
}

/** Shows only this server's entry: the rest of the file may contain secrets. */
function diff({ entry, replaced }: Change, { paint }: Output): string {
  const lines = (sign: string, value: unknown) =>
    printable(JSON.stringify({ engram: value }, null, 2))
      .replace(/engram_sk_live_\w+/g, shownKey)
      .split("\n")
      .map((line) => `  ${sign} ${line}`)
      .join("\n");
  const added = paint("green", lines("+", entry));
  return replaced === undefined ? added : `${paint("red", lines("-", replaced))}\n${added}`;
}

/** Replaces the file atomically. @returns the path of the backup; null if there was no file. */
function write(file: string, { before, text }: Change): string | null {
  mkdirSync(dirname(file), { recursive: true });
  // If the file is a symbolic link, its target is replaced, not the link.
  const target = before === undefined ? file : realpathSync(file);
  const backup =
    before === undefined ? null : `${target}.${new Date().toISOString().replaceAll(":", "-")}.bak`;
  if (backup !== null) copyFileSync(target, backup);
  writeText(target, text, before === undefined ? undefined : statSync(target).mode);
  return backup;
}
