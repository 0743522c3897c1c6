import { randomInt, randomUUID } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isAlive, killIfSame, processIdentity } from "./processes.ts";
import { StartError } from "./start-error.ts";
import { onWorkerdChange, workerdPids } from "./watchdog.ts";

const SQLITE_BUSY = 5;
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const PRIVATE_FILE = 0o600;
const PRIVATE_DIRECTORY = 0o700;

/**
 * Stored while the service runs. If the service is killed, the next start reads this and ends the workerd
 * processes that are left.
 */
interface RunRecord {
  pid: number;
  url: string;
  workerd: { pid: number; identity: string }[];
}

export interface DataDirectory {
  path: string;
  /** The directory of the databases. */
  statePath: string;
  temporaryPath: string;
  adminToken: string;
  readKey(): string | undefined;
  writeKey(key: string): void;
  /** Stores the URL for other programs, and the workerd processes for the next start. */
  announce(url: string): void;
  release(): void;
}

/**
 * Opens the directory for this process only. Kills the workerd processes that a killed service left running.
 *
 * @throws {StartError} If the directory cannot be created, read or written, or if another process uses it.
 */
export async function openDataDirectory(path: string): Promise<DataDirectory> {
  try {
    return await openDirectory(path);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(
      `The data directory ${path} cannot be used: ${reasonOf(error)}.\nSet ENGRAM_DATA to another directory.`,
    );
  }
}

async function openDirectory(path: string): Promise<DataDirectory> {
  const statePath = join(path, "v3");
  makeDirectory(statePath);
  const lock = takeLock(path);
  const readKey = () => readSecret(join(path, "key"));
  // A key that cannot be read is found out now, not when the service has started.
  readKey();
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
    readKey,
    writeKey: (key) => writeSecret(join(path, "key"), key),
    announce(url) {
      const write = () => writeSecret(recordFile, JSON.stringify(makeRecord(url)));
      write();
      forget = onWorkerdChange(() => {
        try {
          write();
        } catch {
          // On a full disk, the record keeps the earlier workerd. The watchdog still ends the new one.
        }
      });
    },
    release() {
      forget();
      rmSync(recordFile, { force: true });
      lock.close();
    },
  };
}

/** Not with the option `recursive`: Node then never returns if the path is in /proc. */
function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  makeDirectory(dirname(path));
  mkdirSync(path, { mode: PRIVATE_DIRECTORY });
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Takes SQLite's lock on a database file, because the operating system releases it when this process ends in
 * any way.
 *
 * @throws {StartError} If another process has the lock.
 */
function takeLock(path: string): DatabaseSync {
  const file = join(path, "lock");
  closeSync(openSync(file, "a", PRIVATE_FILE));
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    const holder = readRecord(join(path, "running.json"));
    const who = holder !== undefined && isAlive(holder.pid) ? ` (pid ${holder.pid}, ${holder.url})` : "";
    throw new StartError(
      `Another Engram uses the data directory ${path}${who}.\n` +
        "Stop it, or set ENGRAM_DATA to another directory, such as ENGRAM_DATA=.engram-2.",
    );
  }
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;

function makeRecord(url: string): RunRecord {
  const workerd = workerdPids().map((pid) => ({ pid, identity: processIdentity(pid) ?? "" }));
  return { pid: process.pid, url, workerd };
}

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

/**
 * Undefined if the file does not exist or is empty. If other users have access to the file, changes its mode.
 */
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
