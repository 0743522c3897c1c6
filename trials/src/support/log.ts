import type { ChildProcess } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";
import { createInterface } from "node:readline";
import type { Findings } from "./trial.ts";

/** Of every secret so many characters are looked for, at its beginning and its end; shorter ones may stand anywhere. */
const WIDTH = 16;
const KEY_MARK = "engram_sk_live_";
/** What must not be printed even if it was never sent: a key just made, and the header that carries one. */
const FORMS = new RegExp(
  `${KEY_MARK}[0-9A-Za-z]{38}|\\b(?:bearer|basic) +(?!${KEY_MARK}\\W)[\\w+/=-]{8}`,
  "i",
);
/** What is sent and no secret: ids, and the names of operations, tools and the like. */
const OPEN = /^(?:[a-z]{2,4}_[0-9a-z]{20}|[a-z]+(?:_[a-z]+)+)$/;
/** Of what was found, so much is shown, but for the secret itself. */
const SHOWN = 10;

const secrets = new Set<string>();
const found: string[] = [];
let lines = 0;
let services = 0;

/** No line may hold this from now on. */
export function keepSecret(text: string): void {
  if (text.length < WIDTH || OPEN.test(text)) return;
  secrets.add(text.slice(-WIDTH));
  // The beginning of a key is its prefix, which tells keys apart.
  if (!text.startsWith(KEY_MARK)) secrets.add(text.slice(0, WIDTH));
}

/** Read every line that a service prints, and look for whatever this process has sent anywhere until then. */
export function watchLog(service: ChildProcess, onLine: (line: string) => void): void {
  services += 1;
  for (const input of [service.stdout, service.stderr]) {
    if (input === null) continue;
    createInterface({ input }).on("line", (line) => {
      lines += 1;
      if (holdsSecret(line)) found.push(line);
      onLine(line);
    });
  }
}

/** What the lines of all services so far came to. */
export function judgeLog(findings: Findings): void {
  findings.figure("lines", `${lines.toLocaleString("en")} of ${services} services`);
  findings.figure("beginnings and ends of what was sent", secrets.size);
  findings.expect(lines > 0, () => "Nothing was printed, so nothing was searched.");
  findings.expect(found.length === 0, () => `${found.length} lines: ${found.slice(0, SHOWN).join("\n")}`);
}

export function holdsSecret(line: string): boolean {
  if (FORMS.test(line)) return true;
  for (let at = 0; at + WIDTH <= line.length; at++) if (secrets.has(line.slice(at, at + WIDTH))) return true;
  return false;
}

/** A request of this process's `fetch`, to wherever. */
interface SentRequest {
  request: { path: string; headers: string[] };
}

// By what Node tells of every request, so that no trial has to say what it sends.
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
  // Values as they are written, since the log writes them so, too; names of properties are no secret.
  for (const [, value = "", isName] of text.matchAll(/"((?:[^"\\]|\\.)*)"(\s*:)?/g))
    if (isName === undefined) keepSecret(value);
});
