import type { NewSource, Source } from "@engram/spec";
import { hasHolds, isHeld, isHeldAnywhere } from "../holds/queries.ts";
import { isReadable, type Owner, toJsonLists } from "../platform/batch.ts";
import { recordedEvents } from "../platform/recorded-events.ts";
import {
  assertThat,
  nothing,
  rows,
  type Sql,
  type Statement,
  type Statements,
  sql,
} from "../platform/sql.ts";
import type { ContentEncoding } from "../text/compression.ts";

/** The sources of the memory `c`, as JSON. Reads no row for a memory without any. */
export const SOURCES = sql`
  CASE WHEN c.source_bytes > 0 THEN (
    SELECT json_group_array(json_object(
             'conversation_id', s.conversation_id, 'message_id', s.message_id, 'sequence', s.sequence,
             'quote', s.quote, 'start', s.text_start, 'end', s.text_end, 'state', s.state))
      FROM (SELECT * FROM memory_sources AS of_memory
             WHERE of_memory.organization_id = c.organization_id AND of_memory.memory_id = c.id
             ORDER BY of_memory.ordinal) AS s)
  ELSE '[]' END`;

/** What sources cite: a condition for `s`, and the index that it needs. */
export interface Cited {
  index: Sql;
  condition: Sql;
}

// The indexes are named, because SQLite knows no numbers of rows: it takes the primary key to be as selective, and would
// read all sources of the organization.
export const citesMessage = (id: string): Cited => ({
  index: sql`INDEXED BY memory_sources_by_message`,
  condition: sql`s.message_id = ${id}`,
});
/** @param isCited a condition for `s`, which begins with the conversation. */
export const citesConversation = (isCited: Sql): Cited => ({
  index: sql`INDEXED BY memory_sources_by_conversation`,
  condition: sql`s.conversation_id ${isCited}`,
});

/** Ids of memories. */
export const memoriesCiting = (organizationId: string, { index, condition }: Cited): Sql => sql`
  SELECT s.memory_id FROM memory_sources AS s ${index} WHERE s.organization_id = ${organizationId} AND ${condition}`;

/** How a request names a message. */
export type MessageReference = Pick<NewSource, "message_id" | "conversation_id" | "sequence">;

/** A message that a request cites. */
export interface CitedMessage {
  id: string;
  conversation_id: string;
  sequence: number;
  /** User of the conversation. */
  user_id: string | null;
  updated_at_ms: number | null;
  content_bytes: number;
  /** Null if it was not wanted, or if all that was wanted has more than the limit. */
  content: string | null;
  content_encoding: ContentEncoding | null;
}

/** A conversation that the key can read, as `c`, of the message `m`. */
const readableConversation = (owner: Owner): Sql => sql`
  conversations AS c ON c.row_key = m.row_key >> 24 AND c.organization_id = ${owner.organizationId}
             AND c.deleted_at_ms IS NULL AND c.kind = 'conversation' AND ${isReadable(owner, sql`c.`)}`;

/** Reads the messages that the key can read, each with the place of its reference in the list. */
export const citedMessages = (
  owner: Owner,
  references: (MessageReference & { text: boolean })[],
  bytesMax: number,
): Statement<(CitedMessage & { place: number })[]>[] => {
  const { organizationId } = owner;
  const placed = references.map((reference, place) => ({ ...reference, place }));
  return toJsonLists(placed).map((list) =>
    rows(
      sql`WITH cited AS MATERIALIZED (
            SELECT new.value ->> 'place' AS place, m.row_key AS row_key, c.user_id AS user_id,
                   CASE new.value ->> 'text' WHEN 1 THEN m.content_bytes END AS bytes
              FROM json_each(${list}) AS new
             CROSS JOIN messages AS m ON m.row_key = coalesce(
                   (SELECT named.row_key FROM messages AS named
                     WHERE named.organization_id = ${organizationId} AND named.id = new.value ->> 'message_id'),
                   (SELECT named.row_key FROM messages AS named
                     WHERE named.organization_id = ${organizationId}
                       AND named.conversation_id = new.value ->> 'conversation_id'
                       AND named.sequence = new.value ->> 'sequence'))
             CROSS JOIN ${readableConversation(owner)}),
          wanted AS MATERIALIZED (SELECT coalesce(sum(bytes), 0) AS bytes FROM cited)
          SELECT cited.place, m.id, m.conversation_id, m.sequence, cited.user_id, m.updated_at_ms, m.content_bytes,
                 CASE WHEN cited.bytes IS NOT NULL AND wanted.bytes <= ${bytesMax} THEN m.content END AS content,
                 m.content_encoding
            FROM wanted CROSS JOIN cited
           CROSS JOIN messages AS m ON m.row_key = cited.row_key AND m.organization_id = ${organizationId}`,
      (row: CitedMessage & { place: number }) => row,
    ),
  );
};

/** Fails the batch with `source_changed` unless the key can still read all messages, and none was changed. */
export const assertUnchanged = (owner: Owner, messages: readonly CitedMessage[]): Statement<void>[] =>
  toJsonLists(messages.map(toReadMessage)).map((list) =>
    assertThat(
      "source_changed",
      sql`NOT EXISTS (
            SELECT 1 FROM json_each(${list}) AS new
             WHERE NOT EXISTS (
               SELECT 1 FROM messages AS m CROSS JOIN ${readableConversation(owner)}
                WHERE m.organization_id = ${owner.organizationId} AND m.id = new.value ->> 'id'
                  AND m.conversation_id = new.value ->> 'conversation_id' AND m.sequence = new.value ->> 'sequence'
                  AND m.updated_at_ms IS new.value ->> 'updated_at_ms'
                  AND coalesce(m.content = new.value ->> 'content', TRUE)))`,
    ),
  );

/**
 * The content is compared only if the message was edited before: two edits in one millisecond have the same time.
 */
const toReadMessage = ({ id, conversation_id, sequence, updated_at_ms, content }: CitedMessage) => ({
  ...{ id, conversation_id, sequence, updated_at_ms },
  content: updated_at_ms === null ? null : content,
});

/** A batch that can never succeed, because the messages cannot be cited. A repeated request still gets its answer. */
export const REFUSED: Statement<void> = assertThat("source_changed", sql`FALSE`);

/** The sources of a memory, for an insert. */
export interface MemorySources {
  id: string;
  sources: readonly Source[];
}

/** Inserts sources of memories that exist: those of a memory which was stored before the batch under another id do not. */
export const insertedSources = (
  organizationId: string,
  memories: readonly MemorySources[],
): Statement<void>[] =>
  toJsonLists(
    memories.flatMap(({ id, sources }) =>
      sources.map((source, ordinal) => ({ memory_id: id, ordinal, ...source })),
    ),
  ).map((list) =>
    nothing(sql`
      INSERT INTO memory_sources
        (organization_id, memory_id, ordinal, conversation_id, message_id, sequence, quote, text_start, text_end, state)
      SELECT ${organizationId}, c.id, new.value ->> 'ordinal', new.value ->> 'conversation_id',
             new.value ->> 'message_id', new.value ->> 'sequence', new.value ->> 'quote', new.value ->> 'start',
             new.value ->> 'end', new.value ->> 'state'
        FROM json_each(${list}) AS new
       CROSS JOIN conversations AS c ON c.organization_id = ${organizationId} AND c.id = new.value ->> 'memory_id'
       ORDER BY new.key`),
  );

const encoder = new TextEncoder();
/** Size of the sources as JSON; 0 without any. */
export const sourceBytes = (sources: readonly Source[]): number =>
  sources.length === 0 ? 0 : encoder.encode(JSON.stringify(sources)).byteLength;

/** Replaces the sources of a memory. */
export function replacedSources(organizationId: string, { id, sources }: MemorySources) {
  const bytes = sourceBytes(sources);
  return {
    removed: nothing(
      sql`DELETE FROM memory_sources WHERE organization_id = ${organizationId} AND memory_id = ${id}`,
    ),
    inserted: insertedSources(organizationId, [{ id, sources }]),
    sized: nothing(sql`
      UPDATE conversations SET source_bytes = ${bytes}
       WHERE organization_id = ${organizationId} AND id = ${id} AND source_bytes <> ${bytes}`),
  } satisfies Statements;
}

interface Change {
  organizationId: string;
  nowMs: number;
}

/** Whether the memory of the source `s` is held, which then keeps its quotations. */
const isOfHeld = (organizationId: string): Sql => sql`
  (${hasHolds(organizationId)} AND EXISTS (
     SELECT 1 FROM conversations AS c
      WHERE c.organization_id = s.organization_id AND c.id = s.memory_id AND ${isHeldAnywhere(sql`c`)}))`;

/**
 * Marks the sources of messages that the batch deletes, and removes their quotations, except those of held memories.
 * {@link settledSources} must follow in the batch.
 */
export const markedDeleted = (
  { organizationId }: Pick<Change, "organizationId">,
  { index, condition }: Cited,
): Statement<void> =>
  nothing(sql`
    UPDATE memory_sources AS s ${index}
       SET state = 'changing', text_start = NULL, text_end = NULL,
           quote = CASE WHEN ${isOfHeld(organizationId)} THEN quote END,
           is_quote_held = quote IS NOT NULL AND ${isOfHeld(organizationId)}
     WHERE s.organization_id = ${organizationId} AND ${condition} AND s.state <> 'deleted'`);

/**
 * Marks the sources of a message that the batch edits, before the edit. A quotation stays if the new content has it, or if
 * the memory is held.
 * Marks nothing if the content stays the same.
 */
export const markedEdited = (
  { organizationId }: Pick<Change, "organizationId">,
  message: { id: string; text: string; content: string },
): Statement<void> => {
  const { index, condition } = citesMessage(message.id);
  const isThere = sql`instr(${message.text}, s.quote) > 0`;
  return nothing(sql`
    UPDATE memory_sources AS s ${index}
       SET state = 'changing', text_start = NULL, text_end = NULL,
           quote = CASE WHEN ${isThere} OR ${isOfHeld(organizationId)} THEN s.quote END,
           is_quote_held = s.quote IS NOT NULL AND NOT ${isThere} AND ${isOfHeld(organizationId)}
     WHERE s.organization_id = ${organizationId} AND ${condition} AND s.state <> 'deleted'
       AND (SELECT m.content FROM messages AS m
             WHERE m.organization_id = ${organizationId} AND m.id = ${message.id}) <> ${message.content}`);
};

/**
 * Live memories with marked sources, and whether the setting of the organization deletes each, which it does not with held
 * ones. None if it keeps them as they are. The first condition is that of an index, which is empty outside of these batches.
 */
const citingMemories = (organizationId: string): Sql => sql`
  SELECT c.row_key AS row_key, c.id AS id, c.term_count AS term_count,
         o.on_source_deleted = 'delete' AND max(s.quote IS NULL) AND NOT ${isHeld(organizationId)} AS is_deleted
    FROM memory_sources AS s INDEXED BY memory_sources_changing
   CROSS JOIN organization_counters AS o ON o.organization_id = s.organization_id AND o.on_source_deleted <> 'keep'
   CROSS JOIN conversations AS c ON c.organization_id = s.organization_id AND c.id = s.memory_id
              AND c.deleted_at_ms IS NULL
   WHERE s.state = 'changing' AND s.organization_id = ${organizationId}
   GROUP BY c.row_key`;

/** Numbers of the memories that {@link settledSources} will flag and delete, for the row of an operation. */
export const citingCounts = (organizationId: string) => ({
  flagged: sql`(SELECT count(*) FROM (${citingMemories(organizationId)}) WHERE NOT is_deleted)`,
  deleted: sql`(SELECT count(*) FROM (${citingMemories(organizationId)}) WHERE is_deleted)`,
});

/**
 * Does with the memories whose sources are marked what the setting of the organization says, and ends the marks.
 *
 * A memory that is deleted so belongs to no operation: a receipt counts it, and waits only for what it deletes itself.
 */
export function settledSources({ organizationId, nowMs }: Change, state: "edited" | "deleted") {
  const citing = citingMemories(organizationId);
  return {
    events: recordedEvents(
      organizationId,
      nowMs,
      sql`SELECT iif(is_deleted, 'memory.deleted', 'memory.updated') AS type, id AS subject_id,
                 NULL AS first_sequence, NULL AS last_sequence
            FROM (${citing}) ORDER BY id`,
    ),
    uncounted: nothing(sql`
      UPDATE organization_counters
         SET (memory_count, memory_term_count) =
             (SELECT organization_counters.memory_count - count(*),
                     organization_counters.memory_term_count - coalesce(sum(term_count), 0)
                FROM (${citing}) WHERE is_deleted)
       WHERE organization_id = ${organizationId} AND EXISTS (SELECT 1 FROM (${citing}) WHERE is_deleted)`),
    memories: nothing(sql`
      WITH citing AS MATERIALIZED (${citing}),
           gone AS MATERIALIZED (SELECT row_key FROM citing WHERE is_deleted)
      UPDATE conversations
         SET version = version + (row_key NOT IN gone), updated_at_ms = ${nowMs},
             deleted_at_ms = CASE WHEN row_key IN gone THEN ${nowMs} END
       WHERE row_key IN (SELECT row_key FROM citing)
         AND +organization_id = ${organizationId}`),
    marks: settledMarks(organizationId, state),
  } satisfies Statements;
}

/** Ends the marks of a batch. */
export const settledMarks = (organizationId: string, state: "edited" | "deleted"): Statement<void> =>
  nothing(sql`
    UPDATE memory_sources INDEXED BY memory_sources_changing SET state = ${state}
     WHERE state = 'changing' AND organization_id = ${organizationId}`);

/** Removes the sources of memories whose rows are purged. @param ids a SELECT of organizations and memories. */
export const deletedSources = (ids: Sql): Statement<void> =>
  nothing(sql`DELETE FROM memory_sources WHERE (organization_id, memory_id) IN (${ids})`);
