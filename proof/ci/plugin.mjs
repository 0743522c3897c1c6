// Installs the plugin into Claude Code and Codex, as the page on coding agents says, and runs a session of Claude Code
// with a model that this program plays.
//   node plugin.mjs URL KEY   (in the folder of coding-agents.mjs, which has installed both)
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as after } from "node:timers/promises";
import { promisify } from "node:util";
import { buildProgram } from "../../cli/test/support/built-program.ts";
import { root } from "../../scripts/commands.mjs";
import { askCodex, makeHome, run, settingsFor, toolsInCodex } from "./agents.mjs";

const [url, key] = process.argv.slice(2);
const TOOLS = 12;
const EVENTS = ["sessionStart", "stop", "userPromptSubmit"];
const SESSION_TIMEOUT_MS = 60_000;
const PROMPT = "Which order had the kettle that leaks?";
const REMEMBERED = "The kettle of order 1029 leaks.";
const ANSWER = "It was order 1029.";

// As after a global install. Built, because Claude Code waits only some 1.5 seconds for hooks when a session ends.
writeFileSync(
  "node_modules/.bin/engram",
  `#!/bin/sh\nexec "${process.execPath}" "${buildProgram()}" "$@"\n`,
  {
    mode: 0o755,
  },
);
const home = makeHome("plugged", { ENGRAM_URL: "" });
run(home, "engram", "login", "--url", url, "--api-key", key);
const commandsOf = (client) => settingsFor("coding-agents.md", client, "sh").replaceAll(" ./", ` ${root}`);

for (const path of [root, join(root, "plugin")]) run(home, "claude", "plugin", "validate", "--strict", path);
run(home, "sh", "-ec", commandsOf("Claude Code"));
assert.match(run(home, "claude", "mcp", "list"), /engram.*Connected/);
// Without a terminal, nobody can be asked.
run(home, "sh", "-ec", commandsOf("Codex").replace("hooks install", "hooks install --yes"));
const tools = await toolsInCodex(home);
assert.equal(tools.length, TOOLS, tools.join());
const { data: hooks } = await askCodex(home, "hooks/list", { cwds: [home.cwd] });
const listed = hooks.flatMap((each) => each.hooks).map(({ eventName }) => eventName);
assert.deepEqual(listed.sort(), EVENTS);
console.log(
  `plugin: Claude Code accepts and connects it, Codex has ${tools.length} tools and ${listed.length} hooks`,
);

const call = async (method, path, body) => {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: body && JSON.stringify(body),
  });
  assert.ok(response.ok, `${method} ${path}: ${response.status}`);
  return response.json();
};
const project = join(home.cwd, "shop");
mkdirSync(project);
const { id } = await call("POST", "/v1/conversations", { metadata: { project } });
const messages = [{ role: "user", content: REMEMBERED }];
await call("POST", `/v1/conversations/${id}/messages`, { messages, wait: "indexed" });

const asked = [];
const model = createServer(async (request, response) => {
  const body = await text(request);
  if (request.method !== "POST" || !request.url.startsWith("/v1/messages?")) return response.end("{}");
  asked.push(body);
  answerAsModel(response);
}).listen(0, "127.0.0.1");
await once(model, "listening");
await promisify(execFile)("claude", ["-p", PROMPT], {
  cwd: project,
  env: {
    ...home.env,
    ...{ ANTHROPIC_BASE_URL: `http://127.0.0.1:${model.address().port}`, ANTHROPIC_API_KEY: "none" },
  },
  timeout: SESSION_TIMEOUT_MS,
});
model.close();
assert.ok(
  asked.some((body) => body.includes(PROMPT) && body.includes("engram-context") && body.includes(REMEMBERED)),
  "the model got the context of its prompt",
);
console.log("plugin: the model of Claude Code got what an earlier session said");
const stored = await untilStored();
assert.ok(stored.messages.items.some(({ role, content }) => role === "user" && content === PROMPT));
const { items } = await call("GET", `/v1/recalls?run_id=${stored.metadata.session_id}`);
assert.ok(
  items.some(({ metadata }) => metadata.event === "UserPromptSubmit"),
  "the prompt has a receipt",
);
console.log("plugin: the session of Claude Code was stored at its end");

/** The session, which is stored in the background. */
async function untilStored() {
  for (const end = Date.now() + SESSION_TIMEOUT_MS; Date.now() < end; await after(500)) {
    const [found] = (await call("GET", "/v1/conversations?tags_all=claude-code&limit=1")).items;
    if (found?.metadata.directory === project) return call("GET", `/v1/conversations/${found.id}`);
  }
  throw new Error("The session was not stored");
}

/** The answer as Anthropic's API streams it. */
function answerAsModel(response) {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id: "msg_1", type: "message", role: "assistant", model: "m", content: [], usage };
  const events = [
    { type: "message_start", message: { ...message, stop_reason: null, stop_sequence: null } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: ANSWER } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage },
    { type: "message_stop" },
  ];
  response.setHeader("content-type", "text/event-stream");
  response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""));
}
