import type { Message, MessageRole } from "@engram/spec";
import { type ContentEncoding, decodeText } from "../text/compression.ts";
import { type Owner, refuseWhen, toJsonLists, toTimestamp, toTimestampOrNull } from "./batch.ts";
import { forgetFailures } from "./index-jobs.ts";
import { ITEM_BYTES } from "./pages.ts";

/** A message as it is inserted. Field names are short because it is bound as JSON. */
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
  /** A JSON value. As JSON text inside JSON, its escaped quotes could double its size. */
  parts: unknown;
  external_id: string | null;
  external_digest: string | null;
  /** Terms with the organization's prefix, separated by spaces. */
  words: string;
  /** Pieces of text around words that are left out of `words`. */
  phrases: string[];
  token_count: number;
  /** Terms of the name, in the same form; null without a name. */
  name_words: string | null;
  /** Bits of text/traits.ts. */
  traits: number;
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

/**
 * SQL expression over `m`: size of a message in bytes. `octet_length` reads the length without the text,
 * which may be half a million bytes.
 */
export const MESSAGE_BYTES = `${ITEM_BYTES} + m.content_bytes + coalesce(octet_length(m.metadata), 0)
  + coalesce(octet_length(m.parts), 0) + coalesce(octet_length(m.name), 0) + coalesce(octet_length(m.tool_call_id), 0)
  + coalesce(octet_length(m.tool_name), 0) + coalesce(octet_length(m.external_id), 0)`;

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

/**
 * SQL expression of the row in the keyword index: the terms of the content, then those of the name. The `~`
 * keeps phrases from spanning both.
 */
export const wordsWithName = (words: string, nameWords: string): string =>
  `${words} || coalesce(' ~ ' || ${nameWords}, '')`;

/** The columns that a record fills, and their values read from its JSON, `new.value`. */
export const RECORD_COLUMNS = `role, content, content_encoding, content_bytes, name, tool_call_id, tool_name, metadata, parts,
  external_id, external_digest, token_count, name_words, traits, created_at_ms`;
export const RECORD_VALUES = `new.value ->> 'role', new.value ->> 'content', new.value ->> 'encoding', new.value ->> 'bytes',
  new.value ->> 'name', new.value ->> 'tool_call_id', new.value ->> 'tool_name', new.value ->> 'metadata',
  nullif(new.value -> 'parts', 'null'), new.value ->> 'external_id', new.value ->> 'external_digest',
  new.value ->> 'token_count', new.value ->> 'name_words', new.value ->> 'traits', new.value ->> 'created_at_ms'`;

/** A record without the fields that only the keyword index stores. */
export const withoutWords = <Row extends Pick<MessageRecord, "words" | "phrases">>({
  words: _,
  phrases: __,
  ...row
}: Row) => row;

export function insertWords(
  db: D1Database,
  organizationId: string,
  records: Pick<MessageRecord, "id" | "words" | "phrases">[],
): D1PreparedStatement[] {
  const words = toJsonLists(records.map(({ id, words }) => ({ id, words }))).map((list) =>
    db
      .prepare(
        `INSERT INTO message_words (rowid, body)
         SELECT m.number, ${wordsWithName("(new.value ->> 'words')", "m.name_words")} FROM json_each(?2) AS new
          CROSS JOIN messages AS m ON m.organization_id = ?1 AND m.id = new.value ->> 'id'`,
      )
      .bind(organizationId, list),
  );
  return [...words, ...insertPhrases(db, organizationId, records)];
}

/** Adds pieces of messages to the phrase index. Most messages have none. */
function insertPhrases(
  db: D1Database,
  organizationId: string,
  records: Pick<MessageRecord, "id" | "phrases">[],
): D1PreparedStatement[] {
  const pieces = records.flatMap(({ id, phrases }) => phrases.map((words, place) => ({ id, place, words })));
  if (pieces.length === 0) return [];
  return toJsonLists(pieces).map((list) =>
    db
      .prepare(
        `INSERT INTO message_phrases (rowid, body)
         SELECT m.number << 9 | new.value ->> 'place', new.value ->> 'words' FROM json_each(?2) AS new
          CROSS JOIN messages AS m ON m.organization_id = ?1 AND m.id = new.value ->> 'id'`,
      )
      .bind(organizationId, list),
  );
}

/** Deletes the pieces of the messages whose `number` the given query returns. */
export const deletePhrases = (numbers: string): string =>
  `DELETE FROM message_phrases WHERE rowid IN (
     SELECT p.rowid FROM (${numbers}) AS gone
      CROSS JOIN message_phrases AS p ON p.rowid BETWEEN gone.number << 9 AND (gone.number << 9) + 511)`;

export interface WriteTarget {
  organizationId: string;
  conversationId: string;
  nowMs: number;
}

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

/** Updates a message and its terms. The last statement returns the message. */
export function updateMessage(
  db: D1Database,
  target: WriteTarget,
  input: {
    id: string;
    /** The organization's counter to correct. */
    counter: "token_count" | "memory_token_count";
    /** Null leaves the content unchanged. */
    content: Pick<
      MessageRecord,
      "content" | "encoding" | "bytes" | "words" | "phrases" | "token_count" | "traits"
    > | null;
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
      `UPDATE organization_counters SET ${input.counter} = ${input.counter} + ?4 - (SELECT m.token_count FROM messages AS m ${one})
        WHERE organization_id = ?1`,
      content.token_count,
    ),
    bound(
      `UPDATE conversations SET token_count = token_count + ?4 - (SELECT m.token_count FROM messages AS m ${one})
        WHERE organization_id = ?1 AND id = ?2`,
      content.token_count,
    ),
    bound(`DELETE FROM message_words WHERE rowid IN (SELECT m.number FROM messages AS m ${one})`),
    bound(deletePhrases(`SELECT m.number FROM messages AS m ${one}`)),
    bound(
      `INSERT INTO message_words (rowid, body)
       SELECT m.number, ${wordsWithName("?4", "m.name_words")} FROM messages AS m ${one}`,
      content.words,
    ),
    ...forgetFailures(
      bound,
      `from_sequence = to_sequence AND from_sequence = (SELECT m.sequence FROM messages AS m ${one})`,
      nowMs,
    ),
    ...insertPhrases(db, organizationId, [{ id: input.id, phrases: content.phrases }]),
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
              traits = coalesce(?10, traits), metadata = coalesce(?8, metadata), updated_at_ms = ?9
        ${one} RETURNING ${MESSAGE_COLUMNS.replaceAll("m.", "")}`,
      content?.content ?? null,
      content?.encoding ?? null,
      content?.bytes ?? null,
      content?.token_count ?? null,
      input.metadata ?? null,
      nowMs,
      content?.traits ?? null,
    ),
  ];
}

export async function selectMessage(
  db: D1Database,
  owner: Owner,
  input: { conversationId: string; id: string },
): Promise<Message | null> {
  const row = await db
    .prepare(
      `SELECT ${MESSAGE_COLUMNS} FROM conversations AS c
        CROSS JOIN messages AS m ON m.organization_id = c.organization_id AND m.conversation_id = c.id
        WHERE c.organization_id = ?1 AND c.id = ?2 AND c.deleted_at_ms IS NULL AND c.kind = 'conversation'
          AND (?3 IS NULL OR c.agent_id = ?3) AND m.id = ?4`,
    )
    .bind(owner.organizationId, input.conversationId, owner.agentId, input.id)
    .first<MessageRow>();
  return row && toMessage(row);
}
