import type { ContextSummary, MessageRole, Summary } from "@engram/spec";
import { isReadable, type Owner, toTimestamp } from "../platform/batch.ts";
import { scannedPage } from "../platform/scans.ts";
import {
  and,
  batch,
  given,
  literal,
  nothing,
  row,
  rows,
  type Sql,
  type Statement,
  sql,
} from "../platform/sql.ts";
import { type ContentEncoding, decodeText } from "../text/compression.ts";
import { LEVELS_MAX, spanOf } from "../text/segments.ts";
import type { SummarySentence } from "../text/summaries.ts";

/** The messages of a conversation that a batch changes or deletes. */
export interface ChangedMessages {
  organizationId: string;
  conversationId: string;
  /** First and last sequence number; NULL if there are none. */
  first: Sql;
  last: Sql;
  /** Condition under which they change. */
  condition?: Sql;
}

/** The levels above one, each with the number of sequence numbers within which its summaries lie, as JSON. */
export const spansAbove = (level: number): string =>
  JSON.stringify(
    Array.from({ length: LEVELS_MAX - level }, (_, i) => ({
      level: level + 1 + i,
      span: spanOf(level + 1 + i),
    })),
  );
const LEVELS = spansAbove(0);

/** The summaries `s` that cover one of the messages, on every level: a few steps in the index of each. */
const covering = ({ organizationId, conversationId, first, last, condition }: ChangedMessages): Sql => sql`
  FROM (SELECT ${first} AS first, ${last} AS last) AS changed
 CROSS JOIN json_each(${LEVELS}) AS l
 CROSS JOIN summaries AS s ON s.organization_id = ${organizationId} AND s.conversation_id = ${conversationId}
            AND s.level = l.value ->> 'level' AND s.from_sequence > changed.first - (l.value ->> 'span')
            AND s.from_sequence <= changed.last AND s.to_sequence >= changed.first
 WHERE ${condition ?? sql`TRUE`}`;

/** Number of summaries that {@link deletedSummaries} deletes, for the row of an operation. */
export const summaryCount = (changed: ChangedMessages): Sql => sql`(SELECT count(*) ${covering(changed)})`;

/**
 * Deletes the summaries over messages that the batch changes or deletes afterwards, and queues them again. A run that is
 * making one over them loses its lease, so that it cannot store what it has read.
 */
export const deletedSummaries = (changed: ChangedMessages, nowMs: number) => {
  const { organizationId, conversationId, first, last, condition } = changed;
  return {
    queued: nothing(sql`
      INSERT INTO summary_jobs (organization_id, conversation_id, from_sequence, to_sequence, due_at_ms)
      SELECT ${organizationId}, ${conversationId}, changed.first, changed.last, ${nowMs}
        FROM (SELECT ${first} AS first, ${last} AS last) AS changed
       WHERE changed.first IS NOT NULL AND ${condition ?? sql`TRUE`}
         AND (EXISTS (SELECT 1 ${covering(changed)})
              OR EXISTS (SELECT 1 FROM summary_jobs AS j
                          WHERE j.organization_id = ${organizationId} AND j.conversation_id = ${conversationId}))
      ON CONFLICT (organization_id, conversation_id) DO UPDATE
         SET from_sequence = min(from_sequence, excluded.from_sequence),
             to_sequence = max(to_sequence, excluded.to_sequence),
             due_at_ms = min(due_at_ms, excluded.due_at_ms), attempts = 0, lease_id = NULL, lease_until_ms = NULL`),
    deleted: nothing(sql`
      DELETE FROM summaries
       WHERE (organization_id, conversation_id, level, from_sequence) IN
             (SELECT s.organization_id, s.conversation_id, s.level, s.from_sequence ${covering(changed)})`),
  };
};

/** The message with this id, for {@link deletedSummaries}. */
export const changedMessage = (
  target: { organizationId: string; conversationId: string },
  id: string,
): ChangedMessages => {
  const sequence = sql`(SELECT m.sequence FROM messages AS m
    WHERE m.organization_id = ${target.organizationId} AND m.conversation_id = ${target.conversationId}
      AND m.id = ${id})`;
  return { ...target, first: sequence, last: sequence };
};

/** The messages from a sequence number on. */
export const changedSuffix = (
  target: { organizationId: string; conversationId: string },
  fromSequence: number,
): ChangedMessages => {
  const end = (function_: Sql) => sql`(SELECT ${function_}(m.sequence) FROM messages AS m
    WHERE m.organization_id = ${target.organizationId} AND m.conversation_id = ${target.conversationId}
      AND m.sequence >= ${fromSequence})`;
  return { ...target, first: end(sql`min`), last: end(sql`max`) };
};

interface SummaryRow {
  conversation_id: string;
  level: number;
  from_sequence: number;
  to_sequence: number;
  source_count: number;
  is_full: 0 | 1;
  sentences: string;
  model: string | null;
  rules: number;
  source_hash: string;
  created_at_ms: number;
}

const toSummary = ({ is_full, sentences, created_at_ms, ...summary }: SummaryRow): Summary => ({
  ...summary,
  full: is_full === 1,
  sentences: JSON.parse(sentences) as SummarySentence[],
  created_at: toTimestamp(created_at_ms),
});

export interface SummaryPosition {
  level: number;
  fromSequence: number;
}

/** Summaries of a conversation by level and place. Null if the owner cannot read the conversation. */
export async function selectSummaries(
  db: D1Database,
  owner: Owner,
  input: {
    conversationId: string;
    level: number | undefined;
    fromSequence: number | undefined;
    toSequence: number | undefined;
    after: SummaryPosition | null;
    limit: number;
    rowsMax: number;
  },
): Promise<{ summaries: Summary[]; scanEnd: SummaryPosition | null } | null> {
  const { after } = input;
  const range = and([
    sql`organization_id = ${owner.organizationId} AND conversation_id = ${input.conversationId}`,
    ...given(input.level, (level) => sql`level = ${level}`),
    ...given(after, ({ level, fromSequence }) => sql`(level, from_sequence) > (${level}, ${fromSequence})`),
  ]);
  const filters = [
    ...given(input.fromSequence, (from) => sql`to_sequence >= ${from}`),
    ...given(input.toSequence, (to) => sql`from_sequence <= ${to}`),
  ];
  const { conversation, page } = await batch(db, {
    conversation: readableConversation(owner, input.conversationId),
    page: scannedPage(
      {
        columns: sql`conversation_id, level, from_sequence, to_sequence, source_count, is_full, sentences, model, rules,
                     source_hash, created_at_ms`,
        table: sql`summaries`,
        range,
        order: sql`level, from_sequence`,
        filter: filters.length === 0 ? null : and(filters),
        position: sql`level, from_sequence`,
        limit: input.limit,
        rowsMax: input.rowsMax,
      },
      toSummary,
      (row: { level: number; from_sequence: number }): SummaryPosition => ({
        level: row.level,
        fromSequence: row.from_sequence,
      }),
    ),
  });
  return conversation === null ? null : { summaries: page.items, scanEnd: page.scanEnd };
}

/** The conversation, if the owner can read it. */
export const readableConversation = (owner: Owner, id: string): Statement<{ last_sequence: number } | null> =>
  row(
    sql`SELECT c.last_sequence FROM conversations AS c
         WHERE c.organization_id = ${owner.organizationId} AND c.id = ${id} AND c.deleted_at_ms IS NULL
           AND c.kind = 'conversation' AND ${isReadable(owner, sql`c.`)}`,
    (conversation: { last_sequence: number }) => conversation,
  );

/** What a purge removes of conversations, at most `limit` summaries, and counts for their operations. */
export const purgedSummaries = (list: string, limit: number) => {
  const some = sql`
    FROM json_each(${list}) AS gone
    CROSS JOIN summaries AS s ON s.organization_id = gone.value ->> 'organizationId'
               AND s.conversation_id = gone.value ->> 'id' LIMIT ${limit}`;
  return {
    counted: nothing(sql`
      UPDATE operations SET summaries_deleted = summaries_deleted + gone.summaries
        FROM (SELECT organization_id, operation_id, count(*) AS summaries
                FROM (SELECT s.organization_id, gone.value ->> 'operationId' AS operation_id ${some})
               GROUP BY organization_id, operation_id) AS gone
       WHERE operations.organization_id = gone.organization_id AND operations.id = gone.operation_id`),
    rows: nothing(sql`
      DELETE FROM summaries
       WHERE (organization_id, conversation_id, level, from_sequence) IN
             (SELECT s.organization_id, s.conversation_id, s.level, s.from_sequence ${some})`),
    jobs: nothing(sql`
      DELETE FROM summary_jobs
       WHERE (organization_id, conversation_id) IN
             (SELECT value ->> 'organizationId', value ->> 'id' FROM json_each(${list}))`),
  };
};

/** The end of a conversation, as `to_sequence` of a job. */
export const END = literal(16_777_215);

/** Summaries of each level that a context reads, the newest ones. */
const NEWEST_SUMMARIES = literal(32);

const CONTEXT_COLUMNS = sql`s.level, s.from_sequence, s.to_sequence, s.sentences, s.model, s.created_at_ms`;

const toContextSummary = ({
  sentences,
  created_at_ms,
  ...summary
}: Pick<
  SummaryRow,
  "level" | "from_sequence" | "to_sequence" | "sentences" | "model" | "created_at_ms"
>): ContextSummary => ({
  ...summary,
  sentences: JSON.parse(sentences) as SummarySentence[],
  created_at: toTimestamp(created_at_ms),
});

/** The newest summaries of each level, without those that a context does not need. The owner must be checked apart. */
export const newestSummaries = (
  organizationId: string,
  conversationId: string,
): Statement<ContextSummary[]> => {
  const ofLevel = (table: Sql) => sql`
    ${table}.organization_id = ${organizationId} AND ${table}.conversation_id = ${conversationId}
    AND ${table}.level = l.value ->> 'level'`;
  return rows(
    sql`SELECT ${CONTEXT_COLUMNS}
          FROM json_each(${LEVELS}) AS l
         CROSS JOIN summaries AS s ON ${ofLevel(sql`s`)}
                    AND s.from_sequence >= coalesce((
                      SELECT o.from_sequence FROM summaries AS o WHERE ${ofLevel(sql`o`)}
                       ORDER BY o.from_sequence DESC LIMIT 1 OFFSET ${NEWEST_SUMMARIES} - 1), 0)`,
    toContextSummary,
  );
};

/** The summaries at these places, in their order. The owner must be checked apart. */
export const summariesAt = (
  organizationId: string,
  conversationId: string,
  places: readonly [level: number, from: number][],
): Statement<ContextSummary[]> =>
  rows(
    sql`SELECT ${CONTEXT_COLUMNS}
          FROM json_each(${JSON.stringify(places)}) AS place
         CROSS JOIN summaries AS s ON s.organization_id = ${organizationId} AND s.conversation_id = ${conversationId}
                    AND s.level = place.value ->> 0 AND s.from_sequence = place.value ->> 1
         ORDER BY place.key`,
    toContextSummary,
  );

/** A message that a summary cites. */
export interface CitedMessageRow {
  id: string;
  sequence: number;
  role: MessageRole;
  name: string | null;
  /** Null if it is long. */
  content: string | null;
  created_at_ms: number;
}

/** Longer messages are not read to be cited. */
const CITED_BYTES_MAX = literal(100_000);

/** The summaries of the first level that cover messages which the owner can read, with the messages that they cite. */
export async function selectCoveringSummaries(
  db: D1Database,
  owner: Owner,
  places: { place: number; conversation_id: string; sequence: number }[],
): Promise<{ place: number; summary: Summary; messages: CitedMessageRow[] }[]> {
  const list = JSON.stringify(places);
  const span = literal(spanOf(1));
  const summaries = sql`
    FROM json_each(${list}) AS found
   CROSS JOIN conversations AS c ON c.organization_id = ${owner.organizationId}
              AND c.id = found.value ->> 'conversation_id' AND c.deleted_at_ms IS NULL
              AND c.kind = 'conversation' AND ${isReadable(owner, sql`c.`)}
   CROSS JOIN summaries AS s ON s.organization_id = c.organization_id AND s.conversation_id = c.id AND s.level = 1
              AND s.from_sequence > (found.value ->> 'sequence') - ${span}
              AND s.from_sequence <= found.value ->> 'sequence' AND s.to_sequence >= found.value ->> 'sequence'`;
  const read = await batch(db, {
    summaries: rows(
      sql`SELECT found.value ->> 'place' AS place, s.* ${summaries} ORDER BY found.key`,
      ({
        place,
        organization_id: _,
        ...summary
      }: SummaryRow & { place: number; organization_id: string }) => ({
        place,
        summary: toSummary(summary),
      }),
    ),
    messages: rows(
      sql`SELECT DISTINCT found.value ->> 'place' AS place, m.id, m.sequence, m.role, m.name, m.created_at_ms,
                 CASE WHEN m.content_bytes <= ${CITED_BYTES_MAX} THEN m.content END AS content, m.content_encoding
            ${summaries}
           CROSS JOIN json_each(s.sentences) AS sentence
           CROSS JOIN json_each(sentence.value, '$.cites') AS cite
           CROSS JOIN messages AS m ON m.organization_id = s.organization_id AND m.id = cite.value ->> 'message_id'
           ORDER BY found.key, m.sequence`,
      async ({ content_encoding, ...message }: StoredCited) => ({
        ...message,
        content: message.content === null ? null : await decodeText(message.content, content_encoding),
      }),
    ),
  });
  return read.summaries.map(({ place, summary }) => ({
    place,
    summary,
    messages: read.messages.flatMap(({ place: of, ...message }) => (of === place ? [message] : [])),
  }));
}

type StoredCited = CitedMessageRow & { place: number; content_encoding: ContentEncoding | null };
