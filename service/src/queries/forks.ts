import { FORK_MESSAGES_MAX, WRITE_BYTES_MAX } from "@engram/spec";
import type { ContentEncoding } from "../text/compression.ts";
import { type Owner, refuseWhen, toJsonLists } from "./batch.ts";
import { insertWords, withoutWords } from "./messages.ts";

/** A message to copy. The sums include the messages before it. */
export interface ForkSourceRow {
  sequence: number;
  content: string;
  content_encoding: ContentEncoding | null;
  messages: number;
  /** Content, parts, metadata, names and ids. */
  bytes: number;
  contentBytes: number;
  /**
   * Changes when a message is edited or replaced. Text, because the sums may exceed the exact range of a
   * number.
   */
  changes: string;
}

export interface ForkedMessage {
  sequence: number;
  id: string;
  words: string;
  phrases: string[];
  token_count: number;
}

export interface Fork {
  organizationId: string;
  sourceId: string;
  id: string;
  externalId: string | null;
  /** Null copies the title of the original. */
  title: string | null;
  toSequence: number;
  nowMs: number;
}

// octet_length reads the length of a column without reading its value.
const BYTES = `m.content_bytes + ${[
  "m.parts",
  "m.metadata",
  "m.name",
  "m.tool_call_id",
  "m.tool_name",
  "m.external_id",
]
  .map((column) => `coalesce(octet_length(${column}), 0)`)
  .join(" + ")}`;

// Reads message by message, so that a conversation too large to fork is read only up to the limit.
const SOURCE = `WITH RECURSIVE source (sequence, messages, bytes, contentBytes, stored, updated) AS (
    SELECT 0, 0, 0, 0, 0, 0
    UNION ALL
    SELECT m.sequence, s.messages + 1, s.bytes + ${BYTES}, s.contentBytes + m.content_bytes,
           s.stored + m.stored_at_ms, s.updated + coalesce(m.updated_at_ms, 0)
      FROM source AS s CROSS JOIN messages AS m
        ON m.organization_id = ?1 AND m.conversation_id = ?2
       AND m.sequence = (SELECT min(n.sequence) FROM messages AS n
                          WHERE n.organization_id = ?1 AND n.conversation_id = ?2
                            AND n.sequence > s.sequence AND n.sequence <= ?3)
     WHERE s.messages <= ${FORK_MESSAGES_MAX} AND s.bytes <= ${WRITE_BYTES_MAX})`;
const CHANGES = "s.stored || ' ' || s.updated";

/** The messages to copy, oldest first. Ends with the first message that exceeds a limit, if any. */
export async function selectForkSource(
  db: D1Database,
  owner: Owner,
  input: { conversationId: string; toSequence: number },
): Promise<ForkSourceRow[]> {
  const { results } = await db
    .prepare(
      `${SOURCE}
       SELECT m.sequence, m.content, m.content_encoding, s.messages, s.bytes, s.contentBytes, ${CHANGES} AS changes
         FROM source AS s CROSS JOIN messages AS m
           ON m.organization_id = ?1 AND m.conversation_id = ?2 AND m.sequence = s.sequence
        ORDER BY s.messages`,
    )
    .bind(owner.organizationId, input.conversationId, input.toSequence)
    .all<ForkSourceRow>();
  return results;
}

/** Ends the batch with `source_changed` if the messages to copy have changed since they were read. */
export function refuseChangedSource(
  db: D1Database,
  fork: Fork,
  { messages, changes }: Pick<ForkSourceRow, "messages" | "changes">,
): D1PreparedStatement {
  return refuseWhen(
    db,
    "source_changed",
    `EXISTS (${SOURCE}
       SELECT 1 FROM (SELECT s.messages, ${CHANGES} AS changes FROM source AS s ORDER BY s.messages DESC LIMIT 1)
        WHERE messages <> ?4 OR changes <> ?5)`,
  ).bind(fork.organizationId, fork.sourceId, fork.toSequence, messages, changes);
}

/** Inserts a fork: conversation, messages, terms, counters and indexing job. */
export function insertFork(db: D1Database, fork: Fork, messages: ForkedMessage[]): D1PreparedStatement[] {
  const { organizationId, sourceId, id, nowMs } = fork;
  return [
    refuseWhen(
      db,
      "external_id_conflict",
      `EXISTS (SELECT 1 FROM conversations WHERE organization_id = ?1 AND external_id = ?2 AND deleted_at_ms IS NULL)`,
    ).bind(organizationId, fork.externalId),
    db
      .prepare(
        `INSERT INTO conversations
           (organization_id, id, external_id, title, agent_id, user_id, tags, metadata, last_sequence,
            created_at_ms, updated_at_ms)
         SELECT organization_id, ?3, ?4, coalesce(?5, title), agent_id, user_id, tags, metadata, ?6, ?7, ?7
           FROM conversations WHERE organization_id = ?1 AND id = ?2`,
      )
      .bind(organizationId, sourceId, id, fork.externalId, fork.title, fork.toSequence, nowMs),
    ...toJsonLists(messages.map(withoutWords)).map((list) => insertCopies(db, fork, list)),
    ...insertWords(db, organizationId, messages),
    db
      .prepare(
        `UPDATE conversations SET (message_count, token_count) =
                (SELECT count(*), coalesce(sum(token_count), 0) FROM messages
                  WHERE organization_id = ?1 AND conversation_id = ?2)
          WHERE organization_id = ?1 AND id = ?2`,
      )
      .bind(organizationId, id),
    db
      .prepare(
        `UPDATE organization_counters SET (conversation_count, message_count, token_count) =
                (SELECT organization_counters.conversation_count + 1,
                        organization_counters.message_count + c.message_count,
                        organization_counters.token_count + c.token_count
                   FROM conversations AS c WHERE c.organization_id = ?1 AND c.id = ?2)
          WHERE organization_id = ?1`,
      )
      .bind(organizationId, id),
    db
      .prepare(
        `INSERT INTO index_jobs (organization_id, conversation_id, from_sequence, to_sequence, due_at_ms)
         SELECT ?1, ?2, 1, last_sequence, ?3 FROM conversations
          WHERE organization_id = ?1 AND id = ?2 AND message_count > 0`,
      )
      .bind(organizationId, id, nowMs),
  ];
}

function insertCopies(db: D1Database, fork: Fork, list: string): D1PreparedStatement {
  return db
    .prepare(
      `INSERT INTO messages
         (number, organization_id, conversation_id, id, sequence, role, content, content_encoding, content_bytes,
          name, tool_call_id, tool_name, metadata, parts, external_id, external_digest, token_count,
          name_words, traits, created_at_ms, stored_at_ms)
       SELECT (f.number << 24) + m.sequence, ?1, ?3, new.value ->> 'id', m.sequence, m.role, m.content,
              m.content_encoding, m.content_bytes, m.name, m.tool_call_id, m.tool_name, m.metadata, m.parts,
              m.external_id, m.external_digest, new.value ->> 'token_count', m.name_words, m.traits,
              m.created_at_ms, ?5
         FROM json_each(?4) AS new
        CROSS JOIN conversations AS f ON f.organization_id = ?1 AND f.id = ?3
        CROSS JOIN messages AS m ON m.organization_id = ?1 AND m.conversation_id = ?2
                   AND m.sequence = new.value ->> 'sequence'`,
    )
    .bind(fork.organizationId, fork.sourceId, fork.id, list, fork.nowMs);
}
