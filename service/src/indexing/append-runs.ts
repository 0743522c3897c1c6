import type { Invocation, KeyCaller } from "../invocation.ts";
import type { AppendedRange, DueConversation } from "../jobs/queries.ts";
import { runLargeWork } from "../platform/large-runs.ts";
import { RESPONSE_MS } from "../platform/runtime.ts";
import { createLease } from "./leases.ts";
import { indexCompleteWindows } from "./run.ts";
import { indexInBackground, indexLater, indexWritten } from "./service.ts";

/**
 * An append waits this often for those that follow within `RESPONSE_MS`, so that windows of a burst are indexed
 * together.
 */
const BURST_WAITS = 5;

/**
 * How the job of an append waits for further appends, with a lease for the windows that it completes. Null if the append
 * is indexed at once: always without a pause to wait for, and with `INDEX_FIRST_AT_ONCE` after one.
 */
export function openAppend(
  invocation: Invocation,
  due: DueConversation & { nowMs: number },
): AppendedRange | null {
  const { caches, indexFirstAtOnce, indexQuietMs } = invocation;
  const isFirst = !caches.newestAppends.has(toKey(due));
  if (indexQuietMs === 0 || (indexFirstAtOnce && isFirst)) return null;
  return { quietMs: indexQuietMs, lease: createLease(invocation, due.nowMs) };
}

const toKey = ({ organizationId, conversationId }: DueConversation): string =>
  `${organizationId} ${conversationId}`;

interface Appended {
  lastSequence: number;
  bytes: number;
  /** Whether the job got the lease of the append. If not, no window is complete, or another run will claim the job. */
  isLeased: boolean;
}

/**
 * Indexes the windows that an append completed, after the response. The open windows at the end of the conversation
 * are indexed when no further message was appended for `indexQuietMs`, by this isolate or by the sweep.
 */
export function indexAfterAppend(
  caller: KeyCaller,
  due: DueConversation,
  { lastSequence: last, bytes, isLeased }: Appended,
  append: AppendedRange | null,
): void {
  const { newestAppends } = caller.caches;
  const quietMs = caller.indexQuietMs;
  const key = toKey(due);
  if (append === null) indexLater(caller, [due], bytes);
  if (quietMs === 0) return;
  newestAppends.set(key, last);
  if (append !== null && isLeased) {
    indexInBackground(caller, async (later) => {
      let seen = last;
      for (let waits = 0; waits < BURST_WAITS; waits++) {
        const newest = newestAppends.get(key) ?? seen;
        if (newest === seen) break;
        seen = newest;
        await caller.runtime.pause(RESPONSE_MS);
      }
      return runLargeWork(later, bytes, () => indexCompleteWindows(later, due, append.lease.id));
    });
  }
  caller.waitUntil(
    caller.runtime.after(quietMs, async () => {
      if (newestAppends.get(key) !== last) return;
      newestAppends.delete(key);
      if (append === null) return;
      // The pause was part of the wait.
      indexInBackground(caller, (later) => indexWritten(later, [due], bytes), RESPONSE_MS - quietMs);
    }),
  );
}
