import { isDraining } from "../platform/batch.ts";
import { recordedEvents } from "../platform/recorded-events.ts";
import { type Round, roundRobin } from "../platform/round-robin.ts";
import {
  assertThat,
  batch,
  literal,
  nothing,
  row,
  rows,
  run,
  type Sql,
  type Statement,
  type Statements,
  sql,
} from "../platform/sql.ts";
import { type ContentEncoding, decodeText } from "../text/compression.ts";
import { BLOCK_SEQUENCES, SEGMENT_TOKENS_MAX, spanEnd, spanOf, spanStart } from "../text/segments.ts";
import type { SummarizedMessage, SummarySentence } from "../text/summaries.ts";
import { END, spansAbove } from "./queries.ts";

/** Time without a change after which the end of a conversation is summarized. */
export const REST_MS = 600_000;
/** Messages without a summary that such an end must have. */
export const REST_MESSAGES_MIN = 8;

export interface ConversationRef {
  organizationId: string;
  conversationId: string;
}

/** @param table alias with a dot. */
const isOf = ({ organizationId, conversationId }: ConversationRef, table: Sql = sql``): Sql =>
  sql`${table}organization_id = ${organizationId} AND ${table}conversation_id = ${conversationId}`;

const isJob = (of: ConversationRef, leaseId: string): Sql => sql`${isOf(of)} AND lease_id = ${leaseId}`;

/**
 * Queues a conversation if a segment without a summary is full, or if eight messages have none, for the time when it
 * rests. Writes nothing if that is queued already. Reads at most about 40 rows.
 *
 * @param range messages that were stored or indexed again. They are queued too if a summary over them lacks some, as after
 * an import.
 */
export const queuedSegments = (
  of: ConversationRef,
  { nowMs, range }: { nowMs: number; range: { first: number; last: number } | null },
): Statement<void> => {
  const block = literal(BLOCK_SEQUENCES);
  const enough = literal(REST_MESSAGES_MIN);
  const lastOf = (condition: Sql) => sql`coalesce((
    SELECT s.to_sequence FROM summaries AS s WHERE ${isOf(of, sql`s.`)} AND s.level = 1 AND ${condition}
     ORDER BY s.from_sequence DESC LIMIT 1), 0)`;
  const blockEnd = sql`(state.first - (state.first - 1) % ${block} + ${block} - 1)`;
  const exceedsTokens = sql`(
    SELECT count(*) > 1 AND sum(m.model_tokens) > ${literal(SEGMENT_TOKENS_MAX)} FROM messages AS m
     WHERE ${isOf(of, sql`m.`)} AND m.sequence BETWEEN state.first AND ${blockEnd})`;
  const uncovered = sql`(SELECT count(*) FROM (
    SELECT 1 FROM messages AS m
     WHERE ${isOf(of, sql`m.`)} AND m.sequence > max(state.full_to, state.covered_to) LIMIT ${enough}))`;
  return nothing(sql`
    WITH state AS MATERIALIZED (
      SELECT ends.*, (SELECT min(m.sequence) FROM messages AS m
                       WHERE ${isOf(of, sql`m.`)} AND m.sequence > ends.full_to) AS first
        FROM (SELECT c.last_sequence AS last_sequence, c.updated_at_ms AS updated_at_ms,
                     ${lastOf(sql`s.is_full = 1`)} AS full_to, ${lastOf(sql`TRUE`)} AS covered_to
                FROM conversations AS c
               WHERE c.organization_id = ${of.organizationId} AND c.id = ${of.conversationId}
                 AND c.deleted_at_ms IS NULL AND c.kind = 'conversation') AS ends),
    wanted AS (
      SELECT state.first AS from_sequence, ${END} AS to_sequence,
             CASE WHEN state.last_sequence >= ${blockEnd} OR ${exceedsTokens} THEN ${nowMs}
                  WHEN ${uncovered} = ${enough} THEN max(${nowMs}, state.updated_at_ms + ${REST_MS}) END AS due_at_ms
        FROM state WHERE state.first IS NOT NULL
      ${range === null ? sql`` : sql`UNION ALL ${incomplete(of, range, nowMs)}`})
    INSERT INTO summary_jobs (organization_id, conversation_id, from_sequence, to_sequence, due_at_ms)
    SELECT ${of.organizationId}, ${of.conversationId}, from_sequence, to_sequence, due_at_ms FROM wanted
     WHERE due_at_ms IS NOT NULL
    ON CONFLICT (organization_id, conversation_id) DO UPDATE
       SET from_sequence = min(from_sequence, excluded.from_sequence),
           to_sequence = max(to_sequence, excluded.to_sequence), due_at_ms = min(due_at_ms, excluded.due_at_ms)
     WHERE excluded.from_sequence < from_sequence OR excluded.to_sequence > to_sequence
        OR excluded.due_at_ms < due_at_ms`);
};

/** The blocks of a range, if full summaries of them cover another number of messages than they have. */
const incomplete = (of: ConversationRef, range: { first: number; last: number }, nowMs: number): Sql => {
  const first = literal(spanStart(1, range.first));
  const last = sql`min(${literal(spanEnd(1, range.last))}, state.full_to)`;
  return sql`
    SELECT ${first}, ${literal(range.last)}, ${nowMs} FROM state
     WHERE ${first} <= state.full_to
       AND (SELECT count(*) FROM messages AS m WHERE ${isOf(of, sql`m.`)} AND m.sequence BETWEEN ${first} AND ${last})
        <> (SELECT coalesce(sum(s.source_count), 0) FROM summaries AS s
             WHERE ${isOf(of, sql`s.`)} AND s.level = 1 AND s.from_sequence BETWEEN ${first} AND ${last})`;
};

/**
 * Queues a whole conversation at once, up to its end. A run that works on less loses its lease, because it would end the
 * job without the rest.
 */
export const queuedConversation = (of: ConversationRef, nowMs: number): Statement<void> =>
  nothing(sql`
    INSERT INTO summary_jobs (organization_id, conversation_id, from_sequence, to_sequence, is_requested, due_at_ms)
    VALUES (${of.organizationId}, ${of.conversationId}, 1, ${END}, 1, ${nowMs})
    ON CONFLICT (organization_id, conversation_id) DO UPDATE
       SET from_sequence = 1, to_sequence = ${END}, is_requested = 1, due_at_ms = min(due_at_ms, excluded.due_at_ms),
           attempts = 0, lease_id = iif(is_requested = 1, lease_id, NULL),
           lease_until_ms = iif(is_requested = 1, lease_until_ms, NULL)`);

export interface SummaryJob extends ConversationRef {
  leaseId: string;
  fromSequence: number;
  toSequence: number;
  isRequested: boolean;
  attempts: number;
  dueAtMs: number;
}

interface JobRow {
  organization_id: string;
  conversation_id: string;
  from_sequence: number;
  to_sequence: number;
  is_requested: 0 | 1;
  attempts: number;
  due_at_ms: number;
}

const isFree = (nowMs: number): Sql => sql`(lease_until_ms IS NULL OR lease_until_ms <= ${nowMs})`;

const dueJobs = (nowMs: number) => ({
  table: sql`summary_jobs`,
  key: sql`organization_id`,
  all: sql`TRUE`,
  waits: (organization: Sql) =>
    sql`due_at_ms <= ${nowMs} AND ${isFree(nowMs)} AND NOT ${isDraining(organization, nowMs)}`,
  order: sql`due_at_ms, rowid`,
});

/**
 * Claims the job of a conversation, or the next of all that are due. Only the run that holds its lease can store summaries
 * of the conversation.
 */
export async function claimJob(
  db: D1Database,
  lease: { id: string; nowMs: number; untilMs: number },
  from: { of: ConversationRef } | { round: Round },
): Promise<SummaryJob | null> {
  const next =
    "of" in from
      ? sql`WITH next AS MATERIALIZED (
              SELECT rowid AS id FROM summary_jobs
               WHERE ${isOf(from.of)} AND due_at_ms <= ${lease.nowMs} AND ${isFree(lease.nowMs)}
                 AND NOT ${isDraining(sql`summary_jobs.organization_id`, lease.nowMs)})`
      : sql`${roundRobin(dueJobs(lease.nowMs), from.round)},
            next AS MATERIALIZED (SELECT id FROM line ORDER BY position, turn LIMIT 1)`;
  const { job } = await batch(db, {
    job: row(
      sql`${next}
          SELECT j.organization_id, j.conversation_id, j.from_sequence, j.to_sequence, j.is_requested,
                 j.attempts + 1 AS attempts, j.due_at_ms
            FROM next CROSS JOIN summary_jobs AS j ON j.rowid = next.id`,
      (claimed: JobRow): SummaryJob => ({
        organizationId: claimed.organization_id,
        conversationId: claimed.conversation_id,
        leaseId: lease.id,
        fromSequence: claimed.from_sequence,
        toSequence: claimed.to_sequence,
        isRequested: claimed.is_requested === 1,
        attempts: claimed.attempts,
        dueAtMs: claimed.due_at_ms,
      }),
    ),
    leased: nothing(sql`
      ${next}
      UPDATE summary_jobs SET lease_id = ${lease.id}, lease_until_ms = ${lease.untilMs}, attempts = attempts + 1
       WHERE rowid IN (SELECT id FROM next)`),
  });
  return job;
}

export async function hasDueJobs(db: D1Database, nowMs: number, round: Round): Promise<boolean> {
  const line = roundRobin(dueJobs(nowMs), { ...round, rowsMax: 1 });
  return (
    (await run(
      db,
      row(sql`${line} SELECT 1 FROM line LIMIT 1`, () => true),
    )) !== null
  );
}

/** A message that a segment may have. */
export interface CountedMessage {
  sequence: number;
  tokens: number;
}

/** A summary without its sentences. */
export interface StoredSummary {
  level: number;
  from_sequence: number;
  to_sequence: number;
  source_count: number;
  is_full: 0 | 1;
  model: string | null;
  rules: number;
}

const STORED_COLUMNS = sql`s.level, s.from_sequence, s.to_sequence, s.source_count, s.is_full, s.model, s.rules`;

/** Number of messages that one step reads: those of a span of the second level, and the next one. */
const STEP_MESSAGES = spanOf(2) + 1;

export interface MessageStep {
  /** Null if the conversation is deleted. */
  conversation: { last_sequence: number; updated_at_ms: number } | null;
  messages: CountedMessage[];
  stored: StoredSummary[];
}

/** Reads the next messages from a sequence number on, and the summaries over them. */
export const readMessages = (
  db: D1Database,
  of: ConversationRef,
  fromSequence: number,
): Promise<MessageStep> =>
  batch(db, {
    conversation: row(
      sql`SELECT last_sequence, updated_at_ms FROM conversations
           WHERE organization_id = ${of.organizationId} AND id = ${of.conversationId} AND deleted_at_ms IS NULL
             AND kind = 'conversation'`,
      (found: { last_sequence: number; updated_at_ms: number }) => found,
    ),
    messages: rows(
      sql`SELECT m.sequence, m.model_tokens AS tokens FROM messages AS m
           WHERE ${isOf(of, sql`m.`)} AND m.sequence >= ${fromSequence} ORDER BY m.sequence LIMIT ${STEP_MESSAGES}`,
      (message: CountedMessage) => message,
    ),
    stored: rows(
      sql`SELECT ${STORED_COLUMNS} FROM summaries AS s
           WHERE ${isOf(of, sql`s.`)} AND s.level = 1 AND s.from_sequence >= ${fromSequence}
           ORDER BY s.from_sequence LIMIT ${STEP_MESSAGES}`,
      (summary: StoredSummary) => summary,
    ),
  });

interface ContentRow extends Omit<SummarizedMessage, "content"> {
  content: string;
  content_encoding: ContentEncoding | null;
}

/** The messages of ranges of sequence numbers, in order. */
export const selectContents = (
  db: D1Database,
  of: ConversationRef,
  ranges: { from: number; to: number }[],
): Promise<SummarizedMessage[]> =>
  run(
    db,
    rows(
      sql`SELECT m.id, m.sequence, m.role, m.name, m.content, m.content_encoding
            FROM json_each(${JSON.stringify(ranges)}) AS r
           CROSS JOIN messages AS m ON ${isOf(of, sql`m.`)}
                      AND m.sequence BETWEEN r.value ->> 'from' AND r.value ->> 'to'
           ORDER BY r.key, m.sequence`,
      async ({ content_encoding, ...message }: ContentRow) => ({
        ...message,
        content: await decodeText(message.content, content_encoding),
      }),
    ),
  );

/** A summary that one of the next level covers. */
export interface ChildSummary extends StoredSummary {
  sentences: SummarySentence[];
  source_hash: string;
}

/** Reads the full summaries that one span of a level covers, and those that are stored of the level. */
export const readSummaries = (
  db: D1Database,
  of: ConversationRef,
  { level, start }: { level: number; start: number },
): Promise<{ children: ChildSummary[]; stored: StoredSummary[] }> => {
  const inSpan = sql`s.from_sequence BETWEEN ${start} AND ${spanEnd(level, start)}`;
  return batch(db, {
    children: rows(
      sql`SELECT ${STORED_COLUMNS}, s.sentences, s.source_hash FROM summaries AS s
           WHERE ${isOf(of, sql`s.`)} AND s.level = ${level - 1} AND ${inSpan} AND s.is_full = 1
           ORDER BY s.from_sequence`,
      ({ sentences, ...child }: Omit<ChildSummary, "sentences"> & { sentences: string }) => ({
        ...child,
        sentences: JSON.parse(sentences) as SummarySentence[],
      }),
    ),
    stored: rows(
      sql`SELECT ${STORED_COLUMNS} FROM summaries AS s
           WHERE ${isOf(of, sql`s.`)} AND s.level = ${level} AND ${inSpan} ORDER BY s.from_sequence`,
      (summary: StoredSummary) => summary,
    ),
  });
};

/** A summary to store. */
export interface NewSummary extends StoredSummary {
  sentences: SummarySentence[];
  source_hash: string;
}

/**
 * Stores summaries of one level in place of others, deletes those of higher levels over any of them, and renews the lease.
 * Fails with `lease_lost` if one of the messages was changed since the job was claimed.
 */
export const replaceSummaries = (
  db: D1Database,
  job: SummaryJob,
  { level, removed, added }: { level: number; removed: StoredSummary[]; added: NewSummary[] },
  lease: { nowMs: number; untilMs: number },
): Promise<unknown> => {
  const places = JSON.stringify(
    [...removed, ...added].map(({ from_sequence: from, to_sequence: to }) => [from, to]),
  );
  const list = JSON.stringify(
    added.map((summary) => ({ ...summary, sentences: JSON.stringify(summary.sentences) })),
  );
  return batch(db, {
    held: assertThat(
      "lease_lost",
      sql`EXISTS (SELECT 1 FROM summary_jobs AS j
                   CROSS JOIN conversations AS c ON c.organization_id = j.organization_id AND c.id = j.conversation_id
                              AND c.deleted_at_ms IS NULL
                   WHERE ${isOf(job, sql`j.`)} AND j.lease_id = ${job.leaseId})`,
    ),
    renewed: nothing(sql`UPDATE summary_jobs SET lease_until_ms = ${lease.untilMs} WHERE ${isOf(job)}`),
    removed: nothing(sql`
      DELETE FROM summaries
       WHERE ${isOf(job)} AND level = ${level}
         AND from_sequence IN (SELECT value ->> 0 FROM json_each(${JSON.stringify(removed.map(({ from_sequence }) => [from_sequence]))}))`),
    // They are made again from these.
    parents: nothing(sql`
      DELETE FROM summaries
       WHERE (organization_id, conversation_id, level, from_sequence) IN
             (SELECT s.organization_id, s.conversation_id, s.level, s.from_sequence
                FROM json_each(${places}) AS place
               CROSS JOIN json_each(${spansAbove(level)}) AS l
               CROSS JOIN summaries AS s ON ${isOf(job, sql`s.`)} AND s.level = l.value ->> 'level'
                          AND s.from_sequence > (place.value ->> 0) - (l.value ->> 'span')
                          AND s.from_sequence <= place.value ->> 1 AND s.to_sequence >= place.value ->> 0)`),
    added: nothing(sql`
      INSERT INTO summaries
        (organization_id, conversation_id, level, from_sequence, to_sequence, source_count, is_full, sentences, model,
         rules, source_hash, created_at_ms)
      SELECT ${job.organizationId}, ${job.conversationId}, ${level}, value ->> 'from_sequence',
             value ->> 'to_sequence', value ->> 'source_count', value ->> 'is_full', value ->> 'sentences',
             value ->> 'model', value ->> 'rules', value ->> 'source_hash', ${lease.nowMs}
        FROM json_each(${list})`),
    events: recordedEvents(
      job.organizationId,
      lease.nowMs,
      sql`SELECT 'summary.created' AS type, ${job.conversationId} AS subject_id,
                 value ->> 'from_sequence' AS first_sequence, value ->> 'to_sequence' AS last_sequence
            FROM json_each(${list}) ORDER BY key`,
    ),
  } satisfies Statements);
};

/** Records that all is made before a sequence number, and renews the lease. Resolves to whether the run still holds it. */
export const advanceJob = (
  db: D1Database,
  job: SummaryJob,
  fromSequence: number,
  untilMs: number,
): Promise<boolean> =>
  run(
    db,
    row(
      sql`UPDATE summary_jobs SET from_sequence = ${fromSequence}, lease_until_ms = ${untilMs}
           WHERE ${isJob(job, job.leaseId)} RETURNING 1`,
      () => true,
    ),
  ).then((held) => held !== null);

/** Ends a job that is done. What became due meanwhile is queued again. */
export const endJob = (db: D1Database, job: SummaryJob, nowMs: number): Promise<unknown> =>
  batch(db, {
    ended: nothing(sql`DELETE FROM summary_jobs WHERE ${isJob(job, job.leaseId)}`),
    queued: queuedSegments(job, { nowMs, range: null }),
  });

/** Ends the lease on a job whose run has no more steps. It is due again, after those that wait longer. */
export const releaseJob = (db: D1Database, job: SummaryJob, nowMs: number): Promise<void> =>
  run(
    db,
    nothing(sql`
      UPDATE summary_jobs SET lease_id = NULL, lease_until_ms = NULL, due_at_ms = ${nowMs}, attempts = 0
       WHERE ${isJob(job, job.leaseId)}`),
  );

/** Ends the lease on a job that failed. No run claims it for a while, and it keeps its place among those that are due. */
export const delayJob = (db: D1Database, job: SummaryJob, untilMs: number): Promise<void> =>
  run(
    db,
    nothing(sql`
      UPDATE summary_jobs SET lease_id = NULL, lease_until_ms = ${untilMs} WHERE ${isJob(job, job.leaseId)}`),
  );
