import type { EventType } from "@engram/spec";
import { isOwned, type Owner, toTimestamp } from "../platform/batch.ts";
import {
  and,
  changes,
  given,
  nothing,
  onlyRow,
  rows,
  run,
  type Sql,
  type Statement,
  sql,
} from "../platform/sql.ts";

/** The last sequence of the event log of an organization; 0 without events. */
export const lastSequence = (organizationId: Sql): Sql => sql`
  coalesce((SELECT max(last.sequence) FROM events AS last WHERE last.organization_id = ${organizationId}), 0)`;

/**
 * Writes events after the last one of the organization. Must run in the batch of the changes: then no event is without
 * its change, no change without its event, and a reader that has read a sequence never misses a lower one.
 *
 * Writes nothing for an organization whose rows are deleted, because a background run may end after the deletion.
 *
 * @param changed a SELECT of `type`, `subject_id`, `first_sequence` and `last_sequence`: a row for each event, in order.
 */
export const recordedEvents = (organizationId: string, nowMs: number, changed: Sql): Statement<void> =>
  nothing(sql`
    INSERT INTO events (organization_id, sequence, type, subject_id, first_sequence, last_sequence, created_at_ms)
    SELECT o.organization_id, ${lastSequence(sql`${organizationId}`)} + row_number() OVER (),
           changed.type, changed.subject_id, changed.first_sequence, changed.last_sequence, ${nowMs}
      FROM organization_counters AS o CROSS JOIN (${changed}) AS changed
     WHERE o.organization_id = ${organizationId}`);

/**
 * Writes events of several organizations, as {@link recordedEvents}.
 *
 * @param changed a SELECT of `organization_id`, `type` and `subject_id`.
 */
export const recordedEventsOfMany = (nowMs: number, changed: Sql): Statement<void> =>
  nothing(sql`
    INSERT INTO events (organization_id, sequence, type, subject_id, created_at_ms)
    SELECT changed.organization_id,
           ${lastSequence(sql`changed.organization_id`)}
             + row_number() OVER (PARTITION BY changed.organization_id ORDER BY changed.subject_id),
           changed.type, changed.subject_id, ${nowMs}
      FROM (${changed}) AS changed
     CROSS JOIN organization_counters AS o ON o.organization_id = changed.organization_id`);

/** The columns of an event, for `changed` of {@link recordedEvents}. */
export const eventOf = (
  type: EventType,
  subjectId: Sql,
  messages: { first: Sql; last: Sql } = { first: sql`NULL`, last: sql`NULL` },
): Sql => sql`
  SELECT ${type} AS type, ${subjectId} AS subject_id, ${messages.first} AS first_sequence,
         ${messages.last} AS last_sequence`;

/** An event of a change that is certain once the batch commits. */
export const recordedEvent = (
  type: EventType,
  { organizationId, subjectId, nowMs }: { organizationId: string; subjectId: string; nowMs: number },
  condition: Sql = sql`TRUE`,
): Statement<void> =>
  recordedEvents(organizationId, nowMs, sql`${eventOf(type, sql`${subjectId}`)} WHERE ${condition}`);

export interface EventRow {
  sequence: number;
  type: EventType;
  subject_id: string;
  agent_id: string | null;
  user_id: string | null;
  first_sequence: number | null;
  last_sequence: number | null;
  created_at: string;
}

export interface EventFilter {
  types: readonly EventType[] | null;
  conversationId: string | null;
  agentId: string | null;
  userId: string | null;
}

/** The first and last sequence of the log. Without events, the first is the one that the next event gets. */
export const logEnds = (organizationId: string): Statement<{ oldest: number; last: number }> =>
  onlyRow(
    sql`SELECT coalesce((SELECT min(sequence) FROM events WHERE organization_id = ${organizationId}), 1) AS oldest,
               ${lastSequence(sql`${organizationId}`)} AS last`,
    (ends: { oldest: number; last: number }) => ends,
  );

/** The position before the oldest event of a log. */
export const beforeOldest = (organizationId: string): Sql => sql`
  (coalesce((SELECT min(sequence) FROM events WHERE organization_id = ${organizationId}), 1) - 1)`;

/**
 * Of the next `rowsMax` events after a position, those that the owner may read and the filter matches, in order.
 *
 * Agent and user are those of the conversation or memory, and null once it is purged. A key that is bound to one then
 * gets no event about it. An operation belongs to the agent and user of the key that began it.
 */
export function eventsAfter(
  owner: Owner,
  filter: EventFilter,
  { after, limit, rowsMax }: { after: Sql; limit: number; rowsMax: number },
): Statement<EventRow[]> {
  const { organizationId } = owner;
  const isBound = owner.agentId !== null || owner.userId !== null;
  const conditions = [
    sql`e.organization_id = ${organizationId}`,
    sql`e.sequence > ${after}`,
    // Sequences have no gaps, so this is the number of rows.
    sql`e.sequence <= ${after} + ${rowsMax}`,
    ...given(filter.types, (types) => sql`e.type IN (SELECT value FROM json_each(${JSON.stringify(types)}))`),
    ...given(filter.conversationId, (id) => sql`e.subject_id = ${id}`),
    ...given(filter.agentId, (id) => sql`c.agent_id = ${id}`),
    ...given(filter.userId, (id) => sql`c.user_id = ${id}`),
    ...(isBound
      ? [sql`((${isOwned(owner, sql`c.`)}) OR (e.type = 'operation.updated' AND ${isOwned(owner, sql`p.`)}))`]
      : []),
  ];
  const operations = isBound
    ? sql`LEFT JOIN operations AS p ON p.organization_id = ${organizationId} AND p.id = e.subject_id`
    : sql``;
  return rows(
    sql`SELECT e.sequence, e.type, e.subject_id, c.agent_id, c.user_id, e.first_sequence, e.last_sequence,
               e.created_at_ms
          FROM events AS e
          LEFT JOIN conversations AS c ON c.organization_id = ${organizationId} AND c.id = e.subject_id
          ${operations}
         WHERE ${and(conditions)} ORDER BY e.sequence LIMIT ${limit}`,
    ({ created_at_ms, ...event }: EventRow & { created_at_ms: number }) => ({
      ...event,
      created_at: toTimestamp(created_at_ms),
    }),
  );
}

/** Age and number up to which events are kept. */
interface Kept {
  sinceMs: number;
  rows: number;
}

interface LogEnds {
  organizationId: string;
  oldest: number;
  last: number;
}

/**
 * Logs whose oldest event is to be deleted, at most `limit`, of organizations from a random one on. Reads three rows of
 * each organization.
 */
export const selectOverdueLogs = (
  db: D1Database,
  input: { kept: Kept; chance: number; organizationsMax: number; limit: number },
): Promise<LogEnds[]> => {
  const { kept, organizationsMax } = input;
  const start = sql`CAST(${input.chance} * (SELECT max(number) FROM organizations) AS INTEGER)`;
  const some = (from: Sql) => sql`
    SELECT * FROM (SELECT id FROM organizations WHERE number ${from} ORDER BY number LIMIT ${organizationsMax})`;
  return run(
    db,
    rows(
      sql`WITH some AS MATERIALIZED (
            SELECT id FROM (${some(sql`>= ${start}`)} UNION ALL ${some(sql`< ${start}`)}) LIMIT ${organizationsMax}),
          ends AS MATERIALIZED (
            SELECT some.id AS id,
                   (SELECT min(e.sequence) FROM events AS e WHERE e.organization_id = some.id) AS oldest,
                   (SELECT max(e.sequence) FROM events AS e WHERE e.organization_id = some.id) AS last
              FROM some)
          SELECT ends.id, ends.oldest, ends.last FROM ends
           CROSS JOIN events AS e ON e.organization_id = ends.id AND e.sequence = ends.oldest
           WHERE ends.oldest < ends.last
             AND (e.created_at_ms < ${kept.sinceMs} OR ends.last - ends.oldest >= ${kept.rows})
           LIMIT ${input.limit}`,
      ({ id, oldest, last }: { id: string; oldest: number; last: number }) => ({
        organizationId: id,
        oldest,
        last,
      }),
    ),
  );
};

/**
 * Deletes events of some logs from their starts, at most `limit` of each, and returns their number. Keeps the newest,
 * from which the next sequence is counted. Events are deleted in the order of their sequences, so a clock that was wrong
 * leaves no gap.
 */
export function deleteOverdueEvents(
  db: D1Database,
  logs: LogEnds[],
  { kept, limit }: { kept: Kept; limit: number },
): Promise<number> {
  const list = logs.map(({ organizationId, oldest, last }) => ({
    id: organizationId,
    oldest,
    end: Math.min(oldest + limit, last),
    kept: last - kept.rows + 1,
  }));
  return run(
    db,
    changes(sql`
      DELETE FROM events WHERE (organization_id, sequence) IN (
        WITH log AS MATERIALIZED (
          SELECT value ->> 'id' AS id, value ->> 'oldest' AS oldest, value ->> 'end' AS end, value ->> 'kept' AS kept
            FROM json_each(${JSON.stringify(list)})),
        cut AS MATERIALIZED (
          SELECT log.id, log.oldest,
                 min(log.end, max(log.kept, coalesce(
                   (SELECT min(young.sequence) FROM events AS young
                     WHERE young.organization_id = log.id AND young.sequence >= log.oldest AND young.sequence < log.end
                       AND young.created_at_ms >= ${kept.sinceMs}), log.end))) AS end
            FROM log)
        SELECT e.organization_id, e.sequence FROM cut
         CROSS JOIN events AS e ON e.organization_id = cut.id AND e.sequence >= cut.oldest AND e.sequence < cut.end)`),
  );
}

/**
 * Deletes the oldest events of an organization whose deletion is under way, at most `limit`, and never the newest.
 * Returns their number.
 */
export const deleteOldestEvents = (
  db: D1Database,
  { organizationId, isDeleting, limit }: { organizationId: string; isDeleting: Sql; limit: number },
): Promise<number> => {
  const ofLog = sql`organization_id = ${organizationId}`;
  return run(
    db,
    changes(sql`
      DELETE FROM events
       WHERE ${ofLog} AND ${isDeleting}
         AND sequence < (SELECT max(sequence) FROM events WHERE ${ofLog})
         AND sequence < ${limit} + (SELECT min(sequence) FROM events WHERE ${ofLog})`),
  );
};
