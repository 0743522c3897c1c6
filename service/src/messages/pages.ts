import { type Message, SEQUENCE_MAX } from "@engram/spec";
import type { KeyCaller } from "../context.ts";
import { selectConversation } from "../conversations/queries.ts";
import { notFound } from "../errors.ts";
import { type CursorScope, fromCursor, isWhole, toCursor } from "../platform/cursors.ts";
import { run } from "../platform/sql.ts";
import { type MessageRange, messageSlice, messagesAround, messageTotal } from "./pages-queries.ts";

const PAGE_DEFAULT = 100;
const AROUND_DEFAULT = 5;
/** Reads of the conversation while one request waits. */
const LOOKS_MAX = 80;

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
  /** How long to wait for a message if there is none. */
  waitSeconds: number;
}

interface MessageList {
  items: Message[];
  next_cursor: string | null;
  total?: number | null;
}

/**
 * What a cursor contains: the sequence number at which the page ended, and how many of the `newest` messages
 * are left.
 */
interface Position {
  sequence: number;
  remaining?: number;
}

function isPosition(value: unknown): value is Position {
  const { sequence, remaining = 1 } = (value ?? {}) as Partial<Position>;
  return isWhole(sequence) && isWhole(remaining);
}

/** @throws {ApiError} `not_found`, `invalid_cursor`. */
export async function listMessages(ctx: KeyCaller, input: MessageListInput): Promise<MessageList> {
  if (input.around !== undefined) return listAround(ctx, input, input.around);
  const { conversationId, fromSequence = 1, toSequence = Number.MAX_SAFE_INTEGER, newest } = input;
  const scope: CursorScope = {
    list: "messages",
    owner: ctx.principal,
    parameters: [conversationId, fromSequence, toSequence, newest ?? null],
  };
  const position = await fromCursor(scope, input.cursor, isPosition);
  const readPage = () =>
    newest === undefined
      ? listRange(ctx, input, { fromSequence, toSequence }, position)
      : listNewest(ctx, input, newest, position);
  let page = await readPage();
  // An empty page can mean that the conversation does not exist.
  if (page.items.length === 0) await refuseAbsent(ctx, conversationId);
  if (page.items.length === 0 && input.waitSeconds > 0)
    page = await waitForPage(ctx, { conversationId, waitSeconds: input.waitSeconds }, readPage);
  return {
    items: page.items,
    next_cursor: page.next && (await toCursor(scope, page.next)),
    ...(input.withTotal ? { total: await totalOf(ctx, input) } : {}),
  };
}

/** The first page that is not empty, or the last one. */
async function waitForPage<Page extends { items: Message[] }>(
  ctx: KeyCaller,
  { conversationId, waitSeconds }: Pick<MessageListInput, "conversationId" | "waitSeconds">,
  readPage: () => Promise<Page>,
): Promise<Page> {
  const untilMs = ctx.runtime.nowMs() + waitSeconds * 1_000;
  const waker = await ctx.openWaker(ctx.principal.organizationId);
  try {
    for (let look = 1; ; look++) {
      const page = await readPage();
      const leftMs = untilMs - ctx.runtime.nowMs();
      if (page.items.length > 0 || leftMs <= 0 || look >= LOOKS_MAX) return page;
      await waker.pause(leftMs);
      await refuseAbsent(ctx, conversationId);
    }
  } finally {
    waker.close();
  }
}

async function totalOf(ctx: KeyCaller, input: MessageListInput): Promise<number | null> {
  const { conversationId, fromSequence, toSequence, newest } = input;
  const isWhole = fromSequence === undefined && toSequence === undefined;
  const counted = messageTotal({
    organizationId: ctx.principal.organizationId,
    conversationId,
    range: isWhole ? null : { fromSequence: fromSequence ?? 1, toSequence: toSequence ?? SEQUENCE_MAX },
    countedMax: ctx.limits.scannedRows,
  });
  const total = await run(ctx.db, counted);
  return newest === undefined || total === null ? total : Math.min(newest, total);
}

async function listRange(
  ctx: KeyCaller,
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
  const { messages, complete } = await run(ctx.db, messageSlice(ctx.principal, page, ctx.limits));
  const last = messages.at(-1);
  return { items: messages, next: !complete && last ? { sequence: last.sequence } : null };
}

async function listNewest(
  ctx: KeyCaller,
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
  const { messages, complete } = await run(ctx.db, messageSlice(ctx.principal, page, ctx.limits));
  const [first] = messages;
  const remaining = wanted - messages.length;
  return {
    items: messages,
    next: !complete && remaining > 0 && first ? { sequence: first.sequence, remaining } : null,
  };
}

async function listAround(ctx: KeyCaller, input: MessageListInput, id: string): Promise<MessageList> {
  const range = {
    conversationId: input.conversationId,
    id,
    before: input.before ?? AROUND_DEFAULT,
    after: input.after ?? AROUND_DEFAULT,
  };
  const items = await run(ctx.db, messagesAround(ctx.principal, range, ctx.limits));
  if (items.length === 0) throw notFound("message");
  return { items, next_cursor: null, ...(input.withTotal ? { total: items.length } : {}) };
}

async function refuseAbsent(ctx: KeyCaller, conversationId: string): Promise<void> {
  if ((await selectConversation(ctx.db, ctx.principal, conversationId)) === null)
    throw notFound("conversation");
}
