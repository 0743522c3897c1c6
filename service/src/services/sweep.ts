import type { ServiceContext } from "../context.ts";
import { indexConversation } from "../indexing/run.ts";
import { GET_VECTORS_MAX } from "../ports/vectors.ts";
import { hideConversationsOf } from "../queries/conversations.ts";
import { deleteExpiredIdempotencyKeys } from "../queries/idempotency-keys.ts";
import { updateFinishedOperations } from "../queries/operations.ts";
import { deleteOrganizationRows, selectDeletedOrganizations } from "../queries/organizations.ts";
import * as purge from "../queries/purge.ts";
import { selectDueConversations } from "../queries/search-index.ts";

/** What one sweep does at most, so that it stays within D1's 1,000 queries; the next goes on. */
const CONVERSATIONS_INDEXED = 10;
const INDEX_STEPS = 25;
const CONVERSATIONS_PURGED = 20;
const MESSAGES_PURGED = 1_000;
const PURGE_STEPS = 25;
const VECTORS_DELETED = 500;
const ORGANIZATIONS_PURGED = 5;
/** When to ask the vector store whether a deletion came through; it takes seconds to two minutes. */
const CONFIRM_MS = 5_000;

/** Do what requests left behind: index, purge, confirm, forget. One part failing holds up no other. */
export async function sweep(ctx: ServiceContext): Promise<void> {
  const parts = [
    indexDue,
    purgeOrganizations,
    purgeConversations,
    deleteVectors,
    closeOperations,
    forgetIdempotencyKeys,
  ];
  for (const part of parts) {
    try {
      await part(ctx);
    } catch (error) {
      console.error(JSON.stringify({ sweep: part.name, error: String(error) }));
    }
  }
}

async function indexDue(ctx: ServiceContext): Promise<void> {
  const due = await selectDueConversations(ctx.db, {
    nowMs: ctx.runtime.nowMs(),
    limit: CONVERSATIONS_INDEXED,
  });
  let steps = 0;
  for (const conversation of due) {
    if (steps < INDEX_STEPS) steps += await indexConversation(ctx, conversation, INDEX_STEPS - steps);
  }
}

async function purgeOrganizations(ctx: ServiceContext): Promise<void> {
  const nowMs = ctx.runtime.nowMs();
  for (const { id, operationId } of await selectDeletedOrganizations(ctx.db, ORGANIZATIONS_PURGED)) {
    const hidden = await hideConversationsOf(ctx.db, {
      organizationId: id,
      operationId,
      nowMs,
      limit: 1_000,
    });
    if (hidden === 0 && !(await purge.hasConversations(ctx.db, id))) {
      await deleteOrganizationRows(ctx.db, { id, operationId, nowMs });
    }
  }
}

async function purgeConversations(ctx: ServiceContext): Promise<void> {
  let steps = 0;
  for (const conversation of await purge.selectHiddenConversations(ctx.db, CONVERSATIONS_PURGED)) {
    for (let gone = false; !gone && steps < PURGE_STEPS; steps++) {
      gone = await purge.purgeConversation(ctx.db, conversation, {
        limit: MESSAGES_PURGED,
        nowMs: ctx.runtime.nowMs(),
      });
    }
  }
}

/** Asks the store to delete, and later whether it has: only what it no longer knows is forgotten here. */
async function deleteVectors(ctx: ServiceContext): Promise<void> {
  const nowMs = ctx.runtime.nowMs();
  const due = await purge.selectDueDeletions(ctx.db, { nowMs, limit: VECTORS_DELETED });
  const sent = due.filter((deletion) => deletion.sent && deletion.confirmAfterMs <= nowMs);
  const existing = await ctx.vectors.existing(
    sent.slice(0, 10 * GET_VECTORS_MAX).map(({ vectorId }) => vectorId),
  );
  const confirmed = sent.slice(0, 10 * GET_VECTORS_MAX).filter(({ vectorId }) => !existing.has(vectorId));
  if (confirmed.length > 0) await purge.deleteConfirmedDeletions(ctx.db, confirmed);
  const send = due.filter(({ sent: wasSent, vectorId }) => !wasSent || existing.has(vectorId));
  if (send.length > 0) {
    // A chunk may be back since: its deletion is no longer queued then, and its vector must stay.
    const queued = await purge.updateDeletionsSent(ctx.db, send, { nowMs, dueAtMs: nowMs + CONFIRM_MS });
    await ctx.vectors.delete(queued);
  }
}

async function closeOperations(ctx: ServiceContext): Promise<void> {
  await updateFinishedOperations(ctx.db, ctx.runtime.nowMs());
}

async function forgetIdempotencyKeys(ctx: ServiceContext): Promise<void> {
  await deleteExpiredIdempotencyKeys(ctx.db, ctx.runtime.nowMs());
}
