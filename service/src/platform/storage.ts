import type { CallInterceptor } from "./database-calls.ts";
import { isWrite } from "./deadlines.ts";

/** The program that keeps the database on a disk. On Cloudflare there is none. */
export type StorageBinding = Pick<Fetcher, "fetch">;

/** The database has no space for a write. Nothing of the call was written. */
export class StorageFull extends Error {
  /** Whether the program that keeps the database has reported it. Otherwise the service logs it. */
  readonly isReported: boolean;

  constructor(isReported: boolean, cause?: unknown) {
    super("the database has no space", { cause });
    this.name = "StorageFull";
    this.isReported = isReported;
  }
}

/** Error messages of D1: of SQLite without space on the disk, and of Cloudflare at the maximum size of a database. */
const FULL = /SQLITE_FULL|database or disk is full|exceeded maximum DB size/i;
/** How workerd reports an error of SQLite that it does not explain, such as that of a commit on a full disk. */
const UNEXPLAINED = /internal error; reference =/;
/** Time for which a report counts, so that not every write waits for one. */
const REPORT_MS = 1_000;

/** Refuses writes while the disk of the database is nearly full, because SQLite could not even read on a full one. */
export class StorageGuard {
  #isFull = false;
  #askedAtMs = Number.NEGATIVE_INFINITY;

  /**
   * Fails a write with {@link StorageFull} if there is no space for it. A read that failed because of another call's
   * write runs again.
   */
  guardCalls(storage: StorageBinding | undefined, nowMs: () => number): CallInterceptor {
    return async ({ statements }, send) => {
      const writes = statements.some(({ sql }) => isWrite(sql));
      if (storage !== undefined && writes && (await this.#isKnownFull(storage, nowMs())))
        throw new StorageFull(true);
      try {
        return await send();
      } catch (error) {
        const text = String(error);
        const isFull = FULL.test(text);
        if (!isFull && (storage === undefined || !UNEXPLAINED.test(text))) throw error;
        // Asked in any case, so that the next write is refused and not tried.
        const isReported = storage !== undefined && (await this.#ask(storage, "failed", nowMs()));
        if (isReported && !writes) return send();
        throw isFull || isReported ? new StorageFull(isReported, error) : error;
      }
    };
  }

  async #isKnownFull(storage: StorageBinding, nowMs: number): Promise<boolean> {
    return nowMs - this.#askedAtMs < REPORT_MS ? this.#isFull : this.#ask(storage, "space", nowMs);
  }

  /** Asks how much space there is, or why a call of the database failed. */
  async #ask(storage: StorageBinding, about: "space" | "failed", nowMs: number): Promise<boolean> {
    const response = await storage.fetch(`http://storage/${about}`);
    this.#isFull = (await response.text()) === "full";
    this.#askedAtMs = nowMs;
    return this.#isFull;
  }
}
