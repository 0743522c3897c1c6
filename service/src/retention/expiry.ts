import type { Corpus } from "@engram/spec";
import { deleteDue } from "../deletions/service.ts";
import type { Invocation } from "../invocation.ts";
import { toTimestamp } from "../platform/batch.ts";
import { PreconditionFailed } from "../platform/preconditions.ts";
import { drawRound } from "../platform/round-robin.ts";
import * as queries from "./expiry-queries.ts";

const CORPORA: readonly Corpus[] = ["conversations", "memories"];

/** Begins a deletion of what has expired for each organization and corpus, at most a number of them in a sweep. */
export async function deleteExpired(invocation: Invocation): Promise<void> {
  const { db, limits, runtime } = invocation;
  const nowMs = runtime.nowMs();
  const round = drawRound(invocation);
  let left = limits.expirySweepDeletions;
  for (const corpus of CORPORA) {
    const organizations = await queries.selectExpired(db, corpus, { round, nowMs });
    // The other corpus gets at least half.
    const share = corpus === "conversations" ? Math.ceil(left / 2) : left;
    for (const organizationId of organizations.slice(0, share)) {
      left -= 1;
      await deleteExpiredOf(invocation, organizationId, corpus);
    }
  }
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
      guard: queries.assertExpired(corpus, { organizationId, nowMs }),
    });
  } catch (error) {
    // Another run of the sweep has begun the same deletion.
    if (error instanceof PreconditionFailed && error.code === "item_changed") return;
    invocation.log.error("deletion of expired items failed", error, { organization_id: organizationId });
  }
}
