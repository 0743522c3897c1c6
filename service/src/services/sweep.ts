import type { ServiceContext } from "../context.ts";
import { hideConversationsOf } from "../queries/conversation-deletions.ts";
import { deleteExpiredIdempotencyKeys } from "../queries/idempotency-keys.ts";
import { updateEndedImports } from "../queries/import-operations.ts";
import { updateFinishedOperations } from "../queries/operation-ends.ts";
import { selectFilteredDeletions } from "../queries/operations.ts";
import { deleteOrganizationRows, selectDeletedOrganizations } from "../queries/organizations.ts";
import * as purge from "../queries/purge.ts";
import * as deletions from "../queries/vector-deletions.ts";
import { hideRemaining } from "./conversation-deletions.ts";
import { type EnrichApart, enrichAllDue } from "./enrichment.ts";
import { type IndexApart, indexDue } from "./indexing.ts";

/** What one sweep does at most, so that it stays within D1's 1,000 queries; the next goes on. */
const CONVERSATIONS_PURGED = 1_000;
const MESSAGES_PURGED = 1_000;
const PURGE_STEPS = 25;
const MERGED_PAGES = 64;
const VECTORS_DELETED = 500;
const DELETION_ROUNDS = 4;
const ORGANIZATIONS_PURGED = 5;
const HIDE_STEPS = 10;
const DELETIONS_RESUMED = 5;
/** Of one statement; with as many rounds, more than requests bring along in a minute, or they would pile up. */
const KEYS_FORGOTTEN = 5_000;
const FORGET_ROUNDS = 20;

/** What a sweep calls as invocations of their own, since each may run 1,000 statements. */
export interface Apart {
  index: IndexApart;
  enrich: EnrichApart;
}

/** Do what requests left behind: purge, confirm, forget, index, describe. One part failing holds up no other. */
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
    purgeOrganizations,
    purgeConversations,
    purgeWords,
    deleteVectors,
    closeOperations,
    forgetIdempotencyKeys,
  ];
  for (const part of parts) await run(part, part.name);
  // Models last, and side by side: one that hangs must hold up neither what deletes nor the other.
  await Promise.all([
    run((own) => indexDue(own, apart.index), "indexDue"),
    run((own) => enrichAllDue(own, apart.enrich), "enrichAllDue"),
  ]);
}

/** What the answer's own Worker did not come to: it may have died behind the answer. */
async function resumeDeletions(ctx: ServiceContext): Promise<void> {
  const deletions = await selectFilteredDeletions(ctx.db, DELETIONS_RESUMED);
  for (const deletion of deletions) {
    try {
      await hideRemaining(ctx, deletion, Math.ceil(HIDE_STEPS / deletions.length));
    } catch (error) {
      ctx.log.error("deletion failed", error, { operation_id: deletion.id });
    }
  }
}

async function purgeOrganizations(ctx: ServiceContext): Promise<void> {
  const nowMs = ctx.runtime.nowMs();
  for (const { id, operationId } of await selectDeletedOrganizations(ctx.db, ORGANIZATIONS_PURGED)) {
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
  for (let step = 0; step < PURGE_STEPS; step++) {
    const hidden = await purge.selectHiddenConversations(ctx.db, CONVERSATIONS_PURGED);
    if (hidden.length === 0) return;
    await purge.purgeConversations(ctx.db, withinStep(hidden), {
      limit: MESSAGES_PURGED,
      nowMs: ctx.runtime.nowMs(),
    });
  }
}

/** As many small ones as one step can purge whole, or a part of a large one. */
function withinStep(hidden: purge.HiddenConversation[]): purge.HiddenConversation[] {
  let messages = 0;
  const end = hidden.findIndex((conversation) => {
    messages += conversation.messages;
    return messages > MESSAGES_PURGED;
  });
  return end < 0 ? hidden : hidden.slice(0, Math.max(1, end));
}

async function purgeWords(ctx: ServiceContext): Promise<void> {
  await purge.mergeWords(ctx.db, MERGED_PAGES);
}

/** Asks the store to delete, and later whether it has: only what it no longer knows is forgotten here. */
async function deleteVectors(ctx: ServiceContext): Promise<void> {
  for (let round = 0; round < DELETION_ROUNDS; round++) {
    const nowMs = ctx.runtime.nowMs();
    const due = await deletions.selectDueDeletions(ctx.db, { nowMs, limit: VECTORS_DELETED });
    const sent = due.filter(({ sentAtMs }) => sentAtMs !== null);
    const existing = await ctx.vectors.existing(sent.map(({ vectorId }) => vectorId));
    const confirmed = sent.filter(({ vectorId }) => !existing.has(vectorId));
    if (confirmed.length > 0) await deletions.deleteConfirmedDeletions(ctx.db, confirmed);
    const send = due.filter(({ sentAtMs, vectorId }) => sentAtMs === null || existing.has(vectorId));
    const asked = send.length > 0 ? await deletions.updateDeletionsAsked(ctx.db, send, nowMs) : [];
    if (asked.length > 0) {
      await ctx.vectors.delete(asked.map(({ vectorId }) => vectorId));
      // Only now: had the store refused, the next sweep would take its silence for a confirmation.
      const dueAtMs = nowMs + deletions.CONFIRM_MS;
      await deletions.updateDeletionsSent(ctx.db, asked, { nowMs, dueAtMs });
    }
    if (due.length < VECTORS_DELETED) return;
  }
}

async function closeOperations(ctx: ServiceContext): Promise<void> {
  const nowMs = ctx.runtime.nowMs();
  await updateFinishedOperations(ctx.db, nowMs);
  await updateEndedImports(ctx.db, nowMs);
}

async function forgetIdempotencyKeys(ctx: ServiceContext): Promise<void> {
  const round = { nowMs: ctx.runtime.nowMs(), limit: KEYS_FORGOTTEN };
  for (let i = 0; i < FORGET_ROUNDS; i++) {
    if ((await deleteExpiredIdempotencyKeys(ctx.db, round)) < KEYS_FORGOTTEN) return;
  }
}
