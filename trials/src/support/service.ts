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
/** Of what the service prints, so much is kept to say why it failed. */
const OUTPUT_CHARACTERS = 4_000;

export interface ServiceSettings {
  /** Milliseconds between two sweeps; as `npm start` has it when left out. */
  cronIntervalMs?: number;
  /** Let `set` reach the stand-ins. Without it, nothing but the product's own programs run. */
  switchable?: boolean;
}

/** What the stand-ins for Workers AI and Vectorize are to do; what is not named stays. */
export interface Switches {
  /** Embedder and text model. */
  ai?: "3040" | "hang" | null;
  /** The text model alone. */
  textModel?: "hang" | null;
  vectorize?: "500" | null;
  /** How long vector mutations from now on wait before queries see them. */
  visibilityDelayMs?: number;
  /** Make every waiting mutation visible now. */
  flush?: boolean;
}

/** The service in a process of its own, with workerd in another, both in one group. */
export interface TrialService {
  url: string;
  /** A key of the organization "local" with every scope. */
  key: string;
  adminToken: string;
  client: Engram;
  pid: number;
  dataDirectory: string;
  set(switches: Switches): Promise<void>;
  /** End it as Ctrl-C does; its data stays. May be called twice. */
  stop(): Promise<void>;
  /** Kill all of it with no chance to act, and resolve when nothing of it runs any more. */
  kill(): Promise<void>;
}

/** Run `use` with an empty directory that goes afterwards. */
export async function withDirectory<T>(use: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), "engram-trial-"));
  try {
    return await use(directory);
  } finally {
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Run `use` with a service on an empty directory; both go afterwards. */
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

/** Start the service on a data directory. @throws {Error} with what it printed when it does not come up. */
export async function startTrialService(
  dataDirectory: string,
  settings: ServiceSettings = {},
): Promise<TrialService> {
  const child = fork(PROGRAM, [dataDirectory, JSON.stringify(settings)], {
    execArgv: [],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    // A group of its own: what is killed is the service and workerd, and nothing else.
    detached: true,
  });
  let output = "";
  watchLog(child, (line) => {
    output = `${output}${line}\n`.slice(-OUTPUT_CHARACTERS);
  });
  // With all that it printed.
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

/** The workerd processes that the running service has noted. */
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
