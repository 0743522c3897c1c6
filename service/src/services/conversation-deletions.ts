import type { ConversationsCounted, Corpus, MemoriesCounted, Operation } from "@engram/spec";
import type { RequestContext, ServiceContext } from "../context.ts";
import { createId } from "../ids.ts";
import { refuseAbsentConversation, refuseAbsentMemory, refuseDeadKey, runBatch } from "../queries/batch.ts";
import * as deletions from "../queries/conversation-deletions.ts";
import type { ConversationFilter } from "../queries/conversation-filters.ts";
import type { ListPosition } from "../queries/conversation-scans.ts";
import { refuseOtherVersion } from "../queries/conversations.ts";
import type { IdempotentRequest } from "../queries/idempotency-keys.ts";
import { type FilteredDeletion, insertDeletion, readOperation } from "../queries/operations.ts";
import { auditEvent } from "./audit-events.ts";
import type { Once } from "./idempotency.ts";
import { openOperation } from "./operations.ts";

/** Steps after one response, within D1's 1,000 queries. The sweep continues with the rest. */
const HIDE_STEPS = 100;

const NAMES = {
  conversations: {
    one: {
      type: "delete_conversation",
      action: "conversation.deleted",
      refuseAbsent: refuseAbsentConversation,
    },
    many: { type: "delete_conversations", action: "conversations.deleted" },
  },
  memories: {
    one: { type: "delete_memory", action: "memory.deleted", refuseAbsent: refuseAbsentMemory },
    many: { type: "delete_memories", action: "memories.deleted" },
  },
} as const;

/**
 * Soft-deletes a conversation or memory. The sweep purges it.
 *
 * @throws {ApiError} `not_found`, `precondition_failed`.
 */
export async function deleteOne(
  ctx: RequestContext,
  corpus: Corpus,
  input: { id: string; version: number | null },
): Promise<Operation> {
  const { type, action, refuseAbsent } = NAMES[corpus].one;
  const { db, principal, runtime } = ctx;
  const { organizationId } = principal;
  const nowMs = runtime.nowMs();
  const operationId = createId(runtime, "op");
  const results = await runBatch(db, [
    refuseDeadKey(db, { ...principal, nowMs }),
    refuseAbsent(db, principal, input.id),
    refuseOtherVersion(db, { organizationId, id: input.id, version: input.version }),
    ...deletions.hideConversation(db, corpus, { organizationId, id: input.id, operationId, nowMs }),
    auditEvent(ctx, principal, {
      organizationId,
      action,
      targetId: input.id,
      operationId,
      nowMs,
    }),
    insertDeletion(db, {
      organizationId,
      id: operationId,
      type,
      targetId: input.id,
      conversationId: input.id,
      agentId: principal.agentId,
      nowMs,
      rowsDeletedAtMs: null,
    }),
  ]);
  return readOperation(results.at(-1));
}

export async function countMemories(
  ctx: RequestContext,
  filter: ConversationFilter,
): Promise<MemoriesCounted> {
  const { messages, complete } = await countConversations(ctx, { ...filter, corpora: ["memories"] });
  return { memories: messages, complete };
}

/**
 * How much a deletion by filter would delete. `complete` is false when the bounded number of scans did not
 * read everything.
 */
export async function countConversations(
  { db, limits, principal }: RequestContext,
  filter: ConversationFilter,
): Promise<ConversationsCounted> {
  const counted = { conversations: 0, messages: 0 };
  let after: ListPosition | null = null;
  for (let step = 0; step < limits.dryRunSteps; step++) {
    const found: Awaited<ReturnType<typeof deletions.countConversations>> =
      await deletions.countConversations(db, { owner: principal, filter, after, limits });
    counted.conversations += found.conversations;
    counted.messages += found.messages;
    if (found.next === null) return { ...counted, complete: true };
    after = found.next;
  }
  return { ...counted, complete: false };
}

/**
 * Soft-deletes all items of a corpus that match a filter: the first step before the response, the rest in the
 * background.
 */
export async function deleteFiltered(
  ctx: RequestContext,
  corpus: Corpus,
  narrowing: ConversationFilter,
  idempotency: IdempotentRequest | null,
): Promise<Once<Operation>> {
  const { type, action } = NAMES[corpus].many;
  const filter = { ...narrowing, corpora: [corpus] };
  const { db, principal, runtime } = ctx;
  const { organizationId } = principal;
  const nowMs = runtime.nowMs();
  const deletion: FilteredDeletion = { owner: principal, id: createId(runtime, "op"), filter };
  const { id } = deletion;
  const statements = [
    refuseDeadKey(db, { ...principal, nowMs }),
    deletions.insertFilteredDeletion(db, {
      owner: principal,
      id,
      type,
      targetId: organizationId,
      nowMs,
      filter,
      limits: ctx.limits,
    }),
    ...deletions.hideFilteredConversations(db, deletion, hideStep(ctx, nowMs)),
    auditEvent(ctx, principal, {
      organizationId,
      action,
      targetId: organizationId,
      operationId: id,
      nowMs,
    }),
  ];
  const once = await openOperation(ctx, id, statements, idempotency);
  const { done = 0, total = null } = once.answer.progress ?? {};
  if (!once.replayed && (total === null || done < total)) {
    ctx.defer("delete", (later) => hideRemaining(later, deletion, HIDE_STEPS));
  }
  return once;
}

export async function hideRemaining(
  ctx: ServiceContext,
  deletion: FilteredDeletion,
  steps: number,
): Promise<void> {
  for (let step = 0; step < steps; step++) {
    const results = await ctx.db.batch<{ is_done: 0 | 1 }>(
      deletions.hideFilteredConversations(ctx.db, deletion, hideStep(ctx, ctx.runtime.nowMs())),
    );
    if (results.at(-1)?.results[0]?.is_done !== 0) return;
  }
}

const hideStep = ({ limits }: ServiceContext, nowMs: number) => ({
  nowMs,
  limit: limits.hideStepConversations,
  limits,
});
