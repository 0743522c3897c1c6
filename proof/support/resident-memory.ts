import { readdirSync, readFileSync } from "node:fs";

const INTERVAL_MS = 250;

export interface ResidentWatch {
  /** Stops the watch. Returns the peak in bytes; NaN without /proc. */
  stop(): number;
}

export function watchResident(pid: number): ResidentWatch {
  let peak = residentBytes(pid);
  const timer = setInterval(() => {
    peak = Math.max(peak, residentBytes(pid));
  }, INTERVAL_MS);
  timer.unref();
  return {
    stop() {
      clearInterval(timer);
      return Math.max(peak, residentBytes(pid));
    },
  };
}

/** Resident bytes of a process and its descendants. Shared memory counts for each; NaN without /proc. */
export function residentBytes(root: number): number {
  const processes = listProcesses();
  if (processes === undefined) return Number.NaN;
  let sum = 0;
  const tree = [root];
  for (const pid of tree) {
    sum += processes.get(pid)?.residentBytes ?? 0;
    for (const [child, { parent }] of processes) if (parent === pid) tree.push(child);
  }
  return sum;
}

function listProcesses(): Map<number, { parent: number; residentBytes: number }> | undefined {
  if (process.platform !== "linux") return undefined;
  const processes = new Map<number, { parent: number; residentBytes: number }>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const status = readFileSync(`/proc/${name}/status`, "utf8");
      const number = (field: string) =>
        Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
      processes.set(Number(name), { parent: number("PPid"), residentBytes: number("VmRSS") * 1_024 });
    } catch {
      // The process has ended in the meantime.
    }
  }
  return processes;
}
