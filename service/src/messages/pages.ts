import type { listMessages as contract, Message } from "@engram/spec";
import { notFound } from "../errors.ts";
import { readMoment } from "../filters/moments.ts";
import type { Moment } from "../filters/moments-queries.ts";
import type { KeyCaller } from "../invocation.ts";
import { type CursorScope, fromCursor, isWhole, toCursor } from "../platform/cursors.ts";
import { run } from "../platform/sql.ts";
import { conversationExists, type MessageRange, type MessageSlice, messageSlice } from "./pages-queries.ts";

const PAGE_DEFAULT = 100;
/** Reads of the conversation while one request waits. */
const LOOKS_MAX = 80;

/** The query of the contract, of a conversation. */
type MessageListInput = (typeof contract)["request"]["query"]["_output"] & { conversation_id: string };

interface MessageList {
  items: Message[];
  next_cursor: string | null;
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

const scopeOf = (
  { principal }: KeyCaller,
  range: [conversationId: string, fromSequence: number, toSequence: number, newest: number | null],
  asOf: string | undefined,
): CursorScope => ({
  list: "messages",
  owner: principal,
  parameters: asOf === undefined ? range : [...range, asOf],
});

/** A cursor of `listMessages` with no other parameter than `as_of`, for the messages after this sequence number. */
export const cursorAfter = (
  caller: KeyCaller,
  { conversationId, sequence, asOf }: { conversationId: string; sequence: number; asOf: string | undefined },
): Promise<string> =>
  toCursor(scopeOf(caller, [conversationId, 1, Number.MAX_SAFE_INTEGER, null], asOf), {
    sequence,
  } satisfies Position);

/** @throws {ApiError} `not_found`, `invalid_cursor`. */
export async function listMessages(caller: KeyCaller, input: MessageListInput): Promise<MessageList> {
  const { conversation_id: conversationId, newest, wait_seconds: waitSeconds = 0 } = input;
  const { from_sequence: fromSequence = 1, to_sequence: toSequence = Number.MAX_SAFE_INTEGER } = input;
  const scope = scopeOf(caller, [conversationId, fromSequence, toSequence, newest ?? null], input.as_of);
  const position = await fromCursor(scope, input.cursor, isPosition);
  const moment = await readMoment(caller, input.as_of);
  const readPage = () =>
    newest === undefined
      ? listRange(caller, input, { fromSequence, toSequence, moment }, position)
      : listNewest(caller, input, { newest, moment }, position);
  let page = await readPage();
  // An empty page can mean that the conversation does not exist.
  if (page.items.length === 0) await refuseAbsent(caller, conversationId, moment);
  if (page.items.length === 0 && waitSeconds > 0)
    page = await waitForPage(caller, { conversationId, waitSeconds }, readPage);
  return { items: page.items, next_cursor: page.next && (await toCursor(scope, page.next)) };
}

/**
 * The messages that follow the sequence number `after` in this order; from the beginning if it is null.
 *
 * @throws {ApiError} `not_found`.
 */
export async function listInOrder(
  caller: KeyCaller,
  input: { conversationId: string; order: "asc" | "desc"; after: number | null; limit: number },
): Promise<MessageSlice> {
  const { conversationId, order, after, limit } = input;
  const range =
    order === "asc"
      ? { fromSequence: (after ?? 0) + 1, toSequence: Number.MAX_SAFE_INTEGER, end: "first" as const }
      : { fromSequence: 1, toSequence: (after ?? Number.MAX_SAFE_INTEGER) - 1, end: "last" as const };
  const page: MessageRange = { ...range, conversationId, limit, moment: null };
  const { messages, complete } = await run(caller.db, messageSlice(caller.principal, page, caller.limits));
  if (messages.length === 0) await refuseAbsent(caller, conversationId, null);
  return { messages: order === "asc" ? messages : messages.reverse(), complete };
}

/** The first page that is not empty, or the last one. */
async function waitForPage<Page extends { items: Message[] }>(
  caller: KeyCaller,
  { conversationId, waitSeconds }: { conversationId: string; waitSeconds: number },
  readPage: () => Promise<Page>,
): Promise<Page> {
  const untilMs = caller.runtime.nowMs() + waitSeconds * 1_000;
  const waker = await caller.openWaker(caller.principal.organizationId);
  try {
    for (let look = 1; ; look++) {
      const page = await readPage();
      const leftMs = untilMs - caller.runtime.nowMs();
      if (page.items.length > 0 || leftMs <= 0 || look >= LOOKS_MAX) return page;
      await waker.pause(leftMs);
      await refuseAbsent(caller, conversationId, null);
    }
  } finally {
    waker.close();
  }
}

async function listRange(
  caller: KeyCaller,
  input: MessageListInput,
  range: { fromSequence: number; toSequence: number; moment: Moment | null },
  position: Position | null,
): Promise<{ items: Message[]; next: Position | null }> {
  const page: MessageRange = {
    conversationId: input.conversation_id,
    fromSequence: position === null ? range.fromSequence : position.sequence + 1,
    toSequence: range.toSequence,
    limit: input.limit ?? PAGE_DEFAULT,
    end: "first",
    moment: range.moment,
  };
  const { messages, complete } = await run(caller.db, messageSlice(caller.principal, page, caller.limits));
  const last = messages.at(-1);
  return { items: messages, next: !complete && last ? { sequence: last.sequence } : null };
}

async function listNewest(
  caller: KeyCaller,
  input: MessageListInput,
  { newest, moment }: { newest: number; moment: Moment | null },
  position: Position | null,
): Promise<{ items: Message[]; next: Position | null }> {
  const wanted = position?.remaining ?? newest;
  const page: MessageRange = {
    conversationId: input.conversation_id,
    fromSequence: 1,
    toSequence: position === null ? Number.MAX_SAFE_INTEGER : position.sequence - 1,
    limit: Math.min(wanted, input.limit ?? wanted),
    end: "last",
    moment,
  };
  const { messages, complete } = await run(caller.db, messageSlice(caller.principal, page, caller.limits));
  const [first] = messages;
  const remaining = wanted - messages.length;
  return {
    items: messages,
    next: !complete && remaining > 0 && first ? { sequence: first.sequence, remaining } : null,
  };
}

async function refuseAbsent(caller: KeyCaller, conversationId: string, moment: Moment | null): Promise<void> {
  if (!(await run(caller.db, conversationExists(caller.principal, conversationId, moment))))
    throw notFound("conversation");
}
