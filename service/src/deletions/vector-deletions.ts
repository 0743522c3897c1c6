import type { Invocation } from "../invocation.ts";
import { drawRound } from "../platform/round-robin.ts";
import * as deletions from "./vector-deletions-queries.ts";

/**
 * Deletes queued vectors from the vector store, in rounds. A deletion leaves the queue only when the store no longer
 * returns its vector. Resolves to true if more are due after the last round.
 */
export async function deleteVectors(invocation: Invocation, rounds: number): Promise<boolean> {
  for (let round = 0; round < rounds; round++) if (!(await deleteRound(invocation))) return false;
  return true;
}

/** Resolves to true if more deletions may be due. */
async function deleteRound(invocation: Invocation): Promise<boolean> {
  const limit = invocation.limits.deleteRoundVectors;
  const nowMs = invocation.runtime.nowMs();
  const found = await deletions.selectDueDeletions(invocation.db, {
    nowMs,
    limit,
    round: drawRound(invocation),
  });
  if (found.length === 0) return false;
  const postponed = found.filter(({ heldUntilMs }) => heldUntilMs !== null);
  if (postponed.length > 0) await deletions.updateDeletionsPostponed(invocation.db, postponed);
  const due = found.filter(({ heldUntilMs }) => heldUntilMs === null);
  const sent = due.filter(({ sentAtMs }) => sentAtMs !== null);
  const existing = await invocation.vectors.existing(sent.map(({ vectorId }) => vectorId));
  const confirmed = sent.filter(({ vectorId }) => !existing.has(vectorId));
  if (confirmed.length > 0) await deletions.deleteConfirmedDeletions(invocation.db, confirmed);
  const send = due.filter(({ sentAtMs, vectorId }) => sentAtMs === null || existing.has(vectorId));
  const requested =
    send.length > 0 ? await deletions.updateDeletionsRequested(invocation.db, send, nowMs) : [];
  if (requested.length > 0) {
    await invocation.vectors.delete(requested.map(({ vectorId }) => vectorId));
    // Stored only after the call. Otherwise, if the store had rejected the call, the next sweep would take a
    // vector that the store does not return yet as deleted.
    // A write that a run has sent can arrive as long as its lease lasts, also at a store without a lag.
    const { deleteConfirmMs, indexLeaseMs } = invocation.limits;
    const dueAtMs = nowMs + (invocation.vectors.hasLag ? deleteConfirmMs : indexLeaseMs);
    await deletions.updateDeletionsSent(invocation.db, requested, { nowMs, dueAtMs });
  }
  return true;
}
