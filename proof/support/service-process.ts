import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ChildOptions, startChild } from "./child.ts";

const PROGRAM = join(import.meta.dirname, "serve.ts");
/** A first start on a slow machine bundles and migrates. */
const START_TIMEOUT_MS = 120_000;

/** What differs from `npm start`, besides the free port. */
export interface ServiceSettings {
  /** Kept when the service stops. Default: a new directory, which is deleted then. */
  dataDirectory?: string;
  /** Milliseconds between two sweeps. */
  cronIntervalMs?: number;
  /** Print every line of the Worker's log instead of errors only. */
  logsRequests?: boolean;
  /** Workers in place of the product's and of its stand-ins for Workers AI and Vectorize. */
  serviceEntry?: string;
  localEntry?: string;
  /** Worker that has the cells, if it is another one. */
  cellEntry?: string;
  /** In place of the product's. */
  migrationsDirectory?: string;
  /** Variables of the service's Worker. */
  vars?: Record<string, string>;
}

/** The service in its own process and workerd in another, both in one process group. */
export interface ServiceProcess {
  url: string;
  /** A key of the organization "local" with every scope. */
  key: string;
  adminToken: string;
  pid: number;
  dataDirectory: string;
  /** Stop the service as Ctrl-C does. May be called twice. */
  stop(): Promise<void>;
  /** Kill all of its processes, and resolve when none runs any more. */
  kill(): Promise<void>;
}

/**
 * Start the service as `npm start` does, on a free port, in a separate process.
 *
 * @throws {Error} with its output when it does not start.
 */
export async function startServiceProcess(
  settings: ServiceSettings = {},
  options: ChildOptions = {},
): Promise<ServiceProcess> {
  const dataDirectory = settings.dataDirectory ?? (await mkdtemp(join(tmpdir(), "engram-service-")));
  const child = startChild(PROGRAM, [JSON.stringify({ ...settings, dataDirectory })], options);
  const stop = async () => {
    await child.stop();
    if (settings.dataDirectory === undefined)
      await rm(dataDirectory, { recursive: true, force: true, maxRetries: 5 });
  };
  const timer = setTimeout(() => void child.kill(), START_TIMEOUT_MS);
  try {
    const started = (await child.receive()) as Pick<ServiceProcess, "url" | "key" | "adminToken">;
    return { ...started, pid: child.pid, dataDirectory, stop, kill: child.kill };
  } catch {
    await stop();
    throw new Error(`The service did not start.\n${child.output.join("\n")}`);
  } finally {
    clearTimeout(timer);
  }
}
