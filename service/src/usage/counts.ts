import type { UsageAmounts, UsageCount } from "./queries.ts";

const WRITE_MS = 60_000;
/** How long one request can wait to write: Cloudflare ends background work 30 seconds after the response. */
const WATCH_MS = 25_000;
/** A watch younger than this is not replaced. */
const FRESH_MS = 5_000;

const DAY_CHARACTERS = "2026-11-02".length;

const NOTHING: UsageAmounts = { requests: 0, messages: 0, message_bytes: 0, searches: 0, embeddings: 0 };
const UNITS = Object.keys(NOTHING) as (keyof UsageAmounts)[];

/** The request that is responsible for writing the counts. */
export interface UsageWatch {
  fromMs: number;
  /** When it writes, unless a later request replaces it. */
  untilMs: number;
}

/**
 * Usage that an isolate has counted and not written yet. Besides the key cache, it is the only state that
 * outlives a request. Losing it costs some counts; no decision depends on it.
 *
 * Counts are written about once a minute. No request lives that long, so each new request takes over from the
 * one before it, and a request that is not replaced writes the counts before it ends. That makes one write a
 * minute while requests arrive at least every 20 seconds, and otherwise one write after each request that no
 * other follows in time.
 */
export class UsageCounts {
  #counts = new Map<string, UsageCount>();
  /** When the first unwritten count was added. */
  #sinceMs = 0;
  #watch: UsageWatch | null = null;

  /**
   * Adds to the counts of a key, or with null of work that no key requested. Adding `requests` also updates
   * when the key was last used.
   */
  add(
    by: { organizationId: string; keyId: string | null },
    amounts: Partial<UsageAmounts>,
    nowMs: number,
  ): void {
    const count: UsageCount = {
      organization_id: by.organizationId,
      day: new Date(nowMs).toISOString().slice(0, DAY_CHARACTERS),
      key_id: by.keyId ?? "",
      last_used_at_ms: amounts.requests === undefined ? 0 : nowMs,
      ...NOTHING,
      ...amounts,
    };
    if (UNITS.some((unit) => count[unit] > 0)) this.#merge(count, nowMs);
  }

  /**
   * Makes the work that began at `fromMs` responsible for writing. Null when there is nothing to write, or
   * another watch is recent enough.
   */
  watch(fromMs: number): UsageWatch | null {
    if (this.#counts.size === 0) return null;
    if (this.#watch !== null && fromMs - this.#watch.fromMs < FRESH_MS) return null;
    this.#watch = { fromMs, untilMs: Math.min(this.#sinceMs + WRITE_MS, fromMs + WATCH_MS) };
    return this.#watch;
  }

  /** Whether this watch is still responsible: it was not replaced, and the counts were not written since. */
  isWatching(watch: UsageWatch): boolean {
    return this.#watch === watch;
  }

  take(): UsageCount[] {
    const counts = [...this.#counts.values()];
    this.#counts = new Map();
    this.#watch = null;
    return counts;
  }

  /** Adds counts back after a failed write, for the next one. */
  putBack(counts: UsageCount[], nowMs: number): void {
    for (const count of counts) this.#merge(count, nowMs);
  }

  #merge(count: UsageCount, nowMs: number): void {
    if (this.#counts.size === 0) this.#sinceMs = nowMs;
    const place = `${count.organization_id} ${count.key_id} ${count.day}`;
    const known = this.#counts.get(place);
    if (known === undefined) {
      this.#counts.set(place, count);
      return;
    }
    for (const unit of UNITS) known[unit] += count[unit];
    known.last_used_at_ms = Math.max(known.last_used_at_ms, count.last_used_at_ms);
  }
}
