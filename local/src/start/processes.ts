import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 20;
const KILL_TIMEOUT_MS = 3_000;
const PARENT_POLL_MS = 250;

/** True for a process of another user too. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/**
 * Identifies a process by its start time, because a later process may get the same id. On Windows, always
 * "unknown".
 *
 * Undefined if there is no such process, or if it has ended and its parent has not read its exit code yet.
 */
export function processIdentity(pid: number): string | undefined {
  if (!isAlive(pid)) return undefined;
  if (process.platform === "win32") return "unknown";
  if (process.platform === "linux") return linuxIdentity(pid);
  const { stdout } = spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" });
  return stdout?.trim() || undefined;
}

function linuxIdentity(pid: number): string | undefined {
  try {
    // Field 20 of the status is the number of threads, field 22 the start time.
    const fields = linuxStatus(pid);
    // State Z: the process has ended. Other threads of it may still keep its files and ports open.
    if ((fields[0] === "Z" && Number(fields[17]) <= 1) || fields[19] === undefined) return undefined;
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot}/${fields[19]}`;
  } catch {
    return undefined;
  }
}

/** The fields "state ppid …" of a process, from the third on. */
function linuxStatus(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // "pid (name) state ppid …". The name may contain spaces and brackets.
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** Undefined if it cannot be determined. */
export function parentOf(pid: number): number | undefined {
  try {
    if (process.platform === "linux") return Number(linuxStatus(pid)[1]);
    const { stdout } = spawnSync("ps", ["-o", "ppid=", "-p", String(pid)], { encoding: "utf8" });
    return Number(stdout) || undefined;
  } catch {
    return undefined;
  }
}

export async function killIfSame(pid: number, identity: string): Promise<void> {
  const deadline = Date.now() + KILL_TIMEOUT_MS;
  while (processIdentity(pid) === identity && Date.now() < deadline) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      return;
    }
    await sleep(POLL_MS);
  }
}

/**
 * Calls back once the parent process has ended. Never calls back if process 1 started this process.
 *
 * @returns A function that stops watching.
 */
export function whenParentIsGone(callback: () => void): () => void {
  const parent = process.ppid;
  if (parent <= 1) return () => {};
  const poll = setInterval(() => {
    if (process.ppid === parent && isAlive(parent)) return;
    clearInterval(poll);
    callback();
  }, PARENT_POLL_MS);
  poll.unref();
  return () => clearInterval(poll);
}
