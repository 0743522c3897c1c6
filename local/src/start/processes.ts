import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 20;
const KILL_TIMEOUT_MS = 3_000;
const PARENT_POLL_MS = 250;
/** Such as the shell of npx and `engram start`. */
const STARTERS_MAX = 6;

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

/** The processes from the parent up to the npm or npx that started it; only the parent if there is none. */
function startersFrom(parent: number): number[] {
  if (process.env.npm_lifecycle_event === undefined) return [parent];
  const starters = [parent];
  for (let pid = parent; starters.length <= STARTERS_MAX; ) {
    if (/^np[mx]\b/.test(nameOf(pid) ?? "")) return starters;
    pid = parentOf(pid) ?? 0;
    if (pid <= 1) break;
    starters.push(pid);
  }
  return [parent];
}

/** A process that was killed but whose parent has not noticed it is alive, but no longer the parent of its children. */
function isWhole(starters: number[]): boolean {
  return starters.every((pid, i) => {
    const starter = starters[i + 1];
    const isChild = process.platform !== "linux" || starter === undefined || parentOf(pid) === starter;
    return isChild && isAlive(pid);
  });
}

/** Undefined if it cannot be determined. */
function nameOf(pid: number): string | undefined {
  try {
    if (process.platform === "linux") return readFileSync(`/proc/${pid}/comm`, "utf8").trim();
    const { stdout } = spawnSync("ps", ["-o", "comm=", "-p", String(pid)], { encoding: "utf8" });
    return stdout && basename(stdout.trim());
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
 * Calls back once the parent process has ended. If npm or npx started it, calls back once any process between has ended:
 * a killed npm leaves its shell and the programs in it running. Never calls back if process 1 started this process.
 *
 * @returns A function that stops watching.
 */
export function whenParentIsGone(callback: () => void): () => void {
  const parent = process.ppid;
  if (parent <= 1) return () => {};
  const starters = startersFrom(parent);
  const poll = setInterval(() => {
    if (process.ppid === parent && isWhole(starters)) return;
    clearInterval(poll);
    callback();
  }, PARENT_POLL_MS);
  poll.unref();
  return () => clearInterval(poll);
}
