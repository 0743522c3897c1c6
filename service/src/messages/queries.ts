import type { Message } from "@engram/spec";
import { deletedMentions } from "../entities/mentions-queries.ts";
import { existedAt, type Moment, messageEditedSince } from "../filters/moments-queries.ts";
import { forgottenFailures, queuedRange } from "../jobs/queries.ts";
import { deleteLateWords, deletePhrases, insertedPhrases, termsWithName } from "../keyword-index/queries.ts";
import { isReadable, type Owner } from "../platform/batch.ts";
import { ITEM_BYTES } from "../platform/pages.ts";
import { eventOf, recordedEvents } from "../platform/recorded-events.ts";
import {
  and,
  assertThat,
  batch,
  columns,
  given,
  literal,
  nothing,
  row,
  run,
  type Sql,
  type Statement,
  type Statements,
  sql,
} from "../platform/sql.ts";
import type { PreparedText } from "../text/prepared-text.ts";
import {
  changedContent,
  GIVEN_BYTES,
  MESSAGE_COLUMNS,
  type MessageRecord,
  type MessageRow,
  ROW_COLUMNS,
  toMessage,
} from "./fields.ts";

/** Size of a message on a page. */
export const MESSAGE_BYTES = sql`${literal(ITEM_BYTES)} + ${GIVEN_BYTES}`;

export interface WriteTarget {
  organizationId: string;
  conversationId: string;
  nowMs: number;
}

/**
 * Time of the message with the highest sequence number, for an update of the row of its conversation. Without messages,
 * the time when the conversation was created.
 *
 * @param isKept a condition for the messages `m`.
 */
export const lastMessageAt = (organizationId: string, conversationId: Sql, isKept = sql`TRUE`): Sql => sql`
  coalesce((SELECT m.created_at_ms FROM messages AS m
             WHERE m.organization_id = ${organizationId} AND m.conversation_id = ${conversationId} AND ${isKept}
             ORDER BY m.sequence DESC LIMIT 1), conversations.created_at_ms)`;

const isMessage = ({ organizationId, conversationId }: WriteTarget, id: string): Sql => sql`
  m.organization_id = ${organizationId} AND m.conversation_id = ${conversationId} AND m.id = ${id}`;

export const assertMessageExists = (target: WriteTarget, id: string): Statement<void> =>
  assertThat("not_found", sql`EXISTS (SELECT 1 FROM messages AS m WHERE ${isMessage(target, id)})`);

/** Condition: the message has another content, as it is stored. */
export const hasOtherContent = (target: WriteTarget, id: string, content: string): Sql => sql`
  (SELECT m.content FROM messages AS m WHERE ${isMessage(target, id)}) <> ${content}`;

export const updatedMessageEvent = (target: WriteTarget, id: string): Statement<void> =>
  recordedEvents(
    target.organizationId,
    target.nowMs,
    sql`${eventOf("messages.updated", sql`m.conversation_id`, { first: sql`m.sequence`, last: sql`m.sequence` })}
          FROM messages AS m WHERE ${isMessage(target, id)}`,
  );

export type NewContent = PreparedText;

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
    // The change of a memory sets its time itself.
    conversation: nothing(sql`
      UPDATE conversations SET version = version + 1,
             updated_at_ms = ${input.counter === "memory_term_count" ? sql`updated_at_ms` : nowMs}
       WHERE organization_id = ${organizationId} AND id = ${conversationId}`),
    message: row(
      sql`UPDATE messages AS m
             SET ${content === null ? sql`` : sql`${changedContent(content)},`}
                 ${input.parts === undefined ? sql`` : sql`parts = ${toJsonOrNull(input.parts)},`}
                 metadata = coalesce(${input.metadata ?? null}, metadata), updated_at_ms = ${nowMs}
           WHERE ${isMessage(target, input.id)} RETURNING ${columns(ROW_COLUMNS)}`,
      (message: MessageRow) => message,
    ),
  } satisfies Statements;
}

const toJsonOrNull = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

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
  { id, ...input }: { conversationId: string; id: string; moment: Moment | null },
): Promise<Message | null> => run(db, readableMessage(owner, input, sql`m.id = ${id}`));

/** The message with this id, or else the one with this external id. */
export async function selectNamedMessage(
  db: D1Database,
  owner: Owner,
  { conversationId, name }: { conversationId: string; name: string },
): Promise<Message | null> {
  const input = { conversationId, moment: null };
  const { own, external } = await batch(db, {
    own: readableMessage(owner, input, sql`m.id = ${name}`),
    external: readableMessage(owner, input, sql`m.external_id = ${name}`),
  });
  return own ?? external;
}

const readableMessage = (
  owner: Owner,
  { conversationId, moment }: { conversationId: string; moment: Moment | null },
  condition: Sql,
): Statement<Message | null> =>
  row(
    sql`SELECT ${MESSAGE_COLUMNS}${messageEditedSince(moment)} FROM conversations AS c
         CROSS JOIN messages AS m ON m.organization_id = c.organization_id AND m.conversation_id = c.id
         WHERE c.organization_id = ${owner.organizationId} AND c.id = ${conversationId}
           AND c.deleted_at_ms IS NULL AND c.kind = 'conversation'
           AND ${isReadable(owner, sql`c.`)} AND ${condition}
           AND ${and(given(moment, existedAt))}`,
    toMessage,
  );
