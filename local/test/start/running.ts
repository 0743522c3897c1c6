import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive, killIfSame, processIdentity } from "../../src/start/processes.ts";

export const ROOT = resolve(import.meta.dirname, "../../..");
/** Generous, for a busy machine. */
const START_TIMEOUT_MS = 120_000;

/** A service that a test has started as a user would, with all processes of its chain. */
export interface Running {
  url: string;
  key: string;
  /** The process that the test started: run.mjs or npm. */
  launcher: ChildProcess;
  /** start.ts. */
  pid: number;
  workerd: number;
  output: () => string;
}

const started = new Set<ChildProcess>();
/** start.ts and workerd of every service, with data that distinguishes them from later processes with the same id. */
const ran = new Map<number, string>();
const directories = new Set<string>();
/** Hides the services of tests from `engram login` on this machine. */
const stateHome = join(mkdtempSync(join(tmpdir(), "engram-state-")), "state");
directories.add(stateHome);

/** A data directory for one test, removed by `cleanUp`. */
export function makeDataDirectory(): string {
  const directory = join(mkdtempSync(join(tmpdir(), "engram-start-")), "data");
  directories.add(directory);
  return directory;
}

/** Runs the start script, or `npm start`, until it ends. Resolves to its exit code and output. */
export async function runToEnd(
  env: Record<string, string>,
  { by = "run.mjs", args = [] }: { by?: "run.mjs" | "npm"; args?: string[] } = {},
): Promise<{ code: number | null; output: string }> {
  const { child, output } = launch(by, env, args);
  const [code] = await once(child, "close");
  return { code, output: output() };
}

/** Starts the service through run.mjs or npm. Resolves when it reports that it is ready. */
export async function start(
  by: "run.mjs" | "npm",
  env: Record<string, string>,
  args: string[] = [],
): Promise<Running> {
  const { child, output } = launch(by, { PORT: "0", ...env }, args);
  await until(() => output().includes("Press Ctrl-C") || child.exitCode !== null, START_TIMEOUT_MS);
  const url = /URL\s+(\S+)/.exec(output())?.[1];
  const key = /Key\s+(\S+)/.exec(output())?.[1];
  if (url === undefined || key === undefined) throw new Error(`Not started: ${output()}`);
  const data = args.includes("--data") ? args[args.indexOf("--data") + 1] : env.ENGRAM_DATA;
  const record = JSON.parse(readFileSync(join(data ?? "", "running.json"), "utf8"));
  const workerd = record.workerd[0].pid;
  for (const pid of [record.pid, workerd]) ran.set(pid, processIdentity(pid) ?? "");
  return { url, key, launcher: child, pid: record.pid, workerd, output };
}

export function launch(by: "run.mjs" | "npm", env: Record<string, string>, args: string[] = []) {
  const command = by === "npm" ? ["npm", "start", "--"] : ["node", "scripts/run.mjs", "local/src/start.ts"];
  const [file = "", ...rest] = [...command, ...args];
  const child = spawn(file, rest, {
    cwd: ROOT,
    env: { ...process.env, XDG_STATE_HOME: stateHome, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  started.add(child);
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk) => chunks.push(chunk));
  child.stderr.on("data", (chunk) => chunks.push(chunk));
  return { child, output: () => Buffer.concat(chunks).toString() };
}

/** The exit code of the process that the test started, once it has ended. */
export async function exitCode(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.exitCode;
}

/** Whether the process runs. A zombie does not. */
export function runs(pid: number): boolean {
  return isAlive(pid) && processIdentity(pid) !== undefined;
}

/** Resolves as soon as a condition holds. */
export async function until(condition: () => boolean | Promise<boolean>, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`Not so after ${timeoutMs} ms: ${condition}`);
    await sleep(20);
  }
}

/** Sends a request with the service's key. */
export async function ask(
  service: Pick<Running, "url" | "key">,
  path: string,
  body?: unknown,
): Promise<Response> {
  return fetch(`${service.url}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${service.key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** Ends the processes of the tests with their children, and removes the data directories. */
export async function cleanUp(): Promise<void> {
  for (const child of started) {
    child.kill("SIGTERM");
    await exitCode(child);
  }
  // None of these exists unless a test has failed.
  for (const [pid, identity] of ran) await killIfSame(pid, identity);
  for (const directory of directories) rmSync(resolve(directory, ".."), { recursive: true, force: true });
}
