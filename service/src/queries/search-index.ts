import type { IndexStatus } from "@engram/spec";
import { decodeText } from "../text/compression.ts";
import { type Owner, toJsonLists, toTimestamp } from "./batch.ts";
import type { MessageRow } from "./messages.ts";

/** After so many attempts an indexing job is left alone and reported. */
export const INDEX_ATTEMPTS_MAX = 10;

/** A conversation with indexing work that is due. */
export interface DueConversation {
  organizationId: string;
  conversationId: string;
}

/** Indexing work of one conversation, claimed by one run. */
export interface ClaimedWork extends DueConversation {
  conversationNumber: number;
  /** The organization's mark in the keyword index. */
  organizationNumber: number;
  agentId: string | null;
  userId: string | null;
  jobs: { id: number; fromSequence: number; toSequence: number; rebuildWords: boolean; attempts: number }[];
}

interface ClaimRow {
  id: number;
  from_sequence: number;
  to_sequence: number;
  rebuild_words: 0 | 1;
  attempts: number;
  number: number;
  organization_number: number;
  agent_id: string | null;
  user_id: string | null;
}

/**
 * Take all due jobs of a conversation under a lease; null when there are none or another run has it.
 *
 * One run at a time has a conversation, so that its vectors are written in the order of its changes.
 */
export async function claimIndexJobs(
  db: D1Database,
  due: DueConversation,
  lease: { id: string; nowMs: number; untilMs: number },
): Promise<ClaimedWork | null> {
  const [, claimed] = await db.batch([
    db
      .prepare(
        `UPDATE index_jobs SET lease_id = ?3, lease_until_ms = ?5, attempts = attempts + 1
          WHERE organization_id = ?1 AND conversation_id = ?2 AND due_at_ms <= ?4 AND attempts < ?6
            AND NOT EXISTS (SELECT 1 FROM index_jobs AS other
                             WHERE other.organization_id = ?1 AND other.conversation_id = ?2
                               AND other.lease_until_ms > ?4)`,
      )
      .bind(due.organizationId, due.conversationId, lease.id, lease.nowMs, lease.untilMs, INDEX_ATTEMPTS_MAX),
    db
      .prepare(
        `SELECT j.id, j.from_sequence, j.to_sequence, j.rebuild_words, j.attempts, c.number, c.agent_id, c.user_id,
                (SELECT o.number FROM organization_counters AS o WHERE o.organization_id = ?1) AS organization_number
           FROM index_jobs AS j
           JOIN conversations AS c ON c.organization_id = j.organization_id AND c.id = j.conversation_id
          WHERE j.organization_id = ?1 AND j.conversation_id = ?2 AND j.lease_id = ?3 AND c.deleted_at_ms IS NULL`,
      )
      .bind(due.organizationId, due.conversationId, lease.id),
  ]);
  const rows = (claimed?.results ?? []) as ClaimRow[];
  const [first] = rows;
  if (first === undefined) return null;
  return {
    ...due,
    conversationNumber: first.number,
    organizationNumber: first.organization_number,
    agentId: first.agent_id,
    userId: first.user_id,
    jobs: rows.map((row) => ({
      id: row.id,
      fromSequence: row.from_sequence,
      toSequence: row.to_sequence,
      rebuildWords: row.rebuild_words === 1,
      attempts: row.attempts,
    })),
  };
}

/** Conversations with work that is due and that no run has, longest waiting first. */
export async function selectDueConversations(
  db: D1Database,
  input: { nowMs: number; limit: number },
): Promise<DueConversation[]> {
  const { results } = await db
    .prepare(
      `SELECT organization_id, conversation_id FROM index_jobs
        WHERE due_at_ms <= ?1 AND attempts < ?3 AND (lease_until_ms IS NULL OR lease_until_ms <= ?1)
        GROUP BY organization_id, conversation_id ORDER BY min(due_at_ms), min(id) LIMIT ?2`,
    )
    .bind(input.nowMs, input.limit, INDEX_ATTEMPTS_MAX)
    .all<{ organization_id: string; conversation_id: string }>();
  return results.map((row) => ({ organizationId: row.organization_id, conversationId: row.conversation_id }));
}

/** A message as indexing reads it. */
export interface IndexedMessage {
  id: string;
  sequence: number;
  role: MessageRow["role"];
  name: string | null;
  content: string;
  createdAtMs: number;
}

/** A chunk as it is stored. */
export interface ChunkRecord {
  id: string;
  vector_id: string;
  window_start: number;
  start_sequence: number;
  end_sequence: number;
  model: string;
  text_hash: string;
}

/** A chunk to be stored, while its window still has so many messages in its place. */
export interface PlannedChunk extends ChunkRecord {
  message_count: number;
}

/**
 * Messages and stored chunks of a run of windows. Behind `wholeToSequence` the messages end before their
 * content passes `bytesMax`; then they are not `complete`.
 */
export async function selectWindows(
  db: D1Database,
  work: DueConversation,
  range: {
    fromWindow: number;
    toWindow: number;
    fromSequence: number;
    toSequence: number;
    wholeToSequence: number;
    bytesMax: number;
  },
): Promise<{
  messages: IndexedMessage[];
  chunks: (ChunkRecord & { indexed: boolean })[];
  complete: boolean;
}> {
  const [found, stored] = await db.batch([
    db
      .prepare(
        `WITH page AS (
           SELECT number AS message_number, sequence AS place,
                  sum(content_bytes) OVER (ORDER BY sequence) AS bytes, count(*) OVER () AS found
             FROM messages WHERE organization_id = ?1 AND conversation_id = ?2 AND sequence BETWEEN ?3 AND ?4)
         SELECT m.id, m.sequence, m.role, m.name, m.content, m.content_encoding, m.created_at_ms, page.found
           FROM page CROSS JOIN messages AS m ON m.number = page.message_number
          WHERE m.organization_id = ?1 AND (page.place <= ?5 OR page.bytes <= ?6) ORDER BY m.sequence`,
      )
      .bind(
        work.organizationId,
        work.conversationId,
        range.fromSequence,
        range.toSequence,
        range.wholeToSequence,
        range.bytesMax,
      ),
    db
      .prepare(
        `SELECT id, vector_id, window_start, start_sequence, end_sequence, model, text_hash, indexed_at_ms
           FROM conversation_chunks
          WHERE organization_id = ?1 AND conversation_id = ?2 AND window_start BETWEEN ?3 AND ?4`,
      )
      .bind(work.organizationId, work.conversationId, range.fromWindow, range.toWindow),
  ]);
  const rows = (found?.results ?? []) as (MessageRow & { found: number })[];
  const messages = rows.map(async (row) => ({
    id: row.id,
    sequence: row.sequence,
    role: row.role,
    name: row.name,
    content: await decodeText(row.content, row.content_encoding),
    createdAtMs: row.created_at_ms,
  }));
  const chunks = (stored?.results ?? []) as (ChunkRecord & { indexed_at_ms: number | null })[];
  return {
    messages: await Promise.all(messages),
    chunks: chunks.map(({ indexed_at_ms, ...chunk }) => ({ ...chunk, indexed: indexed_at_ms !== null })),
    complete: rows.length === (rows[0]?.found ?? 0),
  };
}

/**
 * Store what the chunks of some windows are to be, before any vector is written: from here on whoever
 * deletes the conversation knows of the vectors to come. Chunks that are no more leave their vectors
 * to be deleted; a chunk that is back takes its queued deletion away.
 *
 * @returns ids of the chunks stored: one whose message was deleted since it was read is left out.
 */
export async function planChunks(
  db: D1Database,
  work: DueConversation,
  plan: { write: PlannedChunk[]; remove: ChunkRecord[]; leaseUntilMs: number; nowMs: number },
): Promise<Set<string>> {
  const statements: D1PreparedStatement[] = [];
  for (const chunks of toJsonLists(plan.remove.map(({ id, vector_id }) => ({ id, vector_id })))) {
    statements.push(
      db
        .prepare(
          `INSERT OR IGNORE INTO vector_deletions (organization_id, vector_id, confirm_after_ms, due_at_ms)
           SELECT ?1, value ->> 'vector_id', ?3, ?4 FROM json_each(?2)`,
        )
        .bind(work.organizationId, chunks, plan.leaseUntilMs, plan.nowMs),
      db
        .prepare(
          `DELETE FROM conversation_chunks
            WHERE organization_id = ?1 AND id IN (SELECT value ->> 'id' FROM json_each(?2))`,
        )
        .bind(work.organizationId, chunks),
    );
  }
  for (const chunks of toJsonLists(plan.write)) {
    statements.push(
      // Only while conversation and messages are there: what was deleted meanwhile must not come back.
      db
        .prepare(
          `INSERT INTO conversation_chunks
             (organization_id, id, conversation_id, vector_id, window_start, start_sequence, end_sequence, model, text_hash)
           SELECT ?1, new.value ->> 'id', ?2, new.value ->> 'vector_id', new.value ->> 'window_start',
                  new.value ->> 'start_sequence', new.value ->> 'end_sequence', new.value ->> 'model',
                  new.value ->> 'text_hash'
             FROM json_each(?3) AS new
            WHERE EXISTS (SELECT 1 FROM conversations
                           WHERE organization_id = ?1 AND id = ?2 AND deleted_at_ms IS NULL)
              AND new.value ->> 'message_count' =
                  (SELECT count(*) FROM messages AS m WHERE m.organization_id = ?1 AND m.conversation_id = ?2
                      AND m.sequence BETWEEN new.value ->> 'start_sequence' AND new.value ->> 'end_sequence')
           ON CONFLICT (organization_id, id) DO UPDATE SET text_hash = excluded.text_hash, indexed_at_ms = NULL
           RETURNING id`,
        )
        .bind(work.organizationId, work.conversationId, chunks),
      db
        .prepare(
          `DELETE FROM vector_deletions WHERE organization_id = ?1
             AND vector_id IN (SELECT k.vector_id FROM json_each(?2) AS new
                                CROSS JOIN conversation_chunks AS k
                                           ON k.organization_id = ?1 AND k.id = new.value ->> 'id')`,
        )
        .bind(work.organizationId, chunks),
    );
  }
  const results = statements.length > 0 ? await db.batch<{ id: string }>(statements) : [];
  return new Set(results.flatMap((result) => result.results.map(({ id }) => id)));
}

/**
 * Mark chunks whose vectors are in, and hold the lease on. A chunk that was deleted while its vector was
 * written leaves the vector to be deleted.
 */
export async function markChunksIndexed(
  db: D1Database,
  work: DueConversation,
  input: { chunks: ChunkRecord[]; leaseId: string; leaseUntilMs: number; nowMs: number },
): Promise<void> {
  const chunks = JSON.stringify(
    input.chunks.map(({ id, vector_id, text_hash }) => ({ id, vector_id, text_hash })),
  );
  await db.batch([
    db
      .prepare("UPDATE index_jobs SET lease_until_ms = ?3 WHERE organization_id = ?1 AND lease_id = ?2")
      .bind(work.organizationId, input.leaseId, input.leaseUntilMs),
    db
      .prepare(
        `UPDATE conversation_chunks SET indexed_at_ms = ?3
          WHERE organization_id = ?1
            AND (id, text_hash) IN (SELECT value ->> 'id', value ->> 'text_hash' FROM json_each(?2))`,
      )
      .bind(work.organizationId, chunks, input.nowMs),
    db
      .prepare(
        `INSERT OR IGNORE INTO vector_deletions (organization_id, vector_id, confirm_after_ms, due_at_ms)
         SELECT ?1, new.value ->> 'vector_id', ?3, ?3 FROM json_each(?2) AS new
          WHERE NOT EXISTS (SELECT 1 FROM conversation_chunks AS k
                             WHERE k.organization_id = ?1 AND k.id = new.value ->> 'id')`,
      )
      .bind(work.organizationId, chunks, input.nowMs),
  ]);
}

/**
 * Move a run's jobs on to what is left of them, hold the lease on, and give windows that failed a job
 * of their own.
 */
export async function updateIndexJobsProgress(
  db: D1Database,
  input: DueConversation & {
    leaseId: string;
    doneToSequence: number;
    leaseUntilMs: number;
    /** Sequence ranges of failed windows. */
    failed: { from: number; to: number }[];
    attempts: number;
    error: string;
    dueAtMs: number;
    nowMs: number;
  },
): Promise<void> {
  const { organizationId, conversationId, leaseId } = input;
  const failed = db
    .prepare(
      `INSERT INTO index_jobs
         (organization_id, conversation_id, from_sequence, to_sequence, attempts, due_at_ms, last_error, last_error_at_ms)
       SELECT ?1, ?2, value ->> 'from', value ->> 'to', ?4, ?5, ?6, ?7 FROM json_each(?3)`,
    )
    .bind(
      organizationId,
      conversationId,
      JSON.stringify(input.failed),
      input.attempts,
      input.dueAtMs,
      input.error,
      input.nowMs,
    );
  await db.batch([
    ...(input.failed.length > 0 ? [failed] : []),
    db
      .prepare("DELETE FROM index_jobs WHERE organization_id = ?1 AND lease_id = ?2 AND to_sequence <= ?3")
      .bind(organizationId, leaseId, input.doneToSequence),
    db
      .prepare(
        `UPDATE index_jobs SET from_sequence = max(from_sequence, ?3 + 1), lease_until_ms = ?4
          WHERE organization_id = ?1 AND lease_id = ?2`,
      )
      .bind(organizationId, leaseId, input.doneToSequence, input.leaseUntilMs),
  ]);
}

/** Give a run's unfinished jobs back at once; the attempt does not count. */
export async function releaseIndexJobs(
  db: D1Database,
  input: { organizationId: string; leaseId: string },
): Promise<void> {
  await db
    .prepare(
      `UPDATE index_jobs SET lease_id = NULL, lease_until_ms = NULL, attempts = attempts - 1
        WHERE organization_id = ?1 AND lease_id = ?2`,
    )
    .bind(input.organizationId, input.leaseId)
    .run();
}

/** How many jobs of a conversation wait, and how many of them have failed before. */
export async function countIndexJobs(
  db: D1Database,
  due: DueConversation,
): Promise<{ waiting: number; failing: number }> {
  const row = await db
    .prepare(
      `SELECT count(*) AS waiting, coalesce(sum(last_error IS NOT NULL), 0) AS failing FROM index_jobs
        WHERE organization_id = ?1 AND conversation_id = ?2`,
    )
    .bind(due.organizationId, due.conversationId)
    .first<{ waiting: number; failing: number }>();
  return row ?? { waiting: 0, failing: 0 };
}

/** Give a run's jobs back after a failure, to be tried again at `dueAtMs`. */
export async function updateIndexJobsFailed(
  db: D1Database,
  input: { organizationId: string; leaseId: string; error: string; nowMs: number; dueAtMs: number },
): Promise<void> {
  await db
    .prepare(
      `UPDATE index_jobs
          SET lease_id = NULL, lease_until_ms = NULL, last_error = ?3, last_error_at_ms = ?4, due_at_ms = ?5
        WHERE organization_id = ?1 AND lease_id = ?2`,
    )
    .bind(input.organizationId, input.leaseId, input.error, input.nowMs, input.dueAtMs)
    .run();
}

/** Write the keyword rows of messages anew, and correct the counters by what that changes. */
export async function replaceWords(
  db: D1Database,
  work: DueConversation,
  rows: { id: string; words: string; token_count: number }[],
): Promise<void> {
  const { organizationId, conversationId } = work;
  for (const list of toJsonLists(rows)) {
    const these = `FROM json_each(?3) AS new
      CROSS JOIN messages AS m ON m.organization_id = ?1 AND m.conversation_id = ?2 AND m.id = new.value ->> 'id'`;
    const change = `(SELECT coalesce(sum((new.value ->> 'token_count') - m.token_count), 0) ${these})`;
    const bound = (sql: string) => db.prepare(sql).bind(organizationId, conversationId, list);
    await db.batch([
      bound(
        `UPDATE organization_counters SET token_count = token_count + ${change} WHERE organization_id = ?1`,
      ),
      bound(
        `UPDATE conversations SET token_count = token_count + ${change} WHERE organization_id = ?1 AND id = ?2`,
      ),
      bound(`DELETE FROM message_words WHERE rowid IN (SELECT m.number ${these})`),
      bound(`INSERT INTO message_words (rowid, body) SELECT m.number, new.value ->> 'words' ${these}`),
      bound(
        `UPDATE messages SET token_count = new.value ->> 'token_count' FROM json_each(?3) AS new
          WHERE messages.organization_id = ?1 AND messages.conversation_id = ?2 AND messages.id = new.value ->> 'id'`,
      ),
    ]);
  }
}

/** Queue conversations of the owner to be indexed whole; resolves to how many. */
export function insertRepairJobs(
  db: D1Database,
  input: { owner: Owner; conversationId: string | null; nowMs: number },
): D1PreparedStatement[] {
  const binds = [input.owner.organizationId, input.owner.agentId, input.conversationId];
  const chosen = `FROM conversations
    WHERE organization_id = ?1 AND deleted_at_ms IS NULL AND (?2 IS NULL OR agent_id = ?2) AND (?3 IS NULL OR id = ?3)`;
  return [
    db
      .prepare(
        `DELETE FROM index_jobs WHERE organization_id = ?1 AND conversation_id IN (SELECT id ${chosen})
            AND (lease_until_ms IS NULL OR lease_until_ms <= ?4)`,
      )
      .bind(...binds, input.nowMs),
    db
      .prepare(
        `INSERT INTO index_jobs (organization_id, conversation_id, from_sequence, to_sequence, rebuild_words, due_at_ms)
         SELECT organization_id, id, 1, last_sequence, 1, ?4 ${chosen} AND last_sequence > 0`,
      )
      .bind(...binds, input.nowMs),
    db.prepare(`SELECT count(*) AS queued ${chosen} AND last_sequence > 0`).bind(...binds),
  ];
}

interface StatusRow {
  messages: number;
  pending: number;
  failed: number;
  chunks: number;
  others: number;
  deletions: number;
  error: string | null;
  error_at_ms: number | null;
}

/** How much of the owner's messages, or of one conversation, is indexed; null when it is not there. */
export async function selectIndexStatus(
  db: D1Database,
  input: { owner: Owner; conversationId: string | null; model: string; dimensions: number },
): Promise<IndexStatus | null> {
  const row = await db
    .prepare(
      `WITH c AS MATERIALIZED (
         SELECT id, message_count FROM conversations
          WHERE organization_id = ?1 AND deleted_at_ms IS NULL AND (?2 IS NULL OR agent_id = ?2)
            AND (?3 IS NULL OR id = ?3)),
       j AS MATERIALIZED (
         SELECT conversation_id, to_sequence - from_sequence + 1 AS waiting, attempts >= ?5 AS failed,
                last_error, last_error_at_ms
           FROM index_jobs WHERE organization_id = ?1 AND conversation_id IN (SELECT id FROM c)),
       -- Jobs can overlap: a conversation has no more to wait for than it has messages.
       w AS MATERIALIZED (
         SELECT j.failed AS failed, min(max(c.message_count), sum(j.waiting)) AS waiting
           FROM j JOIN c ON c.id = j.conversation_id GROUP BY j.conversation_id, j.failed)
       SELECT (SELECT count(*) FROM c) AS conversations,
              (SELECT coalesce(sum(message_count), 0) FROM c) AS messages,
              (SELECT coalesce(sum(waiting), 0) FROM w WHERE NOT failed) AS pending,
              (SELECT coalesce(sum(waiting), 0) FROM w WHERE failed) AS failed,
              (SELECT count(*) FROM conversation_chunks WHERE organization_id = ?1 AND model = ?4
                  AND indexed_at_ms IS NOT NULL AND conversation_id IN (SELECT id FROM c)) AS chunks,
              (SELECT count(*) FROM conversation_chunks WHERE organization_id = ?1 AND model <> ?4
                  AND conversation_id IN (SELECT id FROM c)) AS others,
              (SELECT count(*) FROM vector_deletions WHERE organization_id = ?1) AS deletions,
              e.last_error AS error, e.last_error_at_ms AS error_at_ms
         FROM (SELECT 1) LEFT JOIN
              (SELECT last_error, last_error_at_ms FROM j WHERE last_error IS NOT NULL
                ORDER BY last_error_at_ms DESC LIMIT 1) AS e
        WHERE ?3 IS NULL OR EXISTS (SELECT 1 FROM c)`,
    )
    .bind(
      input.owner.organizationId,
      input.owner.agentId,
      input.conversationId,
      input.model,
      INDEX_ATTEMPTS_MAX,
    )
    .first<StatusRow>();
  return (
    row && {
      model: input.model,
      dimensions: input.dimensions,
      messages: row.messages,
      pending: row.pending,
      failed: row.failed,
      chunks: row.chunks,
      chunks_of_other_models: row.others,
      deletions_pending: row.deletions,
      last_error:
        row.error === null || row.error_at_ms === null
          ? null
          : { message: row.error, at: toTimestamp(row.error_at_ms) },
    }
  );
}
