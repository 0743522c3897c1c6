import { toPlaceName, type UsagePlace } from "../platform/usage-places.ts";
import { AMOUNTS, type UsageAmounts, type UsageCount } from "./queries.ts";

/** Time between two writes of the counts. */
const WRITE_MS = 60_000;
/**
 * Longest wait of a request for its write. Cloudflare ends background work 30 seconds after the response, and the write
 * may take 4 of them.
 */
const WATCH_MS = 22_000;
/** A `UsageWatch` that is younger than this is not replaced. */
const FRESH_MS = 5_000;

const DAY_CHARACTERS = "2026-11-02".length;

const NOTHING = Object.fromEntries(AMOUNTS.map((name) => [name, 0])) as unknown as UsageAmounts;

/** The task of a request to write the counts. */
export interface UsageWatch {
  fromMs: number;
  /** When the request writes the counts, unless a later request takes the task over. */
  untilMs: number;
}

/**
 * Counts of usage that are not written yet. If the isolate ends, they are lost. They are only for monitoring.
 *
 * Counts are written about once a minute. The background work of a request cannot wait that long. So each new
 * request takes the task over from the one before it, and a request from which none takes it over writes the
 * counts before it ends.
 */
export class UsageCounts {
  #counts = new Map<string, UsageCount>();
  #sinceMs = 0;
  #watch: UsageWatch | null = null;

  /**
   * `keyId` is null for background work that no request started. Adding to `requests` also updates when the
   * key was last used.
   *
   * @param calls number of requests of the operation, if it is not `requests`: an MCP request can call several tools.
   */
  add(
    by: { organizationId: string; keyId: string | null; place?: UsagePlace },
    amounts: Partial<UsageAmounts>,
    nowMs: number,
    calls = amounts.requests ?? 0,
  ): void {
    const ofPlace = { ...NOTHING, ...amounts, requests: calls };
    const count: UsageCount = {
      organization_id: by.organizationId,
      day: new Date(nowMs).toISOString().slice(0, DAY_CHARACTERS),
      key_id: by.keyId ?? "",
      last_used_at_ms: amounts.requests === undefined ? 0 : nowMs,
      ...NOTHING,
      ...amounts,
      operations: { [toPlaceName(by.place)]: toList(ofPlace) },
    };
    if (AMOUNTS.some((unit) => count[unit] > 0 || ofPlace[unit] > 0)) this.#merge(count, nowMs);
  }

  /**
   * Gives the task to a request. Null if there is nothing to write, or another request has taken the task
   * shortly before.
   */
  watch(fromMs: number): UsageWatch | null {
    if (this.#counts.size === 0) return null;
    if (this.#watch !== null && fromMs - this.#watch.fromMs < FRESH_MS) return null;
    this.#watch = { fromMs, untilMs: Math.min(this.#sinceMs + WRITE_MS, fromMs + WATCH_MS) };
    return this.#watch;
  }

  isWatching(watch: UsageWatch): boolean {
    return this.#watch === watch;
  }

  take(): UsageCount[] {
    const counts = [...this.#counts.values()];
    this.#counts = new Map();
    this.#watch = null;
    return counts;
  }

  putBack(counts: UsageCount[], nowMs: number): void {
    for (const count of counts) this.#merge(count, nowMs);
  }

  #merge(count: UsageCount, nowMs: number): void {
    if (this.#counts.size === 0) this.#sinceMs = nowMs;
    const row = `${count.organization_id} ${count.key_id} ${count.day}`;
    const known = this.#counts.get(row);
    if (known === undefined) {
      this.#counts.set(row, count);
      return;
    }
    for (const unit of AMOUNTS) known[unit] += count[unit];
    known.last_used_at_ms = Math.max(known.last_used_at_ms, count.last_used_at_ms);
    for (const [name, amounts] of Object.entries(count.operations)) {
      const before = known.operations[name];
      known.operations[name] = amounts.map((amount, i) => amount + (before?.[i] ?? 0));
    }
  }
}

const toList = (amounts: UsageAmounts): number[] => AMOUNTS.map((unit) => amounts[unit]);
