import type { QueuedSummaries, Summary } from "@engram/spec";
import { notFound } from "../errors.ts";
import type { Invocation, KeyCaller } from "../invocation.ts";
import { assertConversationWritable, assertKeyActive } from "../platform/batch.ts";
import { type CursorScope, fromCursor, isWhole, PAGE_ITEMS_DEFAULT, toPage } from "../platform/cursors.ts";
import { RESPONSE_MS } from "../platform/runtime.ts";
import { batch } from "../platform/sql.ts";
import { queuedConversation } from "./jobs-queries.ts";
import * as queries from "./queries.ts";
import { summarizeConversation } from "./run.ts";

/**
 * Lists summaries of a conversation by level, and on each level in the order of its messages.
 *
 * @throws {ApiError} `not_found`, `invalid_cursor`.
 */
export async function listSummaries(
  caller: KeyCaller,
  input: {
    conversationId: string;
    level?: number | undefined;
    fromSequence?: number | undefined;
    toSequence?: number | undefined;
    limit?: number | undefined;
    cursor?: string | undefined;
  },
): Promise<{ items: Summary[]; next_cursor: string | null }> {
  const { db, limits, principal } = caller;
  const { conversationId, level, fromSequence, toSequence, limit = PAGE_ITEMS_DEFAULT } = input;
  const scope: CursorScope = {
    list: "summaries",
    owner: principal,
    parameters: [conversationId, level, fromSequence, toSequence],
  };
  const after = await fromCursor(scope, input.cursor, isPosition);
  const found = await queries.selectSummaries(db, principal, {
    ...{ conversationId, level, fromSequence, toSequence, after },
    limit: limit + 1,
    rowsMax: limits.scannedRows,
  });
  if (found === null) throw notFound("conversation");
  return toPage(scope, found.summaries, {
    limit,
    positionOf: ({ level, from_sequence }): queries.SummaryPosition => ({
      level,
      fromSequence: from_sequence,
    }),
    scanEnd: found.scanEnd,
  });
}

function isPosition(position: unknown): position is queries.SummaryPosition {
  const { level, fromSequence } = (position ?? {}) as Partial<queries.SummaryPosition>;
  return isWhole(level) && isWhole(fromSequence);
}

/**
 * Queues the summaries of a conversation, and makes them after the response.
 *
 * @throws {ApiError} `not_found`.
 */
export async function createSummaries(caller: KeyCaller, conversationId: string): Promise<QueuedSummaries> {
  const { db, principal, runtime } = caller;
  const of = { organizationId: principal.organizationId, conversationId };
  const nowMs = runtime.nowMs();
  const { conversation } = await batch(db, {
    key: assertKeyActive({ ...principal, nowMs }),
    exists: assertConversationWritable(principal, conversationId),
    queued: queuedConversation(of, nowMs),
    conversation: queries.readableConversation(principal, conversationId),
  });
  caller.defer("summarize", async (later: Invocation) => {
    await runtime.pause(RESPONSE_MS);
    await summarizeConversation(later, of);
  });
  return { conversation_id: conversationId, last_sequence: conversation?.last_sequence ?? 0 };
}
