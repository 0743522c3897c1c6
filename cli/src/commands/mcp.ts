import { type Command, Option } from "commander";
import { contextOf, type Globals } from "../context.ts";
import { bridge, TOOL_SETS } from "../mcp-bridge.ts";
import { entryIn, type McpClient, mcpClients, withEntry, withoutEntry } from "../mcp-clients.ts";
import { listOf } from "../options.ts";
import type { Output } from "../output.ts";
import { ownProgram, profileOf } from "../own-program.ts";
import { addSettingsCommand, changeSettings, clientLines, signedLines } from "../settings-changes.ts";
import { planInstallation, planRemoval } from "../settings-files.ts";

interface ToolsOption {
  tools?: string[];
}
interface InstallOptions {
  client: string;
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
  addRemove(mcp);
}

const clients = () => mcpClients(process.env, process.platform);

const clientOf = ({ client }: InstallOptions): McpClient => clients().get(client) as McpClient;

function addInstall(mcp: Command): void {
  const about = "Add Engram to the settings of a client, after showing the change";
  addSettingsCommand(mcp, "install", about, clients())
    .addOption(toolsOption())
    .addHelpText(
      "after",
      `
Clients:
${clientLines(clients())}

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
      const client = clientOf(options);
      const { tools } = globals;
      const profile = profileOf(globals);
      const entry = client.entry(
        ownProgram([
          "mcp",
          "--profile",
          profile,
          ...(tools === undefined ? [] : ["--tools", tools.join(",")]),
        ]),
      );
      let replaced: unknown;
      const plan = planInstallation(client.file, (text) => {
        replaced = entryIn(client, text);
        return withEntry(client, text, entry);
      });
      await changeSettings(
        plan,
        {
          client: options.client,
          about: client,
          lines: (output) =>
            [...entryLines("-", replaced, output), ...entryLines("+", entry, output)].join("\n"),
          question: "Write this change?",
          unchanged: "is configured already",
          hint: client.hint,
          more: { profile },
        },
        globals,
      );
    });
}

function addRemove(mcp: Command): void {
  const about = "Remove Engram from the settings of a client, after showing the change";
  addSettingsCommand(mcp, "remove", about, clients())
    .addHelpText(
      "after",
      `
If nothing else in the file has changed since \`engram mcp install\`, the file gets the text that it had
before. Otherwise only the entry is removed. The old file is kept as a backup in the same directory.

Examples:
  $ engram mcp remove --client cursor
`,
    )
    .action(async (options: InstallOptions, command: Command) => {
      const client = clientOf(options);
      let removed: unknown;
      const plan = planRemoval(client.file, (text) => {
        const entry = entryIn(client, text);
        if (entry === undefined) return undefined;
        // Backups are read after the file itself.
        removed ??= entry;
        return {
          install: (to) => withEntry(client, to, entry as object),
          remove: (from) => withoutEntry(client, from),
        };
      });
      await changeSettings(
        plan,
        {
          client: options.client,
          about: client,
          lines: (output) => entryLines("-", removed, output).join("\n"),
          question: "Write this change?",
          unchanged: "has no entry of Engram",
          hint: `Restart ${client.title} to apply it.`,
        },
        command.optsWithGlobals<Globals & { yes?: boolean }>(),
      );
    });
}

/** Shows only this server's entry: the rest of the file may contain secrets. */
const entryLines = (sign: "+" | "-", entry: unknown, output: Output): string[] =>
  entry === undefined ? [] : [signedLines(sign, JSON.stringify({ engram: entry }, null, 2), output)];
