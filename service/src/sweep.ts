import type { OperationType } from "@engram/spec";
import { chainAuditEvents } from "./audit/chain.ts";
import { deleteExpiredHeads } from "./contexts/heads-queries.ts";
import { mergeKeywordIndex, purge, purgeApart } from "./deletions/purge.ts";
import { softDeleteRemaining } from "./deletions/service.ts";
import { deleteVectors } from "./deletions/vector-deletions.ts";
import {
  enrichAllDue,
  type InvokeEnrich,
  queueBackfill,
  updateFinishedBackfills,
} from "./enrichment/service.ts";
import { pruneEvents } from "./events/service.ts";
import { pruneGrants } from "./grants/service.ts";
import { releaseHeldItems } from "./holds/service.ts";
import { queueKeywordIndexRebuild } from "./indexing/rebuild.ts";
import { queueRepair } from "./indexing/service.ts";
import { type InvokeIndex, indexDue } from "./indexing/sweep.ts";
import type { Invocation, InvokeDeliver } from "./invocation.ts";
import { insertOverdueWords } from "./keyword-index/late-words.ts";
import { continueMoves } from "./moves/service.ts";
import { selectRunningOperations, updateFinishedOperations } from "./operations/ends-queries.ts";
import { type SteppedOperation, selectSteppedOperations } from "./operations/queries.ts";
import { deleteExpiredIdempotencyKeys } from "./platform/idempotency-queries.ts";
import { drawRound } from "./platform/round-robin.ts";
import { removeRecalls } from "./recalls/service.ts";
import { deleteExpired } from "./retention/expiry.ts";
import { applyRetentionRules } from "./retention/service.ts";
import { type InvokeSummarize, summarizeAllDue } from "./summaries/run.ts";
import { removeLiftedHashes } from "./tombstones/service.ts";
import { hasOpenArchives, keepArchives } from "./transfer/archives.ts";
import { updateEndedImports } from "./transfer/operations-queries.ts";
import { deliverDue } from "./webhooks/deliveries.ts";

/**
 * Work that runs in separate invocations of the Worker, because one invocation may run only 1,000 statements.
 */
export interface Invocations {
  index: InvokeIndex;
  enrich: InvokeEnrich;
  summarize: InvokeSummarize;
  deliver: InvokeDeliver;
  /** Writes parts of archives. Resolves to true if more is left. */
  archive(): Promise<boolean>;
  /** Begins deletions of what is due, or purges what is soft-deleted and deletes queued vectors. Resolves to true if more is left. */
  purge(): Promise<boolean>;
}

/** The Worker's export `Background`, which runs its methods in separate invocations. */
export const backgroundOf = (ctx: unknown): Invocations =>
  (ctx as { exports: { Background: Invocations } }).exports.Background;

/** How many invocations for archives a sweep starts, one after the other: two parts at once would take twice the memory. */
export const ARCHIVE_INVOCATIONS_MAX = 3;

/** How many invocations for deletions a sweep starts, after the steps of its own. */
export const PURGE_INVOCATIONS_MAX = 6;

/** Runs all periodic work of the service. A failed part does not stop the others. */
export async function sweep(invocation: Invocation, invocations: Invocations): Promise<void> {
  const run = async (part: (invocation: Invocation) => Promise<void>, name: string) => {
    try {
      await part(invocation);
    } catch (error) {
      invocation.log.error("sweep failed", error, { part: name });
    }
  };
  let isLeft = false;
  const { limits } = invocation;
  const deleteSomeExpired = async () => {
    const { expirySweepDeletions: limit } = limits;
    isLeft = (await deleteExpired(invocation, limit)) === limit;
  };
  const applySomeRules = async () => {
    const { retentionSweepRules: limit } = limits;
    isLeft = (await applyRetentionRules(invocation, limit)) === limit || isLeft;
  };
  const purgeSome = async () => {
    isLeft = (await purge(invocation, limits.purgeSweepSteps)) || isLeft;
  };
  const deleteSomeVectors = async () => {
    isLeft = (await deleteVectors(invocation, limits.deleteSweepRounds)) || isLeft;
  };
  const parts = [
    insertOverdueWords,
    releaseHeldItems,
    deleteSomeExpired,
    applySomeRules,
    resumeDeletions,
    resumeRepairs,
    queueKeywordIndexRebuild,
    resumeBackfills,
    purgeSome,
    mergeKeywordIndex,
    deleteSomeVectors,
    removeRecalls,
    keepArchives,
    closeOperations,
    forgetIdempotencyKeys,
    forgetContextHeads,
    removeLiftedHashes,
    chainAuditEvents,
    pruneEvents,
    pruneGrants,
    continueMoves,
  ];
  for (const part of parts) await run(part, part.name);
  // Parts that call models or webhooks run last and concurrently. A model that hangs must delay neither deletions nor the
  // other model. The deletion of a large organization must not delay indexing.
  await Promise.all([
    isLeft ? run(() => purgeRemaining(invocations), "purgeRemaining") : null,
    run((shared) => archiveRemaining(shared, invocations), "archiveRemaining"),
    run((shared) => indexDue(shared, invocations.index), "indexDue"),
    run((shared) => enrichAllDue(shared, invocations.enrich), "enrichAllDue"),
    run((shared) => summarizeAllDue(shared, invocations.summarize), "summarizeAllDue"),
    run((shared) => deliverDue(shared, invocations.deliver), "deliverDue"),
  ]);
}

/** Continues bulk deletions. The Worker that began one may have died after the response. */
async function resumeDeletions(invocation: Invocation): Promise<void> {
  const { softDeleteSweepDeletions: limit, softDeleteSweepSteps: steps } = invocation.limits;
  await resume(
    invocation,
    { types: ["delete_conversations", "delete_memories", "delete_user"], limit, steps },
    softDeleteRemaining,
  );
}

async function resumeRepairs(invocation: Invocation): Promise<void> {
  const { queueSweepOperations: limit, queueSweepSteps: steps } = invocation.limits;
  await resume(invocation, { types: ["repair_index"], limit, steps }, queueRepair);
}

async function resumeBackfills(invocation: Invocation): Promise<void> {
  const { queueSweepOperations: limit } = invocation.limits;
  await resume(invocation, { types: ["enrich_memories"], limit, steps: limit }, queueBackfill);
}

/**
 * Continues operations, with an equal share of the steps for each. A failed operation does not stop the others.
 */
async function resume(
  invocation: Invocation,
  { types, limit, steps }: { types: readonly OperationType[]; limit: number; steps: number },
  continueOperation: (invocation: Invocation, operation: SteppedOperation, steps: number) => Promise<void>,
): Promise<void> {
  const operations = await selectSteppedOperations(invocation.db, {
    types,
    limit,
    round: drawRound(invocation),
  });
  for (const operation of operations) {
    try {
      await continueOperation(invocation, operation, Math.ceil(steps / operations.length));
    } catch (error) {
      invocation.log.error("operation failed", error, { operation_id: operation.id });
    }
  }
}

/**
 * What one invocation does that a sweep starts for deletions. It purges only if nothing is due, because both together
 * would run more than 1,000 statements.
 */
export async function deleteApart(invocation: Invocation): Promise<boolean> {
  const { expiryInvocationDeletions, retentionInvocationRules } = invocation.limits;
  const expired = await deleteExpired(invocation, expiryInvocationDeletions);
  const applied = await applyRetentionRules(invocation, retentionInvocationRules);
  return expired + applied > 0 || purgeApart(invocation);
}

async function purgeRemaining({ purge: invoke }: Invocations): Promise<void> {
  for (let i = 0; i < PURGE_INVOCATIONS_MAX; i++) if (!(await invoke())) return;
}

async function archiveRemaining(invocation: Invocation, { archive: invoke }: Invocations): Promise<void> {
  if (invocation.archives === null || !(await hasOpenArchives(invocation))) return;
  for (let i = 0; i < ARCHIVE_INVOCATIONS_MAX; i++) if (!(await invoke())) return;
}

async function closeOperations(invocation: Invocation): Promise<void> {
  const nowMs = invocation.runtime.nowMs();
  const limit = invocation.limits.closeSweepOperations;
  const running = await selectRunningOperations(invocation.db, {
    round: { ...drawRound(invocation), rowsMax: limit },
  });
  await updateFinishedOperations(invocation.db, running, nowMs);
  await updateFinishedBackfills(invocation, running);
  await updateEndedImports(invocation.db, { nowMs, limit });
}

async function forgetIdempotencyKeys(invocation: Invocation): Promise<void> {
  const { forgetRoundKeys: limit, forgetSweepRounds } = invocation.limits;
  for (let i = 0; i < forgetSweepRounds; i++) {
    const input = { nowMs: invocation.runtime.nowMs(), limit };
    if ((await deleteExpiredIdempotencyKeys(invocation.db, input)) < limit) return;
  }
}

async function forgetContextHeads(invocation: Invocation): Promise<void> {
  const { forgetRoundKeys: limit, forgetSweepRounds } = invocation.limits;
  for (let i = 0; i < forgetSweepRounds; i++)
    if ((await deleteExpiredHeads(invocation.db, invocation.runtime.nowMs(), limit)) < limit) return;
}
