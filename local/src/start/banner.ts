import { isAbsolute, join, relative } from "node:path";
import type { Service } from "./service.ts";

export function banner(service: Service): string {
  const keyFile = shown(join(service.dataDirectory, "key"));
  return [
    "",
    "Engram is ready.",
    "",
    `  URL   ${service.url}`,
    `  Docs  ${service.url}/docs`,
    `  Key   ${service.key}`,
    `        kept in ${keyFile}`,
    ...(service.embedder === undefined ? [] : [`  Model ${service.embedder}`]),
    ...(service.textModel === undefined ? [] : [`  Notes ${service.textModel}`]),
    "",
    "Create a conversation:",
    "",
    `  curl -s ${service.url}/v1/conversations -H "authorization: Bearer $(cat ${quoted(keyFile)})" -H "content-type: application/json" -d '{"title":"hello"}'`,
    "",
    "Connect an MCP client, Claude Code by this command, others by this JSON:",
    "",
    `  claude mcp add --transport http engram ${service.url}/mcp --header "Authorization: Bearer $(cat ${quoted(keyFile)})"`,
    "",
    `  ${mcpServers(service)}`,
    "",
    "Press Ctrl-C to stop.",
    "",
    "",
  ].join("\n");
}

/** Contains the key, because not every client can read it from elsewhere. */
function mcpServers({ url, key }: Service): string {
  const engram = { type: "http", url: `${url}/mcp`, headers: { Authorization: `Bearer ${key}` } };
  return JSON.stringify({ mcpServers: { engram } });
}

function shown(path: string): string {
  const near = relative(process.cwd(), path);
  return near.startsWith("..") || isAbsolute(near) ? path : near;
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
