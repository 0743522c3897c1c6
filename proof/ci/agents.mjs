// Claude Code and Codex, installed in the working directory, each with a home of its own.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { installHere } from "./installed.mjs";

export const ENGRAM = join(import.meta.dirname, "../../cli/src/engram.ts");
const TIMEOUT_MS = 60_000;

export function installAgents() {
  installHere(["@anthropic-ai/claude-code@2.1.330", "@openai/codex@0.169.0"]);
  // Versions of npm name the option for allowed install scripts differently. This script installs the program.
  execFileSync(process.execPath, ["node_modules/@anthropic-ai/claude-code/install.cjs"], { stdio: "pipe" });
}

/** A new home directory, which is also the working directory. */
export function makeHome(name, variables = {}) {
  const cwd = join(process.cwd(), name);
  mkdirSync(cwd);
  const env = {
    ...process.env,
    ...{ HOME: cwd, XDG_CONFIG_HOME: join(cwd, ".config"), XDG_STATE_HOME: join(cwd, ".local/state") },
    ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1" },
    PATH: [join(process.cwd(), "node_modules/.bin"), process.env.PATH].join(delimiter),
    ...variables,
  };
  return { name, cwd, env };
}

export function run({ cwd, env }, command, ...args) {
  return execFileSync(command, args, { cwd, env, encoding: "utf8", timeout: TIMEOUT_MS });
}

/** The first code block in a language under a client's heading of a page. */
export function settingsFor(page, client, language) {
  const markdown = readFileSync(join(import.meta.dirname, "../../site/pages", page), "utf8");
  const fence = new RegExp(`^## ${client}$[\\s\\S]*?^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "m");
  return fence.exec(markdown)[1];
}

/** The answer of Codex to a request of its own windows. */
export async function askCodex({ cwd, env }, method, params) {
  const codex = spawn("codex", ["app-server"], { cwd, env, stdio: ["pipe", "pipe", "ignore"] });
  const timer = setTimeout(() => codex.kill("SIGKILL"), TIMEOUT_MS);
  const ask = (message) => codex.stdin.write(`${JSON.stringify(message)}\n`);
  try {
    ask({ id: 1, method: "initialize", params: { clientInfo: { name: "ci", version: "1.0.0" } } });
    for await (const line of createInterface(codex.stdout)) {
      const { id, result, error } = JSON.parse(line);
      if (id === 1) {
        ask({ method: "initialized" });
        ask({ id: 2, method, params });
      }
      if (id === 2 && error !== undefined) throw new Error(`${method}: ${error.message}`);
      if (id === 2) return result;
    }
  } finally {
    clearTimeout(timer);
    codex.kill();
  }
  throw new Error("Codex ended without an answer");
}

/** The names of Engram's tools in Codex. */
export async function toolsInCodex(home) {
  const { data } = await askCodex(home, "mcpServerStatus/list", {});
  return Object.keys(data.find(({ name }) => name === "engram").tools);
}
