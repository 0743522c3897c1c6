import type { MessageRole } from "@engram/spec";
import {
  type ClaimedWork,
  type DueConversation,
  type Lease,
  leasedConversations,
  renewedLease,
} from "../jobs/queries.ts";
import {
  deleteLateWords,
  deletePhrases,
  type MessageTerms,
  termsWithName,
} from "../keyword-index/queries.ts";
import { toJsonLists } from "../platform/batch.ts";
import { columns, nothing, rows, type Sql, type Statement, type Statements, sql } from "../platform/sql.ts";
import { type ContentEncoding, decodeText } from "../text/compression.ts";

export interface IndexedMessage {
  id: string;
  sequence: number;
  role: MessageRole;
  name: string | null;
  content: string;
  createdAtMs: number;
  updatedAtMs: number | null;
}

export interface ChunkRecord {
  id: string;
  vector_id: string;
  window_start: number;
  start_sequence: number;
  end_sequence: number;
  model: string;
  text_hash: string;
  /** Index among the chunks of a memory, from 0; null for messages. */
  ordinal: number | null;
  /** Where the chunk starts in the content of a memory; null for messages. */
  text_start: number | null;
  /** Where the chunk ends in the content of a memory; null for messages. */
  text_end: number | null;
  /**
   * Where the embedded text starts: before `text_start` if it overlaps the previous chunk. Null for messages.
   */
  overlap_start: number | null;
}

/** A chunk to store, on condition that its range of sequences still has `message_count` messages. */
export interface PlannedChunk extends ChunkRecord {
  message_count: number;
}

/** A range of windows of a conversation, each named by its first sequence number. */
export interface WindowRange {
  work: DueConversation;
  fromWindow: number;
  toWindow: number;
}

/** The limits of one read of a range. */
interface ReadLimits {
  windowMessages: number;
  messagesMax: number;
  bytesMax: number;
}

/** Condition: the content of a row of the CTE `page` is read. The first window with a message is read whole. */
const isRead = ({ windowMessages, messagesMax, bytesMax }: ReadLimits): Sql => sql`
  (page.sequence < page.first + ${windowMessages} OR (page.count <= ${messagesMax} AND page.bytes <= ${bytesMax}))`;

/**
 * CTE `page`: the messages of listed ranges by one index seek each, up to and including the first of each range that is
 * not read because of a limit.
 */
const pageOfMessages = (list: string, limits: ReadLimits): Sql => sql`
  page (place, row_key, sequence, first, count, bytes, organization_id, conversation_id, end_sequence) AS (
    SELECT range.key, m.row_key, m.sequence, m.sequence, 1, m.content_bytes, m.organization_id, m.conversation_id,
           range.value ->> 'end_sequence'
      FROM json_each(${list}) AS range
     CROSS JOIN messages AS m
           ON m.organization_id = range.value ->> 'organization_id'
              AND m.conversation_id = range.value ->> 'conversation_id'
              AND m.sequence = (SELECT n.sequence FROM messages AS n
                                 WHERE n.organization_id = range.value ->> 'organization_id'
                                   AND n.conversation_id = range.value ->> 'conversation_id'
                                   AND n.sequence BETWEEN range.value ->> 'from_window' AND range.value ->> 'end_sequence'
                                 ORDER BY n.sequence LIMIT 1)
     UNION ALL
    SELECT page.place, m.row_key, m.sequence, page.first, page.count + 1, page.bytes + m.content_bytes,
           m.organization_id, m.conversation_id, page.end_sequence
      FROM page CROSS JOIN messages AS m
     WHERE ${isRead(limits)}
       AND m.organization_id = page.organization_id AND m.conversation_id = page.conversation_id
       AND m.sequence = (SELECT n.sequence FROM messages AS n
                          WHERE n.organization_id = page.organization_id AND n.conversation_id = page.conversation_id
                            AND n.sequence > page.sequence AND n.sequence <= page.end_sequence
                          ORDER BY n.sequence LIMIT 1))`;

/** A message of a range of windows. The first one that is not read has no content. */
interface WindowRow {
  place: number;
  id: string;
  sequence: number;
  role: MessageRole;
  name: string | null;
  content: string;
  content_encoding: ContentEncoding | null;
  created_at_ms: number;
  updated_at_ms: number | null;
  is_read: 0 | 1;
}

interface StoredChunk extends ChunkRecord {
  place: number;
  indexed: boolean;
}

/**
 * The next messages in ranges of windows, in order, and the stored chunks of these windows. Each row has the `place` of
 * its range in the list.
 *
 * Seeks from message to message, so gaps between sequences cost nothing. Of each range, stops before `messagesMax` or
 * `bytesMax` is exceeded, but reads at least one window.
 */
export function storedWindows(ranges: WindowRange[], limits: ReadLimits) {
  const list = JSON.stringify(
    ranges.map(({ work, fromWindow, toWindow }) => ({
      organization_id: work.organizationId,
      conversation_id: work.conversationId,
      from_window: fromWindow,
      to_window: toWindow,
      end_sequence: toWindow + limits.windowMessages - 1,
    })),
  );
  return {
    messages: rows(
      sql`WITH RECURSIVE ${pageOfMessages(list, limits)}
          SELECT page.place, m.id, m.sequence, m.role, m.name, iif(${isRead(limits)}, m.content, NULL) AS content,
                 m.content_encoding, m.created_at_ms, m.updated_at_ms, ${isRead(limits)} AS is_read
            FROM page CROSS JOIN messages AS m ON m.row_key = page.row_key
           WHERE m.organization_id = page.organization_id ORDER BY page.place, m.sequence`,
      (row: WindowRow) => row,
    ),
    chunks: rows(
      sql`WITH RECURSIVE ${pageOfMessages(list, limits)},
          unread AS MATERIALIZED (SELECT place, sequence FROM page WHERE NOT ${isRead(limits)})
          SELECT range.key AS place, k.id, k.vector_id, k.window_start, k.start_sequence, k.end_sequence, k.model,
                 k.text_hash, k.ordinal, k.text_start, k.text_end, k.overlap_start, k.indexed_at_ms
            FROM json_each(${list}) AS range
           CROSS JOIN conversation_chunks AS k
                 ON k.organization_id = range.value ->> 'organization_id'
                    AND k.conversation_id = range.value ->> 'conversation_id'
                    AND k.window_start BETWEEN range.value ->> 'from_window' AND min(
                      range.value ->> 'to_window',
                      coalesce((SELECT sequence FROM unread WHERE place = range.key), range.value ->> 'to_window'))`,
      ({ indexed_at_ms, ...chunk }: Omit<StoredChunk, "indexed"> & { indexed_at_ms: number | null }) => ({
        ...chunk,
        indexed: indexed_at_ms !== null,
      }),
    ),
  } satisfies Statements;
}

/** Decodes the content of a message. @throws when it is damaged. */
export const toIndexedMessage = async (row: WindowRow): Promise<IndexedMessage> => ({
  id: row.id,
  sequence: row.sequence,
  role: row.role,
  name: row.name,
  content: await decodeText(row.content, row.content_encoding),
  createdAtMs: row.created_at_ms,
  updatedAtMs: row.updated_at_ms,
});

/** Chunks of a conversation. */
export interface WorkChunks<Chunk extends ChunkRecord = ChunkRecord> {
  work: DueConversation;
  chunks: Chunk[];
}

/** Chunks of conversations as JSON lists. */
const toChunkLists = <Chunk extends ChunkRecord>(
  all: WorkChunks<Chunk>[],
  toItem: (chunk: Chunk) => Partial<Chunk>,
): string[] =>
  toJsonLists(
    all.flatMap(({ work, chunks }) =>
      chunks.map((chunk) => ({
        organization_id: work.organizationId,
        conversation_id: work.conversationId,
        window_start: chunk.window_start,
        id: chunk.id,
        ...toItem(chunk),
      })),
    ),
  );

/** The key of a chunk in the table, of `new`, an item of a JSON list of chunks. */
const KEY_OF_NEW = sql`
  new.value ->> 'organization_id', new.value ->> 'conversation_id', new.value ->> 'window_start', new.value ->> 'id'`;

/** Condition: `k` is the stored chunk of `new`, an item of a JSON list of chunks. */
const IS_STORED_CHUNK = sql`
  k.organization_id = new.value ->> 'organization_id' AND k.conversation_id = new.value ->> 'conversation_id'
  AND k.window_start = new.value ->> 'window_start' AND k.id = new.value ->> 'id'`;

/** Condition: the run with this lease holds a job of the conversation of `new`. */
const isLeased = (all: WorkChunks[], leaseId: string): Sql => sql`
  (new.value ->> 'organization_id', new.value ->> 'conversation_id') IN (${leasedConversations(
    all.map(({ work }) => work),
    leaseId,
  )})`;

/**
 * Stores the planned chunks of some windows before any vector is written. From then on, a deletion of the
 * conversation also deletes the vectors that are written later.
 *
 * Queues the deletion of the vectors of removed chunks. A chunk that is stored again cancels its queued vector
 * deletion. If that deletion may have been sent already, the chunk is queued to be indexed once more, after the
 * deletion can no longer take effect. Also renews the lease of the runs.
 *
 * `written` has the ids of the chunks stored. A chunk with a message that was deleted since it was read is
 * skipped. The batch fails with `lease_lost` if another run has the lease on one of the conversations.
 */
export const plannedChunks = (
  plans: { work: DueConversation; write: PlannedChunk[]; remove: ChunkRecord[] }[],
  { lease, deleteConfirmMs }: { lease: Lease; deleteConfirmMs: number },
) =>
  ({
    lease: renewedLease(
      plans.map(({ work }) => work),
      lease,
    ),
    removed: toChunkLists(
      plans.map(({ work, remove }) => ({ work, chunks: remove })),
      ({ vector_id }) => ({ vector_id }),
    ).map((list) => removedChunks(list, lease.nowMs)),
    written: toChunkLists(
      plans.map(({ work, write }) => ({ work, chunks: write })),
      (chunk) => chunk,
    ).map((list) => writtenChunks(list, deleteConfirmMs)),
  }) satisfies Statements;

const removedChunks = (list: string, nowMs: number) =>
  ({
    vectors: nothing(sql`
      INSERT OR IGNORE INTO vector_deletions (organization_id, vector_id, conversation_id, queued_at_ms, due_at_ms)
      SELECT value ->> 'organization_id', value ->> 'vector_id', value ->> 'conversation_id', ${nowMs}, ${nowMs}
        FROM json_each(${list})`),
    chunks: nothing(sql`
      DELETE FROM conversation_chunks
       WHERE (organization_id, conversation_id, window_start, id) IN
             (SELECT ${KEY_OF_NEW} FROM json_each(${list}) AS new)`),
  }) satisfies Statements;

function writtenChunks(list: string, deleteConfirmMs: number) {
  /** The queued vector deletions, `d`, of chunks that are stored again. */
  const queuedDeletions = sql`
    FROM json_each(${list}) AS new
    CROSS JOIN conversation_chunks AS k ON ${IS_STORED_CHUNK}
    CROSS JOIN vector_deletions AS d ON d.organization_id = k.organization_id AND d.vector_id = k.vector_id`;
  return {
    // Only while the conversation and its messages exist, so that deleted content is not indexed again.
    ids: rows(
      sql`INSERT INTO conversation_chunks
            (organization_id, conversation_id, window_start, id, vector_id, start_sequence, end_sequence, model, text_hash,
             ordinal, text_start, text_end, overlap_start)
          SELECT ${KEY_OF_NEW}, new.value ->> 'vector_id', new.value ->> 'start_sequence', new.value ->> 'end_sequence',
                 new.value ->> 'model', new.value ->> 'text_hash', new.value ->> 'ordinal', new.value ->> 'text_start',
                 new.value ->> 'text_end', new.value ->> 'overlap_start'
            FROM json_each(${list}) AS new
           WHERE EXISTS (SELECT 1 FROM conversations AS c
                          WHERE c.organization_id = new.value ->> 'organization_id'
                            AND c.id = new.value ->> 'conversation_id' AND c.deleted_at_ms IS NULL)
             AND new.value ->> 'message_count' =
                 (SELECT count(*) FROM messages AS m
                   WHERE m.organization_id = new.value ->> 'organization_id'
                     AND m.conversation_id = new.value ->> 'conversation_id'
                     AND m.sequence BETWEEN new.value ->> 'start_sequence' AND new.value ->> 'end_sequence')
          ON CONFLICT (organization_id, conversation_id, window_start, id) DO UPDATE
             SET end_sequence = excluded.end_sequence, text_hash = excluded.text_hash, indexed_at_ms = NULL, ordinal = excluded.ordinal,
                 text_start = excluded.text_start, text_end = excluded.text_end, overlap_start = excluded.overlap_start
          RETURNING id`,
      ({ id }: { id: string }) => id,
    ),
    indexedAgain: nothing(sql`
      INSERT INTO index_jobs (organization_id, conversation_id, from_sequence, to_sequence, rebuild_words, due_at_ms)
      SELECT k.organization_id, k.conversation_id, k.start_sequence, k.end_sequence, 1,
             d.asked_at_ms + ${deleteConfirmMs}
        ${queuedDeletions} WHERE d.asked_at_ms IS NOT NULL`),
    deletionsCanceled: nothing(sql`
      DELETE FROM vector_deletions
       WHERE (organization_id, vector_id) IN (SELECT d.organization_id, d.vector_id ${queuedDeletions})`),
  } satisfies Statements;
}

/**
 * Marks chunks whose vectors were written, unless another run has the lease on the conversation now. If a chunk
 * was deleted while its vector was written, the vector's deletion is queued again, because the write may have
 * come after the first deletion.
 */
export const indexedChunks = (
  written: WorkChunks[],
  { leaseId, nowMs }: { leaseId: string; nowMs: number },
): Statement<void>[] =>
  toChunkLists(written, ({ vector_id, text_hash }) => ({ vector_id, text_hash })).flatMap((list) => [
    nothing(sql`
      UPDATE conversation_chunks SET indexed_at_ms = ${nowMs}
       WHERE (organization_id, conversation_id, window_start, id, text_hash) IN
             (SELECT ${KEY_OF_NEW}, new.value ->> 'text_hash' FROM json_each(${list}) AS new
               WHERE ${isLeased(written, leaseId)})`),
    nothing(sql`
      INSERT INTO vector_deletions (organization_id, vector_id, conversation_id, queued_at_ms, due_at_ms)
      SELECT new.value ->> 'organization_id', new.value ->> 'vector_id', new.value ->> 'conversation_id', 0, ${nowMs}
        FROM json_each(${list}) AS new
       WHERE NOT EXISTS (SELECT 1 FROM conversation_chunks AS k WHERE ${IS_STORED_CHUNK})
      ON CONFLICT (organization_id, vector_id) DO UPDATE
         SET queued_at_ms = 0, due_at_ms = excluded.due_at_ms, sent_at_ms = NULL`),
  ]);

/** Corrects the positions of chunks of memories, unless another run has the lease on the memory now. */
export const movedChunks = (moved: WorkChunks[], leaseId: string): Statement<void>[] =>
  toChunkLists(moved, ({ ordinal, text_start, text_end, overlap_start }) => {
    return { ordinal, text_start, text_end, overlap_start };
  }).map((list) =>
    nothing(sql`
      UPDATE conversation_chunks AS k
         SET ordinal = new.value ->> 'ordinal', text_start = new.value ->> 'text_start',
             text_end = new.value ->> 'text_end', overlap_start = new.value ->> 'overlap_start'
        FROM json_each(${list}) AS new
       WHERE ${IS_STORED_CHUNK} AND ${isLeased(moved, leaseId)}`),
  );

/** What is stored of a message's text besides its content. Valid only while its `updated_at_ms` is the same; null if never updated. */
export interface IndexedTerms extends MessageTerms {
  term_count: number;
  name_terms: string | null;
  features: number;
  model_tokens: number;
  updated_at_ms: number | null;
}

/**
 * Replaces the terms of messages and corrects the term counters. Skips a message that was changed since it was
 * read. Each record of the result is a batch, so that no write keeps the database busy for long.
 */
export function replacedTerms(work: ClaimedWork, records: IndexedTerms[]): Record<string, Statement<void>>[] {
  const pieces = records.flatMap(({ id, updated_at_ms, phrases }) =>
    phrases.map((terms, position) => ({ id, updated_at_ms, position, terms })),
  );
  return [
    ...toJsonLists(records.map(({ phrases: _, ...record }) => record)).map((list) =>
      replacedWords(work, list),
    ),
    ...toJsonLists(pieces).map((list) => ({
      // OR REPLACE, because another run of the job may have inserted these rows already. The job is deleted
      // only after this, so a run that dies before that is repeated.
      phrases: nothing(sql`
        INSERT OR REPLACE INTO message_phrases (rowid, body)
        SELECT m.row_key << 9 | new.value ->> 'position', new.value ->> 'terms' ${unchangedMessages(work, list)}`),
    })),
  ];
}

/** The messages named in a list, `new`, as `m`, without those that were changed since they were read. */
const unchangedMessages = ({ organizationId, conversationId }: DueConversation, list: string): Sql => sql`
  FROM json_each(${list}) AS new
  CROSS JOIN messages AS m ON m.organization_id = ${organizationId} AND m.conversation_id = ${conversationId}
             AND m.id = new.value ->> 'id' AND m.updated_at_ms IS new.value ->> 'updated_at_ms'`;

function replacedWords(work: ClaimedWork, list: string) {
  const { organizationId, conversationId } = work;
  const counter = columns([work.corpus === "memories" ? "memory_term_count" : "term_count"]);
  const unchanged = unchangedMessages(work, list);
  const change = sql`(SELECT coalesce(sum((new.value ->> 'term_count') - m.term_count), 0) ${unchanged})`;
  return {
    organization: nothing(sql`
      UPDATE organization_counters SET ${counter} = ${counter} + ${change} WHERE organization_id = ${organizationId}`),
    conversation: nothing(sql`
      UPDATE conversations SET term_count = term_count + ${change}
       WHERE organization_id = ${organizationId} AND id = ${conversationId}`),
    terms: nothing(sql`DELETE FROM message_words WHERE rowid IN (SELECT m.row_key ${unchanged})`),
    phrases: nothing(deletePhrases(sql`SELECT m.row_key ${unchanged}`)),
    lateWords: deleteLateWords(organizationId, sql`SELECT m.row_key ${unchanged}`),
    newTerms: nothing(sql`
      INSERT INTO message_words (rowid, body)
      SELECT m.row_key, ${termsWithName(sql`(new.value ->> 'terms')`, sql`(new.value ->> 'name_terms')`)} ${unchanged}`),
    // Seeks each row by its number. An UPDATE with FROM would scan the conversation for every list.
    messages: nothing(sql`
      UPDATE messages
         SET (term_count, name_terms, features, model_tokens) =
             (SELECT new.value ->> 'term_count', new.value ->> 'name_terms', new.value ->> 'features',
                     new.value ->> 'model_tokens'
                FROM json_each(${list}) AS new WHERE new.value ->> 'id' = messages.id)
       WHERE row_key IN (SELECT m.row_key ${unchanged})
         AND +organization_id = ${organizationId} AND +conversation_id = ${conversationId}`),
  } satisfies Statements;
}
