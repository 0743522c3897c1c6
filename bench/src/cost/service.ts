import { fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Usage } from "./meter.ts";
import type { Taken } from "./units.ts";

/** Started as a program, because the bench must not import the service's internals. */
const PROGRAM = join(import.meta.dirname, "../../test/support/metered-service.ts");
const STOP_TIMEOUT_MS = 10_000;
/** Linux counts CPU time in hundredths of a second. */
const TICK_MS = 10;

/** The product's Worker on real local D1, with counters and a new database. */
export interface MeteredService {
  url: string;
  adminToken: string;
  count(work: () => Promise<unknown>): Promise<Taken>;
  /** Run the cron once, with the clock moved forward. */
  sweep(laterMs: number): Promise<void>;
  /** Stop the service and return the bytes of each table and index. */
  weigh(): Promise<Map<string, number>>;
  /** Stop the service and delete its data. May be called twice. */
  stop(): Promise<void>;
}

/** Start the service on a free port. @throws {Error} when it does not start. */
export async function startMeteredService(): Promise<MeteredService> {
  const directory = await mkdtemp(join(tmpdir(), "engram-cost-"));
  const child = fork(PROGRAM, [directory], {
    execArgv: [],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const exited = once(child, "exit");
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const timer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
    child.kill("SIGTERM");
    await exited;
    clearTimeout(timer);
  };
  const stop = async () => {
    await end();
    await rm(directory, { recursive: true, force: true });
  };
  const started = await Promise.race([once(child, "message"), exited.then(() => undefined)]);
  if (started === undefined) {
    await stop();
    throw new Error("The service did not start");
  }
  const { url, adminToken } = started[0] as { url: string; adminToken: string };
  const post = async (path: string) => {
    const response = await fetch(`${url}${path}`, { method: "POST" });
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return response;
  };
  const take = async () => (await (await post("/meter")).json()) as Usage;
  const cpuMs = () => childrensCpuMs(child.pid ?? 0);
  return {
    url,
    adminToken,
    async count(work) {
      await take();
      const before = cpuMs();
      await work();
      return { cpuMs: cpuMs() - before, usage: await take() };
    },
    sweep: async (laterMs) => void (await post(`/meter/sweep?later_ms=${laterMs}`)),
    async weigh() {
      await end();
      return weighDatabase(directory);
    },
    stop,
  };
}

/** CPU time of a process's children, the runtime and its stand-ins; NaN without /proc. */
function childrensCpuMs(pid: number): number {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(/\s+/);
    const ticks = children.map((child) => {
      const stat = readFileSync(`/proc/${child}/stat`, "utf8");
      // The format is "pid (name) state ppid …". The name may contain spaces; user and system time are fields
      // 14 and 15.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return Number(fields[11]) + Number(fields[12]);
    });
    return ticks.reduce((sum, some) => sum + some, 0) * TICK_MS;
  } catch {
    return Number.NaN;
  }
}

function weighDatabase(directory: string): Map<string, number> {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.name.endsWith(".sqlite") && entry.parentPath.includes("D1DatabaseObject"))
    .map((entry) => join(entry.parentPath, entry.name));
  for (const file of files) {
    const db = new DatabaseSync(file);
    try {
      const rows = db.prepare("SELECT name, sum(pgsize) AS bytes FROM dbstat GROUP BY name").all();
      const bytes = new Map(rows.map((row) => [String(row.name), Number(row.bytes)]));
      if (bytes.has("messages")) return bytes;
    } finally {
      db.close();
    }
  }
  throw new Error(`No database in ${directory} has messages`);
}
