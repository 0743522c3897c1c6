import type { ArgumentPlace, McpTool } from "./tools.ts";

export type Arguments = Record<string, unknown>;

/** Says why the arguments cannot become an API request. Undefined if they can. */
export function findMisfit(tool: McpTool, args: Arguments): string | undefined {
  const unknown = Object.keys(args).find((name) => !Object.hasOwn(tool.places, name));
  if (unknown !== undefined) return `\`${unknown}\` is not an argument of this tool.`;
  const misfit = (place: ArgumentPlace["in"], fits: (value: unknown, at: ArgumentPlace) => boolean) =>
    Object.entries(tool.places).find(([name, at]) => at.in === place && !fits(args[name], at))?.[0];
  const noId = misfit("path", isPathSegment);
  if (noId !== undefined) return `\`${noId}\` ${args[noId] === undefined ? "is required" : "must be an id"}.`;
  const noText = misfit(
    "query",
    (value, { isJson }) => value === undefined || (isJson ? isObject(value) : isQueryValue(value)),
  );
  // A query string has no null. Without this check, null would be sent as the text `null`.
  if (noText !== undefined)
    return `\`${noText}\` must be a value of its type; leave it out if there is none.`;
  return undefined;
}

/** The arguments must have passed `findMisfit`. */
export function toRequest(
  tool: McpTool,
  args: Arguments,
  at: { origin: string; credentials: Record<string, string>; userId: string | null },
) {
  let { path } = tool;
  const query = new URLSearchParams();
  const body: Arguments = { ...tool.sends };
  const values = Object.entries(tool.places)
    .filter(([argument]) => Object.hasOwn(args, argument))
    .map(([argument, place]): [ArgumentPlace, unknown] => [place, args[argument]]);
  if (at.userId !== null && tool.userPlace !== undefined) values.push([tool.userPlace, at.userId]);
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

const isQueryValue = (value: unknown): boolean =>
  Array.isArray(value) ? value.every(isScalar) : isScalar(value);
const isObject = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isScalar = (value: unknown): boolean => ["string", "number", "boolean"].includes(typeof value);
