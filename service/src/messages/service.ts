import {
  type AppendedMessages,
  type Message,
  type NewMessage,
  type OperationOf,
  REPLACE_MESSAGES_MAX,
  type ReplacedMessages,
  SEQUENCE_MAX,
} from "@engram/spec";
import { auditEvent } from "../audit/service.ts";
import type { KeyCaller } from "../context.ts";
import { notFound } from "../errors.ts";
import type { AppendedRange } from "../indexing/jobs-queries.ts";
import { createLease } from "../indexing/leases.ts";
import { indexConversation } from "../indexing/run.ts";
import { indexAfterAppend, indexInBackground, indexUntilDone } from "../indexing/service.ts";
import { insertedDeletion } from "../operations/queries.ts";
import { assertConversationExists, assertKeyActive } from "../platform/batch.ts";
import { type Idempotent, runIdempotent } from "../platform/idempotency.ts";
import { answerSoFar, type IdempotentRequest, storedAnswer } from "../platform/idempotency-queries.ts";
import { createId } from "../platform/ids.ts";
import { runInTurn } from "../platform/large-runs.ts";
import { batch, sql } from "../platform/sql.ts";
import { encodeText } from "../text/compression.ts";
import { featuresOf } from "../text/features.ts";
import { toIndexedTerms, toTermPrefix } from "../text/index-terms.ts";
import { countStored, countUsage } from "../usage/service.ts";
import * as appends from "./appends-queries.ts";
import * as deletions from "./deletions-queries.ts";
import { insertLateWords } from "./late-words.ts";
import * as queries from "./queries.ts";
import { toRecords } from "./records.ts";
import { refuseLargeWrite } from "./write-bytes.ts";

/**
 * Stores all messages or none, in one transaction.
 *
 * @throws {ApiError} `payload_too_large`, `not_found`, `external_id_conflict`, `conversation_full`,
 * `idempotency_mismatch`.
 */
export async function appendMessages(
  ctx: KeyCaller,
  input: { conversationId: string; messages: NewMessage[]; waitUntilIndexed: boolean },
  idempotency: IdempotentRequest | null,
): Promise<Idempotent<AppendedMessages>> {
  const { db, principal } = ctx;
  const { target, records } = await prepareWrite(ctx, input);
  const { indexQuietMs: quietMs } = ctx;
  const lease = createLease(ctx, target.nowMs);
  const append = input.waitUntilIndexed || quietMs === 0 ? null : { quietMs, lease };
  const written = await runIdempotent(db, idempotency, {
    statements: {
      key: assertKeyActive({ ...principal, nowMs: target.nowMs }),
      conversation: assertConversationExists(principal, input.conversationId),
      appended: appendedMessages(ctx, target, records, append),
    },
    answer: appends.appendedAnswer(target, records),
    read: (rows: appends.AppendedRow[]) => rows,
  });
  const stored = storedOf(records, written.answer);
  countStored(ctx, stored);
  await insertLateWords(ctx.system, target.organizationId, {
    conversationIds: [input.conversationId],
    messages: records,
  });
  const appended = toAppended(input, written.answer);
  const bytes = bytesOf(stored);
  if (!input.waitUntilIndexed) {
    indexAfterAppend(ctx, dueOf(ctx, input), { ...appended, bytes }, lease.id);
    return { replayed: written.replayed, answer: { ...appended, indexed: false } };
  }
  const indexed = await indexAfterWrite(ctx, input, { ...appended, bytes });
  return { replayed: written.replayed, answer: { ...appended, indexed } };
}

const appendedMessages = (
  { limits }: KeyCaller,
  target: queries.WriteTarget,
  records: queries.MessageRecord[],
  append: AppendedRange | null,
) => ({
  externalContent: appends.assertSameExternalContent(target, externalsOf(records)),
  notFull: appends.assertNotFull(target, records.length),
  inserted: records.length === 0 ? null : appends.insertedMessages(target, records, append, limits),
});

/**
 * Replaces all messages from a sequence number on.
 *
 * @throws {ApiError} as `appendMessages`, and `sequence_conflict` if the last sequence number is not the
 * expected one, `too_many_messages` if more than `REPLACE_MESSAGES_MAX` would be deleted.
 */
export async function replaceMessages(
  ctx: KeyCaller,
  input: {
    conversationId: string;
    expectedLastSequence: number;
    fromSequence: number;
    messages: NewMessage[];
    waitUntilIndexed: boolean;
  },
  idempotency: IdempotentRequest | null,
): Promise<Idempotent<ReplacedMessages>> {
  const { db, principal } = ctx;
  const { target, records } = await prepareWrite(ctx, input);
  const { conversationId, expectedLastSequence, fromSequence } = input;
  const rows = sql`json(${appends.appendedAnswer(target, records)})`;
  const deletedIds = deletions.messageIdsAsJson(target, fromSequence);
  const written = await runIdempotent(db, idempotency, {
    statements: {
      key: assertKeyActive({ ...principal, nowMs: target.nowMs }),
      conversation: assertConversationExists(principal, conversationId),
      lastSequence: deletions.assertLastSequence(target, expectedLastSequence),
      suffix: deletions.assertShortSuffix(target, { fromSequence, messagesMax: REPLACE_MESSAGES_MAX }),
      deletedIds: deletions.messageIds(target, fromSequence),
      // Stored before the deletion, because a repeated request returns the ids of the deleted messages too.
      storedIds: idempotency && storedAnswer(idempotency, sql`json_object('deleted', ${deletedIds})`),
      deleted: deletions.deletedMessages(target, { fromSequence }),
      event:
        fromSequence > expectedLastSequence
          ? null
          : auditEvent(ctx, principal, { ...target, action: "messages.replaced", targetId: conversationId }),
      appended: appendedMessages(ctx, target, records, null),
    },
    answer: idempotency
      ? sql`json_set(${answerSoFar(idempotency)}, '$.rows', ${rows})`
      : sql`json_object('rows', ${rows})`,
    read: (stored: { rows: appends.AppendedRow[]; deleted?: string[] }, results) => ({
      rows: stored.rows,
      deleted: results?.deletedIds ?? stored.deleted ?? [],
    }),
  });
  const stored = storedOf(records, written.answer.rows);
  countStored(ctx, stored);
  await insertLateWords(ctx.system, target.organizationId, {
    conversationIds: [input.conversationId],
    messages: records,
  });
  const appended = toAppended(input, written.answer.rows);
  const indexed = await indexAfterWrite(ctx, input, { ...appended, bytes: bytesOf(stored) });
  return {
    replayed: written.replayed,
    answer: { ...appended, deleted_ids: written.answer.deleted, indexed },
  };
}

/** @throws {ApiError} `not_found`. */
export async function getMessage(
  ctx: KeyCaller,
  input: { conversationId: string; id: string },
): Promise<Message> {
  const message = await queries.selectMessage(ctx.db, ctx.principal, input);
  if (message === null) throw notFound("message");
  return message;
}

/** @throws {ApiError} `not_found`. */
export async function updateMessage(
  ctx: KeyCaller,
  input: {
    conversationId: string;
    id: string;
    content: string | undefined;
    metadata: Record<string, unknown> | undefined;
  },
): Promise<Message> {
  const { db, principal } = ctx;
  const target = writeTarget(ctx, input.conversationId);
  const content = input.content === undefined ? null : await encodeContent(ctx, input.content);
  const { updated } = await batch(db, {
    key: assertKeyActive({ ...principal, nowMs: target.nowMs }),
    conversation: assertConversationExists(principal, input.conversationId),
    exists: queries.assertMessageExists(target, input.id),
    updated: queries.updatedMessage(target, {
      id: input.id,
      counter: "token_count",
      content,
      metadata: input.metadata === undefined ? undefined : JSON.stringify(input.metadata),
    }),
    event: queries.updatedMessageEvent(target, input.id),
  });
  if (content !== null) {
    countUsage(ctx, { message_bytes: content.bytes });
    await indexAfterWrite(ctx, { conversationId: input.conversationId }, content);
  }
  if (updated.message === null) throw notFound("message");
  return queries.toMessage(updated.message);
}

/** The vectors of the message are deleted later. @throws {ApiError} `not_found`. */
export async function deleteMessage(
  ctx: KeyCaller,
  input: { conversationId: string; id: string },
): Promise<OperationOf<"delete_message">> {
  const { db, principal, runtime } = ctx;
  const target = writeTarget(ctx, input.conversationId);
  const operationId = createId(runtime, "op");
  const { operation } = await batch(db, {
    key: assertKeyActive({ ...principal, nowMs: target.nowMs }),
    conversation: assertConversationExists(principal, input.conversationId),
    exists: queries.assertMessageExists(target, input.id),
    deleted: deletions.deletedMessages(target, { id: input.id }),
    event: auditEvent(ctx, principal, {
      ...target,
      action: "message.deleted",
      targetId: input.id,
      operationId,
    }),
    operation: insertedDeletion({
      owner: principal,
      id: operationId,
      type: "delete_message",
      targetId: input.id,
      conversationId: input.conversationId,
      nowMs: target.nowMs,
      rowsDeletedAtMs: target.nowMs,
    }),
  });
  await indexAfterWrite(ctx, { conversationId: input.conversationId });
  return operation;
}

const termPrefixOf = ({ principal }: KeyCaller): string =>
  toTermPrefix(principal.organizationNumber, "conversations");

const writeTarget = (ctx: KeyCaller, conversationId: string): queries.WriteTarget => ({
  organizationId: ctx.principal.organizationId,
  conversationId,
  nowMs: ctx.runtime.nowMs(),
});

async function prepareWrite(ctx: KeyCaller, input: { conversationId: string; messages: NewMessage[] }) {
  refuseLargeWrite(input.messages);
  const records = await toRecords(ctx, termPrefixOf(ctx), input.messages);
  return { target: writeTarget(ctx, input.conversationId), records };
}

async function encodeContent(ctx: KeyCaller, content: string) {
  const indexed = await ctx.pace.run(toIndexedTerms(ctx.caches.stem, termPrefixOf(ctx), content));
  return {
    ...(await encodeText(content, ctx.pace)),
    ...indexed,
    features: featuresOf(content, indexed.term_count),
  };
}

/** The records that are new. A message that was stored before has another id than its record. */
function storedOf(records: queries.MessageRecord[], rows: appends.AppendedRow[]): queries.MessageRecord[] {
  const ids = new Set(rows.map(({ id }) => id));
  return records.filter(({ id }) => ids.has(id));
}

const bytesOf = (stored: queries.MessageRecord[]): number =>
  stored.reduce((sum, { bytes }) => sum + bytes, 0);

const externalsOf = (records: queries.MessageRecord[]) =>
  records.flatMap(({ external_id: id, external_digest: digest }) =>
    id !== null && digest !== null ? [{ id, digest }] : [],
  );

const dueOf = ({ principal }: KeyCaller, { conversationId }: { conversationId: string }) => ({
  organizationId: principal.organizationId,
  conversationId,
});

async function indexAfterWrite(
  ctx: KeyCaller,
  input: { conversationId: string; waitUntilIndexed?: boolean },
  written: { bytes: number; first_sequence?: number | null; last_sequence?: number | null } = { bytes: 0 },
): Promise<boolean> {
  const due = dueOf(ctx, input);
  if (input.waitUntilIndexed !== true) {
    const { bytes } = written;
    indexInBackground(ctx, (later) => runInTurn(later, bytes, () => indexConversation(later, due)));
    return false;
  }
  const range = {
    fromSequence: written.first_sequence ?? 1,
    toSequence: written.last_sequence ?? SEQUENCE_MAX,
  };
  // The write is committed, so a failure while waiting for the index must not make it look failed.
  return indexUntilDone(ctx, due, range).catch(() => false);
}

/** `message_ids` has the order of the messages in the request. */
function toAppended(
  input: { conversationId: string; messages: NewMessage[] },
  rows: appends.AppendedRow[],
): Omit<AppendedMessages, "indexed"> {
  const byExternalId = new Map(rows.map((row) => [row.external_id, row]));
  const withoutExternalId = rows
    .filter((row) => row.external_id === null)
    .sort((a, b) => a.sequence - b.sequence);
  const named = input.messages.flatMap(
    ({ external_id }) =>
      (external_id === undefined ? withoutExternalId.shift() : byExternalId.get(external_id)) ?? [],
  );
  const fresh = rows.filter((row) => row.is_new === 1).map((row) => row.sequence);
  return {
    conversation_id: input.conversationId,
    message_ids: named.map((row) => row.id),
    existing_ids: [...new Set(named.filter((row) => row.is_new === 0).map((row) => row.id))],
    first_sequence: fresh.length > 0 ? Math.min(...fresh) : null,
    last_sequence: fresh.length > 0 ? Math.max(...fresh) : null,
  };
}
