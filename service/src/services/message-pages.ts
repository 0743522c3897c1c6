import type { Message } from "@engram/spec";
import type { RequestContext } from "../context.ts";
import { notFound } from "../errors.ts";
import { selectConversation } from "../queries/conversations.ts";
import {
  countMessageRange,
  type MessageRange,
  selectMessageSlice,
  selectMessagesAround,
} from "../queries/message-pages.ts";
import { type CursorScope, fromCursor, isWhole, toCursor } from "./cursors.ts";

const PAGE_DEFAULT = 100;
const AROUND_DEFAULT = 5;

export interface MessageListInput {
  conversationId: string;
  limit: number | undefined;
  cursor: string | undefined;
  withTotal: boolean;
  fromSequence: number | undefined;
  toSequence: number | undefined;
  newest: number | undefined;
  around: string | undefined;
  before: number | undefined;
  after: number | undefined;
}

interface MessageList {
  items: Message[];
  next_cursor: string | null;
  total?: number;
}

/** A position in a list of messages: a bound of the sequence, and how many of the newest messages remain. */
interface Position {
  sequence: number;
  remaining?: number;
}

function isPosition(value: unknown): value is Position {
  const { sequence, remaining = 1 } = (value ?? {}) as Partial<Position>;
  return isWhole(sequence) && isWhole(remaining);
}

/** A page of messages, oldest first. @throws {ApiError} `not_found`, `invalid_cursor`. */
export async function listMessages(ctx: RequestContext, input: MessageListInput): Promise<MessageList> {
  if (input.around !== undefined) return listAround(ctx, input, input.around);
  const { organizationId, agentId } = ctx.principal;
  const { conversationId, fromSequence = 1, toSequence = Number.MAX_SAFE_INTEGER, newest } = input;
  const scope: CursorScope = {
    list: "messages",
    organizationId,
    agentId,
    parameters: [conversationId, fromSequence, toSequence, newest ?? null],
  };
  const position = await fromCursor(scope, input.cursor, isPosition);
  const page =
    newest === undefined
      ? await listRange(ctx, input, { fromSequence, toSequence }, position)
      : await listNewest(ctx, input, newest, position);
  // Only an empty page can mean that the conversation does not exist, so only then is it checked.
  if (page.items.length === 0) await refuseAbsent(ctx, conversationId);
  const total = input.withTotal
    ? await countMessageRange(ctx.db, {
        organizationId,
        conversationId,
        fromSequence,
        toSequence,
      }).first<number>("total")
    : null;
  return {
    items: page.items,
    next_cursor: page.next && (await toCursor(scope, page.next)),
    ...(total === null ? {} : { total: newest === undefined ? total : Math.min(newest, total) }),
  };
}

async function listRange(
  ctx: RequestContext,
  input: MessageListInput,
  range: { fromSequence: number; toSequence: number },
  position: Position | null,
): Promise<{ items: Message[]; next: Position | null }> {
  const page: MessageRange = {
    conversationId: input.conversationId,
    fromSequence: position === null ? range.fromSequence : position.sequence + 1,
    toSequence: range.toSequence,
    limit: input.limit ?? PAGE_DEFAULT,
    end: "first",
  };
  const { messages, complete } = await selectMessageSlice(ctx.db, ctx.principal, page, ctx.limits);
  const last = messages.at(-1);
  return { items: messages, next: !complete && last ? { sequence: last.sequence } : null };
}

async function listNewest(
  ctx: RequestContext,
  input: MessageListInput,
  newest: number,
  position: Position | null,
): Promise<{ items: Message[]; next: Position | null }> {
  const wanted = position?.remaining ?? newest;
  const page: MessageRange = {
    conversationId: input.conversationId,
    fromSequence: 1,
    toSequence: position === null ? Number.MAX_SAFE_INTEGER : position.sequence - 1,
    limit: Math.min(wanted, input.limit ?? wanted),
    end: "last",
  };
  const { messages, complete } = await selectMessageSlice(ctx.db, ctx.principal, page, ctx.limits);
  const [first] = messages;
  const remaining = wanted - messages.length;
  return {
    items: messages,
    next: !complete && remaining > 0 && first ? { sequence: first.sequence, remaining } : null,
  };
}

async function listAround(ctx: RequestContext, input: MessageListInput, id: string): Promise<MessageList> {
  const range = {
    conversationId: input.conversationId,
    id,
    before: input.before ?? AROUND_DEFAULT,
    after: input.after ?? AROUND_DEFAULT,
  };
  const items = await selectMessagesAround(ctx.db, ctx.principal, range, ctx.limits);
  if (items.length === 0) throw notFound("message");
  return { items, next_cursor: null, ...(input.withTotal ? { total: items.length } : {}) };
}

async function refuseAbsent(ctx: RequestContext, conversationId: string): Promise<void> {
  if ((await selectConversation(ctx.db, ctx.principal, conversationId)) === null)
    throw notFound("conversation");
}
