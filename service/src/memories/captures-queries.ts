import type { Memory } from "@engram/spec";
import { isHeld } from "../holds/queries.ts";
import { insertedTerms, type MessageTerms, withoutTerms } from "../keyword-index/queries.ts";
import type { ServiceLimits } from "../limits.ts";
import { CONTENT_COLUMNS, CONTENT_VALUES, type MessageRecord } from "../messages/fields.ts";
import { toJsonLists } from "../platform/batch.ts";
import { boundTo } from "../platform/fields.ts";
import { recordedEvents } from "../platform/recorded-events.ts";
import {
  assertThat,
  columns,
  joined,
  nothing,
  row,
  type Sql,
  type Statement,
  type Statements,
  sql,
} from "../platform/sql.ts";
import { insertedSources, type MemorySources } from "../sources/queries.ts";
import type { PreparedText } from "../text/prepared-text.ts";
import { INSERTED_COLUMNS, INSERTED_VALUES, MEMORY_COLUMNS, type MemoryFields } from "./fields.ts";
import { MEMORY_CONTENT, toVersionedMemory, type VersionedMemory } from "./queries.ts";

/** A memory. It is stored as a row of `conversations` with one message, which has the content. */
export interface MemoryRecord
  extends MemoryFields,
    PreparedText,
    Pick<MessageRecord, "parts">,
    Pick<MemorySources, "sources"> {
  message_id: string;
  source_bytes: number;
  /** Which fields the caller gave, as bits: 1 tags, 2 summary. A text model may write missing fields. */
  authored: number;
  version: number;
  /** The key that stored this version; null if that is not known. */
  changed_by: string | null;
  changed_at_ms: number;
}

/** What makes a memory unique: its agent, its user, and its external id or, without one, its content. */
export type MemoryIdentity = Pick<Memory, "agent_id" | "user_id" | "external_id" | "content_hash">;

export const toIdentity = ({ agent_id, user_id, external_id, content_hash }: MemoryIdentity) => ({
  agent_id,
  user_id,
  external_id,
  content_hash,
});

/** Rows that belong to the agent and the user of `new`. */
export const ofSameOwner = (organizationId: string): Sql => sql`
  c.organization_id = ${organizationId} AND c.deleted_at_ms IS NULL
  AND coalesce(c.agent_id, '') = coalesce(new.value ->> 'agent_id', '')
  AND coalesce(c.user_id, '') = coalesce(new.value ->> 'user_id', '')`;

/**
 * The stored memory `c` that is the same as `new`: with its content, or with its external id whatever the content is.
 * The two columns of an index are compared in each case.
 */
export const sameMemory = (organizationId: string): Sql => sql`
  conversations AS c ON c.row_key = coalesce(
    (SELECT c.row_key FROM conversations AS c
      WHERE ${ofSameOwner(organizationId)} AND c.memory_external_id = new.value ->> 'external_id'),
    (SELECT c.row_key FROM conversations AS c
      WHERE ${ofSameOwner(organizationId)} AND c.content_hash = new.value ->> 'content_hash'
        AND coalesce(c.memory_external_id, '') = '' AND new.value ->> 'external_id' IS NULL))`;

/** A text that is equal for memories of which only one is stored. */
export const identityOf = ({ agent_id, user_id, external_id, content_hash }: MemoryIdentity): string =>
  JSON.stringify([agent_id, user_id, external_id, external_id === null ? content_hash : null]);

/**
 * Fails the batch with `external_id_conflict` if a stored memory has the external id of one of the records and other
 * content.
 */
const assertSameContent = (organizationId: string, records: MemoryRecord[]): Statement<void> =>
  assertThat(
    "external_id_conflict",
    sql`NOT EXISTS (
          SELECT 1 FROM json_each(${JSON.stringify(records.map(toIdentity))}) AS new
           CROSS JOIN ${sameMemory(organizationId)}
           WHERE new.value ->> 'external_id' IS NOT NULL AND c.content_hash <> new.value ->> 'content_hash')`,
  );

export const toMemoryTerms = (records: MemoryRecord[]): MessageTerms[] =>
  records.map(({ message_id, terms, phrases }) => ({ id: message_id, terms, phrases }));

/**
 * Inserts memories. If one is stored already, only its version and `updated_at` change, or nothing if it is held. `records` must not have the
 * same memory twice.
 */
export function insertedMemories(
  organizationId: string,
  records: MemoryRecord[],
  { limits, nowMs }: { limits: ServiceLimits; nowMs: number },
) {
  const ids = JSON.stringify(records.map(({ id }) => id));
  const inserted = sql`
    FROM json_each(${ids}) AS new
   CROSS JOIN conversations AS c ON c.organization_id = ${organizationId} AND c.id = new.value`;
  const named = records.filter(({ external_id }) => external_id !== null);
  return {
    sameContent: named.length === 0 ? null : assertSameContent(organizationId, named),
    rows: toJsonLists(records.map(toRow)).map((list) => insertedRows(organizationId, list, nowMs)),
    sources: insertedSources(organizationId, records),
    terms: insertedTerms(organizationId, toMemoryTerms(records), { limits, nowMs }),
    counted: nothing(sql`
      UPDATE organization_counters
         SET (memory_count, memory_term_count) =
             (SELECT organization_counters.memory_count + count(*),
                     organization_counters.memory_term_count + coalesce(sum(c.term_count), 0) ${inserted})
       WHERE organization_id = ${organizationId}`),
    jobs: nothing(sql`
      INSERT INTO index_jobs (organization_id, conversation_id, from_sequence, to_sequence, due_at_ms)
      SELECT ${organizationId}, c.id, 1, 1, ${nowMs} ${inserted} ORDER BY new.key`),
    // A memory that was stored before gets a new version.
    events: recordedEvents(
      organizationId,
      nowMs,
      sql`SELECT iif(is_new, 'memory.created', 'memory.updated') AS type, id AS subject_id,
                 NULL AS first_sequence, NULL AS last_sequence
            FROM (${capturedRows(organizationId, records)}) WHERE is_new OR NOT is_held ORDER BY place`,
    ),
  } satisfies Statements;
}

const OF_PLACE = ["version", "changed_by", "changed_at_ms"];
const VERSION_PLACE = columns(OF_PLACE);
const VERSION_PLACE_VALUES = joined(OF_PLACE.map(boundTo), sql`, `);
/** What the rows of `conversations` and `messages` have. */
const toRow = ({ sources: _, ...record }: MemoryRecord) => withoutTerms(record);

const insertedRows = (organizationId: string, list: string, nowMs: number) =>
  ({
    existing: nothing(sql`
      UPDATE conversations SET updated_at_ms = ${nowMs}, version = version + 1
       WHERE row_key IN (SELECT c.row_key FROM json_each(${list}) AS new CROSS JOIN ${sameMemory(organizationId)}
                          WHERE NOT ${isHeld(organizationId)})
         AND +organization_id = ${organizationId}`),
    conversations: nothing(sql`
      INSERT INTO conversations
        (organization_id, ${INSERTED_COLUMNS}, ${VERSION_PLACE}, authored, source_bytes, message_count, term_count,
         last_sequence)
      SELECT ${organizationId}, ${INSERTED_VALUES}, ${VERSION_PLACE_VALUES}, new.value ->> 'authored',
             new.value ->> 'source_bytes', 1, new.value ->> 'term_count', 1
        FROM json_each(${list}) AS new
       WHERE NOT EXISTS (SELECT 1 FROM (SELECT 1) CROSS JOIN ${sameMemory(organizationId)})
       ORDER BY new.key`),
    messages: nothing(sql`
      INSERT INTO messages
        (row_key, organization_id, conversation_id, id, sequence, role, ${CONTENT_COLUMNS}, parts, created_at_ms,
         stored_at_ms)
      SELECT (c.row_key << 24) + 1, ${organizationId}, c.id, new.value ->> 'message_id', 1, 'user',
             ${CONTENT_VALUES}, nullif(new.value -> 'parts', 'null'), new.value ->> 'created_at_ms', ${nowMs}
        FROM json_each(${list}) AS new
       CROSS JOIN conversations AS c ON c.organization_id = ${organizationId} AND c.id = new.value ->> 'id'
       ORDER BY new.key`),
  }) satisfies Statements;

const toNames = (records: (MemoryIdentity & { id: string })[]): string =>
  JSON.stringify(records.map((record) => ({ id: record.id, ...toIdentity(record) })));

/** A stored memory. Both are null for a record that was left out. */
export type CapturedRow = { id: string; is_new: 0 | 1 } | { id: null; is_new: null };

const capturedRows = (organizationId: string, records: MemoryRecord[]): Sql => sql`
  SELECT c.id AS id, c.id = new.value ->> 'id' AS is_new, ${isHeld(organizationId)} AS is_held, new.key AS place
    FROM json_each(${toNames(records)}) AS new CROSS JOIN ${sameMemory(organizationId)}`;

/** JSON array of a {@link CapturedRow} for each record. */
export const capturedAnswer = (organizationId: string, records: MemoryRecord[]): Sql => sql`
  (SELECT json_group_array(json_object('id', id, 'is_new', is_new))
     FROM (SELECT c.id AS id, c.id = new.value ->> 'id' AS is_new
             FROM json_each(${toNames(records)}) AS new LEFT JOIN ${sameMemory(organizationId)} ORDER BY new.key))`;

export const capturedMemory = (
  organizationId: string,
  record: MemoryRecord,
): Statement<VersionedMemory | null> =>
  row(
    sql`SELECT ${MEMORY_COLUMNS} FROM json_each(${toNames([record])}) AS new
         CROSS JOIN ${sameMemory(organizationId)} CROSS JOIN ${MEMORY_CONTENT}`,
    toVersionedMemory,
  );
