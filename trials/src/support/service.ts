import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Engram } from "@engram/sdk";
import { keepSecret, watchLog } from "./log.ts";

const PROGRAM = join(import.meta.dirname, "served/serve.ts");
/** A first start on a slow machine bundles and migrates. */
const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 10_000;
const GONE_TIMEOUT_MS = 10_000;
const POLL_MS = 10;
/** Characters of the service's output that are kept to explain a failure. */
const OUTPUT_CHARACTERS = 4_000;

export interface ServiceSettings {
  /** Milliseconds between two sweeps. Default: as in `npm start`. */
  cronIntervalMs?: number;
  /** Let `set` reach the stand-ins. Without it, only the product's own programs run. */
  switchable?: boolean;
}

/** Faults and settings of the stand-ins for Workers AI and Vectorize. Omitted ones are unchanged. */
export interface Switches {
  /** Embedder and text model. */
  ai?: "3040" | "hang" | null;
  /** The text model only. */
  textModel?: "hang" | null;
  vectorize?: "500" | null;
  /** Visibility lag of later vector mutations. */
  visibilityDelayMs?: number;
  /** Make every pending mutation visible now. */
  flush?: boolean;
}

/** The service in its own process and workerd in another, both in one process group. */
export interface TrialService {
  url: string;
  /** A key of the organization "local" with every scope. */
  key: string;
  adminToken: string;
  client: Engram;
  pid: number;
  dataDirectory: string;
  set(switches: Switches): Promise<void>;
  /** Stop it as Ctrl-C does; its data stays. May be called twice. */
  stop(): Promise<void>;
  /** Kill all of its processes, and resolve when none runs any more. */
  kill(): Promise<void>;
}

/** Run `use` with an empty directory, which is removed afterwards. */
export async function withDirectory<T>(use: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), "engram-trial-"));
  try {
    return await use(directory);
  } finally {
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Run `use` with a service on an empty directory. Both are removed afterwards. */
export async function withService<T>(
  settings: ServiceSettings,
  use: (service: TrialService) => Promise<T>,
): Promise<T> {
  return withDirectory(async (directory) => {
    const service = await startTrialService(join(directory, "data"), settings);
    try {
      return await use(service);
    } finally {
      await service.stop();
    }
  });
}

/** Start the service on a data directory. @throws {Error} With its output when it does not start. */
export async function startTrialService(
  dataDirectory: string,
  settings: ServiceSettings = {},
): Promise<TrialService> {
  const child = fork(PROGRAM, [dataDirectory, JSON.stringify(settings)], {
    execArgv: [],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    // Its own process group, so that a kill reaches only the service and workerd.
    detached: true,
  });
  let output = "";
  watchLog(child, (line) => {
    output = `${output}${line}\n`.slice(-OUTPUT_CHARACTERS);
  });
  // "close" follows the complete output.
  const exited = once(child, "close");
  const timer = setTimeout(() => child.kill("SIGKILL"), START_TIMEOUT_MS);
  const started = await Promise.race([once(child, "message"), exited.then(() => undefined)]);
  clearTimeout(timer);
  if (started === undefined) throw new Error(`The service did not start.\n${output}`);
  const { url, key, adminToken } = started[0] as Pick<TrialService, "url" | "key" | "adminToken">;
  keepSecret(key);
  keepSecret(adminToken);
  const workerd = await readWorkerdPids(dataDirectory);
  return {
    url,
    key,
    adminToken,
    client: new Engram({ baseUrl: url, apiKey: key }),
    pid: child.pid ?? 0,
    dataDirectory,
    async set(switches) {
      const response = await fetch(`${url}/switches`, { method: "PUT", body: JSON.stringify(switches) });
      if (response.status !== 204) throw new Error(`The switches were answered ${response.status}`);
    },
    stop: () => end(child, exited),
    async kill() {
      process.kill(-(child.pid ?? Number.NaN), "SIGKILL");
      await exited;
      await untilGone(workerd);
    },
  };
}

/** The workerd processes that the running service has recorded. */
async function readWorkerdPids(dataDirectory: string): Promise<number[]> {
  const record = JSON.parse(await readFile(join(dataDirectory, "running.json"), "utf8"));
  return (record as { workerd: { pid: number }[] }).workerd.map(({ pid }) => pid);
}

async function untilGone(pids: number[]): Promise<void> {
  for (let waitedMs = 0; waitedMs < GONE_TIMEOUT_MS; waitedMs += POLL_MS) {
    if (!pids.some(isAlive)) return;
    await sleep(POLL_MS);
  }
  throw new Error(`Killed, but still there: ${pids.filter(isAlive).join(", ")}`);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function end(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
  child.kill("SIGTERM");
  await exited;
  clearTimeout(timer);
}
