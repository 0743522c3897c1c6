import { refuseWhen, toJsonLists } from "./batch.ts";
import {
  insertWords,
  type MessageRecord,
  RECORD_COLUMNS,
  RECORD_VALUES,
  type WriteTarget,
  withoutWords,
} from "./messages.ts";

/** Ends the batch if a message with one of these external ids has another digest. */
export function refuseOtherExternalContent(
  db: D1Database,
  target: WriteTarget,
  externals: { id: string; digest: string }[],
): D1PreparedStatement[] {
  if (externals.length === 0) return [];
  return [
    refuseWhen(
      db,
      "external_id_conflict",
      `EXISTS (SELECT 1 FROM json_each(?3) AS new
                CROSS JOIN messages AS m ON m.organization_id = ?1 AND m.conversation_id = ?2
                           AND m.external_id = new.value ->> 'id'
                WHERE m.external_digest IS NOT new.value ->> 'digest')`,
    ).bind(target.organizationId, target.conversationId, JSON.stringify(externals)),
  ];
}

/** Ends the batch if `count` more messages would exceed the highest sequence. */
export function refuseFullConversation(
  db: D1Database,
  target: WriteTarget,
  count: number,
): D1PreparedStatement {
  return refuseWhen(
    db,
    "conversation_full",
    `EXISTS (SELECT 1 FROM conversations
              WHERE organization_id = ?1 AND id = ?2 AND last_sequence + ?3 > 16777215)`,
  ).bind(target.organizationId, target.conversationId, count);
}

/**
 * Appends messages: rows, terms, counters and indexing job.
 *
 * Skips a message whose external id is stored already. The others get the sequences after `last_sequence`,
 * which is updated after each insert. Sequences therefore have no gap and are never assigned twice.
 */
export function insertMessages(
  db: D1Database,
  target: WriteTarget,
  records: MessageRecord[],
): D1PreparedStatement[] {
  const { organizationId, conversationId, nowMs } = target;
  const ids = JSON.stringify(records.map((record) => record.id));
  const rows = toJsonLists(records.map(withoutWords)).flatMap((list) => [
    db
      .prepare(
        `INSERT INTO messages
           (number, organization_id, conversation_id, id, sequence, ${RECORD_COLUMNS}, stored_at_ms)
         SELECT (c.number << 24) + c.last_sequence + row_number() OVER (ORDER BY new.key), ?1, ?2,
                new.value ->> 'id', c.last_sequence + row_number() OVER (ORDER BY new.key), ${RECORD_VALUES}, ?4
           FROM conversations AS c CROSS JOIN json_each(?3) AS new
          WHERE c.organization_id = ?1 AND c.id = ?2
            AND (new.value ->> 'external_id' IS NULL
                 OR NOT EXISTS (SELECT 1 FROM messages AS m
                                 WHERE m.organization_id = ?1 AND m.conversation_id = ?2
                                   AND m.external_id = new.value ->> 'external_id'))
          ORDER BY new.key`,
      )
      .bind(organizationId, conversationId, list, nowMs),
    db
      .prepare(
        `UPDATE conversations
            SET last_sequence = max(last_sequence, coalesce((SELECT max(m.sequence) FROM messages AS m
                                 WHERE m.organization_id = ?1 AND m.conversation_id = ?2), 0))
          WHERE organization_id = ?1 AND id = ?2`,
      )
      .bind(organizationId, conversationId),
  ]);
  return [
    ...rows,
    ...insertWords(db, organizationId, records),
    ...countMessages(db, target, ids, 1),
    queueInserted(db, target, ids),
  ];
}

/** Adds the messages with these ids to the counters, or subtracts them with −1. */
function countMessages(
  db: D1Database,
  target: WriteTarget,
  ids: string,
  sign: 1 | -1,
): D1PreparedStatement[] {
  const sum = `(SELECT count(*) AS messages, coalesce(sum(token_count), 0) AS tokens FROM messages
                 WHERE organization_id = ?1 AND id IN (SELECT value FROM json_each(?2)))`;
  return [
    db
      .prepare(
        `UPDATE organization_counters
            SET (message_count, token_count) =
                (SELECT organization_counters.message_count + ?3 * n.messages,
                        organization_counters.token_count + ?3 * n.tokens FROM ${sum} AS n)
          WHERE organization_id = ?1`,
      )
      .bind(target.organizationId, ids, sign),
    db
      .prepare(
        `UPDATE conversations
            SET (message_count, token_count, version, updated_at_ms) =
                (SELECT conversations.message_count + ?3 * n.messages, conversations.token_count + ?3 * n.tokens,
                        conversations.version + min(n.messages, 1),
                        CASE WHEN n.messages = 0 THEN conversations.updated_at_ms ELSE ?4 END FROM ${sum} AS n)
          WHERE organization_id = ?1 AND id = ?5`,
      )
      .bind(target.organizationId, ids, sign, target.nowMs, target.conversationId),
  ];
}

/** Queues the messages inserted under these ids for indexing. Inserts no job if there are none. */
function queueInserted(db: D1Database, target: WriteTarget, ids: string): D1PreparedStatement {
  return db
    .prepare(
      `INSERT INTO index_jobs (organization_id, conversation_id, from_sequence, to_sequence, due_at_ms)
       SELECT ?1, ?2, min(sequence), max(sequence), ?4 FROM messages
        WHERE organization_id = ?1 AND id IN (SELECT value FROM json_each(?3)) HAVING count(*) > 0`,
    )
    .bind(target.organizationId, target.conversationId, ids, target.nowMs);
}

/** A message of an append: a new one, or one already stored under its external id. */
export interface AppendedRow {
  id: string;
  sequence: number;
  external_id: string | null;
  is_new: 0 | 1;
}

/**
 * The messages of an append. Each parameter is the placeholder of a bind. Seeks by key, however long the
 * conversation is.
 */
const appendedRows = (organization: string, conversation: string, ids: string, externalIds: string): string =>
  `SELECT m.id AS id, m.sequence AS sequence, m.external_id AS external_id, 1 AS is_new
     FROM json_each(${ids}) AS new
    CROSS JOIN messages AS m ON m.organization_id = ${organization} AND m.id = new.value
   UNION ALL
   SELECT m.id, m.sequence, m.external_id, 0
     FROM json_each(${externalIds}) AS old
    CROSS JOIN messages AS m ON m.organization_id = ${organization} AND m.conversation_id = ${conversation}
               AND m.external_id = old.value
    WHERE m.id NOT IN (SELECT value FROM json_each(${ids}))`;

export function selectAppended(
  db: D1Database,
  target: WriteTarget,
  ids: string[],
  externalIds: string[],
): D1PreparedStatement {
  return db
    .prepare(`${appendedRows("?1", "?2", "?3", "?4")} ORDER BY sequence`)
    .bind(target.organizationId, target.conversationId, JSON.stringify(ids), JSON.stringify(externalIds));
}

/** SQL expression of the same rows as JSON. Binds ?5 (conversation), ?6 (ids) and ?7 (external ids). */
export const APPENDED_AS_JSON = `(SELECT json_group_array(json_object('id', id, 'sequence', sequence,
    'external_id', external_id, 'is_new', is_new)) FROM (${appendedRows("?1", "?5", "?6", "?7")}))`;
