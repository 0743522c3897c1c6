import { suggestion } from "@engram/spec";
import { type Arguments, misfitOf } from "./arguments.ts";
import type { ArgumentPlace, McpTool } from "./tools.ts";

/** Says why the arguments cannot become an API request. Undefined if they can. */
export function findMisfit(tool: McpTool, args: Arguments): string | undefined {
  const unknown = Object.keys(args).find((name) => !Object.hasOwn(tool.places, name));
  if (unknown !== undefined) {
    const meant = suggestion(unknown, Object.keys(tool.places));
    return `\`${unknown}\` is not an argument of this tool.${meant}`;
  }
  const noId = Object.entries(tool.places).find(
    ([name, { in: place }]) => place === "path" && !isPathSegment(args[name]),
  )?.[0];
  if (noId !== undefined) return `\`${noId}\` ${args[noId] === undefined ? "is required" : "must be an id"}.`;
  for (const [name, value] of Object.entries(args)) {
    const schema = tool.inputSchema.properties[name] ?? {};
    const misfit = misfitOf(name, schema, value);
    if (misfit !== undefined) return misfit;
  }
  return undefined;
}

/** The arguments must have passed `findMisfit`. */
export function toRequest(
  tool: McpTool,
  args: Arguments,
  at: { origin: string; credentials: Record<string, string> },
) {
  let { path } = tool;
  const query = new URLSearchParams();
  const body: Arguments = { ...tool.sends };
  const values = Object.entries(tool.places)
    .filter(([argument]) => Object.hasOwn(args, argument))
    .map(([argument, place]): [ArgumentPlace, unknown] => [place, args[argument]]);
  for (const [{ in: place, name, isJson }, value] of values) {
    if (place === "path") path = path.replace(`{${name}}`, encodeURIComponent(String(value)));
    else if (place === "body") body[name] = value;
    else if (isJson) query.append(name, JSON.stringify(value));
    else for (const item of Array.isArray(value) ? value : [value]) query.append(name, String(item));
  }
  const url = new URL(path, at.origin);
  url.search = query.toString();
  const headers = new Headers(at.credentials);
  if (tool.hasBody) headers.set("content-type", "application/json");
  return new Request(url, {
    method: tool.method,
    headers,
    ...(tool.hasBody ? { body: JSON.stringify(body) } : {}),
  });
}

/** False for "", "." and "..": even if these were encoded, the URL would have the path of another operation. */
const isPathSegment = (value: unknown): boolean => typeof value === "string" && !/^\.{0,2}$/.test(value);
