import { type AppendedRange, queuedRange } from "../jobs/queries.ts";
import { insertedTerms, withoutTerms } from "../keyword-index/queries.ts";
import type { ServiceLimits } from "../limits.ts";
import { toJsonLists } from "../platform/batch.ts";
import { eventOf, recordedEvents } from "../platform/recorded-events.ts";
import { assertThat, nothing, type Sql, type Statement, type Statements, sql } from "../platform/sql.ts";
import { type MessageRecord, RECORD_COLUMNS, RECORD_VALUES } from "./fields.ts";
import { lastMessageAt, type WriteTarget } from "./queries.ts";

export const assertSameExternalContent = (
  { organizationId, conversationId }: WriteTarget,
  externals: { id: string; digest: string }[],
): Statement<void> | null =>
  externals.length === 0
    ? null
    : assertThat(
        "external_id_conflict",
        sql`NOT EXISTS (
              SELECT 1 FROM json_each(${JSON.stringify(externals)}) AS new
               CROSS JOIN messages AS m ON m.organization_id = ${organizationId}
                          AND m.conversation_id = ${conversationId} AND m.external_id = new.value ->> 'id'
               WHERE m.external_digest IS NOT new.value ->> 'digest')`,
      );

export const assertNotFull = (
  { organizationId, conversationId }: WriteTarget,
  count: number,
): Statement<void> =>
  assertThat(
    "conversation_full",
    sql`NOT EXISTS (SELECT 1 FROM conversations
                     WHERE organization_id = ${organizationId} AND id = ${conversationId}
                       AND last_sequence + ${count} > 16777215)`,
  );

/**
 * A message whose external id is stored already is skipped. The others get the sequence numbers after the
 * conversation's `last_sequence`, which is updated in the same transaction. So concurrent appends never leave a
 * gap or assign a number twice.
 *
 * The conversation is updated once, after all lists. A further list therefore continues after the messages stored by
 * the one before it. `last_sequence` may be higher than theirs, because the number of a deleted message is not reused.
 *
 * @param append null if the messages are indexed at once.
 */
export function insertedMessages(
  target: WriteTarget,
  records: MessageRecord[],
  append: AppendedRange | null,
  limits: ServiceLimits,
) {
  const { organizationId, conversationId, nowMs } = target;
  const lastStored = sql`coalesce((
    SELECT max(m.sequence) FROM messages AS m
     WHERE m.organization_id = ${organizationId} AND m.conversation_id = ${conversationId}), 0)`;
  return {
    rows: toJsonLists(records.map(withoutTerms)).map((list) =>
      nothing(sql`
        INSERT INTO messages
          (row_key, organization_id, conversation_id, id, sequence, ${RECORD_COLUMNS}, stored_at_ms)
        SELECT (c.row_key << 24) + c.last_sequence + row_number() OVER (ORDER BY new.key),
               ${organizationId}, ${conversationId}, new.value ->> 'id',
               c.last_sequence + row_number() OVER (ORDER BY new.key), ${RECORD_VALUES}, ${nowMs}
          FROM (SELECT row_key, max(last_sequence, ${lastStored}) AS last_sequence FROM conversations
                 WHERE organization_id = ${organizationId} AND id = ${conversationId}) AS c
         CROSS JOIN json_each(${list}) AS new
         WHERE new.value ->> 'external_id' IS NULL
            OR NOT EXISTS (SELECT 1 FROM messages AS m
                            WHERE m.organization_id = ${organizationId} AND m.conversation_id = ${conversationId}
                              AND m.external_id = new.value ->> 'external_id')
         ORDER BY new.key`),
    ),
    terms: insertedTerms(organizationId, records, { limits, nowMs }),
    counted: countedMessages(target, records),
    job: queuedRange(
      target,
      sql`SELECT min(sequence) AS first, max(sequence) AS last FROM messages WHERE ${areInserted(target, records)}`,
      append,
    ),
    event: recordedEvents(
      organizationId,
      nowMs,
      sql`${eventOf("messages.appended", sql`${conversationId}`, { first: sql`min(sequence)`, last: sql`max(sequence)` })}
            FROM messages WHERE ${areInserted(target, records)} HAVING count(*) > 0`,
    ),
  } satisfies Statements;
}

const areInserted = ({ organizationId }: WriteTarget, records: MessageRecord[]): Sql => sql`
  organization_id = ${organizationId} AND id IN (SELECT value FROM json_each(${toIds(records)}))`;

const toIds = (records: MessageRecord[]): string => JSON.stringify(records.map(({ id }) => id));

function countedMessages(target: WriteTarget, records: MessageRecord[]) {
  const { organizationId, conversationId, nowMs } = target;
  const inserted = sql`
    (SELECT count(*) AS messages, coalesce(sum(term_count), 0) AS tokens, coalesce(max(sequence), 0) AS last
       FROM messages WHERE ${areInserted(target, records)}) AS n`;
  return {
    organization: nothing(sql`
      UPDATE organization_counters
         SET (message_count, term_count) =
             (SELECT organization_counters.message_count + n.messages,
                     organization_counters.term_count + n.tokens FROM ${inserted})
       WHERE organization_id = ${organizationId}`),
    conversation: nothing(sql`
      UPDATE conversations
         SET (message_count, term_count, last_sequence, last_message_at_ms, version, updated_at_ms) =
             (SELECT conversations.message_count + n.messages, conversations.term_count + n.tokens,
                     max(conversations.last_sequence, n.last),
                     ${lastMessageAt(organizationId, sql`${conversationId}`)}, conversations.version + min(n.messages, 1),
                     CASE WHEN n.messages = 0 THEN conversations.updated_at_ms ELSE ${nowMs} END FROM ${inserted})
       WHERE organization_id = ${organizationId} AND id = ${conversationId}`),
  } satisfies Statements;
}

/** A new message, or one already stored under its external id. */
export interface AppendedRow {
  id: string;
  sequence: number;
  external_id: string | null;
  is_new: 0 | 1;
}

/**
 * JSON array of {@link AppendedRow}. The rows are found by index, so the length of the conversation does not
 * matter.
 */
export function appendedAnswer(
  { organizationId, conversationId }: WriteTarget,
  records: MessageRecord[],
): Sql {
  const ids = toIds(records);
  const externalIds = JSON.stringify(records.flatMap((record) => record.external_id ?? []));
  return sql`
    (SELECT json_group_array(json_object('id', id, 'sequence', sequence, 'external_id', external_id, 'is_new', is_new))
       FROM (SELECT m.id AS id, m.sequence AS sequence, m.external_id AS external_id, 1 AS is_new
               FROM json_each(${ids}) AS new
              CROSS JOIN messages AS m ON m.organization_id = ${organizationId} AND m.id = new.value
              UNION ALL
             SELECT m.id, m.sequence, m.external_id, 0
               FROM json_each(${externalIds}) AS old
              CROSS JOIN messages AS m ON m.organization_id = ${organizationId}
                         AND m.conversation_id = ${conversationId} AND m.external_id = old.value
              WHERE m.id NOT IN (SELECT value FROM json_each(${ids}))))`;
}
