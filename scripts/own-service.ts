import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "..");
/** A first start on a slow machine installs packages, bundles and migrates. */
const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 10_000;
/** Matches the banner that the service prints when it is ready. */
const READY = /Engram is ready\.[\s\S]*?URL\s+(http\S+)/;

/** A service on a free port, with a new data directory that is deleted when it stops. */
export interface OwnService {
  url: string;
  /** A key of the organization "local" with every scope. */
  key: string;
  adminToken: string;
  /** Stop the service and delete its data. May be called twice. */
  stop(): Promise<void>;
}

/**
 * Start the service as `npm start` does, in a separate process.
 *
 * @throws {Error} with its output when it does not start.
 */
export async function startOwnService(): Promise<OwnService> {
  const dataDirectory = await mkdtemp(join(tmpdir(), "engram-own-"));
  const child = spawn(process.execPath, [join(ROOT, "scripts/run.mjs"), "local/src/start.ts"], {
    env: { ...process.env, PORT: "0", ENGRAM_DATA: dataDirectory },
    stdio: ["ignore", "pipe", "pipe"],
    // A separate process group does not receive the terminal's Ctrl-C, so this process can stop the service
    // in order.
    detached: process.platform !== "win32",
  });
  const exited = once(child, "close");
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= end(child, exited).then(() => rm(dataDirectory, { recursive: true, force: true }));
    return stopped;
  };
  try {
    const url = await whenReady(child, exited);
    const [key, adminToken] = await Promise.all(
      ["key", "admin-token"].map((name) => readFile(join(dataDirectory, name), "utf8")),
    );
    return { url, key: (key ?? "").trim(), adminToken: (adminToken ?? "").trim(), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function whenReady(child: ChildProcess, exited: Promise<unknown>): Promise<string> {
  let output = "";
  const ready = new Promise<string>((resolveUrl) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const url = READY.exec(output)?.[1];
      if (url !== undefined) resolveUrl(url);
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
  });
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<undefined>((done) => {
    timer = setTimeout(() => done(undefined), START_TIMEOUT_MS);
  });
  const url = await Promise.race([ready, exited.then(() => undefined), timedOut]);
  clearTimeout(timer);
  if (url === undefined) throw new Error(`The service did not start.\n${output.trim()}`);
  return url;
}

async function end(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
  child.kill("SIGTERM");
  await exited;
  clearTimeout(timer);
}
