// Connects Claude Code and Codex to the MCP route, with the settings of the documentation and with those that
// `engram mcp install` writes. Neither needs an account.
//   node coding-agents.mjs URL KEY   (in an empty folder, into which they are installed)
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { installHere } from "./installed.mjs";

const [url, key] = process.argv.slice(2);
const ENGRAM = join(import.meta.dirname, "../../cli/src/engram.ts");
const TIMEOUT_MS = 60_000;
const TOOLS = 7;

installHere(["@anthropic-ai/claude-code@2.1.330", "@openai/codex@0.169.0"]);
// Versions of npm name the option for allowed install scripts differently. This script installs the program.
execFileSync(process.execPath, ["node_modules/@anthropic-ai/claude-code/install.cjs"], { stdio: "pipe" });
const pages = readFileSync(join(import.meta.dirname, "../../site/pages/mcp.md"), "utf8");

const documented = makeHome("documented");
mkdirSync(join(documented.cwd, ".engram"));
writeFileSync(join(documented.cwd, ".engram/key"), key);
run(documented, "sh", "-c", settingsFor("Claude Code", "sh"));
mkdirSync(join(documented.cwd, ".codex"));
writeFileSync(join(documented.cwd, ".codex/config.toml"), settingsFor("Codex", "toml"));

const installed = makeHome("installed");
const engram = (...args) => run(installed, process.execPath, ENGRAM, ...args);
engram("login", "--url", url, "--api-key", key);
for (const client of ["claude-code", "codex"]) engram("mcp", "install", "--client", client, "--yes");

for (const home of [documented, installed]) {
  assert.match(run(home, "claude", "mcp", "list"), /^engram: .*Connected/m);
  const tools = await toolsInCodex(home);
  assert.equal(tools.length, TOOLS, tools.join());
  console.log(`${home.name}: Claude Code is connected, Codex has ${tools.length} tools`);
}

/** A new home directory, which is also the working directory. */
function makeHome(name) {
  const cwd = join(process.cwd(), name);
  mkdirSync(cwd);
  const env = {
    ...process.env,
    ...{ HOME: cwd, XDG_CONFIG_HOME: join(cwd, ".config"), ENGRAM_API_KEY: key },
    ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1" },
    PATH: [join(process.cwd(), "node_modules/.bin"), process.env.PATH].join(delimiter),
  };
  return { name, cwd, env };
}

function run({ cwd, env }, command, ...args) {
  return execFileSync(command, args, { cwd, env, encoding: "utf8", timeout: TIMEOUT_MS });
}

/** The text under a client's heading in the documentation, with the address of this service. */
function settingsFor(client, language) {
  const fence = new RegExp(`^## ${client}$[\\s\\S]*?^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "m");
  return fence.exec(pages)[1].replace("http://127.0.0.1:26366", url);
}

/** The names of Engram's tools, requested as Codex's own windows request them. */
async function toolsInCodex({ cwd, env }) {
  const codex = spawn("codex", ["app-server"], { cwd, env, stdio: ["pipe", "pipe", "ignore"] });
  const timer = setTimeout(() => codex.kill("SIGKILL"), TIMEOUT_MS);
  const ask = (message) => codex.stdin.write(`${JSON.stringify(message)}\n`);
  try {
    ask({ id: 1, method: "initialize", params: { clientInfo: { name: "ci", version: "1.0.0" } } });
    for await (const line of createInterface(codex.stdout)) {
      const { id, result } = JSON.parse(line);
      if (id === 1) {
        ask({ method: "initialized" });
        ask({ id: 2, method: "mcpServerStatus/list", params: {} });
      }
      if (id === 2) return Object.keys(result.data.find(({ name }) => name === "engram").tools);
    }
  } finally {
    clearTimeout(timer);
    codex.kill();
  }
  throw new Error("Codex ended without an answer");
}
