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
import { notFound } from "../errors.ts";
import { readMoment } from "../filters/moments.ts";
import { assertNotHeld } from "../holds/queries.ts";
import { refusingHeld } from "../holds/service.ts";
import { indexAfterAppend, openAppend } from "../indexing/append-runs.ts";
import { indexLater, indexUntilDone } from "../indexing/service.ts";
import type { KeyCaller } from "../invocation.ts";
import type { AppendedRange, DueConversation } from "../jobs/queries.ts";
import { insertLateWords } from "../keyword-index/late-words.ts";
import { insertedDeletion } from "../operations/queries.ts";
import { assertConversationWritable, assertKeyActive } from "../platform/batch.ts";
import { type Idempotent, runIdempotent } from "../platform/idempotency.ts";
import { answerSoFar, type IdempotentRequest, storedAnswer } from "../platform/idempotency-queries.ts";
import { createId } from "../platform/ids.ts";
import { batch, sql } from "../platform/sql.ts";
import { refuseLargeWrite } from "../platform/write-bytes.ts";
import {
  citesConversation,
  citesMessage,
  markedDeleted,
  markedEdited,
  settledSources,
} from "../sources/queries.ts";
import { changedMessage, changedSuffix, deletedSummaries, summaryCount } from "../summaries/queries.ts";
import { toTermPrefix } from "../text/index-terms.ts";
import { prepareText } from "../text/prepared-text.ts";
import { messageNames } from "../tombstones/hashes.ts";
import {
  type Guard,
  hashesOf,
  insertedForgotten,
  refusingForgotten,
  tombstoneKeyFor,
} from "../tombstones/service.ts";
import { countStored, countUsage } from "../usage/service.ts";
import * as appends from "./appends-queries.ts";
import * as deletions from "./deletions-queries.ts";
import { type MessageRecord, toMessage } from "./fields.ts";
import * as queries from "./queries.ts";
import { toRecords } from "./records.ts";

/**
 * Stores all messages or none, in one transaction.
 *
 * @throws {ApiError} `payload_too_large`, `not_found`, `external_id_conflict`, `conversation_full`,
 * `idempotency_mismatch`, `forgotten`.
 */
export async function appendMessages(
  caller: KeyCaller,
  input: { conversationId: string; messages: NewMessage[]; waitUntilIndexed: boolean },
  idempotency: IdempotentRequest | null,
): Promise<Idempotent<AppendedMessages>> {
  const { db, principal } = caller;
  const { target, records } = await prepareWrite(caller, input);
  const append = input.waitUntilIndexed ? null : openAppend(caller, target);
  const { answer, replayed } = await refusingForgotten(caller, guardedOf(input), (guard) =>
    runIdempotent(db, idempotency, {
      statements: {
        guard: guard(target.nowMs),
        conversation: assertConversationWritable(principal, input.conversationId),
        appended: appendedMessages(caller, target, records, append),
      },
      answer: appends.appendedAnswer(target, records),
      read: (rows: appends.AppendedRow[], results) => ({
        rows,
        isLeased: results?.appended.inserted?.job ?? false,
      }),
    }),
  );
  const written = await finishWrite(caller, input, records, answer.rows);
  const { last_sequence: lastSequence } = written.answer;
  if (!input.waitUntilIndexed && lastSequence !== null)
    indexAfterAppend(
      caller,
      target,
      { lastSequence, bytes: written.bytes, isLeased: answer.isLeased },
      append,
    );
  const indexed = input.waitUntilIndexed && (await waitUntilIndexed(caller, target, written.answer));
  return { replayed, answer: { ...written.answer, indexed } };
}

const appendedMessages = (
  { limits }: KeyCaller,
  target: queries.WriteTarget,
  records: MessageRecord[],
  append: AppendedRange | null,
) => ({
  externalContent: appends.assertSameExternalContent(target, externalsOf(records)),
  notFull: appends.assertNotFull(target, records.length),
  inserted: records.length === 0 ? null : appends.insertedMessages(target, records, append, limits),
});

/**
 * Replaces all messages from a sequence number on.
 *
 * @throws {ApiError} as `appendMessages`, `held`, and `sequence_conflict` if the last sequence number is not the
 * expected one, `too_many_messages` if more than `REPLACE_MESSAGES_MAX` would be deleted.
 */
export async function replaceMessages(
  caller: KeyCaller,
  input: {
    conversationId: string;
    expectedLastSequence: number;
    fromSequence: number;
    messages: NewMessage[];
    waitUntilIndexed: boolean;
  },
  idempotency: IdempotentRequest | null,
): Promise<Idempotent<ReplacedMessages>> {
  const { db, principal } = caller;
  const { target, records } = await prepareWrite(caller, input);
  const { conversationId, expectedLastSequence, fromSequence } = input;
  const appendedRows = sql`json(${appends.appendedAnswer(target, records)})`;
  const deletedIds = deletions.messageIdsAsJson(target, fromSequence);
  const write = (guard: (nowMs: number) => Guard) =>
    runIdempotent(db, idempotency, {
      statements: {
        guard: guard(target.nowMs),
        conversation: assertConversationWritable(principal, conversationId),
        notHeld: assertNotHeld(target.organizationId, conversationId),
        lastSequence: deletions.assertLastSequence(target, expectedLastSequence),
        suffix: deletions.assertShortSuffix(target, { fromSequence, messagesMax: REPLACE_MESSAGES_MAX }),
        deletedIds: deletions.messageIds(target, fromSequence),
        // Stored before the deletion, because a repeated request returns the ids of the deleted messages too.
        storedIds: idempotency && storedAnswer(idempotency, sql`json_object('deleted', ${deletedIds})`),
        sources: markedDeleted(
          target,
          citesConversation(sql`= ${conversationId} AND s.sequence >= ${fromSequence}`),
        ),
        summaries: deletedSummaries(changedSuffix(target, fromSequence), target.nowMs),
        deleted: deletions.deletedMessages(target, { fromSequence }),
        citing: settledSources(target, "deleted"),
        event:
          fromSequence > expectedLastSequence
            ? null
            : auditEvent(caller, principal, {
                ...target,
                action: "messages.replaced",
                targetId: conversationId,
              }),
        appended: appendedMessages(caller, target, records, null),
      },
      answer: idempotency
        ? sql`json_set(${answerSoFar(idempotency)}, '$.rows', ${appendedRows})`
        : sql`json_object('rows', ${appendedRows})`,
      read: (stored: { rows: appends.AppendedRow[]; deleted?: string[] }, results) => ({
        rows: stored.rows,
        deleted: results?.deletedIds ?? stored.deleted ?? [],
      }),
    });
  const { answer, replayed } = await refusingHeld(caller, [conversationId], () =>
    refusingForgotten(caller, guardedOf(input), write),
  );
  const written = await finishWrite(caller, input, records, answer.rows);
  if (!input.waitUntilIndexed) indexLater(caller, [target], written.bytes);
  const indexed = input.waitUntilIndexed && (await waitUntilIndexed(caller, target, written.answer));
  return { replayed, answer: { ...written.answer, deleted_ids: answer.deleted, indexed } };
}

/** @throws {ApiError} `not_found`. */
export async function getMessage(
  caller: KeyCaller,
  { conversationId, id, asOf }: { conversationId: string; id: string; asOf?: string | undefined },
): Promise<Message> {
  const moment = await readMoment(caller, asOf);
  const message = await queries.selectMessage(caller.db, caller.principal, { conversationId, id, moment });
  if (message === null) throw notFound("message");
  return message;
}

/** @param name its id or its external id. @returns null if there is no such message. */
export const findMessage = (
  { db, principal }: KeyCaller,
  ref: { conversationId: string; name: string },
): Promise<Message | null> => queries.selectNamedMessage(db, principal, ref);

/** @throws {ApiError} `not_found`, `held`. */
export async function updateMessage(
  caller: KeyCaller,
  input: {
    conversationId: string;
    id: string;
    content: string | undefined;
    metadata: Record<string, unknown> | undefined;
  },
): Promise<Message> {
  const { db, principal } = caller;
  const target = writeTarget(caller, input.conversationId);
  const content =
    input.content === undefined ? null : await prepareText(caller, termPrefixOf(caller), input.content);
  const { updated } = await refusingHeld(caller, [input.conversationId], () =>
    batch(db, {
      key: assertKeyActive({ ...principal, nowMs: target.nowMs }),
      conversation: assertConversationWritable(principal, input.conversationId),
      notHeld: assertNotHeld(target.organizationId, input.conversationId),
      exists: queries.assertMessageExists(target, input.id),
      sources:
        input.content === undefined || content === null
          ? null
          : markedEdited(target, { id: input.id, text: input.content, content: content.content }),
      summaries:
        content === null
          ? null
          : deletedSummaries(
              {
                ...changedMessage(target, input.id),
                condition: queries.hasOtherContent(target, input.id, content.content),
              },
              target.nowMs,
            ),
      updated: queries.updatedMessage(target, {
        id: input.id,
        counter: "term_count",
        content,
        metadata: input.metadata === undefined ? undefined : JSON.stringify(input.metadata),
      }),
      event: queries.updatedMessageEvent(target, input.id),
      citing: content === null ? null : settledSources(target, "edited"),
    }),
  );
  if (content !== null) {
    countUsage(caller, { message_bytes: content.bytes });
    indexLater(caller, [target], content.bytes);
  }
  if (updated.message === null) throw notFound("message");
  return toMessage(updated.message);
}

/** The vectors of the message are deleted later. @throws {ApiError} `not_found`, `held`. */
export async function deleteMessage(
  caller: KeyCaller,
  input: { conversationId: string; id: string; forget: boolean },
): Promise<OperationOf<"delete_message">> {
  const { db, principal, runtime } = caller;
  const target = writeTarget(caller, input.conversationId);
  const operationId = createId(runtime, "op");
  const forgotten = input.forget ? await forgottenMessage(caller, input, operationId) : null;
  const summarized = changedMessage(target, input.id);
  const { operation } = await refusingHeld(caller, [input.conversationId], () =>
    batch(db, {
      key: assertKeyActive({ ...principal, nowMs: target.nowMs }),
      conversation: assertConversationWritable(principal, input.conversationId),
      notHeld: assertNotHeld(target.organizationId, input.conversationId),
      exists: queries.assertMessageExists(target, input.id),
      sources: markedDeleted(target, citesMessage(input.id)),
      // It counts the summaries and memories that the statements after it change.
      operation: insertedDeletion({
        owner: principal,
        id: operationId,
        type: "delete_message",
        targetId: input.id,
        conversationId: input.conversationId,
        nowMs: target.nowMs,
        rowsDeletedAtMs: target.nowMs,
        summaries: summaryCount(summarized),
      }),
      summaries: deletedSummaries(summarized, target.nowMs),
      deleted: deletions.deletedMessages(target, { id: input.id }),
      forgotten,
      event: auditEvent(caller, principal, {
        ...target,
        action: "message.deleted",
        targetId: input.id,
        operationId,
      }),
      citing: settledSources(target, "deleted"),
    }),
  );
  indexLater(caller, [target], 0);
  return operation;
}

/** The tombstone of a message. Its id, place and external id never change, so they are read before it is deleted. */
async function forgottenMessage(
  caller: KeyCaller,
  input: { conversationId: string; id: string },
  operationId: string,
) {
  const tombstoneKey = await tombstoneKeyFor(caller);
  const message = await getMessage(caller, input);
  return insertedForgotten(caller, {
    kind: "message",
    operationId,
    hashes: await hashesOf(tombstoneKey, messageNames(message)),
    counts: { conversations: 0, messages: 1, memories: 0 },
  });
}

/** Messages that a tombstone can refuse: those with an external id, by their place in the request. */
const guardedOf = ({ conversationId, messages }: { conversationId: string; messages: NewMessage[] }) =>
  messages.flatMap(({ external_id }, i) =>
    external_id === undefined
      ? []
      : [
          {
            path: `messages.${i}`,
            names: messageNames({ conversation_id: conversationId, external_id }),
          },
        ],
  );

const termPrefixOf = ({ principal }: KeyCaller): string =>
  toTermPrefix(principal.organizationNumber, "conversations");

const writeTarget = (caller: KeyCaller, conversationId: string): queries.WriteTarget => ({
  organizationId: caller.principal.organizationId,
  conversationId,
  nowMs: caller.runtime.nowMs(),
});

async function prepareWrite(caller: KeyCaller, input: { conversationId: string; messages: NewMessage[] }) {
  refuseLargeWrite(input.messages);
  const records = await toRecords(caller, termPrefixOf(caller), input.messages);
  return { target: writeTarget(caller, input.conversationId), records };
}

const externalsOf = (records: MessageRecord[]) =>
  records.flatMap(({ external_id: id, external_digest: digest }) =>
    id !== null && digest !== null ? [{ id, digest }] : [],
  );

/**
 * Counts what a write has stored and inserts its late words.
 *
 * @param rows that the write has stored or found. A repeated request finds all of them, and none with the id of a record.
 */
async function finishWrite(
  caller: KeyCaller,
  { conversationId, messages }: { conversationId: string; messages: NewMessage[] },
  records: MessageRecord[],
  rows: appends.AppendedRow[],
): Promise<{ answer: Omit<AppendedMessages, "indexed">; bytes: number }> {
  const ids = new Set(rows.map(({ id }) => id));
  const stored = records.filter(({ id }) => ids.has(id));
  countStored(caller, stored);
  await insertLateWords(caller.system, caller.principal.organizationId, {
    conversationIds: [conversationId],
    messages: records,
  });
  const byExternalId = new Map(rows.map((row) => [row.external_id, row]));
  const withoutExternalId = rows
    .filter((row) => row.external_id === null)
    .sort((a, b) => a.sequence - b.sequence);
  const inRequestOrder = messages.flatMap(
    ({ external_id }) =>
      (external_id === undefined ? withoutExternalId.shift() : byExternalId.get(external_id)) ?? [],
  );
  const existing = inRequestOrder.filter((row) => row.is_new === 0);
  const fresh = rows.filter((row) => row.is_new === 1).map((row) => row.sequence);
  return {
    answer: {
      conversation_id: conversationId,
      message_ids: inRequestOrder.map((row) => row.id),
      existing_ids: [...new Set(existing.map((row) => row.id))],
      first_sequence: fresh.length > 0 ? Math.min(...fresh) : null,
      last_sequence: fresh.length > 0 ? Math.max(...fresh) : null,
    },
    bytes: stored.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** The write is committed, so a failure while waiting for the index must not make it look failed. */
const waitUntilIndexed = (
  caller: KeyCaller,
  due: DueConversation,
  { first_sequence, last_sequence }: Omit<AppendedMessages, "indexed">,
): Promise<boolean> =>
  indexUntilDone(caller, [due], {
    fromSequence: first_sequence ?? 1,
    toSequence: last_sequence ?? SEQUENCE_MAX,
  }).catch(() => false);
