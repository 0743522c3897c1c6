import { isAbsolute, join, relative } from "node:path";
import type { Service } from "./service.ts";

/** What a person who has just started the service needs to see, ending with a command to paste. */
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
    "",
    "Create a conversation:",
    "",
    `  curl -s ${service.url}/v1/conversations -H "authorization: Bearer $(cat ${quoted(keyFile)})" -H "content-type: application/json" -d '{"title":"hello"}'`,
    "",
    "Press Ctrl-C to stop.",
    "",
    "",
  ].join("\n");
}

/** A path as short as it can be from where the person stands. */
function shown(path: string): string {
  const near = relative(process.cwd(), path);
  return near.startsWith("..") || isAbsolute(near) ? path : near;
}

/** A path as one word of a shell. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
