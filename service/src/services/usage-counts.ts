import type { UsageAmounts, UsageCount } from "../queries/usage.ts";

/** How long counts are added up before they are written. */
const WRITE_MS = 60_000;
/** How long one request can watch over them: Cloudflare ends what goes on 30 seconds after its answer. */
const WATCH_MS = 25_000;
/** How fresh a watch is that need not be relieved. */
const FRESH_MS = 5_000;

const DAY_CHARACTERS = "2026-11-02".length;

const NOTHING: UsageAmounts = { requests: 0, messages: 0, message_bytes: 0, searches: 0, embeddings: 0 };
const UNITS = Object.keys(NOTHING) as (keyof UsageAmounts)[];

/** The request that sees to it that counts are written. */
export interface UsageWatch {
  fromMs: number;
  /** When it writes, if nobody has relieved it. */
  untilMs: number;
}

/**
 * What an isolate has counted and not written yet. Made with the app, as the one thing beside the key cache
 * that outlives a request: losing it costs some counts, and nothing is decided by it.
 *
 * A minute's counts make one write. No request lives as long as that, so each that comes relieves the one
 * that watches over them, and the one that nobody has relieved writes them before it ends. So there is one
 * write a minute while requests come at least every 20 seconds, and else one for each that none follows.
 */
export class UsageCounts {
  #counts = new Map<string, UsageCount>();
  /** When the first of them was counted. */
  #sinceMs = 0;
  #watch: UsageWatch | null = null;

  /** Count for a key, or with null for work that no key asked for; a request is a use of its key. */
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

  /** Let work that began at `fromMs` watch over what is counted; null when there is nothing, or another does. */
  watch(fromMs: number): UsageWatch | null {
    if (this.#counts.size === 0) return null;
    if (this.#watch !== null && fromMs - this.#watch.fromMs < FRESH_MS) return null;
    this.#watch = { fromMs, untilMs: Math.min(this.#sinceMs + WRITE_MS, fromMs + WATCH_MS) };
    return this.#watch;
  }

  /** Whether nobody has relieved it since, nor written: then it has to write. */
  isWatching(watch: UsageWatch): boolean {
    return this.#watch === watch;
  }

  /** Take away all that is counted, to write it. */
  take(): UsageCount[] {
    const counts = [...this.#counts.values()];
    this.#counts = new Map();
    this.#watch = null;
    return counts;
  }

  /** Put back what could not be written, for the next write. */
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
