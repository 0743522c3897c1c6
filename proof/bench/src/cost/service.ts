import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type ServiceProcess, startServiceProcess } from "../../../support/service-process.ts";
import type { Usage } from "./meter.ts";
import type { Taken } from "./units.ts";

/** No cron fires on its own: `sweep` runs them. */
const NEVER_MS = 2 ** 31 - 1;
/** Linux counts CPU time in hundredths of a second. */
const TICK_MS = 10;

/** The product's Worker with counters and a new database, which counts rows as D1 does. */
export interface MeteredService extends ServiceProcess {
  count(work: () => Promise<unknown>): Promise<Taken>;
  /** Move the service's clock forward. */
  pass(ms: number): Promise<void>;
  /** Run the cron once. */
  sweep(): Promise<void>;
  /** Kill the service, so that nothing is written, and return the bytes of each table and index. */
  weigh(): Promise<Map<string, number>>;
}

/** @throws {Error} with its output when it does not start. */
export async function startMeteredService(): Promise<MeteredService> {
  const service = await startServiceProcess({
    serviceEntry: join(import.meta.dirname, "../served/metered-worker.mjs"),
    cronIntervalMs: NEVER_MS,
    // As in production, where it would embed most windows once more.
    vars: { INDEX_FIRST_AT_ONCE: "false" },
  });
  const post = async (path: string) => {
    const response = await fetch(`${service.url}${path}`, { method: "POST" });
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return response;
  };
  const take = async () => (await (await post("/meter")).json()) as Usage;
  const cpuMs = () => childrensCpuMs(service.pid);
  return {
    ...service,
    async count(work) {
      await take();
      const before = cpuMs();
      await work();
      return { cpuMs: cpuMs() - before, usage: await take() };
    },
    pass: async (ms) => void (await post(`/meter/pass?ms=${ms}`)),
    sweep: async () => void (await post("/meter/sweep")),
    async weigh() {
      await service.kill();
      return weighDatabase(service.dataDirectory);
    },
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
    .filter((entry) => entry.name.endsWith(".sqlite") && entry.parentPath.includes("engram-Database"))
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
