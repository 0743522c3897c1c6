import { type ChildProcess, spawn } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";

/**
 * Kills the processes that its last line of input names when its input ends. The kernel closes the input
 * however the writer dies.
 */
const WATCHDOG_SCRIPT = 'pids=; while read -r line; do pids=$line; done; [ -z "$pids" ] || kill -9 $pids';

const running = new Set<ChildProcess>();
const listeners = new Set<() => void>();
let watchdog: ChildProcess | undefined;
let watching = false;

/**
 * From now on, workerd ends with this process, even when this process is killed.
 *
 * Miniflare does not expose the workerd process that it starts, or restarts after a crash. Node's diagnostics
 * channel therefore reports every child. A watchdog outside our process group kills the remaining ones.
 * Windows needs no watchdog: children end with their parent there.
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

/**
 * Call back whenever `workerdPids` changes.
 *
 * @returns A function that unsubscribes.
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
    // The watchdog may have been killed. The next start then finds workerd by its record.
    watchdog.once("error", () => {});
    watchdog.stdin?.on("error", () => {});
  }
  watchdog.stdin?.write(`${line}\n`);
}
