import { readdirSync, readFileSync } from "node:fs";

const RESIDENT_INTERVAL_MS = 250;
/** Longer, because reading a large process's `smaps_rollup` takes about ten milliseconds. */
const PROPORTIONAL_INTERVAL_MS = 1_000;

export interface MemoryWatch {
  /** Stops the watch. Returns the peak in bytes; NaN without /proc. */
  stop(): number;
}

/** Watches `residentBytes`. */
export const watchResident = (pid: number): MemoryWatch =>
  watch(() => residentBytes(pid), RESIDENT_INTERVAL_MS);

/** Watches `proportionalBytes`. */
export const watchProportional = (pid: number): MemoryWatch =>
  watch(() => proportionalBytes(pid), PROPORTIONAL_INTERVAL_MS);

function watch(measure: () => number, intervalMs: number): MemoryWatch {
  let peak = measure();
  const timer = setInterval(() => {
    peak = Math.max(peak, measure());
  }, intervalMs);
  timer.unref();
  return {
    stop() {
      clearInterval(timer);
      return Math.max(peak, measure());
    },
  };
}

/** Resident bytes of a process and its descendants. Memory that they share counts for each; NaN without /proc. */
export const residentBytes = (root: number): number => sumOfTree(root, "status", "VmRSS");

/** Resident bytes of a process and its descendants. Memory that they share counts once; NaN without /proc. */
export const proportionalBytes = (root: number): number => sumOfTree(root, "smaps_rollup", "Pss");

function sumOfTree(root: number, file: string, field: string): number {
  const parents = listParents();
  if (parents === undefined) return Number.NaN;
  const tree = [root];
  for (const pid of tree) {
    for (const [child, parent] of parents) if (parent === pid) tree.push(child);
  }
  return tree.reduce((sum, pid) => sum + 1_024 * readNumber(pid, file, field), 0);
}

/** The parent of each process. */
function listParents(): Map<number, number> | undefined {
  if (process.platform !== "linux") return undefined;
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return new Map(pids.map((name) => [Number(name), readNumber(Number(name), "status", "PPid")]));
}

/** 0 if the process has ended in the meantime. */
function readNumber(pid: number, file: string, field: string): number {
  try {
    const text = readFileSync(`/proc/${pid}/${file}`, "utf8");
    return Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(text)?.[1] ?? 0);
  } catch {
    return 0;
  }
}
