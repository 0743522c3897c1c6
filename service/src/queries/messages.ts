import type { Message, MessageRole } from "@engram/spec";
import { type ContentEncoding, decodeText } from "../text/compression.ts";
import { type Owner, refuseWhen, toJsonLists, toTimestamp, toTimestampOrNull } from "./batch.ts";

/** A message as it goes into the table. Short names: it travels as JSON. */
export interface MessageRecord {
  id: string;
  role: MessageRole;
  content: string;
  encoding: ContentEncoding;
  bytes: number;
  name: string | null;
  tool_call_id: string | null;
  tool_name: string | null;
  /** JSON text; null when empty. */
  metadata: string | null;
  /** JSON itself: as text in a text its quotes would take up to twice the room. */
  parts: unknown;
  external_id: string | null;
  external_digest: string | null;
  /** Words of the keyword index, each behind the organization's number, with blanks between. */
  words: string;
  token_count: number;
  created_at_ms: number;
}

export interface MessageRow {
  number: number;
  conversation_id: string;
  id: string;
  sequence: number;
  role: MessageRole;
  content: string;
  content_encoding: ContentEncoding | null;
  name: string | null;
  tool_call_id: string | null;
  tool_name: string | null;
  metadata: string | null;
  parts: string | null;
  external_id: string | null;
  created_at_ms: number;
  stored_at_ms: number;
  updated_at_ms: number | null;
}

export const MESSAGE_COLUMNS = `m.number, m.conversation_id, m.id, m.sequence, m.role, m.content, m.content_encoding,
  m.name, m.tool_call_id, m.tool_name, m.metadata, m.parts, m.external_id,
  m.created_at_ms, m.stored_at_ms, m.updated_at_ms`;

export async function toMessage(row: MessageRow): Promise<Message> {
  return {
    id: row.id,
    conversation_id: row.conversation_id,
    sequence: row.sequence,
    role: row.role,
    content: await decodeText(row.content, row.content_encoding),
    name: row.name,
    tool_call_id: row.tool_call_id,
    tool_name: row.tool_name,
    metadata: row.metadata === null ? {} : (JSON.parse(row.metadata) as Record<string, unknown>),
    parts: row.parts === null ? null : (JSON.parse(row.parts) as Message["parts"]),
    external_id: row.external_id,
    created_at: toTimestamp(row.created_at_ms),
    stored_at: toTimestamp(row.stored_at_ms),
    updated_at: toTimestampOrNull(row.updated_at_ms),
  };
}

/** A conversation, as the statements of one write know it. */
export interface WriteTarget {
  organizationId: string;
  conversationId: string;
  nowMs: number;
}

/** Ends the batch when a message has one of these external ids and was other than this. */
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

/** Ends the batch when `count` more messages would pass the highest sequence number. */
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
 * The statements that put messages after the last one: rows, words, counters, indexing job.
 *
 * A message whose external id is there already is left out. The survivors are numbered on from
 * `last_sequence`, which moves only behind them, so that numbers have no gap and are never given twice.
 */
export function insertMessages(
  db: D1Database,
  target: WriteTarget,
  records: MessageRecord[],
): D1PreparedStatement[] {
  const { organizationId, conversationId, nowMs } = target;
  const ids = JSON.stringify(records.map((record) => record.id));
  const rows = toJsonLists(records.map(({ words: _, ...row }) => row)).flatMap((list) => [
    db
      .prepare(
        `INSERT INTO messages
           (number, organization_id, conversation_id, id, sequence, role, content, content_encoding, content_bytes,
            name, tool_call_id, tool_name, metadata, parts, external_id, external_digest, token_count,
            created_at_ms, stored_at_ms)
         SELECT (c.number << 24) + c.last_sequence + row_number() OVER (ORDER BY new.key), ?1, ?2,
                new.value ->> 'id', c.last_sequence + row_number() OVER (ORDER BY new.key),
                new.value ->> 'role', new.value ->> 'content', new.value ->> 'encoding', new.value ->> 'bytes',
                new.value ->> 'name', new.value ->> 'tool_call_id', new.value ->> 'tool_name',
                new.value ->> 'metadata', nullif(new.value -> 'parts', 'null'),
                new.value ->> 'external_id', new.value ->> 'external_digest', new.value ->> 'token_count',
                new.value ->> 'created_at_ms', ?4
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
  const words = toJsonLists(records.map((record) => ({ id: record.id, words: record.words }))).map((list) =>
    db
      .prepare(
        `INSERT INTO message_words (rowid, body)
         SELECT m.number, new.value ->> 'words' FROM json_each(?2) AS new
          CROSS JOIN messages AS m ON m.organization_id = ?1 AND m.id = new.value ->> 'id'`,
      )
      .bind(organizationId, list),
  );
  return [...rows, ...words, ...countMessages(db, target, ids, 1), queueInserted(db, target, ids)];
}

/** The statements that add (or with −1 take away) the messages with these ids to the counters. */
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

/** The statement that queues what was inserted under these ids to be indexed; nothing when nothing was. */
function queueInserted(db: D1Database, target: WriteTarget, ids: string): D1PreparedStatement {
  return db
    .prepare(
      `INSERT INTO index_jobs (organization_id, conversation_id, from_sequence, to_sequence, due_at_ms)
       SELECT ?1, ?2, min(sequence), max(sequence), ?4 FROM messages
        WHERE organization_id = ?1 AND id IN (SELECT value FROM json_each(?3)) HAVING count(*) > 0`,
    )
    .bind(target.organizationId, target.conversationId, ids, target.nowMs);
}

/** One message that an append named: a new one, or one that was there under its external id. */
export interface AppendedRow {
  id: string;
  sequence: number;
  external_id: string | null;
  is_new: 0 | 1;
}

const APPENDED = `FROM messages AS m
  WHERE m.organization_id = :o AND m.conversation_id = :c
    AND (m.id IN (SELECT value FROM json_each(:ids))
         OR m.external_id IN (SELECT value FROM json_each(:externals)))`;
const appended = (organization: string, conversation: string, ids: string, externals: string): string =>
  APPENDED.replace(":o", organization)
    .replace(":c", conversation)
    .replace(":ids", ids)
    .replace(":externals", externals);

/** The statement that answers which messages an append named. */
export function selectAppended(
  db: D1Database,
  target: WriteTarget,
  ids: string[],
  externalIds: string[],
): D1PreparedStatement {
  return db
    .prepare(
      `SELECT m.id, m.sequence, m.external_id, m.id IN (SELECT value FROM json_each(?3)) AS is_new
         ${appended("?1", "?2", "?3", "?4")} ORDER BY m.sequence`,
    )
    .bind(target.organizationId, target.conversationId, JSON.stringify(ids), JSON.stringify(externalIds));
}

/** An SQL expression of the same rows as JSON, over binds ?5 (conversation), ?6 (ids) and ?7 (external ids). */
export const APPENDED_AS_JSON = `(SELECT json_group_array(json_object('id', m.id, 'sequence', m.sequence,
    'external_id', m.external_id, 'is_new', m.id IN (SELECT value FROM json_each(?6))))
    ${appended("?1", "?5", "?6", "?7")})`;

/** Ends the batch unless the newest message of the conversation has this sequence; 0 for none. */
export function refuseOtherEnd(
  db: D1Database,
  target: WriteTarget,
  expectedLastSequence: number,
): D1PreparedStatement {
  return refuseWhen(
    db,
    "sequence_conflict",
    `coalesce((SELECT max(sequence) FROM messages WHERE organization_id = ?1 AND conversation_id = ?2), 0) <> ?3`,
  ).bind(target.organizationId, target.conversationId, expectedLastSequence);
}

/** Ends the batch when the conversation has no such message. */
export function refuseAbsentMessage(
  db: D1Database,
  target: WriteTarget,
  messageId: string,
): D1PreparedStatement {
  return refuseWhen(
    db,
    "not_found",
    "NOT EXISTS (SELECT 1 FROM messages WHERE organization_id = ?1 AND conversation_id = ?2 AND id = ?3)",
  ).bind(target.organizationId, target.conversationId, messageId);
}

/** The statement that answers the ids of the messages from a sequence number on, oldest first. */
export function selectMessageIds(
  db: D1Database,
  target: WriteTarget,
  fromSequence: number,
): D1PreparedStatement {
  return db
    .prepare(
      "SELECT id FROM messages WHERE organization_id = ?1 AND conversation_id = ?2 AND sequence >= ?3 ORDER BY sequence",
    )
    .bind(target.organizationId, target.conversationId, fromSequence);
}

/** An SQL expression of the same ids as JSON, over binds ?5 (conversation) and ?6 (from sequence). */
export const IDS_AS_JSON = `json_object('deleted', (SELECT json_group_array(id) FROM (SELECT id FROM messages
    WHERE organization_id = ?1 AND conversation_id = ?5 AND sequence >= ?6 ORDER BY sequence)))`;

/** Messages of a conversation: one by its id, or all from a sequence number on. */
export type MessageSelection = { id: string } | { fromSequence: number };

/**
 * The statements that delete messages with their words, take them from the counters, queue the vectors
 * of every chunk that held one to be deleted, and queue the windows around them to be indexed anew.
 */
export function deleteMessages(
  db: D1Database,
  target: WriteTarget,
  selection: MessageSelection,
  operationId: string | null,
): D1PreparedStatement[] {
  const { organizationId, conversationId, nowMs } = target;
  const [column, value] =
    "id" in selection ? ["id =", selection.id] : ["sequence >=", selection.fromSequence];
  const gone = `FROM messages AS m WHERE m.organization_id = ?1 AND m.conversation_id = ?2 AND m.${column} ?3`;
  const ids = `(SELECT json_group_array(m.id) ${gone})`;
  const chunks = `FROM conversation_chunks AS k
      WHERE k.organization_id = ?1 AND k.conversation_id = ?2
        AND EXISTS (SELECT 1 ${gone} AND m.sequence BETWEEN k.start_sequence AND k.end_sequence)`;
  const bound = (sql: string, ...more: unknown[]) =>
    db.prepare(sql).bind(organizationId, conversationId, value, ...more);
  return [
    bound(
      `UPDATE organization_counters
          SET (message_count, token_count) =
              (SELECT organization_counters.message_count - count(*),
                      organization_counters.token_count - coalesce(sum(m.token_count), 0) ${gone})
        WHERE organization_id = ?1`,
    ),
    bound(
      `UPDATE conversations
          SET (message_count, token_count, version, updated_at_ms) =
              (SELECT conversations.message_count - count(*),
                      conversations.token_count - coalesce(sum(m.token_count), 0),
                      conversations.version + 1, ?4 ${gone})
        WHERE organization_id = ?1 AND id = ?2 AND json_array_length(${ids}) > 0`,
      nowMs,
    ),
    bound(
      `INSERT INTO vector_deletions (organization_id, vector_id, operation_id, confirm_after_ms, due_at_ms)
       SELECT ?1, k.vector_id, ?4,
              coalesce((SELECT max(lease_until_ms) FROM index_jobs
                         WHERE organization_id = ?1 AND conversation_id = ?2), ?5), ?5 ${chunks}
       ON CONFLICT (organization_id, vector_id) DO UPDATE SET operation_id = coalesce(operation_id, excluded.operation_id)`,
      operationId,
      nowMs,
    ),
    bound(
      `INSERT INTO index_jobs (organization_id, conversation_id, from_sequence, to_sequence, due_at_ms)
       SELECT ?1, ?2, min(m.sequence), max(m.sequence), ?4 ${gone} HAVING count(*) > 0`,
      nowMs,
    ),
    bound(
      `DELETE FROM conversation_chunks AS k WHERE k.id IN (SELECT k.id ${chunks}) AND k.organization_id = ?1`,
    ),
    bound(`DELETE FROM message_words WHERE rowid IN (SELECT m.number ${gone})`),
    bound(`DELETE ${gone}`),
  ];
}

/** The statements that change a message and its words; the last of them answers it. */
export function updateMessage(
  db: D1Database,
  target: WriteTarget,
  input: {
    id: string;
    /** Null leaves the content as it is. */
    content: Pick<MessageRecord, "content" | "encoding" | "bytes" | "words" | "token_count"> | null;
    metadata: string | undefined;
  },
): D1PreparedStatement[] {
  const { organizationId, conversationId, nowMs } = target;
  const one = "WHERE m.organization_id = ?1 AND m.conversation_id = ?2 AND m.id = ?3";
  const bound = (sql: string, ...more: unknown[]) =>
    db.prepare(sql).bind(organizationId, conversationId, input.id, ...more);
  const { content } = input;
  const rewrite = content && [
    bound(
      `UPDATE organization_counters SET token_count = token_count + ?4 - (SELECT m.token_count FROM messages AS m ${one})
        WHERE organization_id = ?1`,
      content.token_count,
    ),
    bound(
      `UPDATE conversations SET token_count = token_count + ?4 - (SELECT m.token_count FROM messages AS m ${one})
        WHERE organization_id = ?1 AND id = ?2`,
      content.token_count,
    ),
    bound(`DELETE FROM message_words WHERE rowid IN (SELECT m.number FROM messages AS m ${one})`),
    bound(
      `INSERT INTO message_words (rowid, body) SELECT m.number, ?4 FROM messages AS m ${one}`,
      content.words,
    ),
    bound(
      `INSERT INTO index_jobs (organization_id, conversation_id, from_sequence, to_sequence, due_at_ms)
       SELECT ?1, ?2, m.sequence, m.sequence, ?4 FROM messages AS m ${one}`,
      nowMs,
    ),
  ];
  return [
    ...(rewrite ?? []),
    bound(
      "UPDATE conversations SET version = version + 1, updated_at_ms = ?4 WHERE organization_id = ?1 AND id = ?2",
      nowMs,
    ),
    bound(
      `UPDATE messages AS m
          SET content = coalesce(?4, content),
              content_encoding = CASE WHEN ?4 IS NULL THEN content_encoding ELSE ?5 END,
              content_bytes = coalesce(?6, content_bytes), token_count = coalesce(?7, token_count),
              metadata = coalesce(?8, metadata), updated_at_ms = ?9
        ${one} RETURNING ${MESSAGE_COLUMNS.replaceAll("m.", "")}`,
      content?.content ?? null,
      content?.encoding ?? null,
      content?.bytes ?? null,
      content?.token_count ?? null,
      input.metadata ?? null,
      nowMs,
    ),
  ];
}

/** A message of a conversation that the owner sees; null when there is none. */
export async function selectMessage(
  db: D1Database,
  owner: Owner,
  input: { conversationId: string; id: string },
): Promise<Message | null> {
  const row = await db
    .prepare(
      `SELECT ${MESSAGE_COLUMNS} FROM conversations AS c
        CROSS JOIN messages AS m ON m.organization_id = c.organization_id AND m.conversation_id = c.id
        WHERE c.organization_id = ?1 AND c.id = ?2 AND c.deleted_at_ms IS NULL
          AND (?3 IS NULL OR c.agent_id = ?3) AND m.id = ?4`,
    )
    .bind(owner.organizationId, input.conversationId, owner.agentId, input.id)
    .first<MessageRow>();
  return row && toMessage(row);
}
