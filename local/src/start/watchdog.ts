import { type ChildProcess, spawn } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";

/**
 * Reads lines of process ids. When the input ends, kills the processes of the last line. The operating system
 * closes the input when the process that writes it ends in any way.
 */
const WATCHDOG_SCRIPT = 'pids=; while read -r line; do pids=$line; done; [ -z "$pids" ] || kill -9 $pids';

const running = new Set<ChildProcess>();
const listeners = new Set<() => void>();
let watchdog: ChildProcess | undefined;
let watching = false;

/**
 * workerd ends with this process from now on, even if this process is killed.
 *
 * Miniflare does not say which workerd process it starts, or restarts after a crash. Node's diagnostics
 * channel for child processes does. A shell script outside this process group, the watchdog, kills workerd
 * when this process ends. On Windows, child processes end with their parent.
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

export function workerdPids(): number[] {
  return [...running].flatMap((child) => child.pid ?? []);
}

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
    // If the watchdog was killed, the next start finds workerd by the record in the data directory.
    watchdog.once("error", () => {});
    watchdog.stdin?.on("error", () => {});
  }
  watchdog.stdin?.write(`${line}\n`);
}
