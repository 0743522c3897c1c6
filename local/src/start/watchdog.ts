import { type ChildProcess, spawn } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";

/**
 * Kills the processes that its last line of input names when its input ends, which the kernel sees to
 * however the writer dies.
 */
const WATCHDOG_SCRIPT = 'pids=; while read -r line; do pids=$line; done; [ -z "$pids" ] || kill -9 $pids';

const running = new Set<ChildProcess>();
const listeners = new Set<() => void>();
let watchdog: ChildProcess | undefined;
let watching = false;

/**
 * From now on, workerd ends with this process, even when that is killed with no chance to act.
 *
 * Miniflare starts workerd (again after a crash) without showing its process, so Node itself is asked to
 * tell of every child. A watchdog outside our process group kills what is left. Windows needs none: there,
 * children end with their parent.
 */
export function guardWorkerd(): void {
  if (watching) return;
  watching = true;
  subscribe("child_process", (message) => {
    const { process: child } = message as { process: ChildProcess };
    child.once("spawn", () => {
      if (child.spawnargs.includes("serve") && child.spawnargs.includes("--control-fd=3")) add(child);
    });
  });
}

/** Ids of the workerd processes that this process runs. */
export function workerdPids(): number[] {
  return [...running].flatMap((child) => child.pid ?? []);
}

/**
 * Call back whenever `workerdPids` changes.
 *
 * @returns A function that ends that.
 */
export function onWorkerdChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function add(child: ChildProcess): void {
  running.add(child);
  child.once("exit", () => {
    running.delete(child);
    changed();
  });
  changed();
}

function changed(): void {
  tellWatchdog(workerdPids().join(" "));
  for (const listener of listeners) listener();
}

function tellWatchdog(line: string): void {
  if (process.platform === "win32") return;
  if (watchdog === undefined) {
    watchdog = spawn("/bin/sh", ["-c", WATCHDOG_SCRIPT], {
      cwd: "/",
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
    });
    watchdog.unref();
    // Somebody may have killed it; workerd is then still found by its record at the next start.
    watchdog.once("error", () => {});
    watchdog.stdin?.on("error", () => {});
  }
  watchdog.stdin?.write(`${line}\n`);
}
