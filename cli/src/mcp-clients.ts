import { homedir } from "node:os";
import { join } from "node:path";
import {
  applyEdits,
  type FormattingOptions,
  findNodeAtLocation,
  format,
  getNodeValue,
  modify,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { parse as parseToml, stringify as stringifyToml } from "smol-toml";
import { CommandError } from "./command-error.ts";

export interface McpServer {
  command: string;
  args: string[];
}

export interface McpClient {
  title: string;
  file: string;
  /**
   * Adds the server to the text of the client's file, and changes nothing else in it.
   *
   * @throws {CommandError} If the text is invalid, or its present entry for Engram cannot be replaced safely.
   */
  add(text: string, server: McpServer): Added;
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
  const json = (key: string, entry: (server: McpServer) => object) => (text: string, server: McpServer) =>
    addJson(text, [key, NAME], entry(server));
  const stdio = (server: McpServer) => ({ type: "stdio", ...server });
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
function addJson(text: string, path: string[], entry: object): Added {
  const before = text.trim() === "" ? "{}\n" : text;
  const errors: ParseError[] = [];
  const tree = parseTree(before, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined) {
    throw new CommandError(`It is not valid JSON: ${printParseErrorCode(error.error)} at ${error.offset}.`);
  }
  if (tree?.type !== "object") throw new CommandError("It does not contain a JSON object.");
  const old = findNodeAtLocation(tree, path);
  const replaced: unknown = old && getNodeValue(old);
  if (JSON.stringify(replaced) === JSON.stringify(entry)) return { text, entry, replaced };
  const edits = modify(before, path, entry, {});
  const inserted = applyEdits(before, edits);
  // Only the new entry is formatted. `modify` would also format the lines around it.
  const formatting = edits.flatMap(({ offset, content }) =>
    format(inserted, { offset, length: content.length }, indentationOf(before)),
  );
  return { text: applyEdits(inserted, formatting), entry, replaced };
}

function indentationOf(text: string): FormattingOptions {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
  return indent.startsWith("\t")
    ? { insertSpaces: false, tabSize: 1 }
    : { insertSpaces: true, tabSize: indent.length };
}

function addToml(text: string, server: McpServer): Added {
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
