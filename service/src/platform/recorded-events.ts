import type { EventType } from "@engram/spec";
import type { CallInterceptor } from "./database-calls.ts";
import { columns, nothing, type Sql, type Statement, sql } from "./sql.ts";

/** The last sequence of the event log of an organization; 0 without events. */
export const lastSequence = (organizationId: Sql): Sql => sql`
  coalesce((SELECT max(last.sequence) FROM events AS last WHERE last.organization_id = ${organizationId}), 0)`;

/** Names the organization of each event that a statement has written, for {@link reportEvents}. */
const RECORDED = "recorded_organization";
const returning = sql`RETURNING organization_id AS ${columns([RECORDED])}`;

/** Reports the organizations of the events that a transaction has written, once it is committed. */
export const reportEvents =
  (report: (organizationIds: string[]) => void): CallInterceptor =>
  async (_, send) => {
    const results = await send();
    const recorded = results
      .map(({ results: rows }) => rows as { [RECORDED]?: string }[])
      .filter(([first]) => first?.[RECORDED] !== undefined);
    const organizationIds = recorded.flatMap((rows) => rows.map((row) => row[RECORDED] ?? ""));
    if (organizationIds.length > 0) report([...new Set(organizationIds)]);
    return results;
  };

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
     WHERE o.organization_id = ${organizationId} ${returning}`);

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
     CROSS JOIN organization_counters AS o ON o.organization_id = changed.organization_id
     WHERE TRUE ${returning}`);

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
