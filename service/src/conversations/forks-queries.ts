import { FORK_MESSAGES_MAX, WRITE_BYTES_MAX } from "@engram/spec";
import { insertedTerms, withoutTerms } from "../keyword-index/queries.ts";
import type { ServiceLimits } from "../limits.ts";
import { COPIED_VALUES, GIVEN_BYTES, RECORD_COLUMNS } from "../messages/fields.ts";
import { lastMessageAt } from "../messages/queries.ts";
import { toJsonLists } from "../platform/batch.ts";
import { eventOf, recordedEvents } from "../platform/recorded-events.ts";
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
import { COPIED_COLUMNS } from "./fields.ts";

/**
 * A message to copy. All numbers but `sequence` are sums over this message and those before it, as is
 * `changes`.
 */
export interface ForkSourceRow {
  sequence: number;
  content: string;
  content_encoding: ContentEncoding | null;
  messages: number;
  /** Size of content, parts, metadata, names and ids. */
  bytes: number;
  contentBytes: number;
  /**
   * Sums of the times at which the messages were stored and updated, which change if a message is edited or
   * replaced. Text, because a sum may be too large for an exact number.
   */
  changes: string;
}

export interface ForkedMessage {
  sequence: number;
  id: string;
  terms: string;
  phrases: string[];
  term_count: number;
}

export interface Fork {
  organizationId: string;
  sourceId: string;
  id: string;
  externalId: string | null;
  /** Null to copy the title of the original. */
  title: string | null;
  toSequence: number;
  nowMs: number;
}

interface ForkRange {
  organizationId: string;
  sourceId: string;
  toSequence: number;
}

/**
 * CTE `source`: the messages to copy, with running totals. It reads one message after the other and ends after
 * the first that exceeds a limit, so a conversation that is too large is not read whole.
 */
const withSource = ({ organizationId, sourceId, toSequence }: ForkRange): Sql => sql`
  WITH RECURSIVE source (sequence, messages, bytes, contentBytes, stored, updated) AS (
    SELECT 0, 0, 0, 0, 0, 0
    UNION ALL
    SELECT m.sequence, s.messages + 1, s.bytes + ${GIVEN_BYTES}, s.contentBytes + m.content_bytes,
           s.stored + m.stored_at_ms, s.updated + coalesce(m.updated_at_ms, 0)
      FROM source AS s CROSS JOIN messages AS m
        ON m.organization_id = ${organizationId} AND m.conversation_id = ${sourceId}
       AND m.sequence = (SELECT min(n.sequence) FROM messages AS n
                          WHERE n.organization_id = ${organizationId} AND n.conversation_id = ${sourceId}
                            AND n.sequence > s.sequence AND n.sequence <= ${toSequence})
     WHERE s.messages <= ${FORK_MESSAGES_MAX} AND s.bytes <= ${WRITE_BYTES_MAX})`;
const CHANGES = sql`s.stored || ' ' || s.updated`;

/** The messages to copy, in order. If they exceed a limit, the last row is the first message above it. */
export const forkSource = (range: ForkRange): Statement<ForkSourceRow[]> =>
  rows(
    sql`${withSource(range)}
        SELECT m.sequence, m.content, m.content_encoding, s.messages, s.bytes, s.contentBytes, ${CHANGES} AS changes
          FROM source AS s CROSS JOIN messages AS m
            ON m.organization_id = ${range.organizationId} AND m.conversation_id = ${range.sourceId}
           AND m.sequence = s.sequence
         ORDER BY s.messages`,
    (row: ForkSourceRow) => row,
  );

export const assertSourceUnchanged = (
  range: ForkRange,
  { messages, changes }: Pick<ForkSourceRow, "messages" | "changes">,
): Statement<void> =>
  assertThat(
    "source_changed",
    sql`NOT EXISTS (${withSource(range)}
          SELECT 1 FROM (SELECT s.messages, ${CHANGES} AS changes FROM source AS s ORDER BY s.messages DESC LIMIT 1)
           WHERE messages <> ${messages} OR changes <> ${changes})`,
  );

/** A fork has the agent and the user of its source. */
export const assertExternalIdFree = ({ organizationId, sourceId, externalId }: Fork): Statement<void> =>
  assertThat(
    "external_id_conflict",
    sql`NOT EXISTS (SELECT 1 FROM conversations AS source
                      JOIN conversations AS c ON c.organization_id = ${organizationId} AND c.external_id = ${externalId}
                       AND coalesce(c.agent_id, '') = coalesce(source.agent_id, '')
                       AND coalesce(c.user_id, '') = coalesce(source.user_id, '') AND c.deleted_at_ms IS NULL
                     WHERE source.organization_id = ${organizationId} AND source.id = ${sourceId})`,
  );

export function insertedFork(fork: Fork, messages: ForkedMessage[], limits: ServiceLimits) {
  const { organizationId, sourceId, id, nowMs } = fork;
  return {
    conversation: nothing(sql`
      INSERT INTO conversations
        (organization_id, id, external_id, title, ${COPIED_COLUMNS}, last_sequence, created_at_ms, updated_at_ms)
      SELECT organization_id, ${id}, ${fork.externalId}, coalesce(${fork.title}, title), ${COPIED_COLUMNS},
             ${fork.toSequence}, ${nowMs}, ${nowMs}
        FROM conversations WHERE organization_id = ${organizationId} AND id = ${sourceId}`),
    messages: toJsonLists(messages.map(withoutTerms)).map((list) => insertedCopies(fork, list)),
    terms: insertedTerms(organizationId, messages, { limits, nowMs }),
    counted: nothing(sql`
      UPDATE conversations SET (message_count, term_count, last_message_at_ms) =
             (SELECT count(*), coalesce(sum(term_count), 0), ${lastMessageAt(organizationId, sql`${id}`)} FROM messages
               WHERE organization_id = ${organizationId} AND conversation_id = ${id})
       WHERE organization_id = ${organizationId} AND id = ${id}`),
    countedByOrganization: nothing(sql`
      UPDATE organization_counters SET (conversation_count, message_count, term_count) =
             (SELECT organization_counters.conversation_count + 1,
                     organization_counters.message_count + c.message_count,
                     organization_counters.term_count + c.term_count
                FROM conversations AS c WHERE c.organization_id = ${organizationId} AND c.id = ${id})
       WHERE organization_id = ${organizationId}`),
    event: recordedEvents(
      organizationId,
      nowMs,
      sql`${eventOf("conversation.created", sql`${id}`, { first: sql`min(sequence)`, last: sql`max(sequence)` })}
            FROM messages WHERE organization_id = ${organizationId} AND conversation_id = ${id}`,
    ),
    job: nothing(sql`
      INSERT INTO index_jobs (organization_id, conversation_id, from_sequence, to_sequence, due_at_ms)
      SELECT ${organizationId}, ${id}, 1, last_sequence, ${nowMs} FROM conversations
       WHERE organization_id = ${organizationId} AND id = ${id} AND message_count > 0`),
  } satisfies Statements;
}

const insertedCopies = ({ organizationId, sourceId, id, nowMs }: Fork, list: string): Statement<void> =>
  nothing(sql`
    INSERT INTO messages
      (row_key, organization_id, conversation_id, id, sequence, ${RECORD_COLUMNS}, stored_at_ms)
    SELECT (f.row_key << 24) + m.sequence, ${organizationId}, ${id}, new.value ->> 'id', m.sequence, ${COPIED_VALUES},
           ${nowMs}
      FROM json_each(${list}) AS new
     CROSS JOIN conversations AS f ON f.organization_id = ${organizationId} AND f.id = ${id}
     CROSS JOIN messages AS m ON m.organization_id = ${organizationId} AND m.conversation_id = ${sourceId}
                AND m.sequence = new.value ->> 'sequence'`);
