import { decodeText } from "../text/compression.ts";
import { runBatch, toJsonLists } from "./batch.ts";
import { type ClaimedWork, type DueConversation, type Lease, renewLease } from "./index-jobs.ts";
import { deletePhrases, type MessageRecord, type MessageRow, wordsWithName } from "./messages.ts";
import { CONFIRM_MS } from "./vector-deletions.ts";

/** Messages in a window. A chunk never spans two windows. */
export const WINDOW_MESSAGES = 5;

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
  /** Position among the chunks of a memory, and offsets in its content; null for messages. */
  ordinal: number | null;
  text_start: number | null;
  text_end: number | null;
  overlap_start: number | null;
}

/** A chunk to store, on condition that its range still has this number of messages. */
export interface PlannedChunk extends ChunkRecord {
  message_count: number;
}

/** Whether a row of `page` is read. The first window with a message is always read whole. */
const IS_READ = "(page.sequence < page.first + ?6 OR (page.place <= ?7 AND page.bytes <= ?8))";

/** Messages of a range by one index seek each, up to and including the first that is not read. */
const PAGE = `WITH RECURSIVE page (number, sequence, first, place, bytes) AS (
    SELECT * FROM (SELECT number, sequence, sequence, 1, content_bytes FROM messages
                    WHERE organization_id = ?1 AND conversation_id = ?2 AND sequence BETWEEN ?3 AND ?5
                    ORDER BY sequence LIMIT 1)
     UNION ALL
    SELECT m.number, m.sequence, page.first, page.place + 1, page.bytes + m.content_bytes
      FROM page CROSS JOIN messages AS m
     WHERE ${IS_READ} AND m.organization_id = ?1 AND m.conversation_id = ?2
       AND m.sequence = (SELECT n.sequence FROM messages AS n
                          WHERE n.organization_id = ?1 AND n.conversation_id = ?2
                            AND n.sequence > page.sequence AND n.sequence <= ?5
                          ORDER BY n.sequence LIMIT 1))`;

/**
 * The next messages in a range of windows, and the stored chunks of these windows.
 *
 * Seeks from message to message, so gaps between sequences cost nothing. Stops before `messagesMax` or
 * `bytesMax` is exceeded.
 *
 * @returns `nextSequence`: the first message of the range that was not read; null when all were.
 */
export async function selectWindows(
  db: D1Database,
  work: DueConversation,
  range: {
    fromWindow: number;
    toWindow: number;
    toSequence: number;
    windowMessages: number;
    messagesMax: number;
    bytesMax: number;
  },
): Promise<{
  messages: IndexedMessage[];
  chunks: (ChunkRecord & { indexed: boolean })[];
  nextSequence: number | null;
}> {
  const bound = (sql: string) =>
    db
      .prepare(sql)
      .bind(
        work.organizationId,
        work.conversationId,
        range.fromWindow,
        range.toWindow,
        range.toSequence,
        range.windowMessages,
        range.messagesMax,
        range.bytesMax,
      );
  const [found, stored] = await db.batch([
    bound(
      `${PAGE}
       SELECT m.id, m.sequence, m.role, m.name, iif(${IS_READ}, m.content, NULL) AS content, m.content_encoding,
              m.created_at_ms, m.updated_at_ms, ${IS_READ} AS is_read
         FROM page CROSS JOIN messages AS m ON m.number = page.number
        WHERE m.organization_id = ?1 ORDER BY m.sequence`,
    ),
    bound(
      `${PAGE}
       SELECT id, vector_id, window_start, start_sequence, end_sequence, model, text_hash, ordinal, text_start, text_end,
              overlap_start, indexed_at_ms
         FROM conversation_chunks
        WHERE organization_id = ?1 AND conversation_id = ?2 AND window_start >= ?3
          AND window_start <= min(?4, coalesce((SELECT sequence FROM page WHERE NOT ${IS_READ}), ?4))`,
    ),
  ]);
  const rows = (found?.results ?? []) as (MessageRow & { is_read: 0 | 1 })[];
  const messages = rows
    .filter((row) => row.is_read === 1)
    .map(async (row) => ({
      id: row.id,
      sequence: row.sequence,
      role: row.role,
      name: row.name,
      content: await decodeText(row.content, row.content_encoding),
      createdAtMs: row.created_at_ms,
      updatedAtMs: row.updated_at_ms,
    }));
  const chunks = (stored?.results ?? []) as (ChunkRecord & { indexed_at_ms: number | null })[];
  return {
    messages: await Promise.all(messages),
    chunks: chunks.map(({ indexed_at_ms, ...chunk }) => ({ ...chunk, indexed: indexed_at_ms !== null })),
    nextSequence: rows.find((row) => row.is_read === 0)?.sequence ?? null,
  };
}

/**
 * Stores the planned chunks of some windows before any vector is written. From then on, a deletion of the
 * conversation also deletes the vectors that are written later.
 *
 * Queues the deletion of the vectors of removed chunks. A chunk that is stored again cancels its queued
 * vector deletion. If that deletion may have been sent already, the chunk is queued to be indexed once more,
 * after the deletion can no longer take effect. Also renews the run's lease.
 *
 * @returns ids of the chunks stored. A chunk with a message that was deleted since it was read is skipped.
 * @throws {Refused} `lease_lost` when another run has the conversation. Nothing is stored then.
 */
export async function planChunks(
  db: D1Database,
  work: DueConversation,
  plan: { write: PlannedChunk[]; remove: ChunkRecord[]; lease: Lease },
): Promise<Set<string>> {
  const statements = renewLease(db, work, plan.lease);
  for (const chunks of toJsonLists(plan.remove.map(({ id, vector_id }) => ({ id, vector_id })))) {
    statements.push(
      db
        .prepare(
          `INSERT OR IGNORE INTO vector_deletions (organization_id, vector_id, conversation_id, queued_at_ms, due_at_ms)
           SELECT ?1, value ->> 'vector_id', ?3, ?4, ?4 FROM json_each(?2)`,
        )
        .bind(work.organizationId, chunks, work.conversationId, plan.lease.nowMs),
      db
        .prepare(
          `DELETE FROM conversation_chunks
            WHERE organization_id = ?1 AND id IN (SELECT value ->> 'id' FROM json_each(?2))`,
        )
        .bind(work.organizationId, chunks),
    );
  }
  const back = `FROM json_each(?2) AS new
    CROSS JOIN conversation_chunks AS k ON k.organization_id = ?1 AND k.id = new.value ->> 'id'
    CROSS JOIN vector_deletions AS d ON d.organization_id = ?1 AND d.vector_id = k.vector_id`;
  for (const chunks of toJsonLists(plan.write)) {
    statements.push(
      // Only while the conversation and its messages exist, so that deleted content is not indexed again.
      db
        .prepare(
          `INSERT INTO conversation_chunks
             (organization_id, id, conversation_id, vector_id, window_start, start_sequence, end_sequence, model, text_hash,
              ordinal, text_start, text_end, overlap_start)
           SELECT ?1, new.value ->> 'id', ?2, new.value ->> 'vector_id', new.value ->> 'window_start',
                  new.value ->> 'start_sequence', new.value ->> 'end_sequence', new.value ->> 'model',
                  new.value ->> 'text_hash', new.value ->> 'ordinal', new.value ->> 'text_start',
                  new.value ->> 'text_end', new.value ->> 'overlap_start'
             FROM json_each(?3) AS new
            WHERE EXISTS (SELECT 1 FROM conversations
                           WHERE organization_id = ?1 AND id = ?2 AND deleted_at_ms IS NULL)
              AND new.value ->> 'message_count' =
                  (SELECT count(*) FROM messages AS m WHERE m.organization_id = ?1 AND m.conversation_id = ?2
                      AND m.sequence BETWEEN new.value ->> 'start_sequence' AND new.value ->> 'end_sequence')
           ON CONFLICT (organization_id, id) DO UPDATE
              SET text_hash = excluded.text_hash, indexed_at_ms = NULL, ordinal = excluded.ordinal,
                  text_start = excluded.text_start, text_end = excluded.text_end, overlap_start = excluded.overlap_start
           RETURNING id`,
        )
        .bind(work.organizationId, work.conversationId, chunks),
      db
        .prepare(
          `INSERT INTO index_jobs (organization_id, conversation_id, from_sequence, to_sequence, rebuild_words, due_at_ms)
           SELECT ?1, k.conversation_id, k.start_sequence, k.end_sequence, 1, d.asked_at_ms + ?3 ${back}
            WHERE d.asked_at_ms IS NOT NULL`,
        )
        .bind(work.organizationId, chunks, CONFIRM_MS),
      db
        .prepare(
          `DELETE FROM vector_deletions WHERE organization_id = ?1 AND vector_id IN (SELECT d.vector_id ${back})`,
        )
        .bind(work.organizationId, chunks),
    );
  }
  const results = (await runBatch(db, statements)) as D1Result<{ id: string }>[];
  return new Set(results.flatMap((result) => result.results.map(({ id }) => id)));
}

/**
 * Marks chunks whose vectors were written, unless another run has the conversation now. If a chunk was
 * deleted while its vector was written, the vector's deletion is queued again, because the write may have
 * come after the first.
 */
export function markChunksIndexed(
  db: D1Database,
  work: DueConversation,
  input: { chunks: ChunkRecord[]; leaseId: string; nowMs: number },
): D1PreparedStatement[] {
  if (input.chunks.length === 0) return [];
  const chunks = JSON.stringify(
    input.chunks.map(({ id, vector_id, text_hash }) => ({ id, vector_id, text_hash })),
  );
  return [
    db
      .prepare(
        `UPDATE conversation_chunks SET indexed_at_ms = ?3
          WHERE organization_id = ?1
            AND (id, text_hash) IN (SELECT value ->> 'id', value ->> 'text_hash' FROM json_each(?2))
            AND EXISTS (SELECT 1 FROM index_jobs
                         WHERE organization_id = ?1 AND conversation_id = ?4 AND lease_id = ?5)`,
      )
      .bind(work.organizationId, chunks, input.nowMs, work.conversationId, input.leaseId),
    db
      .prepare(
        `INSERT INTO vector_deletions (organization_id, vector_id, conversation_id, queued_at_ms, due_at_ms)
         SELECT ?1, new.value ->> 'vector_id', ?4, 0, ?3 FROM json_each(?2) AS new
          WHERE NOT EXISTS (SELECT 1 FROM conversation_chunks AS k
                             WHERE k.organization_id = ?1 AND k.id = new.value ->> 'id')
         ON CONFLICT (organization_id, vector_id) DO UPDATE
            SET queued_at_ms = 0, due_at_ms = excluded.due_at_ms, sent_at_ms = NULL`,
      )
      .bind(work.organizationId, chunks, input.nowMs, work.conversationId),
  ];
}

/** Corrects the positions of a memory's chunks, unless another run has the memory now. */
export const moveChunks = (
  db: D1Database,
  work: DueConversation,
  input: { chunks: ChunkRecord[]; leaseId: string },
): D1PreparedStatement[] =>
  toJsonLists(
    input.chunks.map(({ id, ordinal, text_start, text_end, overlap_start }) => {
      return { id, ordinal, text_start, text_end, overlap_start };
    }),
  ).map((list) =>
    db
      .prepare(
        `UPDATE conversation_chunks AS k
            SET ordinal = new.value ->> 'ordinal', text_start = new.value ->> 'text_start',
                text_end = new.value ->> 'text_end', overlap_start = new.value ->> 'overlap_start'
           FROM json_each(?2) AS new
          WHERE k.organization_id = ?1 AND k.id = new.value ->> 'id'
            AND EXISTS (SELECT 1 FROM index_jobs
                         WHERE organization_id = ?1 AND conversation_id = ?3 AND lease_id = ?4)`,
      )
      .bind(work.organizationId, list, work.conversationId, input.leaseId),
  );

/** The keyword index and search fields of a message, computed from the version at `updated_at_ms`. */
export interface IndexedWords
  extends Pick<MessageRecord, "id" | "words" | "phrases" | "token_count" | "name_words" | "traits"> {
  updated_at_ms: number | null;
}

/**
 * Replaces the terms of messages and corrects the counters. Skips a message that was changed since it was
 * read.
 */
export async function replaceWords(db: D1Database, work: ClaimedWork, rows: IndexedWords[]): Promise<void> {
  const { organizationId, conversationId } = work;
  const counter = work.corpus === "memories" ? "memory_token_count" : "token_count";
  const these = `FROM json_each(?3) AS new
    CROSS JOIN messages AS m ON m.organization_id = ?1 AND m.conversation_id = ?2 AND m.id = new.value ->> 'id'
               AND m.updated_at_ms IS new.value ->> 'updated_at_ms'`;
  const change = `(SELECT coalesce(sum((new.value ->> 'token_count') - m.token_count), 0) ${these})`;
  for (const list of toJsonLists(rows.map(({ phrases: _, ...row }) => row))) {
    const bound = (sql: string) => db.prepare(sql).bind(organizationId, conversationId, list);
    await db.batch([
      bound(
        `UPDATE organization_counters SET ${counter} = ${counter} + ${change} WHERE organization_id = ?1`,
      ),
      bound(
        `UPDATE conversations SET token_count = token_count + ${change} WHERE organization_id = ?1 AND id = ?2`,
      ),
      bound(`DELETE FROM message_words WHERE rowid IN (SELECT m.number ${these})`),
      bound(deletePhrases(`SELECT m.number ${these}`)),
      bound(
        `INSERT INTO message_words (rowid, body)
         SELECT m.number, ${wordsWithName("(new.value ->> 'words')", "(new.value ->> 'name_words')")} ${these}`,
      ),
      // Seeks each row. An UPDATE with FROM would scan the conversation for every list of words.
      bound(
        `UPDATE messages
            SET (token_count, name_words, traits) =
                (SELECT new.value ->> 'token_count', new.value ->> 'name_words', new.value ->> 'traits'
                   FROM json_each(?3) AS new WHERE new.value ->> 'id' = messages.id)
          WHERE number IN (SELECT m.number ${these}) AND +organization_id = ?1 AND +conversation_id = ?2`,
      ),
    ]);
  }
  const pieces = rows.flatMap(({ id, updated_at_ms, phrases }) =>
    phrases.map((words, place) => ({ id, updated_at_ms, place, words })),
  );
  // OR REPLACE, because another run of the job may have inserted these already. The job stays until this is
  // done.
  for (const list of pieces.length > 0 ? toJsonLists(pieces) : [])
    await db
      .prepare(
        `INSERT OR REPLACE INTO message_phrases (rowid, body)
         SELECT m.number << 9 | new.value ->> 'place', new.value ->> 'words' ${these}`,
      )
      .bind(organizationId, conversationId, list)
      .run();
}
