import type { AuditAction, ConversationsCounted, Corpus, MemoriesCounted, OperationOf } from "@engram/spec";
import { auditEvent } from "../audit/service.ts";
import { assertVersion } from "../conversations/queries.ts";
import type { ConversationFilter } from "../filters/queries.ts";
import type { Invocation, KeyCaller } from "../invocation.ts";
import { type FilteredDeletion, insertedDeletion } from "../operations/queries.ts";
import { openOperation } from "../operations/service.ts";
import { assertConversationExists, assertKeyActive, assertMemoryExists } from "../platform/batch.ts";
import type { ListPosition } from "../platform/cursors.ts";
import type { Idempotent } from "../platform/idempotency.ts";
import type { IdempotentRequest } from "../platform/idempotency-queries.ts";
import { createId } from "../platform/ids.ts";
import type { ExpectedVersions } from "../platform/preconditions.ts";
import { batch, sql } from "../platform/sql.ts";
import { citesConversation, markedDeleted, settledSources } from "../sources/queries.ts";
import * as deletions from "./queries.ts";

/**
 * Maximum number of steps of a bulk deletion after the response, because D1 runs at most 1,000 statements in one
 * invocation, and a step has ten. The sweep, a periodic background run, does the remaining steps.
 */
const SOFT_DELETE_STEPS = 80;

/** Types of deletions by a filter. */
type BulkDeletion = "delete_conversations" | "delete_memories" | "delete_user";
type CorporaFilter = ConversationFilter & { corpora: readonly Corpus[] };

interface Types {
  conversations: { one: "delete_conversation"; many: "delete_conversations" };
  memories: { one: "delete_memory"; many: "delete_memories" };
}

/** The operation and audit event of deletions in a corpus: of `one` item by its id, and of `many` by a filter. */
const DELETIONS: {
  [In in Corpus]: {
    [Count in "one" | "many"]: { type: Types[In][Count]; action: AuditAction };
  } & { assertExists: typeof assertMemoryExists };
} = {
  conversations: {
    one: { type: "delete_conversation", action: "conversation.deleted" },
    many: { type: "delete_conversations", action: "conversations.deleted" },
    assertExists: assertConversationExists,
  },
  memories: {
    one: { type: "delete_memory", action: "memory.deleted" },
    many: { type: "delete_memories", action: "memories.deleted" },
    assertExists: assertMemoryExists,
  },
};

/**
 * Soft-deletes a conversation or memory. The sweep, a periodic background run, removes its rows later.
 *
 * @throws {ApiError} `not_found`, `precondition_failed`.
 */
export async function deleteOne<In extends Corpus>(
  caller: KeyCaller,
  corpus: In,
  input: { id: string; versions: ExpectedVersions },
): Promise<OperationOf<Types[In]["one"]>> {
  const { type, action } = DELETIONS[corpus].one;
  const { db, principal, runtime } = caller;
  const { organizationId } = principal;
  const nowMs = runtime.nowMs();
  const operationId = createId(runtime, "op");
  const { operation } = await batch(db, {
    key: assertKeyActive({ ...principal, nowMs }),
    exists: DELETIONS[corpus].assertExists(principal, input.id),
    version: assertVersion({ organizationId, id: input.id, versions: input.versions }),
    sources: corpus === "memories" ? null : markedDeleted(principal, citesConversation(sql`= ${input.id}`)),
    deleted: deletions.softDeletedConversation(corpus, {
      organizationId,
      id: input.id,
      operationId,
      nowMs,
    }),
    event: auditEvent(caller, principal, {
      organizationId,
      action,
      targetId: input.id,
      operationId,
      nowMs,
    }),
    operation: insertedDeletion({
      owner: principal,
      id: operationId,
      type,
      targetId: input.id,
      conversationId: input.id,
      nowMs,
      rowsDeletedAtMs: null,
    }),
    citing: corpus === "memories" ? null : settledSources({ organizationId, nowMs }, "deleted"),
  });
  return operation;
}

export async function countMemories(caller: KeyCaller, filter: ConversationFilter): Promise<MemoriesCounted> {
  const { messages, complete } = await countConversations(caller, { ...filter, corpora: ["memories"] });
  return { memories: messages, complete };
}

/**
 * Counts the matching conversations and their messages with a limited number of scans. `complete` is false if
 * the scans did not reach the end of the list.
 */
export async function countConversations(
  { db, limits, principal }: KeyCaller,
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
 * Soft-deletes all matching items in steps of limited size. The first step runs before the response, the others
 * in the background.
 */
export async function deleteFiltered<In extends Corpus>(
  caller: KeyCaller,
  corpus: In,
  narrowing: ConversationFilter,
  idempotency: IdempotentRequest | null,
): Promise<Idempotent<OperationOf<Types[In]["many"]>>> {
  return beginDeletion(
    caller,
    {
      ...DELETIONS[corpus].many,
      targetId: caller.principal.organizationId,
      filter: { ...narrowing, corpora: [corpus] },
    },
    idempotency,
  );
}

/**
 * Begins a deletion of what matches a filter, in one corpus after the other. One step in each runs before the response,
 * if those before it reach the end of their corpus.
 */
export async function beginDeletion<Type extends BulkDeletion>(
  caller: KeyCaller,
  {
    type,
    action,
    targetId,
    filter,
  }: { type: Type; action: AuditAction; targetId: string; filter: CorporaFilter },
  idempotency: IdempotentRequest | null,
): Promise<Idempotent<OperationOf<Type>>> {
  const { principal, runtime } = caller;
  const { organizationId } = principal;
  const nowMs = runtime.nowMs();
  const deletion: FilteredDeletion = { owner: principal, id: createId(runtime, "op"), filter };
  const { id } = deletion;
  const statements = {
    key: assertKeyActive({ ...principal, nowMs }),
    opened: deletions.insertedFilteredDeletion({
      owner: principal,
      id,
      type,
      targetId,
      nowMs,
      filter,
      limits: caller.limits,
    }),
    deleted: filter.corpora.map((_, place) =>
      deletions.softDeletedStep(
        { ...deletion, filter: { ...filter, corpora: filter.corpora.slice(place) } },
        stepOf(caller, nowMs),
      ),
    ),
    event: auditEvent(caller, principal, { organizationId, action, targetId, operationId: id, nowMs }),
  };
  const result = await openOperation(caller, { id, type }, statements, idempotency);
  const { done, total } = result.answer.progress;
  if (!result.replayed && (total === null || done < total)) {
    caller.defer("delete", (later) => softDeleteRemaining(later, deletion, SOFT_DELETE_STEPS));
  }
  return result;
}

export async function softDeleteRemaining(
  invocation: Invocation,
  deletion: FilteredDeletion,
  steps: number,
): Promise<void> {
  let filter: ConversationFilter | null = deletion.filter;
  for (let step = 0; step < steps && filter !== null; step++) {
    const next: { left: ConversationFilter | null } = await batch(
      invocation.db,
      deletions.softDeletedStep({ ...deletion, filter }, stepOf(invocation, invocation.runtime.nowMs())),
    );
    filter = next.left;
  }
}

const stepOf = ({ limits }: Invocation, nowMs: number) => ({
  nowMs,
  limit: limits.softDeleteStepConversations,
  limits,
});
