import { homedir } from "node:os";
import { join } from "node:path";
import { findNodeAtLocation, getNodeValue } from "jsonc-parser";
import { parse as parseToml, stringify as stringifyToml } from "smol-toml";
import { CommandError } from "./command-error.ts";
import { parseSettings, withValue } from "./json-edits.ts";
import type { ProgramCommand } from "./own-program.ts";

export interface McpClient {
  title: string;
  file: string;
  /**
   * Adds the server to the text of the client's file, and changes nothing else in it.
   *
   * @throws {CommandError} If the text is invalid, or its present entry for Engram cannot be replaced safely.
   */
  add(text: string, server: ProgramCommand): Added;
  hint: string;
}

export interface Added {
  text: string;
  entry: object;
  /** The entry for Engram before. Undefined if there was none. */
  replaced: unknown;
}

type Environment = Readonly<Record<string, string | undefined>>;

const NAME = "engram";
const TOML_HEADER = `[mcp_servers.${NAME}]`;

export function mcpClients(env: Environment, platform: NodeJS.Platform): Map<string, McpClient> {
  const applications = applicationsDirectory(env, platform);
  const json =
    (key: string, entry: (server: ProgramCommand) => object) => (text: string, server: ProgramCommand) =>
      addJson(text, [key, NAME], entry(server));
  const stdio = (server: ProgramCommand) => ({ type: "stdio", ...server });
  return new Map<string, McpClient>([
    [
      "claude",
      {
        title: "Claude Desktop",
        file: join(applications, "Claude", "claude_desktop_config.json"),
        add: json("mcpServers", (server) => server),
        hint: "Restart Claude Desktop.",
      },
    ],
    [
      "claude-code",
      {
        title: "Claude Code",
        file: join(env.CLAUDE_CONFIG_DIR || homedir(), ".claude.json"),
        add: json("mcpServers", stdio),
        hint: "Start a new session; `/mcp` shows it.",
      },
    ],
    [
      "cursor",
      {
        title: "Cursor",
        file: join(homedir(), ".cursor", "mcp.json"),
        add: json("mcpServers", stdio),
        hint: "Cursor loads it automatically and lists it in its settings under MCP.",
      },
    ],
    [
      "vscode",
      {
        title: "VS Code",
        file: join(applications, "Code", "User", "mcp.json"),
        add: json("servers", stdio),
        hint: "`MCP: List Servers` shows it.",
      },
    ],
    [
      "codex",
      {
        title: "Codex",
        file: join(env.CODEX_HOME || join(homedir(), ".codex"), "config.toml"),
        add: addToml,
        hint: "Start a new session; `/mcp` shows it.",
      },
    ],
  ]);
}

function applicationsDirectory(env: Environment, platform: NodeJS.Platform): string {
  if (platform === "win32") return env.APPDATA || join(homedir(), "AppData", "Roaming");
  if (platform === "darwin") return join(homedir(), "Library", "Application Support");
  return env.XDG_CONFIG_HOME || join(homedir(), ".config");
}

/** Adds the entry at `path`. Keeps the file's comments and indentation. */
function addJson(given: string, path: string[], entry: object): Added {
  const { text, tree } = parseSettings(given);
  const old = findNodeAtLocation(tree, path);
  const replaced: unknown = old && getNodeValue(old);
  if (JSON.stringify(replaced) === JSON.stringify(entry)) return { text: given, entry, replaced };
  return { text: withValue(text, path, entry), entry, replaced };
}

function addToml(text: string, server: ProgramCommand): Added {
  const before = readToml(text);
  const known = (before.mcp_servers ?? {}) as Record<string, unknown>;
  const added = { entry: server, replaced: known[NAME] };
  if (JSON.stringify(added.replaced) === JSON.stringify(server)) return { text, ...added };
  const after = withTable(text, `${TOML_HEADER}\n${stringifyToml({ ...server }).trim()}\n`);
  // TOML allows notations that `withTable` does not find, so the result is parsed and compared.
  const wanted = { ...before, mcp_servers: { ...known, [NAME]: server } };
  if (JSON.stringify(readToml(after)) !== JSON.stringify(wanted)) {
    throw new CommandError(
      `Its server "${NAME}" is written in a way that cannot be replaced safely. Remove it by hand.`,
    );
  }
  return { text: after, ...added };
}

function withTable(text: string, table: string): string {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => line.trim() === TOML_HEADER);
  if (start < 0) return `${text.trimEnd()}${text.trim() === "" ? "" : "\n\n"}${table}`;
  const length = lines.slice(start + 1).findIndex((line) => line.trimStart().startsWith("["));
  const rest = length < 0 ? [] : lines.slice(start + 1 + length);
  return [...lines.slice(0, start), ...table.split("\n"), ...rest].join("\n");
}

function readToml(text: string): Record<string, unknown> {
  try {
    return parseToml(text);
  } catch (error) {
    throw new CommandError(`It is not valid TOML: ${(error as Error).message.split("\n")[0]}`);
  }
}
