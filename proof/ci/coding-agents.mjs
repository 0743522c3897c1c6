// Connects Claude Code and Codex to the MCP route, with the settings of the documentation and with those that
// `engram mcp install` writes. Neither needs an account.
//   node coding-agents.mjs URL KEY   (in an empty folder, into which they are installed)
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ENGRAM, installAgents, makeHome, run, settingsFor, toolsInCodex } from "./agents.mjs";

const [url, key] = process.argv.slice(2);
const TOOLS = 7;

installAgents();
const settings = (client, language) =>
  settingsFor("mcp.md", client, language).replace("http://127.0.0.1:26366", url);

const documented = makeHome("documented", { ENGRAM_API_KEY: key });
mkdirSync(join(documented.cwd, ".engram"));
writeFileSync(join(documented.cwd, ".engram/key"), key);
run(documented, "sh", "-c", settings("Claude Code", "sh"));
mkdirSync(join(documented.cwd, ".codex"));
writeFileSync(join(documented.cwd, ".codex/config.toml"), settings("Codex", "toml"));

const installed = makeHome("installed", { ENGRAM_API_KEY: key });
const engram = (...args) => run(installed, process.execPath, ENGRAM, ...args);
engram("login", "--url", url, "--api-key", key);
for (const client of ["claude-code", "codex"]) engram("mcp", "install", "--client", client, "--yes");

for (const home of [documented, installed]) {
  assert.match(run(home, "claude", "mcp", "list"), /^engram: .*Connected/m);
  const tools = await toolsInCodex(home);
  assert.equal(tools.length, TOOLS, tools.join());
  console.log(`${home.name}: Claude Code is connected, Codex has ${tools.length} tools`);
}
