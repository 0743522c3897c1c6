import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createPerson, type Person } from "./program.ts";

/** A person whose key is only in their profile. */
export async function createProfile(): Promise<Person> {
  const person = await createPerson();
  await person.run(["login"], { input: person.key });
  return person;
}

/** A person with a profile, and a settings file in their home, with this text if there is one. */
export async function createSettings(path: string, text?: string): Promise<{ person: Person; file: string }> {
  const person = await createProfile();
  const file = join(person.home, path);
  mkdirSync(dirname(file), { recursive: true });
  if (text !== undefined) writeFileSync(file, text);
  return { person, file };
}

/** The settings files of MCP clients, in the home directory. */
export const FILES = {
  codex: ".codex/config.toml",
  claude: ".config/Claude/claude_desktop_config.json",
  "claude-code": ".claude.json",
  cursor: ".cursor/mcp.json",
  vscode: ".config/Code/User/mcp.json",
};

const JSON_BEFORE = `{
    // servers of mine
    "theme": "dark",
    "KEY": {
        "other": { "command": "other", "env": { "TOKEN": "another secret" } }
    }
}
`;
const TOML_BEFORE = `# mine
model = "gpt-5-codex"

[mcp_servers.other]
command = "other"
env = { TOKEN = "another secret" }

[tui]
theme = "dark" # at night
`;

/** A client's file before Engram is in it. */
export const before = (client: string) =>
  client === "codex"
    ? TOML_BEFORE
    : JSON_BEFORE.replace("KEY", client === "vscode" ? "servers" : "mcpServers");
