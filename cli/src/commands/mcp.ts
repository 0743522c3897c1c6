import { type Command, Option } from "commander";
import { shownPath } from "../config.ts";
import { shownKey } from "../connection.ts";
import { contextOf, type Globals } from "../context.ts";
import { bridge, TOOL_SETS } from "../mcp-bridge.ts";
import { type Added, type McpClient, mcpClients } from "../mcp-clients.ts";
import { listOf } from "../options.ts";
import { createOutput, type Output, printable } from "../output.ts";
import { ownProgram, profileOf } from "../own-program.ts";
import { planChange, writeChange } from "../settings-files.ts";
import { confirm } from "../terminal.ts";

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
      const { tools } = globals;
      const server = ownProgram([
        ...["mcp", "--profile", profileOf(globals)],
        ...(tools === undefined ? [] : ["--tools", tools.join(",")]),
      ]);
      const change = planChange(client.file, (text) => client.add(text, server));
      if (change.before === change.text) {
        output.data({ client: options.client, file: client.file, changed: false, backup: null }, () => {
          return `${client.title} is configured already.`;
        });
        return;
      }
      output.note(`${client.file}
${diff(change, output)}`);
      await confirm("Write this change?", options);
      const backup = writeChange(client.file, change);
      output.data({ client: options.client, file: client.file, changed: true, backup }, () => {
        return `Done. ${client.hint}${backup === null ? "" : ` Backup of the old file: ${backup}`}`;
      });
    });
}

/** Shows only this server's entry: the rest of the file may contain secrets. */
function diff({ entry, replaced }: Added, { paint }: Output): string {
  const lines = (sign: string, value: unknown) =>
    printable(JSON.stringify({ engram: value }, null, 2))
      .replace(/engram_sk_live_\w+/g, shownKey)
      .split("\n")
      .map((line) => `  ${sign} ${line}`)
      .join("\n");
  const added = paint("green", lines("+", entry));
  return replaced === undefined ? added : `${paint("red", lines("-", replaced))}\n${added}`;
}
