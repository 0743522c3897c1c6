import { deletedMentions } from "../entities/mentions-queries.ts";
import { forgottenFailures, queuedRange } from "../jobs/queries.ts";
import { WINDOW_MESSAGES } from "../jobs/window-size.ts";
import { deleteLateWords, deletePhrases } from "../keyword-index/queries.ts";
import { eventOf, recordedEvents } from "../platform/recorded-events.ts";
import {
  assertThat,
  nothing,
  rows,
  type Sql,
  type Statement,
  type Statements,
  sql,
} from "../platform/sql.ts";
import { lastMessageAt, type WriteTarget } from "./queries.ts";

/** Fails if the last message has another sequence number. A `lastSequence` of 0 means no messages. */
export const assertLastSequence = (
  { organizationId, conversationId }: WriteTarget,
  lastSequence: number,
): Statement<void> =>
  assertThat(
    "sequence_conflict",
    sql`coalesce((SELECT max(sequence) FROM messages
                   WHERE organization_id = ${organizationId} AND conversation_id = ${conversationId}), 0)
        = ${lastSequence}`,
  );

export const assertShortSuffix = (
  target: WriteTarget,
  { fromSequence, messagesMax }: { fromSequence: number; messagesMax: number },
): Statement<void> =>
  assertThat(
    "too_many_messages",
    sql`(SELECT count(*) FROM (SELECT 1 ${suffix(target, fromSequence)} LIMIT ${messagesMax + 1}))
        <= ${messagesMax}`,
  );

const suffix = ({ organizationId, conversationId }: WriteTarget, fromSequence: number): Sql => sql`
  FROM messages
 WHERE organization_id = ${organizationId} AND conversation_id = ${conversationId} AND sequence >= ${fromSequence}`;

const suffixIds = (target: WriteTarget, fromSequence: number): Sql =>
  sql`SELECT id ${suffix(target, fromSequence)} ORDER BY sequence`;

export const messageIds = (target: WriteTarget, fromSequence: number): Statement<string[]> =>
  rows(suffixIds(target, fromSequence), ({ id }: { id: string }) => id);

export const messageIdsAsJson = (target: WriteTarget, fromSequence: number): Sql =>
  sql`(SELECT json_group_array(id) FROM (${suffixIds(target, fromSequence)}))`;

export type MessageSelection = { id: string } | { fromSequence: number };

/**
 * Deletes messages. A vector is computed from several neighboring messages. So every vector computed from a
 * deleted message is queued for deletion, and the range is queued for indexing, which embeds the other messages
 * of these vectors again.
 */
export function deletedMessages(target: WriteTarget, selection: MessageSelection) {
  const { organizationId, conversationId, nowMs } = target;
  const deleted = sql`
    FROM messages AS m
   WHERE m.organization_id = ${organizationId} AND m.conversation_id = ${conversationId}
     AND ${"id" in selection ? sql`m.id = ${selection.id}` : sql`m.sequence >= ${selection.fromSequence}`}`;
  const isKept =
    "id" in selection ? sql`m.id <> ${selection.id}` : sql`m.sequence < ${selection.fromSequence}`;
  const chunks = chunksOf(target, selection, deleted);
  const range = sql`SELECT min(m.sequence) AS first, max(m.sequence) AS last ${deleted}`;
  return {
    counted: nothing(sql`
      UPDATE organization_counters
         SET (message_count, term_count) =
             (SELECT organization_counters.message_count - count(*),
                     organization_counters.term_count - coalesce(sum(m.term_count), 0) ${deleted})
       WHERE organization_id = ${organizationId}`),
    countedInConversation: nothing(sql`
      UPDATE conversations
         SET (message_count, term_count, last_message_at_ms, version, updated_at_ms) =
             (SELECT conversations.message_count - count(*),
                     conversations.term_count - coalesce(sum(m.term_count), 0),
                     ${lastMessageAt(organizationId, sql`${conversationId}`, isKept)},
                     conversations.version + 1, ${nowMs} ${deleted})
       WHERE organization_id = ${organizationId} AND id = ${conversationId} AND EXISTS (SELECT 1 ${deleted})`),
    vectors: nothing(sql`
      INSERT OR IGNORE INTO vector_deletions (organization_id, vector_id, conversation_id, queued_at_ms, due_at_ms)
      SELECT ${organizationId}, k.vector_id, ${conversationId}, ${nowMs}, ${nowMs} ${chunks}`),
    // The operation that records this deletion waits for the vectors that were queued until now. Another Worker
    // whose clock is ahead may have queued some of them with a later time.
    earlierVectors: nothing(sql`
      UPDATE vector_deletions SET queued_at_ms = ${nowMs}
       WHERE organization_id = ${organizationId} AND conversation_id = ${conversationId}
         AND queued_at_ms > ${nowMs}`),
    failures: forgottenFailures(target, coveringJobs(target, selection, deleted), range),
    job: queuedRange(target, range),
    chunks: nothing(sql`
      DELETE FROM conversation_chunks
       WHERE organization_id = ${organizationId} AND conversation_id = ${conversationId}
         AND (window_start, id) IN (SELECT k.window_start, k.id ${chunks})`),
    terms: nothing(sql`DELETE FROM message_words WHERE rowid IN (SELECT m.row_key ${deleted})`),
    phrases: nothing(deletePhrases(sql`SELECT m.row_key ${deleted}`)),
    lateWords: deleteLateWords(organizationId, sql`SELECT m.row_key ${deleted}`),
    mentions: deletedMentions(organizationId, sql`SELECT m.row_key ${deleted}`),
    event: recordedEvents(
      organizationId,
      nowMs,
      sql`${eventOf("messages.deleted", sql`${conversationId}`, { first: sql`min(m.sequence)`, last: sql`max(m.sequence)` })}
          ${deleted} HAVING count(*) > 0`,
    ),
    messages: nothing(sql`DELETE ${deleted}`),
  } satisfies Statements;
}

function chunksOf(
  { organizationId, conversationId }: WriteTarget,
  selection: MessageSelection,
  deleted: Sql,
): Sql {
  // Only chunks of these windows (groups of neighboring messages) can contain a deleted message. With this
  // condition, not all chunks of a long conversation are read.
  const sequence = sql`(SELECT m.sequence ${deleted})`;
  const windows =
    "id" in selection
      ? sql`BETWEEN ${sequence} - ${WINDOW_MESSAGES} AND ${sequence}`
      : sql`> ${selection.fromSequence - WINDOW_MESSAGES}`;
  return sql`
    FROM conversation_chunks AS k
   WHERE k.organization_id = ${organizationId} AND k.conversation_id = ${conversationId}
     AND k.window_start ${windows}
     AND EXISTS (SELECT 1 ${deleted} AND m.sequence BETWEEN k.start_sequence AND k.end_sequence)`;
}

const coveringJobs = (
  { organizationId, conversationId }: WriteTarget,
  selection: MessageSelection,
  deleted: Sql,
): Sql =>
  "id" in selection
    ? sql`(SELECT m.sequence ${deleted}) BETWEEN from_sequence AND to_sequence
          AND NOT EXISTS (SELECT 1 FROM messages AS kept
                           WHERE kept.organization_id = ${organizationId} AND kept.conversation_id = ${conversationId}
                             AND kept.id <> ${selection.id}
                             AND kept.sequence BETWEEN index_jobs.from_sequence AND index_jobs.to_sequence)`
    : sql`from_sequence >= ${selection.fromSequence}`;
