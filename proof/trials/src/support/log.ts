import { subscribe } from "node:diagnostics_channel";
import type { Findings } from "./trial.ts";

/**
 * Number of characters to search for at the beginning and the end of every secret. Shorter texts could occur
 * anywhere.
 */
const WIDTH = 16;
const KEY_PREFIX = "engram_sk_live_";
/** Must never be printed, even if never sent: a new key, and the header that carries one. */
const FORMS = new RegExp(
  `${KEY_PREFIX}[0-9A-Za-z]{38,}|\\b(?:bearer|basic) +(?!${KEY_PREFIX}\\W)[\\w+/=-]{8}`,
  "i",
);
/** Sent values that are not secret: ids, times, and the names of operations, tools and the like. */
const OPEN = /^(?:[a-z]{2,6}_[0-9a-z]{20}|\d{4}-\d\d-\d\dT[\d:.]+Z|[a-z]+(?:_[a-z]+)+)$/;
/** Upper bound on the findings shown, without the secret itself. */
const SHOWN = 10;

const secrets = new Set<string>();
const found: string[] = [];
let lines = 0;
let services = 0;

/** From now on, no line may contain this text. */
export function keepSecret(text: string): void {
  if (text.length < WIDTH || OPEN.test(text)) return;
  secrets.add(text.slice(-WIDTH));
  // Of a key, the random characters after the public prefix that distinguishes keys. Its end names the organization.
  const start = text.startsWith(KEY_PREFIX) ? KEY_PREFIX.length + 4 : 0;
  secrets.add(text.slice(start, start + WIDTH));
}

/** @returns A function that searches each line of one service for everything that this process has sent so far. */
export function searchLines(): (line: string) => void {
  services += 1;
  return (line) => {
    lines += 1;
    if (holdsSecret(line)) found.push(line);
  };
}

/** Report the lines of all services so far. */
export function judgeLog(findings: Findings): void {
  findings.figure("lines", `${lines.toLocaleString("en")} of ${services} services`);
  findings.figure("secrets searched for: beginnings and ends of sent values", secrets.size);
  findings.expect(lines > 0, () => "Nothing was printed, so nothing was searched.");
  findings.expect(found.length === 0, () => `${found.length} lines: ${found.slice(0, SHOWN).join("\n")}`);
}

export function holdsSecret(line: string): boolean {
  if (FORMS.test(line)) return true;
  for (let at = 0; at + WIDTH <= line.length; at++) if (secrets.has(line.slice(at, at + WIDTH))) return true;
  return false;
}

/** A request of this process's `fetch` to any host. */
interface SentRequest {
  request: { path: string; headers: string[] };
}

// Node reports every request, so that trials do not have to.
subscribe("undici:request:create", (message) => {
  const { path, headers } = (message as SentRequest).request;
  for (const value of new URLSearchParams(path.split("?")[1]).values()) keepSecret(value);
  for (const [i, name] of headers.entries()) {
    const value = headers[i + 1] ?? "";
    if (i % 2 === 0 && /^(?:authorization|idempotency-key)$/i.test(name))
      keepSecret(value.replace(/^\w+ +/, ""));
  }
});
subscribe("undici:request:bodyChunkSent", (message) => {
  const { chunk } = message as { chunk: string | Uint8Array };
  const text = typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
  // Values as escaped in JSON, because the log escapes them in the same way. Property names are not secret.
  for (const [, value = "", isName] of text.matchAll(/"((?:[^"\\]|\\.)*)"(\s*:)?/g))
    if (isName === undefined) keepSecret(value);
});
