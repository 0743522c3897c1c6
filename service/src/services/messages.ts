import {
  type AppendedMessages,
  type Message,
  type NewMessage,
  type Operation,
  REPLACE_MESSAGES_MAX,
  type ReplacedMessages,
  SEQUENCE_MAX,
} from "@engram/spec";
import type { RequestContext } from "../context.ts";
import { notFound } from "../errors.ts";
import { createId } from "../ids.ts";
import { indexConversation } from "../indexing/run.ts";
import { refuseAbsentConversation, refuseDeadKey, runBatch } from "../queries/batch.ts";
import { type IdempotentRequest, updateIdempotencyResult } from "../queries/idempotency-keys.ts";
import * as appends from "../queries/message-appends.ts";
import * as deletions from "../queries/message-deletions.ts";
import * as queries from "../queries/messages.ts";
import { insertDeletion, readOperation } from "../queries/operations.ts";
import { encodeText } from "../text/compression.ts";
import { toIndexedWords, toMark } from "../text/index-words.ts";
import { traitsOf } from "../text/traits.ts";
import { auditEvent } from "./audit-events.ts";
import { type Once, runOnce } from "./idempotency.ts";
import { toRecords } from "./message-records.ts";
import { indexBehind, indexUntilDone } from "./search-index.ts";
import { countStored, countUsage } from "./usage.ts";
import { refuseLargeWrite } from "./write-bytes.ts";

/**
 * Appends messages to a conversation, all or none, in one database call after authentication.
 *
 * @throws {ApiError} `payload_too_large`, `not_found`, `external_id_conflict`, `conversation_full`,
 *   `idempotency_mismatch`.
 */
export async function appendMessages(
  ctx: RequestContext,
  input: { conversationId: string; messages: NewMessage[]; waitUntilIndexed: boolean },
  idempotency: IdempotentRequest | null,
): Promise<Once<AppendedMessages>> {
  const { db, principal } = ctx;
  const { target, records, externalIds } = await prepareWrite(ctx, input);
  const ids = records.map(({ id }) => id);
  const statements = [
    refuseDeadKey(db, { ...principal, nowMs: target.nowMs }),
    refuseAbsentConversation(db, principal, input.conversationId),
    ...appends.refuseOtherExternalContent(db, target, externalsOf(records)),
    appends.refuseFullConversation(db, target, records.length),
    ...appends.insertMessages(db, target, records),
    appends.selectAppended(db, target, ids, externalIds),
  ];
  const once = await runOnce(
    db,
    idempotency,
    {
      statements,
      result: appends.APPENDED_AS_JSON,
      resultBinds: [input.conversationId, JSON.stringify(ids), JSON.stringify(externalIds)],
    },
    (results) => (results.at(-1)?.results ?? []) as appends.AppendedRow[],
    (kept) => kept as appends.AppendedRow[],
  );
  countStored(ctx, storedOf(records, once.answer));
  const appended = toAppended(input, once.answer);
  const indexed = await indexAfterWrite(ctx, input, appended);
  return { replayed: once.replayed, answer: { ...appended, indexed } };
}

/**
 * Replaces the last messages, provided that the conversation still ends at the expected sequence number.
 *
 * @throws {ApiError} as `appendMessages`, and `sequence_conflict`.
 */
export async function replaceMessages(
  ctx: RequestContext,
  input: {
    conversationId: string;
    expectedLastSequence: number;
    fromSequence: number;
    messages: NewMessage[];
    waitUntilIndexed: boolean;
  },
  idempotency: IdempotentRequest | null,
): Promise<Once<ReplacedMessages>> {
  const { db, principal } = ctx;
  const { target, records, externalIds } = await prepareWrite(ctx, input);
  const ids = records.map(({ id }) => id);
  const guards = [
    refuseDeadKey(db, { ...principal, nowMs: target.nowMs }),
    refuseAbsentConversation(db, principal, input.conversationId),
    deletions.refuseOtherEnd(db, target, input.expectedLastSequence),
    deletions.refuseLongSuffix(db, target, {
      fromSequence: input.fromSequence,
      messagesMax: REPLACE_MESSAGES_MAX,
    }),
  ];
  const statements = [
    ...guards,
    deletions.selectMessageIds(db, target, input.fromSequence),
    // Stored before the deletion, because the rows that a repeat must name are gone after the batch.
    ...(idempotency
      ? [
          updateIdempotencyResult(db, idempotency, deletions.IDS_AS_JSON, [
            input.conversationId,
            input.fromSequence,
          ]),
        ]
      : []),
    ...deletions.deleteMessages(db, target, { fromSequence: input.fromSequence }),
    ...(input.fromSequence > input.expectedLastSequence
      ? []
      : [
          auditEvent(ctx, principal, {
            ...target,
            action: "messages.replaced",
            targetId: input.conversationId,
          }),
        ]),
    ...appends.refuseOtherExternalContent(db, target, externalsOf(records)),
    appends.refuseFullConversation(db, target, records.length),
    ...(records.length > 0 ? appends.insertMessages(db, target, records) : []),
    appends.selectAppended(db, target, ids, externalIds),
  ];
  const once = await runOnce(
    db,
    idempotency,
    {
      statements,
      result: `json_set(result, '$.rows', json(${appends.APPENDED_AS_JSON}))`,
      resultBinds: [input.conversationId, JSON.stringify(ids), JSON.stringify(externalIds)],
    },
    (results) => ({
      rows: (results.at(-1)?.results ?? []) as appends.AppendedRow[],
      deleted: ((results[guards.length]?.results ?? []) as { id: string }[]).map(({ id }) => id),
    }),
    (kept) => kept as { rows: appends.AppendedRow[]; deleted: string[] },
  );
  countStored(ctx, storedOf(records, once.answer.rows));
  const appended = toAppended(input, once.answer.rows);
  const indexed = await indexAfterWrite(ctx, input, appended);
  return { replayed: once.replayed, answer: { ...appended, deleted_ids: once.answer.deleted, indexed } };
}

/** @throws {ApiError} `not_found`. */
export async function getMessage(
  ctx: RequestContext,
  input: { conversationId: string; id: string },
): Promise<Message> {
  const message = await queries.selectMessage(ctx.db, ctx.principal, input);
  if (message === null) throw notFound("message");
  return message;
}

/** @throws {ApiError} `not_found`. */
export async function updateMessage(
  ctx: RequestContext,
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
  const results = await runBatch(db, [
    refuseDeadKey(db, { ...principal, nowMs: target.nowMs }),
    refuseAbsentConversation(db, principal, input.conversationId),
    queries.refuseAbsentMessage(db, target, input.id),
    ...queries.updateMessage(db, target, {
      id: input.id,
      counter: "token_count",
      content,
      metadata: input.metadata === undefined ? undefined : JSON.stringify(input.metadata),
    }),
  ]);
  if (content !== null) {
    countUsage(ctx, { message_bytes: content.bytes });
    await indexAfterWrite(ctx, { conversationId: input.conversationId });
  }
  const [row] = (results.at(-1)?.results ?? []) as queries.MessageRow[];
  if (row === undefined) throw notFound("message");
  return queries.toMessage(row);
}

/**
 * Deletes a message and its index terms. Its vectors are deleted later.
 *
 * @throws {ApiError} `not_found`.
 */
export async function deleteMessage(
  ctx: RequestContext,
  input: { conversationId: string; id: string },
): Promise<Operation> {
  const { db, principal, runtime } = ctx;
  const target = writeTarget(ctx, input.conversationId);
  const operationId = createId(runtime, "op");
  const results = await runBatch(db, [
    refuseDeadKey(db, { ...principal, nowMs: target.nowMs }),
    refuseAbsentConversation(db, principal, input.conversationId),
    queries.refuseAbsentMessage(db, target, input.id),
    ...deletions.deleteMessages(db, target, { id: input.id }),
    auditEvent(ctx, principal, { ...target, action: "message.deleted", targetId: input.id, operationId }),
    insertDeletion(db, {
      organizationId: principal.organizationId,
      id: operationId,
      type: "delete_message",
      targetId: input.id,
      conversationId: input.conversationId,
      agentId: principal.agentId,
      nowMs: target.nowMs,
      rowsDeletedAtMs: target.nowMs,
    }),
  ]);
  await indexAfterWrite(ctx, { conversationId: input.conversationId });
  return readOperation(results.at(-1));
}

const markOf = ({ principal }: RequestContext): string =>
  toMark(principal.organizationNumber, "conversations");

const writeTarget = (ctx: RequestContext, conversationId: string): queries.WriteTarget => ({
  organizationId: ctx.principal.organizationId,
  conversationId,
  nowMs: ctx.runtime.nowMs(),
});

async function prepareWrite(ctx: RequestContext, input: { conversationId: string; messages: NewMessage[] }) {
  refuseLargeWrite(input.messages);
  const records = await toRecords(ctx, markOf(ctx), input.messages);
  const externalIds = records.flatMap((record) => record.external_id ?? []);
  return { target: writeTarget(ctx, input.conversationId), records, externalIds };
}

async function encodeContent(ctx: RequestContext, content: string) {
  const words = await ctx.pace.run(toIndexedWords(markOf(ctx), content));
  return { ...(await encodeText(content, ctx.pace)), ...words, traits: traitsOf(content, words.token_count) };
}

/**
 * The records that this write stored. Messages that existed before, or came from an earlier request, have
 * other ids.
 */
function storedOf(records: queries.MessageRecord[], rows: appends.AppendedRow[]): queries.MessageRecord[] {
  const ids = new Set(rows.map(({ id }) => id));
  return records.filter(({ id }) => ids.has(id));
}

const externalsOf = (records: queries.MessageRecord[]) =>
  records.flatMap(({ external_id: id, external_digest: digest }) =>
    id !== null && digest !== null ? [{ id, digest }] : [],
  );

/** Starts indexing new messages. With `waitUntilIndexed`, waits for it and returns whether it is complete. */
async function indexAfterWrite(
  ctx: RequestContext,
  input: { conversationId: string; waitUntilIndexed?: boolean },
  written: { first_sequence: number | null; last_sequence: number | null } | null = null,
): Promise<boolean> {
  const due = { organizationId: ctx.principal.organizationId, conversationId: input.conversationId };
  if (input.waitUntilIndexed !== true) {
    indexBehind(ctx, (later) => indexConversation(later, due));
    return false;
  }
  const range = {
    fromSequence: written?.first_sequence ?? 1,
    toSequence: written?.last_sequence ?? SEQUENCE_MAX,
  };
  // The write is committed, so a failure while waiting for the index must not make it look failed.
  return indexUntilDone(ctx, due, range).catch(() => false);
}

/** Builds the answer to an append, in the order of the request. */
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
