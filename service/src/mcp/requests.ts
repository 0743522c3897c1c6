import type { McpTool } from "./tools.ts";

export type Arguments = Record<string, unknown>;

/** What is wrong with arguments that no request can be made of; undefined when nothing is. */
export function findMisfit(tool: McpTool, args: Arguments): string | undefined {
  const unknown = Object.keys(args).find((name) => !Object.hasOwn(tool.inputSchema.properties, name));
  if (unknown !== undefined) return `\`${unknown}\` is not an argument of this tool.`;
  const noId = tool.pathArguments.find((name) => !isPathSegment(args[name]));
  if (noId !== undefined) return `\`${noId}\` must be an id.`;
  const noText = tool.queryArguments.find((name) => Object.hasOwn(args, name) && !isQueryValue(args[name]));
  // A filter that is null must not become no filter.
  if (noText !== undefined)
    return `\`${noText}\` must be a value of its type; leave it out if there is none.`;
  return undefined;
}

/** The request that an operation's contract describes, with the caller's key. Arguments must fit. */
export function toRequest(tool: McpTool, args: Arguments, at: { origin: string; authorization: string }) {
  const path = tool.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(args[name])));
  const url = new URL(path, at.origin);
  const body: Arguments = {};
  for (const [name, value] of Object.entries(args)) {
    if (tool.pathArguments.includes(name)) continue;
    if (!tool.queryArguments.includes(name)) body[name] = value;
    else for (const item of Array.isArray(value) ? value : [value]) url.searchParams.append(name, item);
  }
  const headers = new Headers({ authorization: at.authorization });
  if (tool.hasBody) headers.set("content-type", "application/json");
  return new Request(url, {
    method: tool.method,
    headers,
    ...(tool.hasBody ? { body: JSON.stringify(body) } : {}),
  });
}

/** Dots are taken for folders in a URL even when they are encoded, and would lead to another operation. */
const isPathSegment = (value: unknown): boolean => typeof value === "string" && !/^\.{0,2}$/.test(value);

const isQueryValue = (value: unknown): boolean =>
  Array.isArray(value) ? value.every(isScalar) : isScalar(value);
const isScalar = (value: unknown): boolean => ["string", "number", "boolean"].includes(typeof value);
