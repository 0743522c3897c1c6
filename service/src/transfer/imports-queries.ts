import type { ConversationLine } from "@engram/spec";
import { IMPORTED_COLUMNS, IMPORTED_VALUES, toImported } from "../conversations/fields.ts";
import { hasHolds, isHeldAnywhere } from "../holds/queries.ts";
import { insertedTerms, withoutTerms } from "../keyword-index/queries.ts";
import type { ServiceLimits } from "../limits.ts";
import { insertedMemories, type MemoryRecord, sameMemory, toIdentity } from "../memories/captures-queries.ts";
import { VERSION_FIELD_COLUMNS, VERSION_FIELD_VALUES, type VersionFields } from "../memories/fields.ts";
import {
  type MessageRecord,
  PLACE_COLUMNS,
  PLACE_VALUES,
  RECORD_COLUMNS,
  RECORD_VALUES,
  type toPlace,
} from "../messages/fields.ts";
import { lastMessageAt } from "../messages/queries.ts";
import { toJsonLists } from "../platform/batch.ts";
import { boundTo } from "../platform/fields.ts";
import { recordedEvents } from "../platform/recorded-events.ts";
import {
  and,
  assertThat,
  joined,
  nothing,
  type Sql,
  type Statement,
  type Statements,
  sql,
} from "../platform/sql.ts";
import { importedRecalls, type RecallRow } from "../recalls/queries.ts";
import * as existing from "./existing-rows-queries.ts";

export type PlacedRecord = MessageRecord & ReturnType<typeof toPlace>;

interface Items {
  conversations: ConversationLine[];
  messages: PlacedRecord[];
  memories: MemoryRecord[];
  versions: VersionRecord[];
  recalls: RecallRow[];
}

/** An earlier version of a memory. */
export interface VersionRecord extends VersionFields {
  memory_id: string;
  version: number;
  authored: number;
  /** Null if the memory or another version has the content with this hash. */
  content: string | null;
  encoding: string | null;
  /** Size of the content. Null if only the database knows it. */
  bytes: number | null;
  parts: MemoryRecord["parts"];
  changed_by: string | null;
  stored_at_ms: number;
  replaced_at_ms: number;
}

/**
 * Inserts items. Fails the batch with `import_raced` if another request has stored one of the items, deleted a
 * conversation or set a hold that refuses an item, since the existing rows were read. A conversation that gets messages keeps its `updated_at`,
 * but its version increases.
 */
export function insertedItems(
  organizationId: string,
  items: Items,
  { limits, nowMs }: { limits: ServiceLimits; nowMs: number },
) {
  const { conversations, messages, memories, versions, recalls } = items;
  const touched = toJsonLists(touchedBy(messages));
  return {
    free: assertFree(organizationId, items),
    conversations: toJsonLists(conversations.map(toImported)).map((list) =>
      insertedConversations(organizationId, list),
    ),
    exist: touched.map((list) => assertConversationsExist(organizationId, list)),
    messages: toJsonLists(messages.map(withoutTerms)).map((list) => insertedMessages(organizationId, list)),
    terms: insertedTerms(organizationId, messages, { limits, nowMs }),
    counted: countedItems(organizationId, items),
    countedInConversations: touched.map((list) => countedInConversations(organizationId, list)),
    jobs: touched.map((list) => queuedJobs(organizationId, list, nowMs)),
    events:
      conversations.length + messages.length === 0 ? null : importedEvents(organizationId, items, nowMs),
    memories: memories.length === 0 ? null : insertedMemories(organizationId, memories, { limits, nowMs }),
    versions: toJsonLists(versions).map((list) => insertedVersions(organizationId, list)),
    recalls: toJsonLists(recalls).map((list) => importedRecalls(organizationId, list)),
  } satisfies Statements;
}

function assertFree(organizationId: string, { conversations, messages, memories, versions }: Items) {
  const noneTaken = (items: unknown[], joins: ((organizationId: string) => Sql)[]) =>
    toJsonLists(items).map((list) =>
      assertThat(
        "import_raced",
        and(
          joins.map(
            (join) =>
              sql`NOT EXISTS (SELECT 1 FROM json_each(${list}) AS new CROSS JOIN ${join(organizationId)})`,
          ),
        ),
      ),
    );
  return {
    conversations: noneTaken(
      conversations.map(({ id, agent_id, user_id, external_id }) => ({ id, agent_id, user_id, external_id })),
      [existing.conversationById, existing.conversationByExternalId],
    ),
    messages: noneTaken(
      [
        ...messages.map(({ id, conversation_id, sequence, external_id }) => {
          return { id, conversation_id, sequence, external_id };
        }),
        ...memories.map(({ message_id }) => ({ id: message_id })),
      ],
      [existing.messageById, existing.messageBySequence, existing.messageByExternalId],
    ),
    memories: noneTaken(
      memories.map(({ id, ...memory }) => ({ id, ...toIdentity(memory) })),
      [existing.conversationById, sameMemory],
    ),
    versions: noneTaken(
      versions.map(({ memory_id, version }) => ({ memory_id, version })),
      [existing.versionByNumber],
    ),
    // Before the items of the batch are stored: what is new is not changed.
    notHeld: noneHeld(organizationId, messages, versions),
  } satisfies Statements;
}

/** Fails the batch with `import_raced` if it would add a message before the last one, or a version, to what is held. */
const noneHeld = (
  organizationId: string,
  messages: PlacedRecord[],
  versions: VersionRecord[],
): Statement<void>[] => [
  ...toJsonLists(messages.map(({ conversation_id: id, sequence }) => ({ id, sequence }))).map((list) =>
    assertThat(
      "import_raced",
      sql`NOT (${hasHolds(organizationId)} AND EXISTS (
            SELECT 1 FROM json_each(${list}) AS new CROSS JOIN ${existing.conversationById(organizationId)}
             WHERE ${isHeldAnywhere(sql`c`)} AND new.value ->> 'sequence' < (${existing.lastSequence(organizationId)})))`,
    ),
  ),
  ...toJsonLists(versions.map(({ memory_id }) => ({ memory_id }))).map((list) =>
    assertThat(
      "import_raced",
      sql`NOT (${hasHolds(organizationId)} AND EXISTS (
            SELECT 1 FROM json_each(${list}) AS new CROSS JOIN ${existing.memoryOfVersion(organizationId)}
             WHERE ${isHeldAnywhere(sql`c`)}))`,
    ),
  ),
];

const insertedConversations = (organizationId: string, list: string): Statement<void> =>
  nothing(sql`
    INSERT INTO conversations
      (organization_id, ${IMPORTED_COLUMNS}, last_message_at_ms)
    SELECT ${organizationId}, ${IMPORTED_VALUES}, new.value ->> 'created_at_ms'
      FROM json_each(${list}) AS new ORDER BY new.key`);

const assertConversationsExist = (organizationId: string, list: string): Statement<void> =>
  assertThat(
    "import_raced",
    sql`NOT EXISTS (
          SELECT 1 FROM json_each(${list}) AS new
            LEFT JOIN ${existing.conversationById(organizationId)} AND c.deleted_at_ms IS NULL AND c.kind = 'conversation'
           WHERE c.id IS NULL)`,
  );

const insertedMessages = (organizationId: string, list: string): Statement<void> =>
  nothing(sql`
    INSERT INTO messages
      (row_key, organization_id, ${PLACE_COLUMNS}, ${RECORD_COLUMNS})
    SELECT (c.row_key << 24) + (new.value ->> 'sequence'), ${organizationId}, ${PLACE_VALUES}, ${RECORD_VALUES}
      FROM json_each(${list}) AS new
     CROSS JOIN conversations AS c ON c.organization_id = ${organizationId} AND c.id = new.value ->> 'conversation_id'`);

/** Fails the batch with `import_raced` if a memory is gone. Its number only rises, and a content is never removed. */
const insertedVersions = (organizationId: string, list: string) =>
  ({
    exist: assertThat(
      "import_raced",
      sql`NOT EXISTS (
            SELECT 1 FROM json_each(${list}) AS new
              LEFT JOIN ${existing.memoryOfVersion(organizationId)} AND c.deleted_at_ms IS NULL
             WHERE c.id IS NULL)`,
    ),
    rows: nothing(sql`
      INSERT INTO memory_versions
        (organization_id, memory_id, version, authored, ${VERSION_FIELD_COLUMNS}, content, content_encoding, content_bytes,
         parts, changed_by, stored_at_ms, replaced_at_ms)
      SELECT ${organizationId}, ${joined(["memory_id", "version", "authored"].map(boundTo), sql`, `)},
             ${VERSION_FIELD_VALUES}, ${joined(["content", "encoding"].map(boundTo), sql`, `)},
             coalesce(
               new.value ->> 'bytes',
               (SELECT m.content_bytes FROM (SELECT 1) CROSS JOIN ${existing.memoryOfVersion(organizationId)}
                 CROSS JOIN messages AS m ON m.organization_id = c.organization_id AND m.conversation_id = c.id
                 WHERE c.content_hash = new.value ->> 'content_hash'),
               (SELECT v.content_bytes FROM memory_versions AS v
                 WHERE v.organization_id = ${organizationId} AND v.memory_id = new.value ->> 'memory_id'
                   AND v.content_hash = new.value ->> 'content_hash' AND v.content IS NOT NULL LIMIT 1)),
             nullif(new.value -> 'parts', 'null'),
             ${joined(["changed_by", "stored_at_ms", "replaced_at_ms"].map(boundTo), sql`, `)}
        FROM json_each(${list}) AS new ORDER BY new.key`),
  }) satisfies Statements;

function countedItems(organizationId: string, { conversations, messages }: Items): Statement<void> {
  const tokens = messages.reduce((sum, { term_count }) => sum + term_count, 0);
  return nothing(sql`
    UPDATE organization_counters
       SET conversation_count = conversation_count + ${conversations.length},
           message_count = message_count + ${messages.length}, term_count = term_count + ${tokens}
     WHERE organization_id = ${organizationId}`);
}

/**
 * `touched` is materialized and joined by row key, because SQLite would otherwise read all conversations.
 */
const countedInConversations = (organizationId: string, list: string): Statement<void> =>
  nothing(sql`
    WITH touched AS MATERIALIZED (
      SELECT c.row_key AS row_key, new.value ->> 'messages' AS messages, new.value ->> 'tokens' AS tokens,
             new.value ->> 'last' AS last
        FROM json_each(${list}) AS new CROSS JOIN ${existing.conversationById(organizationId)})
    UPDATE conversations
       SET message_count = message_count + t.messages, term_count = term_count + t.tokens,
           last_sequence = max(last_sequence, t.last), version = version + 1,
           last_message_at_ms = ${lastMessageAt(organizationId, sql`conversations.id`)}
      FROM touched AS t
     WHERE conversations.row_key = t.row_key AND +conversations.organization_id = ${organizationId}`);

/** One event for each conversation: a new one, or one that gets messages. */
function importedEvents(
  organizationId: string,
  { conversations, messages }: Items,
  nowMs: number,
): Statement<void>[] {
  const created = new Map(conversations.map(({ id }) => [id, { type: "conversation.created", id }]));
  const touched = touchedBy(messages).map(({ id, first, last }) => ({
    type: created.get(id)?.type ?? "messages.appended",
    id,
    first,
    last,
  }));
  const events = new Map([...created.values(), ...touched].map((event) => [event.id, event]));
  return toJsonLists([...events.values()]).map((list) =>
    recordedEvents(
      organizationId,
      nowMs,
      sql`SELECT value ->> 'type' AS type, value ->> 'id' AS subject_id, value ->> 'first' AS first_sequence,
                 value ->> 'last' AS last_sequence
            FROM json_each(${list}) ORDER BY key`,
    ),
  );
}

const queuedJobs = (organizationId: string, list: string, nowMs: number): Statement<void> =>
  nothing(sql`
    INSERT INTO index_jobs (organization_id, conversation_id, from_sequence, to_sequence, due_at_ms)
    SELECT ${organizationId}, value ->> 'id', value ->> 'first', value ->> 'last', ${nowMs}
      FROM json_each(${list}) ORDER BY key`);

function touchedBy(messages: PlacedRecord[]) {
  const touched = new Map<
    string,
    { id: string; messages: number; tokens: number; first: number; last: number }
  >();
  for (const { conversation_id: id, sequence, term_count } of messages) {
    const sum = touched.get(id) ?? { id, messages: 0, tokens: 0, first: sequence, last: sequence };
    touched.set(id, {
      id,
      messages: sum.messages + 1,
      tokens: sum.tokens + term_count,
      first: Math.min(sum.first, sequence),
      last: Math.max(sum.last, sequence),
    });
  }
  return [...touched.values()];
}
