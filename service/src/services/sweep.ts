import type { OperationType } from "@engram/spec";
import type { ServiceContext } from "../context.ts";
import { hideConversationsOf } from "../queries/conversation-deletions.ts";
import { deleteExpiredIdempotencyKeys } from "../queries/idempotency-keys.ts";
import { updateEndedImports } from "../queries/import-operations.ts";
import { selectRunningOperations, updateFinishedOperations } from "../queries/operation-ends.ts";
import { type SteppedOperation, selectSteppedOperations } from "../queries/operations.ts";
import { deleteOrganizationRows, selectDeletedOrganizations } from "../queries/organizations.ts";
import * as purge from "../queries/purge.ts";
import * as deletions from "../queries/vector-deletions.ts";
import { hideRemaining } from "./conversation-deletions.ts";
import { type EnrichApart, enrichAllDue, queueBackfill, updateFinishedBackfills } from "./enrichment.ts";
import { type IndexApart, indexDue } from "./indexing.ts";
import { queueRepair } from "./search-index.ts";
import { drawTurns } from "./turns.ts";

/** Work that a sweep starts as separate invocations, because each may run 1,000 statements. */
export interface Apart {
  index: IndexApart;
  enrich: EnrichApart;
}

/**
 * Finishes background work: purges, confirms vector deletions, closes operations, deletes expired idempotency
 * keys, indexes and enriches. A failed part does not stop the others.
 */
export async function sweep(ctx: ServiceContext, apart: Apart): Promise<void> {
  const run = async (part: (ctx: ServiceContext) => Promise<void>, name: string) => {
    try {
      await part(ctx);
    } catch (error) {
      ctx.log.error("sweep failed", error, { part: name });
    }
  };
  const parts = [
    resumeDeletions,
    resumeRepairs,
    resumeBackfills,
    purgeOrganizations,
    purgeConversations,
    purgeWords,
    deleteVectors,
    closeOperations,
    forgetIdempotencyKeys,
  ];
  for (const part of parts) await run(part, part.name);
  // Parts that call models run last and concurrently. A model that hangs must delay neither deletions nor the
  // other model.
  await Promise.all([
    run((own) => indexDue(own, apart.index), "indexDue"),
    run((own) => enrichAllDue(own, apart.enrich), "enrichAllDue"),
  ]);
}

/** Finishes deletions by filter whose Worker may have died after the response. */
async function resumeDeletions(ctx: ServiceContext): Promise<void> {
  const { hideSweepDeletions: limit, hideSweepSteps: steps } = ctx.limits;
  await resume(ctx, { types: ["delete_conversations", "delete_memories"], limit, steps }, hideRemaining);
}

async function resumeRepairs(ctx: ServiceContext): Promise<void> {
  const { queueSweepOperations: limit, queueSweepSteps: steps } = ctx.limits;
  await resume(ctx, { types: ["repair_index"], limit, steps }, queueRepair);
}

async function resumeBackfills(ctx: ServiceContext): Promise<void> {
  const { queueSweepOperations: limit } = ctx.limits;
  await resume(ctx, { types: ["enrich_memories"], limit, steps: limit }, queueBackfill);
}

/** Continues operations that have steps left. A failed operation does not stop the others. */
async function resume(
  ctx: ServiceContext,
  { types, limit, steps }: { types: readonly OperationType[]; limit: number; steps: number },
  go: (ctx: ServiceContext, operation: SteppedOperation, steps: number) => Promise<void>,
): Promise<void> {
  const operations = await selectSteppedOperations(ctx.db, { types, limit, turns: drawTurns(ctx) });
  for (const operation of operations) {
    try {
      await go(ctx, operation, Math.ceil(steps / operations.length));
    } catch (error) {
      ctx.log.error("operation failed", error, { operation_id: operation.id });
    }
  }
}

async function purgeOrganizations(ctx: ServiceContext): Promise<void> {
  const nowMs = ctx.runtime.nowMs();
  const deleted = await selectDeletedOrganizations(ctx.db, {
    limit: ctx.limits.purgeSweepOrganizations,
    turns: drawTurns(ctx),
  });
  for (const { id, operationId } of deleted) {
    const hidden = await hideConversationsOf(ctx.db, {
      organizationId: id,
      operationId,
      nowMs,
      limit: ctx.limits.hideSweepConversations,
    });
    if (hidden === 0 && !(await purge.hasConversations(ctx.db, id))) {
      await deleteOrganizationRows(ctx.db, { id, operationId, nowMs });
    }
  }
}

async function purgeConversations(ctx: ServiceContext): Promise<void> {
  const { purgeStepConversations, purgeStepMessages, purgeSweepSteps } = ctx.limits;
  const turns = drawTurns(ctx);
  for (let step = 0; step < purgeSweepSteps; step++) {
    // Each organization comes first in an equal share of the steps, because a large conversation takes a
    // whole step.
    const chance = (turns.chance + step / purgeSweepSteps) % 1;
    const hidden = await purge.selectHiddenConversations(ctx.db, {
      limit: purgeStepConversations,
      turns: { ...turns, chance },
    });
    if (hidden.length === 0) return;
    await purge.purgeConversations(ctx.db, withinStep(hidden, purgeStepMessages), {
      limit: purgeStepMessages,
      nowMs: ctx.runtime.nowMs(),
    });
  }
}

/** As many conversations as one step can purge completely, or a single large one, which it purges in part. */
function withinStep(hidden: purge.HiddenConversation[], messagesMax: number): purge.HiddenConversation[] {
  let messages = 0;
  const end = hidden.findIndex((conversation) => {
    messages += conversation.messages;
    return messages > messagesMax;
  });
  return end < 0 ? hidden : hidden.slice(0, Math.max(1, end));
}

async function purgeWords(ctx: ServiceContext): Promise<void> {
  await purge.mergeWords(ctx.db, ctx.limits.mergeSweepPages);
}

/**
 * Requests deletions from the vector store and confirms them later. A row is removed only when the store no
 * longer returns its vector.
 */
async function deleteVectors(ctx: ServiceContext): Promise<void> {
  for (let round = 0; round < ctx.limits.deleteSweepRounds; round++) {
    const nowMs = ctx.runtime.nowMs();
    const found = await deletions.selectDueDeletions(ctx.db, {
      nowMs,
      limit: ctx.limits.deleteRoundVectors,
      turns: drawTurns(ctx),
    });
    if (found.length === 0) return;
    const held = found.filter(({ heldUntilMs }) => heldUntilMs !== null);
    if (held.length > 0) await deletions.updateDeletionsHeld(ctx.db, held);
    const due = found.filter(({ heldUntilMs }) => heldUntilMs === null);
    const sent = due.filter(({ sentAtMs }) => sentAtMs !== null);
    const existing = await ctx.vectors.existing(sent.map(({ vectorId }) => vectorId));
    const confirmed = sent.filter(({ vectorId }) => !existing.has(vectorId));
    if (confirmed.length > 0) await deletions.deleteConfirmedDeletions(ctx.db, confirmed);
    const send = due.filter(({ sentAtMs, vectorId }) => sentAtMs === null || existing.has(vectorId));
    const asked = send.length > 0 ? await deletions.updateDeletionsAsked(ctx.db, send, nowMs) : [];
    if (asked.length > 0) {
      await ctx.vectors.delete(asked.map(({ vectorId }) => vectorId));
      // Set only after the call: if the store had rejected it, the next sweep would otherwise count a missing
      // vector as a confirmation.
      const dueAtMs = nowMs + deletions.CONFIRM_MS;
      await deletions.updateDeletionsSent(ctx.db, asked, { nowMs, dueAtMs });
    }
  }
}

async function closeOperations(ctx: ServiceContext): Promise<void> {
  const nowMs = ctx.runtime.nowMs();
  const limit = ctx.limits.closeSweepOperations;
  const running = await selectRunningOperations(ctx.db, { turns: { ...drawTurns(ctx), rowsMax: limit } });
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
