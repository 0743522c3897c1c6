import { isAbsolute, join, relative } from "node:path";
import type { Service } from "./service.ts";

/** @param signInLink Opens the console, once. */
export function banner(service: Service, signInLink: string): string {
  const keyPath = join(service.dataDirectory, "key");
  const keyFile = shown(keyPath);
  return [
    "",
    "Engram is ready.",
    "",
    `  URL      ${service.url}`,
    `  Docs     ${service.url}/docs`,
    `  Console  ${signInLink}`,
    "           signs in once, within an hour; later with the key",
    `  Key      ${service.key}`,
    `           kept in ${keyFile}`,
    ...(service.embedder === undefined ? [] : [`  Model    ${service.embedder}`]),
    ...(service.textModel === undefined ? [] : [`  Notes    ${service.textModel}`]),
    "",
    ...(service.hasNewModel ? repair(service, keyPath) : []),
    "Create a conversation:",
    "",
    // With absolute paths, because commands may be run in any folder.
    `  curl -s ${service.url}/v1/conversations -H "authorization: Bearer $(cat ${quoted(keyPath)})" -H "content-type: application/json" -d '{"title":"hello"}'`,
    "",
    "Connect an MCP client, Claude Code by this command, others by this JSON:",
    "",
    `  claude mcp add --scope user --transport http engram ${service.url}/mcp --header "Authorization: Bearer $(cat ${quoted(keyPath)})"`,
    "",
    `  ${mcpServers(service)}`,
    "",
    `With tools for memories and for waiting: ${service.url}/mcp?tools=conversations,memories,live`,
    "",
    "Press Ctrl-C to stop.",
    "",
    "",
  ].join("\n");
}

function repair({ url }: Service, keyPath: string): string[] {
  return [
    "The embedding model has changed. Search finds what was stored before by its words only, until it is embedded again:",
    "",
    `  curl -s ${url}/v1/index/repair -H "authorization: Bearer $(cat ${quoted(keyPath)})" -H "content-type: application/json" -d '{}'`,
    "",
  ];
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
