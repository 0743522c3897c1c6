import type { Corpus } from "@engram/spec";
import { deleteDue } from "../deletions/service.ts";
import type { Invocation } from "../invocation.ts";
import { toTimestamp } from "../platform/batch.ts";
import { PreconditionFailed } from "../platform/preconditions.ts";
import { drawRound } from "../platform/round-robin.ts";
import * as queries from "./expiry-queries.ts";

const CORPORA: readonly Corpus[] = ["conversations", "memories"];

/**
 * Begins a deletion of what has expired for each organization and corpus, at most `limit`. Resolves to their
 * number. If it is `limit`, more may be left.
 */
export async function deleteExpired(invocation: Invocation, limit: number): Promise<number> {
  const { db, runtime } = invocation;
  const selection = { round: drawRound(invocation), nowMs: runtime.nowMs() };
  const found = await Promise.all(
    CORPORA.map(async (corpus) =>
      (await queries.selectExpired(db, corpus, selection)).map((organizationId, turn) => ({
        ...{ organizationId, corpus, turn },
      })),
    ),
  );
  // Alternately, so that neither corpus waits for the other.
  const due = found
    .flat()
    .sort((a, b) => a.turn - b.turn)
    .slice(0, limit);
  for (const { organizationId, corpus } of due) await deleteExpiredOf(invocation, organizationId, corpus);
  return due.length;
}

/** If this fails, the next sweep repeats it. */
async function deleteExpiredOf(
  invocation: Invocation,
  organizationId: string,
  corpus: Corpus,
): Promise<void> {
  const nowMs = invocation.runtime.nowMs();
  try {
    await deleteDue(invocation, {
      organizationId,
      corpus,
      filter: { expired_at: toTimestamp(nowMs) },
      event: { action: "items.expired", targetId: organizationId },
      retentionRuleId: null,
      guard: queries.assertExpired(corpus, { organizationId, nowMs, rowsMax: invocation.limits.sweepRows }),
    });
  } catch (error) {
    // Another run of the sweep has begun the same deletion.
    if (error instanceof PreconditionFailed && error.code === "item_changed") return;
    invocation.log.error("deletion of expired items failed", error, { organization_id: organizationId });
  }
}
