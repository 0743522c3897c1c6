import type { OperationType } from "@engram/spec";
import type { InvokeDeliver, ServiceContext } from "./context.ts";
import { mergeKeywordIndex, purge } from "./deletions/purge.ts";
import { softDeleteRemaining } from "./deletions/service.ts";
import { deleteVectors } from "./deletions/vector-deletions.ts";
import {
  enrichAllDue,
  type InvokeEnrich,
  queueBackfill,
  updateFinishedBackfills,
} from "./enrichment/service.ts";
import { pruneEvents } from "./events/service.ts";
import { queueKeywordIndexRebuild } from "./indexing/rebuild.ts";
import { queueRepair } from "./indexing/service.ts";
import { type InvokeIndex, indexDue } from "./indexing/sweep.ts";
import { insertOverdueWords } from "./messages/late-words.ts";
import { selectRunningOperations, updateFinishedOperations } from "./operations/ends-queries.ts";
import { type SteppedOperation, selectSteppedOperations } from "./operations/queries.ts";
import { deleteExpiredIdempotencyKeys } from "./platform/idempotency-queries.ts";
import { drawRound } from "./platform/round-robin.ts";
import { updateEndedImports } from "./transfer/operations-queries.ts";
import { deliverDue } from "./webhooks/deliveries.ts";

/**
 * Work that runs in separate invocations of the Worker, because one invocation may run only 1,000 statements.
 */
export interface Invocations {
  index: InvokeIndex;
  enrich: InvokeEnrich;
  deliver: InvokeDeliver;
  /** Purges what is soft-deleted, and deletes queued vectors. Resolves to true if more is left. */
  purge(): Promise<boolean>;
}

/** The Worker's export `Background`, which runs its methods in separate invocations. */
export const backgroundOf = (ctx: unknown): Invocations =>
  (ctx as { exports: { Background: Invocations } }).exports.Background;

/** How many invocations for the purge a sweep starts, after the steps of its own. */
export const PURGE_INVOCATIONS_MAX = 6;

/** Runs all periodic work of the service. A failed part does not stop the others. */
export async function sweep(ctx: ServiceContext, invocations: Invocations): Promise<void> {
  const run = async (part: (ctx: ServiceContext) => Promise<void>, name: string) => {
    try {
      await part(ctx);
    } catch (error) {
      ctx.log.error("sweep failed", error, { part: name });
    }
  };
  let isLeft = false;
  const purgeSome = async () => {
    isLeft = await purge(ctx, ctx.limits.purgeSweepSteps);
  };
  const deleteSomeVectors = async () => {
    isLeft = (await deleteVectors(ctx, ctx.limits.deleteSweepRounds)) || isLeft;
  };
  const parts = [
    insertOverdueWords,
    resumeDeletions,
    resumeRepairs,
    queueKeywordIndexRebuild,
    resumeBackfills,
    purgeSome,
    mergeKeywordIndex,
    deleteSomeVectors,
    closeOperations,
    forgetIdempotencyKeys,
    pruneEvents,
  ];
  for (const part of parts) await run(part, part.name);
  // Parts that call models or webhooks run last and concurrently. A model that hangs must delay neither deletions nor the
  // other model. The deletion of a large organization must not delay indexing.
  await Promise.all([
    isLeft ? run(() => purgeRemaining(invocations), "purgeRemaining") : null,
    run((shared) => indexDue(shared, invocations.index), "indexDue"),
    run((shared) => enrichAllDue(shared, invocations.enrich), "enrichAllDue"),
    run((shared) => deliverDue(shared, invocations.deliver), "deliverDue"),
  ]);
}

/** Continues bulk deletions. The Worker that began one may have died after the response. */
async function resumeDeletions(ctx: ServiceContext): Promise<void> {
  const { softDeleteSweepDeletions: limit, softDeleteSweepSteps: steps } = ctx.limits;
  await resume(
    ctx,
    { types: ["delete_conversations", "delete_memories", "delete_user"], limit, steps },
    softDeleteRemaining,
  );
}

async function resumeRepairs(ctx: ServiceContext): Promise<void> {
  const { queueSweepOperations: limit, queueSweepSteps: steps } = ctx.limits;
  await resume(ctx, { types: ["repair_index"], limit, steps }, queueRepair);
}

async function resumeBackfills(ctx: ServiceContext): Promise<void> {
  const { queueSweepOperations: limit } = ctx.limits;
  await resume(ctx, { types: ["enrich_memories"], limit, steps: limit }, queueBackfill);
}

/**
 * Continues operations, with an equal share of the steps for each. A failed operation does not stop the others.
 */
async function resume(
  ctx: ServiceContext,
  { types, limit, steps }: { types: readonly OperationType[]; limit: number; steps: number },
  continueOperation: (ctx: ServiceContext, operation: SteppedOperation, steps: number) => Promise<void>,
): Promise<void> {
  const operations = await selectSteppedOperations(ctx.db, { types, limit, round: drawRound(ctx) });
  for (const operation of operations) {
    try {
      await continueOperation(ctx, operation, Math.ceil(steps / operations.length));
    } catch (error) {
      ctx.log.error("operation failed", error, { operation_id: operation.id });
    }
  }
}

async function purgeRemaining({ purge: invoke }: Invocations): Promise<void> {
  for (let i = 0; i < PURGE_INVOCATIONS_MAX; i++) if (!(await invoke())) return;
}

async function closeOperations(ctx: ServiceContext): Promise<void> {
  const nowMs = ctx.runtime.nowMs();
  const limit = ctx.limits.closeSweepOperations;
  const running = await selectRunningOperations(ctx.db, { round: { ...drawRound(ctx), rowsMax: limit } });
  await updateFinishedOperations(ctx.db, running, nowMs);
  await updateFinishedBackfills(ctx, running);
  await updateEndedImports(ctx.db, { nowMs, limit });
}

async function forgetIdempotencyKeys(ctx: ServiceContext): Promise<void> {
  const { forgetRoundKeys: limit, forgetSweepRounds } = ctx.limits;
  for (let i = 0; i < forgetSweepRounds; i++) {
    const input = { nowMs: ctx.runtime.nowMs(), limit };
    if ((await deleteExpiredIdempotencyKeys(ctx.db, input)) < limit) return;
  }
}
