import { randomBytes } from "node:crypto";
import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { StartError } from "./start-error.ts";

/** Free space below which writes are refused: the largest write in progress must be able to complete. */
const RESERVE_BYTES_MAX = 32 * 2 ** 20;
const RESERVE_FRACTION = 1 / 20;
/** Size of the file that is removed when the disk is full, for what SQLite writes to read: its shared memory. */
const BALLAST_BYTES = 2 ** 20;
/** Time for which an error of SQLite counts, for example of a quota, which the free space does not show. */
const ERROR_MS = 5_000;
/** Time in which workerd's log reports the reason of a failed call. */
const LOG_MS = 250;
const LOG_POLL_MS = 10;
const SQLITE_FULL = /\bSQLITE_FULL\b/;
const MEGABYTE = 1_000_000;

export interface DiskSpace {
  freeBytes: number;
  totalBytes: number;
}

/**
 * Watches the disk of the data directory. Writes are refused before it is full, because SQLite needs some space even to
 * read. If another program fills the disk, a file that this class keeps for the purpose gives SQLite that space.
 */
export class Disk {
  readonly #path: string;
  readonly #note: (line: string) => void;
  readonly #measure: () => DiskSpace;
  readonly #nowMs: () => number;
  #isFull = false;
  #errorAtMs = Number.NEGATIVE_INFINITY;

  /** @param input.note Called with a line when the disk becomes full, and when it is no longer. */
  constructor(input: {
    path: string;
    note: (line: string) => void;
    measure?: () => DiskSpace;
    nowMs?: () => number;
  }) {
    this.#path = input.path;
    this.#note = input.note;
    this.#measure = input.measure ?? (() => measure(input.path));
    this.#nowMs = input.nowMs ?? Date.now;
    this.#keepBallast();
    this.isFull();
  }

  /** Whether writes are to be refused. */
  isFull(): boolean {
    const { freeBytes, totalBytes } = this.#measure();
    const reserve = Math.min(RESERVE_BYTES_MAX, totalBytes * RESERVE_FRACTION);
    // Twice as much ends it, so that a write does not begin and end it in turn.
    const needed = this.#isFull ? 2 * reserve : reserve;
    const isFull = freeBytes < needed || this.#nowMs() - this.#errorAtMs < ERROR_MS;
    if (isFull === this.#isFull) return isFull;
    this.#isFull = isFull;
    this.#keepBallast();
    this.#note(
      isFull
        ? `The disk of ${this.#path} is nearly full: ${megabytes(freeBytes)} are free. Writes are refused until ${megabytes(2 * reserve)} are free. Reads and searches work.`
        : `The disk of ${this.#path} has space again: ${megabytes(freeBytes)} are free. Writes are accepted.`,
    );
    return isFull;
  }

  /** Whether a failed call of the database failed for lack of space. Waits for workerd's log, which has the reason. */
  async isFullAfterFailure(): Promise<boolean> {
    for (let waitedMs = 0; !this.isFull() && waitedMs < LOG_MS; waitedMs += LOG_POLL_MS)
      await sleep(LOG_POLL_MS);
    return this.isFull();
  }

  #keepBallast(): void {
    const file = join(this.#path, "ballast");
    try {
      if (this.#isFull) rmSync(file, { force: true });
      else writeFileSync(file, randomBytes(BALLAST_BYTES), { mode: 0o600 });
    } catch {
      // Without it, reads may fail while the disk is full.
    }
  }

  /** The error of a start that failed. One for lack of space is named. */
  toStartError(error: unknown): unknown {
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) return error;
    return new StartError(
      `The disk of ${this.#path} is full. Free some space, or set ENGRAM_DATA to a directory on another disk.`,
    );
  }

  /** Whether an entry of workerd's log, often with a stack trace, only says that the disk is full. */
  explains(entry: string): boolean {
    if (!SQLITE_FULL.test(entry)) return false;
    this.#errorAtMs = this.#nowMs();
    this.isFull();
    return true;
  }
}

function measure(path: string): DiskSpace {
  const { bsize, bavail, blocks } = statfsSync(path);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

const megabytes = (bytes: number): string => `${Math.floor(bytes / MEGABYTE)} MB`;
