import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { parentOf } from "./processes.ts";

/** Long enough for a busy machine. Only a program that accepts connections and never answers takes so long. */
const HEALTH_TIMEOUT_MS = 5_000;
const LISTENING = "0A";

/**
 * Describes the program that listens on a port of this machine, such as `another Engram (pid 312)` or
 * `python3 (pid 4711)`. Undefined if it cannot be determined, for example because another user runs it.
 */
export async function findPortHolder(port: number): Promise<string | undefined> {
  const holder = process.platform === "linux" ? holderFromProc(port) : holderFromLsof(port);
  if (!(await isEngram(port))) return holder && `${holder.name} (pid ${holder.pid})`;
  return holder === undefined ? "another Engram" : `another Engram (pid ${serviceOf(holder)})`;
}

/** The process to end: the service, which started the workerd that has the port. */
function serviceOf({ pid, name }: Holder): number {
  const parent = name === "workerd" ? parentOf(pid) : undefined;
  // The parent of a workerd whose service was killed is process 1.
  return parent === undefined || parent === 1 ? pid : parent;
}

async function isEngram(port: number): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(HEALTH_TIMEOUT_MS);
    const response = await fetch(`http://127.0.0.1:${port}/health`, { signal, redirect: "error" });
    return /^req_[0-9a-z]{20}$/.test(response.headers.get("x-request-id") ?? "");
  } catch {
    return false;
  }
}

interface Holder {
  pid: number;
  name: string;
}

function holderFromProc(port: number): Holder | undefined {
  const inodes = ["tcp", "tcp6"].flatMap((table) => listeningInodes(table, port));
  const links = new Set(inodes.map((inode) => `socket:[${inode}]`));
  if (links.size === 0) return undefined;
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const pid = pids.find((each) => openFiles(each).some((link) => links.has(link)));
  if (pid === undefined) return undefined;
  return { pid: Number(pid), name: readFileSync(`/proc/${pid}/comm`, "utf8").trim() };
}

/** Lines of this table have the local address, the state and the inode as the fields 1, 3 and 9. */
function listeningInodes(table: string, port: number): string[] {
  const address = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  return readOr("", () => readFileSync(`/proc/net/${table}`, "utf8"))
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[1]?.endsWith(address) && fields[3] === LISTENING)
    .flatMap((fields) => fields[9] ?? []);
}

/** Empty for a process of another user. */
function openFiles(pid: string): string[] {
  const directory = `/proc/${pid}/fd`;
  return readOr([], () => readdirSync(directory)).flatMap((file) =>
    readOr([], () => [readlinkSync(`${directory}/${file}`)]),
  );
}

/** Processes and their files may disappear while they are read. */
function readOr<T>(otherwise: T, read: () => T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

function holderFromLsof(port: number): Holder | undefined {
  const args = ["-nP", `-iTCP:${port}`, "-sTCP:LISTEN", "-Fpc"];
  const { stdout } = spawnSync("lsof", args, { encoding: "utf8" });
  const [, pid, name] = /^p(\d+)\nc(.+)$/m.exec(stdout ?? "") ?? [];
  return pid === undefined || name === undefined ? undefined : { pid: Number(pid), name };
}
