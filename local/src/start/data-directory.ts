import { randomInt, randomUUID } from "node:crypto";
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isAlive, killIfSame, processIdentity } from "./processes.ts";
import { StartError } from "./start-error.ts";
import { onWorkerdChange, workerdPids } from "./watchdog.ts";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const PRIVATE_FILE = 0o600;
const PRIVATE_DIRECTORY = 0o700;

/** Record of a running service. It lets the next start find the processes of a killed one. */
interface RunRecord {
  pid: number;
  url: string;
  workerd: { pid: number; identity: string }[];
}

/** A data directory that this process holds exclusively until `release`. */
export interface DataDirectory {
  path: string;
  /** Miniflare's databases. Named as by wrangler, so that `--persist-to` finds them. */
  statePath: string;
  /** Empty at first; nothing in it outlives the service. */
  temporaryPath: string;
  adminToken: string;
  /** The key of the last start, or undefined. */
  readKey(): string | undefined;
  writeKey(key: string): void;
  /** Record this service's URL for other processes, and its workerd processes for the next start. */
  announce(url: string): void;
  release(): void;
}

/**
 * Open a data directory, creating it if it does not exist, and kill a workerd that a killed service left
 * running.
 *
 * @throws {StartError} When another process holds it.
 */
export async function openDataDirectory(path: string): Promise<DataDirectory> {
  const statePath = join(path, "v3");
  mkdirSync(path, { recursive: true, mode: PRIVATE_DIRECTORY });
  mkdirSync(statePath, { recursive: true, mode: PRIVATE_DIRECTORY });
  const lock = takeLock(path);
  const temporaryPath = join(path, "tmp");
  const recordFile = join(path, "running.json");
  const left = readRecord(recordFile);
  for (const { pid, identity } of left?.workerd ?? []) await killIfSame(pid, identity);
  rmSync(temporaryPath, { recursive: true, force: true });
  mkdirSync(temporaryPath, { mode: PRIVATE_DIRECTORY });
  let forget = () => {};
  return {
    path,
    statePath,
    temporaryPath,
    adminToken: readSecret(join(path, "admin-token")) ?? makeAdminToken(path),
    readKey: () => readSecret(join(path, "key")),
    writeKey: (key) => writeSecret(join(path, "key"), key),
    announce(url) {
      const write = () => writeSecret(recordFile, JSON.stringify(makeRecord(url)));
      write();
      forget = onWorkerdChange(write);
    },
    release() {
      forget();
      rmSync(recordFile, { force: true });
      lock.close();
    },
  };
}

/**
 * SQLite's lock, which the kernel releases when its holder dies, so that it is never stale.
 *
 * @throws {StartError} When another process holds it.
 */
function takeLock(path: string): DatabaseSync {
  const file = join(path, "lock");
  closeSync(openSync(file, "a", PRIVATE_FILE));
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return lock;
  } catch {
    lock.close();
    const holder = readRecord(join(path, "running.json"));
    const who = holder !== undefined && isAlive(holder.pid) ? ` (pid ${holder.pid}, ${holder.url})` : "";
    throw new StartError(
      `Another Engram uses the data directory ${path}${who}.\n` +
        "Stop it, or name another directory: ENGRAM_DATA=.engram-2 PORT=8788 npm start",
    );
  }
}

function makeRecord(url: string): RunRecord {
  const workerd = workerdPids().map((pid) => ({ pid, identity: processIdentity(pid) ?? "" }));
  return { pid: process.pid, url, workerd };
}

/** The record, or undefined when the file is absent or invalid. */
function readRecord(file: string): RunRecord | undefined {
  try {
    const record: Partial<RunRecord> = JSON.parse(readFileSync(file, "utf8"));
    if (typeof record.pid !== "number" || !Array.isArray(record.workerd)) return undefined;
    return { pid: record.pid, url: String(record.url), workerd: record.workerd };
  } catch {
    return undefined;
  }
}

function makeAdminToken(path: string): string {
  const characters = Array.from({ length: 32 }, () => BASE62[randomInt(BASE62.length)]);
  const token = `engram_admin_${characters.join("")}`;
  writeSecret(join(path, "admin-token"), token);
  return token;
}

/** The secret in a file, or undefined. Makes the file private if others can read it. */
function readSecret(file: string): string | undefined {
  try {
    const secret = readFileSync(file, "utf8").trim();
    if (process.platform !== "win32" && (statSync(file).mode & 0o077) !== 0) chmodSync(file, PRIVATE_FILE);
    return secret === "" ? undefined : secret;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** Write a private file atomically. */
function writeSecret(file: string, content: string): void {
  const draft = `${file}.${randomUUID()}`;
  const descriptor = openSync(draft, "wx", PRIVATE_FILE);
  try {
    writeSync(descriptor, `${content}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(draft, file);
}
