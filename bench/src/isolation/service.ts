import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

const ROOT = resolve(import.meta.dirname, "../../..");
/** A first start on a slow machine installs packages, bundles and migrates. */
const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 10_000;
/** A log line follows soon after the response that it describes. */
const LINE_TIMEOUT_MS = 10_000;
const POLL_MS = 5;

/** A service whose data directory is kept when it stops. */
export interface KeptService {
  url: string;
  adminToken: string;
  /** The rows that D1 read for a request, from the service's log. */
  rowsRead(requestId: string): Promise<number>;
  /** Stop the service, so that its files are no longer written. May be called twice. */
  stop(): Promise<void>;
}

/**
 * Start the service as `npm start` does, on a free port, in a separate process.
 *
 * @throws {Error} with its output when it does not start.
 */
export async function startKeptService(dataDirectory: string): Promise<KeptService> {
  const child = spawn(process.execPath, [join(ROOT, "local/src/start.ts")], {
    env: { ...process.env, PORT: "0", ENGRAM_DATA: dataDirectory, ENGRAM_LOG: "1" },
    stdio: ["ignore", "pipe", "pipe"],
    // A separate process group does not receive the terminal's Ctrl-C, so this process can stop the service
    // in order.
    detached: process.platform !== "win32",
  });
  const exited = once(child, "close");
  const log = readLog(child);
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<undefined>((done) => {
    timer = setTimeout(() => done(undefined), START_TIMEOUT_MS);
  });
  const url = await Promise.race([log.url, exited.then(() => undefined), timedOut]);
  clearTimeout(timer);
  if (url === undefined) {
    await end(child, exited);
    throw new Error(`The service did not start.\n${log.printed.join("\n")}`);
  }
  const adminToken = (await readFile(join(dataDirectory, "admin-token"), "utf8")).trim();
  return { url, adminToken, rowsRead: log.rowsRead, stop: () => end(child, exited) };
}

/** Parses the output: the URL, one line per request, and everything else. */
function readLog(child: ChildProcess) {
  const rows = new Map<string, number>();
  const printed: string[] = [];
  const url = new Promise<string>((resolveUrl) => {
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue;
      createInterface({ input: stream }).on("line", (line) => {
        const found = /^\s+URL\s+(http\S+)/.exec(line)?.[1];
        if (found !== undefined) resolveUrl(found);
        if (line.startsWith('{"event":"request"')) {
          const { request_id, rows_read } = JSON.parse(line) as { request_id: string; rows_read: number };
          rows.set(request_id, rows_read);
        } else printed.push(line);
      });
    }
  });
  const rowsRead = async (requestId: string) => {
    for (let waitedMs = 0; waitedMs < LINE_TIMEOUT_MS; waitedMs += POLL_MS) {
      const read = rows.get(requestId);
      rows.delete(requestId);
      if (read !== undefined) return read;
      await sleep(POLL_MS);
    }
    throw new Error(`The service logged nothing about ${requestId}.\n${printed.join("\n")}`);
  };
  return { url, printed, rowsRead };
}

async function end(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
  child.kill("SIGTERM");
  await exited;
  clearTimeout(timer);
}
