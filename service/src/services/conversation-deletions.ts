import type { ConversationsCounted, Operation } from "@engram/spec";
import type { RequestContext, ServiceContext } from "../context.ts";
import { createId } from "../ids.ts";
import { refuseAbsentConversation, refuseDeadKey, runBatch } from "../queries/batch.ts";
import * as deletions from "../queries/conversation-deletions.ts";
import type { ConversationFilter } from "../queries/conversation-filters.ts";
import { refuseOtherVersion } from "../queries/conversations.ts";
import type { IdempotentRequest } from "../queries/idempotency-keys.ts";
import {
  type FilteredDeletion,
  insertDeletion,
  insertFilteredDeletion,
  readOperation,
} from "../queries/operations.ts";
import { auditEvent } from "./audit-events.ts";
import type { Once } from "./idempotency.ts";
import { openOperation } from "./operations.ts";

/** Conversations that one step of a deletion by filter hides. */
const HIDDEN_A_STEP = 1_000;
/** Steps behind one answer, within D1's 1,000 queries; the sweep goes on with what is left. */
const HIDE_STEPS = 100;

/** Hide a conversation; the sweep purges it. @throws {ApiError} `not_found`, `precondition_failed`. */
export async function deleteConversation(
  ctx: RequestContext,
  input: { id: string; version: number | null },
): Promise<Operation> {
  const { db, principal, runtime } = ctx;
  const { organizationId } = principal;
  const nowMs = runtime.nowMs();
  const operationId = createId(runtime, "op");
  const results = await runBatch(db, [
    refuseDeadKey(db, { ...principal, nowMs }),
    refuseAbsentConversation(db, principal, input.id),
    refuseOtherVersion(db, { organizationId, id: input.id, version: input.version }),
    ...deletions.hideConversation(db, { organizationId, id: input.id, operationId, nowMs }),
    auditEvent(ctx, principal, {
      organizationId,
      action: "conversation.deleted",
      targetId: input.id,
      operationId,
      nowMs,
    }),
    insertDeletion(db, {
      organizationId,
      id: operationId,
      type: "delete_conversation",
      targetId: input.id,
      conversationId: input.id,
      agentId: principal.agentId,
      nowMs,
      rowsDeletedAtMs: null,
    }),
  ]);
  return readOperation(results.at(-1));
}

/** How much a deletion by filter would delete. */
export const countConversations = (
  ctx: RequestContext,
  filter: ConversationFilter,
): Promise<ConversationsCounted> => deletions.countConversations(ctx.db, ctx.principal, filter);

/** Hide all conversations that a filter finds: the first with the answer, the others behind it. */
export async function deleteConversations(
  ctx: RequestContext,
  filter: ConversationFilter,
  idempotency: IdempotentRequest | null,
): Promise<Once<Operation>> {
  const { db, principal, runtime } = ctx;
  const { organizationId, agentId } = principal;
  const nowMs = runtime.nowMs();
  const deletion: FilteredDeletion = { owner: principal, id: createId(runtime, "op"), filter };
  const { id } = deletion;
  const statements = [
    refuseDeadKey(db, { ...principal, nowMs }),
    insertFilteredDeletion(db, {
      organizationId,
      id,
      type: "delete_conversations",
      targetId: organizationId,
      agentId,
      nowMs,
      filter,
    }),
    ...deletions.hideFilteredConversations(db, deletion, { nowMs, limit: HIDDEN_A_STEP }),
    auditEvent(ctx, principal, {
      organizationId,
      action: "conversations.deleted",
      targetId: organizationId,
      operationId: id,
      nowMs,
    }),
  ];
  const once = await openOperation(ctx, id, statements, idempotency);
  const { progress } = once.answer;
  if (!once.replayed && progress !== undefined && progress.done < progress.total) {
    ctx.defer("delete", (later) => hideRemaining(later, deletion, HIDE_STEPS));
  }
  return once;
}

/** Go on with a deletion by filter for so many steps, or until nothing is left to hide. */
export async function hideRemaining(
  ctx: ServiceContext,
  deletion: FilteredDeletion,
  steps: number,
): Promise<void> {
  for (let step = 0; step < steps; step++) {
    const results = await ctx.db.batch(
      deletions.hideFilteredConversations(ctx.db, deletion, {
        nowMs: ctx.runtime.nowMs(),
        limit: HIDDEN_A_STEP,
      }),
    );
    if (results.at(-2)?.meta.changes !== HIDDEN_A_STEP) return;
  }
}
