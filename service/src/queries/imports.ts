import type { ConversationLine } from "@engram/spec";
import { refuseWhen, toJsonLists } from "./batch.ts";
import * as place from "./import-holdings.ts";
import { insertMemories, MEMORY_BY_CONTENT, type MemoryRecord } from "./memories.ts";
import { insertWords, type MessageRecord, RECORD_COLUMNS, RECORD_VALUES, withoutWords } from "./messages.ts";

/** A message with the conversation and sequence that it is stored at. */
export interface PlacedRecord extends MessageRecord {
  conversation_id: string;
  sequence: number;
  stored_at_ms: number;
  updated_at_ms: number | null;
}

const CONVERSATION_TAKEN = `EXISTS (SELECT 1 FROM json_each(?2) AS new CROSS JOIN ${place.CONVERSATION})
  OR EXISTS (SELECT 1 FROM json_each(?2) AS new CROSS JOIN ${place.CONVERSATION_BY_EXTERNAL_ID})`;

const MESSAGE_TAKEN = `EXISTS (SELECT 1 FROM json_each(?2) AS new CROSS JOIN ${place.MESSAGE})
  OR EXISTS (SELECT 1 FROM json_each(?2) AS new CROSS JOIN ${place.MESSAGE_BY_SEQUENCE})
  OR EXISTS (SELECT 1 FROM json_each(?2) AS new CROSS JOIN ${place.MESSAGE_BY_EXTERNAL_ID})`;

const MEMORY_TAKEN = `EXISTS (SELECT 1 FROM json_each(?2) AS new CROSS JOIN ${place.CONVERSATION})
  OR EXISTS (SELECT 1 FROM json_each(?2) AS new CROSS JOIN ${MEMORY_BY_CONTENT})`;

const CONVERSATION_GONE = `EXISTS (SELECT 1 FROM json_each(?2) AS new
  LEFT JOIN ${place.CONVERSATION} AND c.deleted_at_ms IS NULL AND c.kind = 'conversation' WHERE c.id IS NULL)`;

const INSERT_CONVERSATIONS = `INSERT INTO conversations
    (organization_id, id, external_id, title, agent_id, user_id, tags, metadata, last_sequence, created_at_ms, updated_at_ms)
  SELECT ?1, value ->> 'id', value ->> 'external_id', value ->> 'title', value ->> 'agent_id', value ->> 'user_id',
         value ->> 'tags', value ->> 'metadata', value ->> 'last_sequence', value ->> 'created_at_ms',
         value ->> 'updated_at_ms'
    FROM json_each(?2) ORDER BY key`;

const INSERT_MESSAGES = `INSERT INTO messages
    (number, organization_id, conversation_id, id, sequence, ${RECORD_COLUMNS}, stored_at_ms, updated_at_ms)
  SELECT (c.number << 24) + (new.value ->> 'sequence'), ?1, c.id, new.value ->> 'id', new.value ->> 'sequence',
         ${RECORD_VALUES}, new.value ->> 'stored_at_ms', new.value ->> 'updated_at_ms'
    FROM json_each(?2) AS new
   CROSS JOIN conversations AS c ON c.organization_id = ?1 AND c.id = new.value ->> 'conversation_id'`;

const COUNT_IN_ORGANIZATION = `UPDATE organization_counters
    SET conversation_count = conversation_count + ?2, message_count = message_count + ?3, token_count = token_count + ?4
  WHERE organization_id = ?1`;

// Materialized, and joined by number: otherwise the planner scans all conversations.
const COUNT_IN_CONVERSATIONS = `WITH touched AS MATERIALIZED (
    SELECT c.number AS number, new.value ->> 'messages' AS messages, new.value ->> 'tokens' AS tokens,
           new.value ->> 'last' AS last FROM json_each(?2) AS new CROSS JOIN ${place.CONVERSATION})
  UPDATE conversations
     SET message_count = message_count + t.messages, token_count = token_count + t.tokens,
         last_sequence = max(last_sequence, t.last), version = version + 1
    FROM touched AS t
   WHERE conversations.number = t.number AND +conversations.organization_id = ?1`;

const INSERT_JOBS = `INSERT INTO index_jobs (organization_id, conversation_id, from_sequence, to_sequence, due_at_ms)
  SELECT ?1, value ->> 'id', value ->> 'first', value ->> 'last', ?3 FROM json_each(?2) ORDER BY key`;

/**
 * Inserts conversations, messages and memories whose places were free when read: rows, terms, counters and
 * indexing jobs.
 *
 * Ends the batch as `import_raced` if a place was taken or a conversation deleted since. A conversation keeps
 * its `updated_at`; its version rises with every import.
 */
export function insertImport(
  db: D1Database,
  organizationId: string,
  input: {
    conversations: ConversationLine[];
    messages: PlacedRecord[];
    memories: MemoryRecord[];
    nowMs: number;
  },
): D1PreparedStatement[] {
  const { conversations, messages, memories, nowMs } = input;
  const each = (items: unknown[], sql: string, ...binds: unknown[]) =>
    toJsonLists(items).map((list) => db.prepare(sql).bind(organizationId, list, ...binds));
  const refuse = (items: unknown[], condition: string) =>
    toJsonLists(items).map((list) => refuseWhen(db, "import_raced", condition).bind(organizationId, list));
  const touched = touchedBy(messages);
  const tokens = messages.reduce((sum, { token_count }) => sum + token_count, 0);
  return [
    ...refuse(
      conversations.map(({ id, external_id }) => ({ id, external_id })),
      CONVERSATION_TAKEN,
    ),
    ...refuse(
      [
        ...messages.map(({ id, conversation_id, sequence, external_id }) => {
          return { id, conversation_id, sequence, external_id };
        }),
        ...memories.map(({ message_id }) => ({ id: message_id })),
      ],
      MESSAGE_TAKEN,
    ),
    ...refuse(
      memories.map(({ id, agent_id, content_hash }) => ({ id, agent_id, content_hash })),
      MEMORY_TAKEN,
    ),
    ...each(conversations.map(toConversationRow), INSERT_CONVERSATIONS),
    ...refuse(touched, CONVERSATION_GONE),
    ...each(messages.map(withoutWords), INSERT_MESSAGES),
    ...insertWords(db, organizationId, messages),
    db.prepare(COUNT_IN_ORGANIZATION).bind(organizationId, conversations.length, messages.length, tokens),
    ...each(touched, COUNT_IN_CONVERSATIONS),
    ...each(touched, INSERT_JOBS, nowMs),
    ...(memories.length === 0 ? [] : insertMemories(db, organizationId, memories, nowMs)),
  ];
}

function toConversationRow({ tags, metadata, created_at, updated_at, ...rest }: ConversationLine) {
  return {
    ...rest,
    tags: JSON.stringify(tags),
    metadata: JSON.stringify(metadata),
    created_at_ms: Date.parse(created_at),
    updated_at_ms: Date.parse(updated_at),
  };
}

/** Sums per conversation, in the order in which conversations first appear. */
function touchedBy(messages: PlacedRecord[]) {
  const touched = new Map<
    string,
    { id: string; messages: number; tokens: number; first: number; last: number }
  >();
  for (const { conversation_id: id, sequence, token_count } of messages) {
    const sum = touched.get(id) ?? { id, messages: 0, tokens: 0, first: sequence, last: sequence };
    touched.set(id, {
      id,
      messages: sum.messages + 1,
      tokens: sum.tokens + token_count,
      first: Math.min(sum.first, sequence),
      last: Math.max(sum.last, sequence),
    });
  }
  return [...touched.values()];
}
