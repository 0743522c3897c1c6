// Calls the MCP route as common clients do: with the inspector's command line, and with mcp-remote, which connects a
// client that only supports standard input and output to a server on the network. Uses the settings of the
// documentation.
//   node mcp-clients.mjs URL KEY   (in an empty folder, into which the clients are installed)
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { installHere } from "./installed.mjs";

const [url, key] = process.argv.slice(2);
const bin = (name) => join(process.cwd(), "node_modules/.bin", name);
const TIMEOUT_MS = 60_000;

installHere([
  "@modelcontextprotocol/inspector@2.12.0",
  "mcp-remote@0.15.1",
  "@modelcontextprotocol/client@2.4.0",
  "@modelcontextprotocol/sdk@1.32.2",
]);

/** Runs the inspector. Returns its output and exit code. */
function inspect(secret, ...args) {
  const server = [`${url}/mcp`, "--transport", "http", "--header", `Authorization: Bearer ${secret}`];
  const asked = spawnSync(process.execPath, [bin("mcp-inspector"), "--cli", ...server, ...args], {
    encoding: "utf8",
    timeout: TIMEOUT_MS,
  });
  return { status: asked.status, output: asked.stdout, told: `${asked.stdout}${asked.stderr}` };
}

const listed = inspect(key, "--method", "tools/list");
assert.equal(listed.status, 0, listed.told);
const names = JSON.parse(listed.output).tools.map(({ name }) => name);
assert.ok(names.includes("search") && names.includes("append_messages"), names.join());
const created = inspect(
  key,
  ...["--method", "tools/call", "--tool-name", "create_conversation", "--tool-arg", "title=Inspected"],
);
assert.equal(created.status, 0, created.told);
assert.equal(JSON.parse(created.output).structuredContent.title, "Inspected");
const refused = inspect("engram_sk_live_wrong", "--method", "tools/list");
assert.notEqual(refused.status, 0, "a wrong key is refused");
console.log(`inspector: ${names.length} tools, a call, a refusal`);

const require = createRequire(join(process.cwd(), "index.js"));
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const { Client } = await load("@modelcontextprotocol/client");
const { StdioClientTransport } = await load("@modelcontextprotocol/client/stdio");
const { StreamableHTTPClientTransport } = await load("@modelcontextprotocol/client");
const sdk = {
  ...(await load("@modelcontextprotocol/sdk/client/index.js")),
  ...(await load("@modelcontextprotocol/sdk/client/streamableHttp.js")),
};
const me = { name: "ci", version: "1.0.0" };
const speaks = (mode) => new Client(me, { versionNegotiation: { mode } });
// Both major versions of the official library, on which most clients are based, the second in both protocol eras.
for (const [what, version, client, Transport] of [
  ["sdk 1", "2025-11-25", new sdk.Client(me), sdk.StreamableHTTPClientTransport],
  ["client 2, legacy", "2025-11-25", speaks("legacy"), StreamableHTTPClientTransport],
  ["client 2, modern", "2026-07-28", speaks({ pin: "2026-07-28" }), StreamableHTTPClientTransport],
]) {
  const open = (secret) =>
    new Transport(new URL(`${url}/mcp`), { requestInit: { headers: { authorization: `Bearer ${secret}` } } });
  const asked = [];
  const transport = open(key);
  const send = transport.send.bind(transport);
  transport.send = (message, ...more) => {
    asked.push(message.method);
    return send(message, ...more);
  };
  await client.connect(transport);
  // Distinguishes the protocol eras on the wire.
  assert.equal(asked.includes("initialize"), version === "2025-11-25", `${what}: ${asked}`);
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map(({ name }) => name).sort(), names.toSorted(), what);
  const title = `Through ${what}`;
  const { structuredContent } = await client.callTool({ name: "create_conversation", arguments: { title } });
  assert.equal(structuredContent.title, title);
  const missing = await client.callTool({
    name: "get_conversation",
    arguments: { conversation_id: "conv_none" },
  });
  assert.equal(missing.isError, true, what);
  assert.match(missing.content[0].text, /^not_found: /);
  await client.close();
  console.log(`${what}: ${tools.length} tools, a call, a failure that says what to do`);
}

const client = new Client(me);
const page = readFileSync(join(import.meta.dirname, "../../site/pages/mcp.md"), "utf8");
const [, settings] = /^## Claude Desktop$[\s\S]*?^```json\n([\s\S]*?)^```/m.exec(page);
const { args, env } = JSON.parse(
  settings.replace("http://127.0.0.1:26366", url).replace("engram_sk_live_…", key),
).mcpServers.engram;
assert.deepEqual(args.slice(0, 2), ["-y", "mcp-remote"]);
await client.connect(
  new StdioClientTransport({
    // The version installed above, instead of the newest, which npx would download.
    command: process.execPath,
    args: [bin("mcp-remote"), ...args.slice(2)],
    // It stores data about servers in the home directory.
    env: { ...process.env, ...env, MCP_REMOTE_CONFIG_DIR: process.cwd() },
    stderr: "ignore",
  }),
);
const { tools } = await client.listTools();
assert.deepEqual(tools.map(({ name }) => name).sort(), names.sort());
const { structuredContent } = await client.callTool({
  name: "create_conversation",
  arguments: { title: "Through mcp-remote" },
});
assert.equal(structuredContent.title, "Through mcp-remote");
await client.close();
console.log(`mcp-remote: ${tools.length} tools, a call`);
