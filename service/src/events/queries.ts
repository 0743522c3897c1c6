import type { EventType } from "@engram/spec";
import { isOwned, isReadable, type Owner, toTimestamp } from "../platform/batch.ts";
import { lastSequence } from "../platform/recorded-events.ts";
import { and, changes, given, onlyRow, rows, run, type Sql, type Statement, sql } from "../platform/sql.ts";

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

/** A sequence of the log, its end, or null for the position before its oldest event. */
export type Position = number | "now" | null;

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
 * Of the next `rowsMax` events after a position, those that the owner may read and the filter matches, in order. With the
 * filter by user, none of what is shared.
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
      ? [
          sql`((${isReadable(owner, sql`c.`)}) OR (e.type = 'operation.updated' AND ${isOwned(owner, sql`p.`)}))`,
        ]
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
