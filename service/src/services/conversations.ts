import type { Conversation, Message } from "@engram/spec";
import type { RequestContext } from "../context.ts";
import { notFound } from "../errors.ts";
import { createId } from "../ids.ts";
import { refuseAbsentConversation, refuseDeadKey, runBatch } from "../queries/batch.ts";
import type { ConversationFilter } from "../queries/conversation-filters.ts";
import type { ScanSort } from "../queries/conversation-scans.ts";
import type { VersionedConversation } from "../queries/conversations.ts";
import * as queries from "../queries/conversations.ts";
import type { IdempotentRequest } from "../queries/idempotency-keys.ts";
import { type MessageRange, messageRange, readMessageSlice } from "../queries/message-pages.ts";
import { agentFor } from "./agents.ts";
import {
  type CursorScope,
  fromCursor,
  isListPosition,
  isWhole,
  PAGE_ITEMS_DEFAULT,
  toCursor,
} from "./cursors.ts";
import { type Once, runOnce } from "./idempotency.ts";

export type NewConversation = Omit<queries.NewConversation, "organizationId" | "id" | "nowMs">;

/** Creates a conversation, or returns the existing one with the same external id. */
export async function createConversation(
  ctx: RequestContext,
  input: NewConversation,
  idempotency: IdempotentRequest | null,
): Promise<Once<VersionedConversation & { created: boolean }>> {
  const { db, principal, runtime } = ctx;
  const agentId = agentFor(principal, input.agentId);
  const nowMs = runtime.nowMs();
  const id = createId(runtime, "conv");
  const statements = [
    refuseDeadKey(db, { ...principal, nowMs }),
    ...queries.insertConversation(db, principal, {
      ...input,
      organizationId: principal.organizationId,
      id,
      agentId,
      nowMs,
    }),
  ];
  return runOnce(
    db,
    idempotency,
    { statements, result: queries.CREATED_AS_JSON, resultBinds: [id, input.externalId] },
    (results) => {
      const found = queries.readConversation(results.at(-1));
      if (found === null) throw new Error("the batch stored no conversation");
      return { ...found, created: found.conversation.id === id };
    },
    async (kept) => {
      const first = kept as { new_id: string; id: string };
      const found = await queries.selectConversation(db, principal, first.id);
      if (found === null) throw notFound("conversation");
      return { ...found, created: first.id === first.new_id };
    },
  );
}

/**
 * A page of the owner's conversations. A selective filter may leave it short or empty although a cursor
 * follows.
 */
export async function listConversations(
  ctx: RequestContext,
  input: {
    filter: ConversationFilter;
    sort: ScanSort;
    order: "asc" | "desc";
    limit: number | undefined;
    cursor: string | undefined;
    withTotal: boolean;
  },
): Promise<{ items: Conversation[]; next_cursor: string | null; total?: number | null }> {
  const { organizationId, agentId } = ctx.principal;
  const { filter, sort, order, withTotal } = input;
  const scope: CursorScope = {
    list: "conversations",
    organizationId,
    agentId,
    parameters: [filter, sort, order],
  };
  const after = await fromCursor(scope, input.cursor, isListPosition);
  const { conversations, next, total } = await queries.selectConversations(
    ctx.db,
    { owner: ctx.principal, corpus: "conversations", filter, sort, order, after, limits: ctx.limits },
    { limit: input.limit ?? PAGE_ITEMS_DEFAULT, withTotal },
    ctx.limits,
  );
  return {
    items: conversations,
    next_cursor: next === null ? null : await toCursor(scope, next),
    ...(total === undefined ? {} : { total }),
  };
}

/**
 * A conversation with a page of its messages, in one read.
 *
 * @throws {ApiError} `not_found`.
 */
export async function getConversation(
  ctx: RequestContext,
  input: { id: string; messageLimit: number; messageCursor: string | undefined },
): Promise<VersionedConversation & { messages: { items: Message[]; next_cursor: string | null } }> {
  const { db, limits, principal } = ctx;
  const { organizationId, agentId } = principal;
  const scope: CursorScope = { list: "conversation", organizationId, agentId, parameters: input.id };
  const after = (await fromCursor(scope, input.messageCursor, isWhole)) ?? 0;
  const range: MessageRange = {
    conversationId: input.id,
    fromSequence: after + 1,
    toSequence: Number.MAX_SAFE_INTEGER,
    limit: input.messageLimit,
    end: "first",
  };
  const [found, page] = await db.batch([
    queries.conversationById(db, principal, input.id),
    messageRange(db, principal, range, limits),
  ]);
  const conversation = queries.readConversation(found);
  if (conversation === null) throw notFound("conversation");
  const { messages, complete } = await readMessageSlice(page, range, limits);
  const last = messages.at(-1);
  return {
    ...conversation,
    messages: {
      items: messages,
      next_cursor: !complete && last ? await toCursor(scope, last.sequence) : null,
    },
  };
}

/** @throws {ApiError} `not_found`, `precondition_failed`. */
export async function updateConversation(
  ctx: RequestContext,
  input: {
    id: string;
    version: number | null;
    title: string | null | undefined;
    tags: string[] | undefined;
    metadata: Record<string, unknown> | undefined;
  },
): Promise<VersionedConversation> {
  const { db, principal, runtime } = ctx;
  const { organizationId } = principal;
  const nowMs = runtime.nowMs();
  const results = await runBatch(db, [
    refuseDeadKey(db, { ...principal, nowMs }),
    refuseAbsentConversation(db, principal, input.id),
    queries.refuseOtherVersion(db, { organizationId, id: input.id, version: input.version }),
    queries.updateConversation(db, { ...input, organizationId, nowMs }),
  ]);
  const conversation = queries.readConversation(results.at(-1));
  if (conversation === null) throw notFound("conversation");
  return conversation;
}
