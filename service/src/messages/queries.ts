import type { Message, MessageRole } from "@engram/spec";
import { deletedMentions } from "../entities/mentions-queries.ts";
import { forgottenFailures, queuedRange } from "../jobs/queries.ts";
import { deleteLateWords, deletePhrases, insertedPhrases, termsWithName } from "../keyword-index/queries.ts";
import { isOwned, type Owner, toTimestamp, toTimestampOrNull } from "../platform/batch.ts";
import { ITEM_BYTES } from "../platform/pages.ts";
import { eventOf, recordedEvents } from "../platform/recorded-events.ts";
import {
  assertThat,
  columns,
  literal,
  nothing,
  row,
  run,
  type Sql,
  type Statement,
  type Statements,
  sql,
} from "../platform/sql.ts";
import { type ContentEncoding, decodeText } from "../text/compression.ts";

export interface MessageRecord {
  id: string;
  role: MessageRole;
  content: string;
  encoding: ContentEncoding;
  bytes: number;
  name: string | null;
  tool_call_id: string | null;
  tool_name: string | null;
  /** JSON text; null for an empty object. */
  metadata: string | null;
  /** A JSON value, not JSON text: inside the JSON of the record, escaped quotes could double the size of a text. */
  parts: unknown;
  external_id: string | null;
  external_digest: string | null;
  /**
   * The words of the text for the keyword index, separated by spaces. Each begins with a prefix of the
   * organization, so that a search finds only words of its own organization.
   */
  terms: string;
  /**
   * For phrase search: pieces of the text around the occurrences that `terms` leaves out, because a word
   * repeats too often.
   */
  phrases: string[];
  term_count: number;
  /** The words of `name`, in the same form as `terms`; null if there are none. */
  name_terms: string | null;
  /** Properties of the text that affect its rank, as bits; see text/features.ts. */
  features: number;
  /** What the content costs a model. */
  model_tokens: number;
  created_at_ms: number;
}

export interface MessageRow {
  row_key: number;
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

const COLUMNS = [
  "row_key",
  "conversation_id",
  "id",
  "sequence",
  "role",
  "content",
  "content_encoding",
  "name",
  "tool_call_id",
  "tool_name",
  "metadata",
  "parts",
  "external_id",
  "created_at_ms",
  "stored_at_ms",
  "updated_at_ms",
] as const;

export const MESSAGE_COLUMNS = columns(COLUMNS, "m");

/** Size of a message. `octet_length` does not read the text itself, which may have half a million bytes. */
export const MESSAGE_BYTES = sql`${literal(ITEM_BYTES)} + m.content_bytes + coalesce(octet_length(m.metadata), 0)
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

export const RECORD_COLUMNS = sql`role, content, content_encoding, content_bytes, name, tool_call_id, tool_name, metadata, parts,
  external_id, external_digest, term_count, model_tokens, name_terms, features, created_at_ms`;
export const RECORD_VALUES = sql`new.value ->> 'role', new.value ->> 'content', new.value ->> 'encoding', new.value ->> 'bytes',
  new.value ->> 'name', new.value ->> 'tool_call_id', new.value ->> 'tool_name', new.value ->> 'metadata',
  nullif(new.value -> 'parts', 'null'), new.value ->> 'external_id', new.value ->> 'external_digest',
  new.value ->> 'term_count', new.value ->> 'model_tokens', new.value ->> 'name_terms', new.value ->> 'features', new.value ->> 'created_at_ms'`;

export interface WriteTarget {
  organizationId: string;
  conversationId: string;
  nowMs: number;
}

const isMessage = ({ organizationId, conversationId }: WriteTarget, id: string): Sql => sql`
  m.organization_id = ${organizationId} AND m.conversation_id = ${conversationId} AND m.id = ${id}`;

export const assertMessageExists = (target: WriteTarget, id: string): Statement<void> =>
  assertThat("not_found", sql`EXISTS (SELECT 1 FROM messages AS m WHERE ${isMessage(target, id)})`);

export const updatedMessageEvent = (target: WriteTarget, id: string): Statement<void> =>
  recordedEvents(
    target.organizationId,
    target.nowMs,
    sql`${eventOf("messages.updated", sql`m.conversation_id`, { first: sql`m.sequence`, last: sql`m.sequence` })}
          FROM messages AS m WHERE ${isMessage(target, id)}`,
  );

export type NewContent = Pick<
  MessageRecord,
  "content" | "encoding" | "bytes" | "terms" | "phrases" | "term_count" | "features" | "model_tokens"
>;

const COUNTERS = { term_count: sql`term_count`, memory_term_count: sql`memory_term_count` };

/** If `content` is null, the content stays unchanged. */
export function updatedMessage(
  target: WriteTarget,
  input: {
    id: string;
    counter: keyof typeof COUNTERS;
    content: NewContent | null;
    metadata: string | undefined;
    /** Undefined if they stay. */
    parts?: MessageRecord["parts"] | undefined;
  },
) {
  const { organizationId, conversationId, nowMs } = target;
  const { content } = input;
  return {
    indexed: content && reindexedMessage(target, { ...input, content }),
    conversation: nothing(sql`
      UPDATE conversations SET version = version + 1, updated_at_ms = ${nowMs}
       WHERE organization_id = ${organizationId} AND id = ${conversationId}`),
    message: row(
      sql`UPDATE messages AS m
             SET ${content === null ? sql`` : sql`${newContent(content)},`}
                 ${input.parts === undefined ? sql`` : sql`parts = ${toJsonOrNull(input.parts)},`}
                 metadata = coalesce(${input.metadata ?? null}, metadata), updated_at_ms = ${nowMs}
           WHERE ${isMessage(target, input.id)} RETURNING ${columns(COLUMNS)}`,
      (message: MessageRow) => message,
    ),
  } satisfies Statements;
}

const toJsonOrNull = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

const newContent = (content: NewContent): Sql => sql`
  content = ${content.content}, content_encoding = ${content.encoding}, content_bytes = ${content.bytes},
  term_count = ${content.term_count}, features = ${content.features}, model_tokens = ${content.model_tokens}`;

function reindexedMessage(
  target: WriteTarget,
  { id, counter, content }: { id: string; counter: keyof typeof COUNTERS; content: NewContent },
) {
  const { organizationId, conversationId } = target;
  const message = sql`FROM messages AS m WHERE ${isMessage(target, id)}`;
  const change = sql`${content.term_count} - (SELECT m.term_count ${message})`;
  const column = COUNTERS[counter];
  const range = sql`SELECT m.sequence AS first, m.sequence AS last ${message}`;
  return {
    counted: nothing(sql`
      UPDATE organization_counters SET ${column} = ${column} + ${change}
       WHERE organization_id = ${organizationId}`),
    countedInConversation: nothing(sql`
      UPDATE conversations SET term_count = term_count + ${change}
       WHERE organization_id = ${organizationId} AND id = ${conversationId}`),
    deletedTerms: nothing(sql`DELETE FROM message_words WHERE rowid IN (SELECT m.row_key ${message})`),
    deletedPhrases: nothing(deletePhrases(sql`SELECT m.row_key ${message}`)),
    deletedLate: deleteLateWords(organizationId, sql`SELECT m.row_key ${message}`),
    deletedMentions: deletedMentions(organizationId, sql`SELECT m.row_key ${message}`),
    terms: nothing(sql`
      INSERT INTO message_words (rowid, body)
      SELECT m.row_key, ${termsWithName(sql`${content.terms}`, sql`m.name_terms`)} ${message}`),
    phrases: insertedPhrases(organizationId, [{ id, phrases: content.phrases }]),
    failures: forgottenFailures(
      target,
      sql`from_sequence = to_sequence AND from_sequence = (SELECT m.sequence ${message})`,
      range,
    ),
    job: queuedRange(target, range),
  } satisfies Statements;
}

export const selectMessage = (
  db: D1Database,
  owner: Owner,
  input: { conversationId: string; id: string },
): Promise<Message | null> =>
  run(
    db,
    row(
      sql`SELECT ${MESSAGE_COLUMNS} FROM conversations AS c
           CROSS JOIN messages AS m ON m.organization_id = c.organization_id AND m.conversation_id = c.id
           WHERE c.organization_id = ${owner.organizationId} AND c.id = ${input.conversationId}
             AND c.deleted_at_ms IS NULL AND c.kind = 'conversation'
             AND ${isOwned(owner, sql`c.`)} AND m.id = ${input.id}`,
      toMessage,
    ),
  );
