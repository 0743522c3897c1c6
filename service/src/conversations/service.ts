import type { ListedConversation, Message } from "@engram/spec";
import { notFound } from "../errors.ts";
import { readMoment } from "../filters/moments.ts";
import type { ConversationFilter } from "../filters/queries.ts";
import type { ScanSort } from "../filters/scans-queries.ts";
import { assertNotHeld } from "../holds/queries.ts";
import { refusingHeld } from "../holds/service.ts";
import { indexLater } from "../indexing/service.ts";
import type { KeyCaller } from "../invocation.ts";
import { cursorAfter } from "../messages/pages.ts";
import { type MessageRange, messageSlice } from "../messages/pages-queries.ts";
import { assertConversationWritable, assertKeyActive } from "../platform/batch.ts";
import { agentFor, sharedFor, userFor } from "../platform/bindings.ts";
import {
  type CursorScope,
  fromCursor,
  isListPosition,
  PAGE_ITEMS_DEFAULT,
  toCursor,
} from "../platform/cursors.ts";
import { type Idempotent, runIdempotent } from "../platform/idempotency.ts";
import type { IdempotentRequest } from "../platform/idempotency-queries.ts";
import { createId } from "../platform/ids.ts";
import type { ExpectedVersions } from "../platform/preconditions.ts";
import { recordedEvent } from "../platform/recorded-events.ts";
import { batch } from "../platform/sql.ts";
import { changedSharing } from "../sharing/queries.ts";
import { conversationNames, userNames } from "../tombstones/hashes.ts";
import { refusingForgotten } from "../tombstones/service.ts";
import type { GivenConversation } from "./fields.ts";
import type { VersionedConversation } from "./queries.ts";
import * as queries from "./queries.ts";

/**
 * Creates a conversation, or returns the one of the same agent and user with the same external id.
 *
 * @throws {ApiError} `forbidden` for another agent or user than that of the key, `not_found` if a request is repeated
 * after the conversation was deleted, `forgotten`.
 */
export async function createConversation(
  caller: KeyCaller,
  given: GivenConversation,
  idempotency: IdempotentRequest | null,
): Promise<Idempotent<VersionedConversation & { created: boolean }>> {
  const { db, principal, runtime } = caller;
  const conversation = {
    organizationId: principal.organizationId,
    id: createId(runtime, "conv"),
    given: {
      ...given,
      agent_id: agentFor(principal, given.agent_id ?? null),
      user_id: userFor(principal, given.user_id ?? null),
      shared: sharedFor(principal, given.shared ?? undefined),
    },
    nowMs: runtime.nowMs(),
  };
  const { agent_id, user_id } = conversation.given;
  const identity = { agent_id, user_id, external_id: given.external_id ?? null };
  const names = [...conversationNames(identity), ...userNames(identity)];
  return refusingForgotten(caller, [{ path: "", names }], (guard) =>
    runIdempotent(db, idempotency, {
      statements: {
        guard: guard(conversation.nowMs),
        created: queries.createdConversation(conversation),
      },
      answer: queries.createdAnswer(conversation),
      read: async (stored: { new_id: string; id: string }, results) => {
        const found =
          results === null
            ? await queries.selectConversation(db, principal, stored.id)
            : results.created.conversation;
        if (found === null) throw notFound("conversation");
        return { ...found, created: stored.id === stored.new_id };
      },
    }),
  );
}

/**
 * A page may have few conversations or none although more pages follow, because one request reads a limited
 * number of rows.
 *
 * @throws {ApiError} `invalid_cursor`.
 */
export async function listConversations(
  caller: KeyCaller,
  input: {
    filter: ConversationFilter;
    sort: ScanSort;
    order: "asc" | "desc";
    limit: number | undefined;
    cursor: string | undefined;
    withTotal: boolean;
    /** Whether items have their last message. */
    withLast: boolean;
    asOf: string | undefined;
  },
): Promise<{ items: ListedConversation[]; next_cursor: string | null; total?: number | null }> {
  const { filter, sort, order, withTotal, withLast, asOf } = input;
  const scope: CursorScope = {
    list: "conversations",
    owner: caller.principal,
    parameters: asOf === undefined ? [filter, sort, order] : [filter, sort, order, asOf],
  };
  const moment = await readMoment(caller, asOf);
  const after = await fromCursor(scope, input.cursor, isListPosition);
  const { conversations, next, total } = await queries.selectConversations(
    caller.db,
    {
      owner: caller.principal,
      access: "read",
      corpus: "conversations",
      filter,
      sort,
      order,
      after,
      moment,
      limits: caller.limits,
    },
    { limit: input.limit ?? PAGE_ITEMS_DEFAULT, withTotal, withLast },
    caller.limits,
  );
  return {
    items: conversations,
    next_cursor: next === null ? null : await toCursor(scope, next),
    ...(total === undefined ? {} : { total }),
  };
}

/** @throws {ApiError} `not_found`, `invalid_cursor`. */
export async function getConversation(
  caller: KeyCaller,
  input: {
    id: string;
    messageLimit: number;
    /** Messages with lower sequence numbers are left out. */
    fromSequence: number;
    asOf: string | undefined;
  },
): Promise<VersionedConversation & { messages: { items: Message[]; next_cursor: string | null } }> {
  const { db, limits, principal } = caller;
  const moment = await readMoment(caller, input.asOf);
  const range: MessageRange = {
    conversationId: input.id,
    fromSequence: input.fromSequence,
    toSequence: Number.MAX_SAFE_INTEGER,
    limit: input.messageLimit,
    end: "first",
    moment,
  };
  const { conversation, page } = await batch(db, {
    conversation: queries.conversationById(principal, input.id, moment),
    page: messageSlice(principal, range, limits),
  });
  if (conversation === null) throw notFound("conversation");
  const { messages, complete } = page;
  const last = messages.at(-1);
  return {
    ...conversation,
    messages: {
      items: messages,
      next_cursor:
        !complete && last
          ? await cursorAfter(caller, {
              conversationId: input.id,
              sequence: last.sequence,
              asOf: input.asOf,
            })
          : null,
    },
  };
}

/** @throws {ApiError} `not_found`, `held`, `precondition_failed`, `user_conflict`, `forbidden`. */
export async function updateConversation(
  caller: KeyCaller,
  { id, versions }: { id: string; versions: ExpectedVersions },
  changes: GivenConversation,
): Promise<VersionedConversation> {
  const { db, principal, runtime } = caller;
  const { organizationId } = principal;
  const nowMs = runtime.nowMs();
  const shared = changes.shared ?? undefined;
  sharedFor(principal, shared);
  const { conversation, sharing } = await refusingHeld(caller, [id], () =>
    batch(db, {
      key: assertKeyActive({ ...principal, nowMs }),
      exists: assertConversationWritable(principal, id),
      notHeld: assertNotHeld(organizationId, id),
      version: queries.assertVersion({ organizationId, id, versions }),
      sharing: shared === undefined ? null : changedSharing({ organizationId, id, nowMs }, shared),
      conversation: queries.updatedConversation({ organizationId, id, nowMs }, changes),
      event: recordedEvent("conversation.updated", { organizationId, subjectId: id, nowMs }),
    }),
  );
  if (conversation === null) throw notFound("conversation");
  if ((sharing?.vectors ?? null) !== null) indexLater(caller, [{ organizationId, conversationId: id }], 0);
  return conversation;
}
