import type {
  AuditAction,
  ConversationsCounted,
  Corpus,
  MemoriesCounted,
  OperationOf,
  TombstoneKind,
} from "@engram/spec";
import { auditEvent } from "../audit/service.ts";
import { assertVersion } from "../conversations/queries.ts";
import { ApiError, notFound } from "../errors.ts";
import { deletedEvaluationsOf } from "../evaluations/queries.ts";
import type { ConversationFilter } from "../filters/queries.ts";
import { assertNotHeld } from "../holds/queries.ts";
import { refusingHeld } from "../holds/service.ts";
import type { Invocation, KeyCaller } from "../invocation.ts";
import { type FilteredDeletion, insertedDeletion } from "../operations/queries.ts";
import { openOperation } from "../operations/service.ts";
import {
  assertConversationWritable,
  assertKeyActive,
  assertMemoryWritable,
  type Owner,
  wholeOrganization,
} from "../platform/batch.ts";
import type { ListPosition } from "../platform/cursors.ts";
import type { Idempotent } from "../platform/idempotency.ts";
import type { IdempotentRequest } from "../platform/idempotency-queries.ts";
import { createId } from "../platform/ids.ts";
import { type ExpectedVersions, PreconditionFailed } from "../platform/preconditions.ts";
import { batch, type Statements, sql } from "../platform/sql.ts";
import { markedRecallsDeleted } from "../recalls/queries.ts";
import { citesConversation, markedDeleted, settledSources } from "../sources/queries.ts";
import { hashNames, type Name } from "../tombstones/hashes.ts";
import {
  insertedHashes,
  insertedTombstone,
  selectTombstoneKey,
  toTombstoneId,
} from "../tombstones/queries.ts";
import { tombstoneKeyFor } from "../tombstones/service.ts";
import { forgottenItems } from "./forgetting.ts";
import { type ForgettableItem, selectForgettable, selectForgettableStep } from "./forgotten-queries.ts";
import * as deletions from "./queries.ts";

/**
 * Maximum number of steps of a bulk deletion after the response, because D1 runs at most 1,000 statements in one
 * invocation, and a step has eleven. The sweep, a periodic background run, does the remaining steps.
 */
const SOFT_DELETE_STEPS = 80;
/** The same with `forget`, where a step has twice the statements. */
const FORGET_STEPS = 40;

/** Attempts to delete with `forget` what other requests change meanwhile. */
const FORGET_ATTEMPTS_MAX = 5;

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
    [Count in "one" | "many"]: { type: Types[In][Count]; action: AuditAction; kind: TombstoneKind };
  } & { assertWritable: typeof assertMemoryWritable };
} = {
  conversations: {
    one: { type: "delete_conversation", action: "conversation.deleted", kind: "conversation" },
    many: { type: "delete_conversations", action: "conversations.deleted", kind: "conversations" },
    assertWritable: assertConversationWritable,
  },
  memories: {
    one: { type: "delete_memory", action: "memory.deleted", kind: "memory" },
    many: { type: "delete_memories", action: "memories.deleted", kind: "memories" },
    assertWritable: assertMemoryWritable,
  },
};

/**
 * Soft-deletes a conversation or memory. The sweep, a periodic background run, removes its rows later.
 *
 * @throws {ApiError} `not_found`, `held`, `precondition_failed`.
 */
export async function deleteOne<In extends Corpus>(
  caller: KeyCaller,
  corpus: In,
  input: { id: string; versions: ExpectedVersions; forget: boolean },
): Promise<OperationOf<Types[In]["one"]>> {
  const { db, principal } = caller;
  return refusingHeld(caller, [input.id], async () => {
    if (!input.forget) return deleteItem(caller, corpus, input, null);
    const key = await tombstoneKeyFor(caller);
    return repeatedly(async () => {
      const item = await selectForgettable(db, corpus, { owner: principal, id: input.id });
      if (item === null) throw notFound(corpus === "memories" ? "memory" : "conversation");
      return deleteItem(caller, corpus, input, { key, item });
    });
  });
}

/** @param forgotten the item, and the secret of the organization's tombstones; null without `forget`. */
async function deleteItem<In extends Corpus>(
  caller: KeyCaller,
  corpus: In,
  input: { id: string; versions: ExpectedVersions },
  forgotten: { key: string; item: ForgettableItem } | null,
): Promise<OperationOf<Types[In]["one"]>> {
  const { type, action, kind } = DELETIONS[corpus].one;
  const { db, principal, runtime } = caller;
  const { organizationId } = principal;
  const nowMs = runtime.nowMs();
  const operationId = createId(runtime, "op");
  const ref = { organizationId, id: toTombstoneId(operationId) };
  const { operation } = await batch(db, {
    key: assertKeyActive({ ...principal, nowMs }),
    exists: DELETIONS[corpus].assertWritable(principal, input.id),
    notHeld: assertNotHeld(organizationId, input.id),
    version: assertVersion({ organizationId, id: input.id, versions: input.versions }),
    sources: corpus === "memories" ? null : markedDeleted(principal, citesConversation(sql`= ${input.id}`)),
    forgotten: forgotten && [
      insertedTombstone(ref, { kind, operationId, nowMs }),
      await forgottenItems(ref, forgotten.key, { corpus, items: [forgotten.item] }),
    ],
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
  const counted = await countConversations(caller, { ...filter, corpora: ["memories"] });
  return { memories: counted.messages, held: counted.held, complete: counted.complete };
}

/** Counts the matching conversations and their messages. */
export const countConversations = async (
  caller: KeyCaller,
  filter: ConversationFilter,
): Promise<ConversationsCounted> => {
  const { first: _, ...counted } = await countMatches(caller, caller.principal, filter);
  return counted;
};

/**
 * Counts the matching conversations, or memories, with a limited number of scans. `complete` is false if the scans did not
 * reach the end of the list. `first` is where the scan begins that found the first; null for the start of the list.
 */
async function countMatches(
  { db, limits }: Invocation,
  owner: Owner,
  filter: ConversationFilter,
): Promise<ConversationsCounted & { first: ListPosition | null }> {
  const counted = { conversations: 0, messages: 0, held: 0, first: null as ListPosition | null };
  let after: ListPosition | null = null;
  for (let step = 0; step < limits.dryRunSteps; step++) {
    const found: Awaited<ReturnType<typeof deletions.countConversations>> =
      await deletions.countConversations(db, { owner, filter, after, limits });
    if (counted.conversations === 0) counted.first = after;
    counted.conversations += found.conversations;
    counted.messages += found.messages;
    counted.held += found.held;
    if (found.next === null) return { ...counted, complete: true };
    after = found.next;
  }
  return { ...counted, complete: false };
}

/**
 * What is due in a corpus of an organization: its number without what is under legal hold, the number of that, whether all
 * was counted, and the ids of the first.
 */
export async function previewDue(
  invocation: Invocation,
  { organizationId, corpus, filter, samples }: DueItems & { samples: number },
): Promise<{ matched: number; held: number; complete: boolean; samples: string[] }> {
  const { db, limits } = invocation;
  const owner = wholeOrganization(organizationId);
  const list = { owner, filter: { ...filter, corpora: [corpus] } };
  const { first, ...counted } = await countMatches(invocation, owner, list.filter);
  const { conversations: matched, held, complete } = counted;
  if (matched === 0 || samples === 0) return { matched, held, complete, samples: [] };
  const ids = await deletions.sampleIds(db, { ...list, limits, after: first, limit: samples });
  return { matched, held, complete, samples: ids };
}

/**
 * Soft-deletes all matching items in steps of limited size. The first step runs before the response, the others
 * in the background.
 */
export async function deleteFiltered<In extends Corpus>(
  caller: KeyCaller,
  corpus: In,
  { filter: narrowing, forget }: { filter: ConversationFilter; forget: boolean },
  idempotency: IdempotentRequest | null,
): Promise<Idempotent<OperationOf<Types[In]["many"]>>> {
  const { kind, ...many } = DELETIONS[corpus].many;
  return beginDeletion(
    caller,
    {
      ...many,
      targetId: caller.principal.organizationId,
      filter: { ...narrowing, corpora: [corpus] },
      forgets: forget ? { kind, names: [] } : null,
    },
    idempotency,
  );
}

interface NewDeletion<Type extends BulkDeletion> {
  type: Type;
  action: AuditAction;
  targetId: string;
  filter: CorporaFilter;
  /** The kind of the tombstone that it leaves, and what it refuses besides the items; null without `forget`. */
  forgets: { kind: TombstoneKind; names: Name[] } | null;
}

/**
 * Begins a deletion of what matches a filter, in one corpus after the other. One step in each runs before the response,
 * if those before it reach the end of their corpus.
 */
export async function beginDeletion<Type extends BulkDeletion>(
  caller: KeyCaller,
  input: NewDeletion<Type>,
  idempotency: IdempotentRequest | null,
): Promise<Idempotent<OperationOf<Type>>> {
  const { principal, runtime } = caller;
  const { filter, forgets } = input;
  const id = createId(runtime, "op");
  const tombstoneId = forgets && toTombstoneId(id);
  const deletion: FilteredDeletion = { owner: principal, id, filter, tombstoneId };
  const result =
    forgets === null
      ? await openDeletion(
          caller,
          input,
          deletion,
          openingSteps(caller, deletion, filter.corpora),
          idempotency,
        )
      : await openForgetting(caller, { ...input, forgets }, deletion, idempotency);
  const { done, total } = result.answer.progress;
  if (!result.replayed && (total === null || done < total)) {
    const steps = forgets === null ? SOFT_DELETE_STEPS : FORGET_STEPS;
    caller.defer("delete", (later) => softDeleteRemaining(later, deletion, steps));
  }
  return result;
}

const openingSteps = (caller: KeyCaller, deletion: FilteredDeletion, corpora: readonly Corpus[]) =>
  corpora.map((_, place) =>
    deletions.softDeletedStep(
      { ...deletion, filter: { ...deletion.filter, corpora: corpora.slice(place) } },
      stepOf(caller, caller.runtime.nowMs()),
      null,
    ),
  );

function openDeletion<Type extends BulkDeletion>(
  caller: KeyCaller,
  { type, action, targetId, filter }: NewDeletion<Type>,
  { id }: FilteredDeletion,
  steps: Statements,
  idempotency: IdempotentRequest | null,
): Promise<Idempotent<OperationOf<Type>>> {
  const { limits, principal, runtime } = caller;
  const { organizationId } = principal;
  const nowMs = runtime.nowMs();
  const statements = {
    key: assertKeyActive({ ...principal, nowMs }),
    opened: deletions.insertedFilteredDeletion({
      owner: principal,
      id,
      type,
      targetId,
      nowMs,
      filter,
      limits,
      retentionRuleId: null,
    }),
    steps,
    ofUser:
      type === "delete_user"
        ? [
            markedRecallsDeleted(principal, { operationId: id, userId: targetId }),
            deletedEvaluationsOf(principal, targetId),
          ]
        : null,
    event: auditEvent(caller, principal, { organizationId, action, targetId, operationId: id, nowMs }),
  };
  return openOperation(caller, { id, type }, statements, idempotency);
}

/** Items that the service deletes on its own. */
interface DueItems {
  organizationId: string;
  corpus: Corpus;
  filter: ConversationFilter;
}

/** A deletion that no key began, but the service itself. */
interface DueDeletion extends DueItems {
  event: { action: AuditAction; targetId: string };
  /** The rule that it applies; null for what has expired. */
  retentionRuleId: string | null;
  /** Statements that run first. They may fail the batch, with which nothing is deleted. */
  guard: Statements;
  /** Statements that note the operation. */
  noted?: (operationId: string) => Statements;
}

/** Begins a deletion of what is due. Its first step runs at once, and the sweep continues it. */
export async function deleteDue(invocation: Invocation, due: DueDeletion): Promise<void> {
  const { db, limits, runtime } = invocation;
  const { organizationId, corpus, event, retentionRuleId } = due;
  const owner = wholeOrganization(organizationId);
  const filter: CorporaFilter = { ...due.filter, corpora: [corpus] };
  const nowMs = runtime.nowMs();
  const id = createId(runtime, "op");
  const { type } = DELETIONS[corpus].many;
  await batch(db, {
    guard: due.guard,
    opened: deletions.insertedFilteredDeletion({
      ...{ owner, id, type, targetId: organizationId, nowMs, filter, limits, retentionRuleId },
    }),
    step: deletions.softDeletedStep(
      { owner, id, filter, tombstoneId: null },
      stepOf(invocation, nowMs),
      null,
    ),
    event: auditEvent(invocation, null, { organizationId, ...event, operationId: id, nowMs }),
    noted: due.noted?.(id) ?? null,
  });
}

/** Opens a deletion with a tombstone. Its first steps delete the items that are read just before. */
async function openForgetting<Type extends BulkDeletion>(
  caller: KeyCaller,
  input: NewDeletion<Type> & { forgets: { kind: TombstoneKind; names: Name[] } },
  deletion: FilteredDeletion,
  idempotency: IdempotentRequest | null,
): Promise<Idempotent<OperationOf<Type>>> {
  const { principal, runtime } = caller;
  const { corpora } = input.filter;
  const { kind, names } = input.forgets;
  const key = await tombstoneKeyFor(caller);
  const ref = { organizationId: principal.organizationId, id: toTombstoneId(deletion.id) };
  const hashes = [...(await hashNames(key, names)).values()];
  return repeatedly(async () => {
    const nowMs = runtime.nowMs();
    const items: Statements[] = [];
    const steps: Statements[] = [];
    for (const place of corpora.keys()) {
      const filter = { ...input.filter, corpora: corpora.slice(place) };
      const step = stepOf(caller, nowMs);
      const list = deletions.oldestFirst({ owner: principal, filter, limits: caller.limits }, null);
      const picked = await selectForgettableStep(caller.db, list, { operationId: null, limit: step.limit });
      if (picked === null) break;
      items.push(await forgottenItems(ref, key, { corpus: list.corpus, items: picked.items }));
      steps.push(deletions.softDeletedStep({ ...deletion, filter }, step, picked));
      // The next corpus follows in the background.
      if (picked.to !== null) break;
    }
    const tombstone = [
      insertedTombstone(ref, { kind, operationId: deletion.id, nowMs }),
      insertedHashes(ref, hashes),
    ];
    return openDeletion(caller, input, deletion, [...tombstone, ...items, ...steps], idempotency);
  });
}

export async function softDeleteRemaining(
  invocation: Invocation,
  deletion: FilteredDeletion,
  steps: number,
): Promise<void> {
  let filter: ConversationFilter | null = deletion.filter;
  for (let step = 0; step < steps && filter !== null; step++) {
    const next: FilteredDeletion = { ...deletion, filter };
    filter = await (next.tombstoneId === null
      ? softDeleteStep(invocation, next)
      : forgetStep(invocation, next, next.tombstoneId));
  }
}

/** Resolves to the filter of the next step; null if there is none. */
async function softDeleteStep(
  invocation: Invocation,
  deletion: FilteredDeletion,
): Promise<ConversationFilter | null> {
  const step = stepOf(invocation, invocation.runtime.nowMs());
  const { left } = await batch(invocation.db, deletions.softDeletedStep(deletion, step, null));
  return left;
}

/** The same for a deletion with a tombstone. */
async function forgetStep(
  invocation: Invocation,
  deletion: FilteredDeletion,
  tombstoneId: string,
): Promise<ConversationFilter | null> {
  const { db, limits, runtime } = invocation;
  const { owner, filter, id } = deletion;
  const step = stepOf(invocation, runtime.nowMs());
  const list = deletions.oldestFirst({ owner, filter, limits }, { operationId: id });
  const picked = await selectForgettableStep(db, list, { operationId: id, limit: step.limit });
  const key = await selectTombstoneKey(db, owner.organizationId);
  if (picked === null || key === null) return null;
  const ref = { organizationId: owner.organizationId, id: tombstoneId };
  try {
    const { deleted } = await batch(db, {
      forgotten: await forgottenItems(ref, key, { corpus: list.corpus, items: picked.items }),
      deleted: deletions.softDeletedStep(deletion, step, picked),
    });
    return deleted.left;
  } catch (error) {
    if (!(error instanceof PreconditionFailed) || error.code !== "item_changed") throw error;
    return filter;
  }
}

/** Runs a deletion with `forget` again if one of its items changed after it was read. */
async function repeatedly<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 0; attempt < FORGET_ATTEMPTS_MAX; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof PreconditionFailed) || error.code !== "item_changed") throw error;
    }
  }
  throw new ApiError("unavailable", "Other requests keep changing what is deleted. Send the request again.", {
    retryAfterSeconds: 1,
  });
}

const stepOf = ({ limits }: Invocation, nowMs: number) => ({
  nowMs,
  limit: limits.softDeleteStepConversations,
  limits,
});
