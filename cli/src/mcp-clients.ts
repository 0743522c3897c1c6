import { homedir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { valueAt, withoutValue, withValue } from "./json-edits.ts";
import type { ProgramCommand } from "./own-program.ts";
import { tomlValueAt, withoutTomlTable, withTomlTable } from "./toml-edits.ts";

export interface McpClient {
  title: string;
  file: string;
  /** Where the file has the entry for Engram. */
  path: [string, string];
  /** Whether the file is TOML. Otherwise, it is JSON that may have comments. */
  isToml: boolean;
  entry(server: ProgramCommand): object;
  hint: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const NAME = "engram";

export function mcpClients(env: Environment, platform: NodeJS.Platform): Map<string, McpClient> {
  const applications = applicationsDirectory(env, platform);
  const json = (key: string) => ({ path: [key, NAME] as [string, string], isToml: false });
  const plain = (server: ProgramCommand) => ({ ...server });
  const stdio = (server: ProgramCommand) => ({ type: "stdio", ...server });
  return new Map<string, McpClient>([
    [
      "claude",
      {
        title: "Claude Desktop",
        file: join(applications, "Claude", "claude_desktop_config.json"),
        ...json("mcpServers"),
        entry: plain,
        hint: "Restart Claude Desktop.",
      },
    ],
    [
      "claude-code",
      {
        title: "Claude Code",
        file: join(env.CLAUDE_CONFIG_DIR || homedir(), ".claude.json"),
        ...json("mcpServers"),
        entry: stdio,
        hint: "Start a new session; `/mcp` shows it.",
      },
    ],
    [
      "cursor",
      {
        title: "Cursor",
        file: join(homedir(), ".cursor", "mcp.json"),
        ...json("mcpServers"),
        entry: stdio,
        hint: "Cursor loads it automatically and lists it in its settings under MCP.",
      },
    ],
    [
      "vscode",
      {
        title: "VS Code",
        file: join(applications, "Code", "User", "mcp.json"),
        ...json("servers"),
        entry: stdio,
        hint: "`MCP: List Servers` shows it.",
      },
    ],
    [
      "codex",
      {
        title: "Codex",
        file: join(env.CODEX_HOME || join(homedir(), ".codex"), "config.toml"),
        path: ["mcp_servers", NAME],
        isToml: true,
        entry: plain,
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

/** The entry for Engram in the text of a client's file. Undefined if there is none. */
export const entryIn = ({ path, isToml }: McpClient, text: string): unknown =>
  isToml ? tomlValueAt(text, path) : valueAt(text, path);

/**
 * Adds the entry, or replaces the present one.
 *
 * @throws {CommandError} If the text is invalid, or is written in a way that cannot be changed safely.
 */
export function withEntry(client: McpClient, text: string, entry: object): string {
  if (isDeepStrictEqual(entryIn(client, text), entry)) return text;
  return client.isToml ? withTomlTable(text, client.path, entry) : withValue(text, client.path, entry);
}

/** Removes the entry, and the object with the servers if it has no other. @throws {CommandError} As `withEntry`. */
export function withoutEntry({ path, isToml }: McpClient, text: string): string {
  if (isToml) return withoutTomlTable(text, path);
  const others = Object.keys(Object(valueAt(text, path.slice(0, 1)))).length > 1;
  return withoutValue(text, others ? path : path.slice(0, 1));
}
