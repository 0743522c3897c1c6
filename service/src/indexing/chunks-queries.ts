import {
  deleteLateWords,
  deletePhrases,
  type MessageRecord,
  type MessageRow,
  termsWithName,
} from "../messages/queries.ts";
import { toJsonLists } from "../platform/batch.ts";
import { columns, nothing, rows, type Sql, type Statement, type Statements, sql } from "../platform/sql.ts";
import { decodeText } from "../text/compression.ts";
import {
  type ClaimedWork,
  type DueConversation,
  isLeased,
  type Lease,
  renewedLease,
} from "./jobs-queries.ts";

export interface IndexedMessage {
  id: string;
  sequence: number;
  role: MessageRow["role"];
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

/** A range of windows, each named by its first sequence number, and the limits of one read of it. */
interface WindowRange {
  fromWindow: number;
  toWindow: number;
  toSequence: number;
  windowMessages: number;
  messagesMax: number;
  bytesMax: number;
}

/** Condition: the content of a row of the CTE `page` is read. The first window with a message is read whole. */
const isRead = ({ windowMessages, messagesMax, bytesMax }: WindowRange): Sql => sql`
  (page.sequence < page.first + ${windowMessages} OR (page.place <= ${messagesMax} AND page.bytes <= ${bytesMax}))`;

/**
 * CTE `page`: the messages of a range by one index seek each, up to and including the first that is not read
 * because of a limit.
 */
const pageOfMessages = ({ organizationId, conversationId }: DueConversation, range: WindowRange): Sql => sql`
  page (row_key, sequence, first, place, bytes) AS (
    SELECT * FROM (SELECT row_key, sequence, sequence, 1, content_bytes FROM messages
                    WHERE organization_id = ${organizationId} AND conversation_id = ${conversationId}
                      AND sequence BETWEEN ${range.fromWindow} AND ${range.toSequence}
                    ORDER BY sequence LIMIT 1)
     UNION ALL
    SELECT m.row_key, m.sequence, page.first, page.place + 1, page.bytes + m.content_bytes
      FROM page CROSS JOIN messages AS m
     WHERE ${isRead(range)} AND m.organization_id = ${organizationId} AND m.conversation_id = ${conversationId}
       AND m.sequence = (SELECT n.sequence FROM messages AS n
                          WHERE n.organization_id = ${organizationId} AND n.conversation_id = ${conversationId}
                            AND n.sequence > page.sequence AND n.sequence <= ${range.toSequence}
                          ORDER BY n.sequence LIMIT 1))`;

/** A message of a range of windows. The first one that is not read has no content. */
type WindowRow = MessageRow & { is_read: 0 | 1 };

interface StoredChunk extends ChunkRecord {
  indexed: boolean;
}

/**
 * The next messages in a range of windows, in order, and the stored chunks of these windows.
 *
 * Seeks from message to message, so gaps between sequences cost nothing. Stops before `messagesMax` or
 * `bytesMax` is exceeded, but reads at least one window.
 */
export const storedWindows = (work: DueConversation, range: WindowRange) =>
  ({
    messages: rows(
      sql`WITH RECURSIVE ${pageOfMessages(work, range)}
          SELECT m.id, m.sequence, m.role, m.name, iif(${isRead(range)}, m.content, NULL) AS content, m.content_encoding,
                 m.created_at_ms, m.updated_at_ms, ${isRead(range)} AS is_read
            FROM page CROSS JOIN messages AS m ON m.row_key = page.row_key
           WHERE m.organization_id = ${work.organizationId} ORDER BY m.sequence`,
      (row: WindowRow) => row,
    ),
    chunks: chunksOfRange(work, range),
  }) satisfies Statements;

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

/** The stored chunks of the windows that are read. */
const chunksOfRange = (work: DueConversation, range: WindowRange): Statement<StoredChunk[]> =>
  rows(
    sql`WITH RECURSIVE ${pageOfMessages(work, range)}
        SELECT id, vector_id, window_start, start_sequence, end_sequence, model, text_hash, ordinal, text_start,
               text_end, overlap_start, indexed_at_ms
          FROM conversation_chunks
         WHERE organization_id = ${work.organizationId} AND conversation_id = ${work.conversationId}
           AND window_start >= ${range.fromWindow}
           AND window_start <= min(${range.toWindow}, coalesce((SELECT sequence FROM page WHERE NOT ${isRead(range)}),
                                                               ${range.toWindow}))`,
    ({ indexed_at_ms, ...chunk }: ChunkRecord & { indexed_at_ms: number | null }) => ({
      ...chunk,
      indexed: indexed_at_ms !== null,
    }),
  );

/**
 * Stores the planned chunks of some windows before any vector is written. From then on, a deletion of the
 * conversation also deletes the vectors that are written later.
 *
 * Queues the deletion of the vectors of removed chunks. A chunk that is stored again cancels its queued vector
 * deletion. If that deletion may have been sent already, the chunk is queued to be indexed once more, after the
 * deletion can no longer take effect. Also renews the run's lease.
 *
 * `written` has the ids of the chunks stored. A chunk with a message that was deleted since it was read is
 * skipped. The batch fails with `lease_lost` if another run has the lease on the conversation.
 */
export const plannedChunks = (
  work: DueConversation,
  plan: { write: PlannedChunk[]; remove: ChunkRecord[]; lease: Lease; deleteConfirmMs: number },
) =>
  ({
    lease: renewedLease(work, plan.lease),
    removed: toJsonLists(
      plan.remove.map(({ id, window_start, vector_id }) => ({ id, window_start, vector_id })),
    ).map((list) => removedChunks(work, list, plan.lease.nowMs)),
    written: toJsonLists(plan.write).map((list) => writtenChunks(work, list, plan.deleteConfirmMs)),
  }) satisfies Statements;

const removedChunks = ({ organizationId, conversationId }: DueConversation, list: string, nowMs: number) =>
  ({
    vectors: nothing(sql`
      INSERT OR IGNORE INTO vector_deletions (organization_id, vector_id, conversation_id, queued_at_ms, due_at_ms)
      SELECT ${organizationId}, value ->> 'vector_id', ${conversationId}, ${nowMs}, ${nowMs} FROM json_each(${list})`),
    chunks: nothing(sql`
      DELETE FROM conversation_chunks
       WHERE organization_id = ${organizationId} AND conversation_id = ${conversationId} AND ${isAmong(list)}`),
  }) satisfies Statements;

/** Condition: the row of `conversation_chunks` is in a JSON list of chunks. */
const isAmong = (list: string): Sql => sql`
  (window_start, id) IN (SELECT value ->> 'window_start', value ->> 'id' FROM json_each(${list}))`;

/** Condition: `k` is the stored chunk of `new`, an item of a JSON list of chunks. */
const isStoredChunk = ({ organizationId, conversationId }: DueConversation): Sql => sql`
  k.organization_id = ${organizationId} AND k.conversation_id = ${conversationId}
  AND k.window_start = new.value ->> 'window_start' AND k.id = new.value ->> 'id'`;

function writtenChunks(
  { organizationId, conversationId }: DueConversation,
  list: string,
  deleteConfirmMs: number,
) {
  /** The queued vector deletions, `d`, of chunks that are stored again. */
  const queuedDeletions = sql`
    FROM json_each(${list}) AS new
    CROSS JOIN conversation_chunks AS k ON ${isStoredChunk({ organizationId, conversationId })}
    CROSS JOIN vector_deletions AS d ON d.organization_id = ${organizationId} AND d.vector_id = k.vector_id`;
  return {
    // Only while the conversation and its messages exist, so that deleted content is not indexed again.
    ids: rows(
      sql`INSERT INTO conversation_chunks
            (organization_id, id, conversation_id, vector_id, window_start, start_sequence, end_sequence, model, text_hash,
             ordinal, text_start, text_end, overlap_start)
          SELECT ${organizationId}, new.value ->> 'id', ${conversationId}, new.value ->> 'vector_id',
                 new.value ->> 'window_start', new.value ->> 'start_sequence', new.value ->> 'end_sequence',
                 new.value ->> 'model', new.value ->> 'text_hash', new.value ->> 'ordinal', new.value ->> 'text_start',
                 new.value ->> 'text_end', new.value ->> 'overlap_start'
            FROM json_each(${list}) AS new
           WHERE EXISTS (SELECT 1 FROM conversations
                          WHERE organization_id = ${organizationId} AND id = ${conversationId} AND deleted_at_ms IS NULL)
             AND new.value ->> 'message_count' =
                 (SELECT count(*) FROM messages AS m
                   WHERE m.organization_id = ${organizationId} AND m.conversation_id = ${conversationId}
                     AND m.sequence BETWEEN new.value ->> 'start_sequence' AND new.value ->> 'end_sequence')
          ON CONFLICT (organization_id, conversation_id, window_start, id) DO UPDATE
             SET end_sequence = excluded.end_sequence, text_hash = excluded.text_hash, indexed_at_ms = NULL, ordinal = excluded.ordinal,
                 text_start = excluded.text_start, text_end = excluded.text_end, overlap_start = excluded.overlap_start
          RETURNING id`,
      ({ id }: { id: string }) => id,
    ),
    indexedAgain: nothing(sql`
      INSERT INTO index_jobs (organization_id, conversation_id, from_sequence, to_sequence, rebuild_words, due_at_ms)
      SELECT ${organizationId}, k.conversation_id, k.start_sequence, k.end_sequence, 1, d.asked_at_ms + ${deleteConfirmMs}
        ${queuedDeletions} WHERE d.asked_at_ms IS NOT NULL`),
    deletionsCanceled: nothing(sql`
      DELETE FROM vector_deletions
       WHERE organization_id = ${organizationId} AND vector_id IN (SELECT d.vector_id ${queuedDeletions})`),
  } satisfies Statements;
}

/**
 * Marks chunks whose vectors were written, unless another run has the lease on the conversation now. If a chunk
 * was deleted while its vector was written, the vector's deletion is queued again, because the write may have
 * come after the first deletion.
 */
export function indexedChunks(
  { organizationId, conversationId }: DueConversation,
  { chunks, leaseId, nowMs }: { chunks: ChunkRecord[]; leaseId: string; nowMs: number },
): Statement<void>[] {
  if (chunks.length === 0) return [];
  const list = JSON.stringify(
    chunks.map(({ id, window_start, vector_id, text_hash }) => ({ id, window_start, vector_id, text_hash })),
  );
  return [
    nothing(sql`
      UPDATE conversation_chunks SET indexed_at_ms = ${nowMs}
       WHERE organization_id = ${organizationId} AND conversation_id = ${conversationId}
         AND (window_start, id, text_hash) IN
             (SELECT value ->> 'window_start', value ->> 'id', value ->> 'text_hash' FROM json_each(${list}))
         AND EXISTS (SELECT 1 FROM index_jobs WHERE ${isLeased({ organizationId, conversationId }, leaseId)})`),
    nothing(sql`
      INSERT INTO vector_deletions (organization_id, vector_id, conversation_id, queued_at_ms, due_at_ms)
      SELECT ${organizationId}, new.value ->> 'vector_id', ${conversationId}, 0, ${nowMs} FROM json_each(${list}) AS new
       WHERE NOT EXISTS (SELECT 1 FROM conversation_chunks AS k
                          WHERE ${isStoredChunk({ organizationId, conversationId })})
      ON CONFLICT (organization_id, vector_id) DO UPDATE
         SET queued_at_ms = 0, due_at_ms = excluded.due_at_ms, sent_at_ms = NULL`),
  ];
}

/** Corrects the positions of a memory's chunks, unless another run has the lease on the memory now. */
export const movedChunks = (
  work: DueConversation,
  { chunks, leaseId }: { chunks: ChunkRecord[]; leaseId: string },
): Statement<void>[] =>
  toJsonLists(
    chunks.map(({ id, window_start, ordinal, text_start, text_end, overlap_start }) => {
      return { id, window_start, ordinal, text_start, text_end, overlap_start };
    }),
  ).map((list) =>
    nothing(sql`
      UPDATE conversation_chunks AS k
         SET ordinal = new.value ->> 'ordinal', text_start = new.value ->> 'text_start',
             text_end = new.value ->> 'text_end', overlap_start = new.value ->> 'overlap_start'
        FROM json_each(${list}) AS new
       WHERE ${isStoredChunk(work)}
         AND EXISTS (SELECT 1 FROM index_jobs WHERE ${isLeased(work, leaseId)})`),
  );

/** Index terms and features of a message. Valid only while its `updated_at_ms` is the same; null if never updated. */
export interface IndexedTerms
  extends Pick<MessageRecord, "id" | "terms" | "phrases" | "term_count" | "name_terms" | "features"> {
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
         SET (term_count, name_terms, features) =
             (SELECT new.value ->> 'term_count', new.value ->> 'name_terms', new.value ->> 'features'
                FROM json_each(${list}) AS new WHERE new.value ->> 'id' = messages.id)
       WHERE row_key IN (SELECT m.row_key ${unchanged})
         AND +organization_id = ${organizationId} AND +conversation_id = ${conversationId}`),
  } satisfies Statements;
}
