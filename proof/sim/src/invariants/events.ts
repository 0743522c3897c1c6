import type { EventReader, ReadEvent } from "../clients/event-reader.ts";
import type { Database } from "../ports/database.ts";
import { expect } from "../violation.ts";

const CREATED = "'conversation.created', 'memory.created', 'key.created'";

/**
 * Counts of the events of each conversation, memory, operation and key. An import can store a deleted conversation again,
 * with the same id: changes are counted from its last creation.
 */
const COUNTED = `
  WITH born AS MATERIALIZED (
    SELECT organization_id, subject_id, max(sequence) AS born FROM events WHERE type IN (${CREATED}) GROUP BY 1, 2),
  counted AS MATERIALIZED (
    SELECT organization_id, subject_id, min(sequence) AS first, max(sequence) AS last, born,
           sum(type IN (${CREATED})) AS created,
           sum(type IN ('conversation.deleted', 'memory.deleted', 'key.revoked')) AS deleted,
           sum(type IN ('conversation.updated', 'memory.updated', 'messages.appended', 'messages.updated',
                        'messages.deleted') AND sequence > coalesce(born, 0)) AS changed,
           sum(type = 'operation.updated') AS ended,
           min(CASE WHEN type IN (${CREATED}) THEN sequence END) AS created_at,
           max(CASE WHEN type IN ('conversation.deleted', 'memory.deleted') THEN sequence END) AS deleted_at,
           max(type = 'conversation.created' AND first_sequence IS NOT NULL AND sequence = born) AS has_messages
      FROM events LEFT JOIN born USING (organization_id, subject_id) GROUP BY organization_id, subject_id),
  -- The deletion of an organization that was canceled late may have begun to delete its log.
  whole AS MATERIALIZED (SELECT organization_id FROM events GROUP BY organization_id HAVING min(sequence) = 1)`;

/**
 * The event log equals the history of committed changes: statements that select violations. A change of a conversation
 * or memory adds to its version, so that versions say how many events there are.
 */
export const EVENTS_FIND_NOTHING: readonly string[] = [
  `SELECT organization_id, min(sequence) AS first, max(sequence) AS last, count(*) AS events
     FROM events GROUP BY organization_id HAVING last - first + 1 <> events`,
  // An import that creates a conversation with messages adds to its version, and a fork does not. A new content of a
  // memory adds twice.
  `${COUNTED}
   SELECT c.id, c.version, c.deleted_at_ms, counted.* FROM conversations AS c
     LEFT JOIN counted ON counted.organization_id = c.organization_id AND counted.subject_id = c.id
    WHERE coalesce(created, 0) = 0 OR created - deleted <> (c.deleted_at_ms IS NULL)
       OR c.version - 1 < changed
       OR c.version - 1 > CASE c.kind WHEN 'conversation' THEN changed + has_messages ELSE 2 * changed END`,
  `${COUNTED}
   SELECT counted.* FROM counted JOIN whole USING (organization_id)
    WHERE (subject_id LIKE 'conv%' OR subject_id LIKE 'mem%') AND (created = 0 OR created <> deleted)
      AND NOT EXISTS (SELECT 1 FROM conversations AS c
                       WHERE c.organization_id = counted.organization_id AND c.id = counted.subject_id)`,
  // The creation comes first, and the deletion last.
  `${COUNTED}
   SELECT counted.* FROM counted WHERE created_at <> first OR (deleted_at <> last AND deleted_at > born)`,
  `${COUNTED}
   SELECT o.id, o.type, o.canceled_at_ms, o.completed_at_ms, counted.ended FROM operations AS o
     JOIN whole USING (organization_id)
     LEFT JOIN counted ON counted.organization_id = o.organization_id AND counted.subject_id = o.id
    WHERE coalesce(counted.ended, 0) <>
          (o.canceled_at_ms IS NOT NULL OR (o.completed_at_ms IS NOT NULL AND o.type <> 'delete_organization'))`,
  `${COUNTED}
   SELECT k.id, k.revoked_at_ms, counted.* FROM api_keys AS k
     JOIN whole USING (organization_id)
     LEFT JOIN counted ON counted.organization_id = k.organization_id AND counted.subject_id = k.id
    WHERE coalesce(created, 0) <> 1 OR deleted <> (k.revoked_at_ms IS NOT NULL)`,
  // Each message that was ever stored is in the range of one event, and each that was deleted in that of another.
  `SELECT l.id, l.sequence, c.id AS conversation,
          (SELECT count(*) FROM events AS e
            WHERE e.organization_id = c.organization_id AND e.subject_id = c.id
              AND e.type IN ('messages.appended', 'conversation.created')
              AND l.sequence BETWEEN e.first_sequence AND e.last_sequence) AS stored,
          (SELECT count(*) FROM events AS e
            WHERE e.organization_id = c.organization_id AND e.subject_id = c.id AND e.type = 'messages.deleted'
              AND l.sequence BETWEEN e.first_sequence AND e.last_sequence) AS deleted,
          EXISTS (SELECT 1 FROM messages AS m WHERE m.row_key = l.row_key) AS is_left
     FROM ledger AS l
     JOIN conversations AS c ON c.row_key = l.row_key >> 24 AND c.kind = 'conversation' AND c.deleted_at_ms IS NULL
    WHERE l.change = 'insert' AND (stored <> 1 OR (is_left AND deleted > 0) OR (NOT is_left AND deleted = 0))`,
];

/** A reader got every event of its type once and in order. @throws {Violation} */
export function checkRead(database: Database, { organization, type, start, events }: EventReader): void {
  const log = database.select<ReadEvent>(
    `SELECT sequence, type FROM events
      WHERE organization_id = ?1 AND sequence > ?2 AND (?3 IS NULL OR type = ?3) ORDER BY sequence`,
    organization.id,
    start,
    type,
  );
  expect(
    JSON.stringify(events) === JSON.stringify(log),
    "events",
    () =>
      `a reader of ${organization.id} got ${JSON.stringify(events)}, and the log is ${JSON.stringify(log)}`,
  );
}
