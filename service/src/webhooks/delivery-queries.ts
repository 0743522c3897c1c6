import type { DeliveryStatus, WebhookAttempt } from "@engram/spec";
import { beforeOldest } from "../events/queries.ts";
import { given, literal, nothing, row, rows, run, type Sql, type Statement, sql } from "../platform/sql.ts";
import { type Claim, isHeld, isOne, type WebhookRef } from "./queries.ts";

/** Attempts that a delivery keeps: as many as the schedule has. */
const ATTEMPTS_KEPT = 12;

const isOf = ({ organizationId, id }: WebhookRef): Sql =>
  sql`organization_id = ${organizationId} AND webhook_id = ${id}`;

const withAttempt = (attempt: WebhookAttempt): Sql => sql`
  json_insert(CASE WHEN json_array_length(attempt_log) >= ${literal(ATTEMPTS_KEPT)}
                   THEN json_remove(attempt_log, '$[0]') ELSE attempt_log END,
              '$[#]', json(${JSON.stringify(attempt)}))`;

/**
 * Stores a failed attempt, and removes the oldest other deliveries beyond `deliveriesMax`. Does nothing if the run lost
 * its claim.
 */
export const storedFailure = (
  claim: Claim,
  sequence: number,
  attempt: WebhookAttempt,
  deliveriesMax: number,
) => [
  nothing(sql`
    INSERT INTO webhook_deliveries (organization_id, webhook_id, sequence, attempt_log)
    SELECT organization_id, id, ${sequence}, json_array(json(${JSON.stringify(attempt)}))
      FROM webhooks WHERE ${isHeld(claim)}
    ON CONFLICT DO UPDATE SET delivered_at_ms = NULL, attempt_log = ${withAttempt(attempt)}`),
  nothing(sql`
    DELETE FROM webhook_deliveries
     WHERE ${isOf(claim)} AND sequence IN (
       SELECT sequence FROM webhook_deliveries WHERE ${isOf(claim)} AND sequence <> ${sequence}
        ORDER BY sequence DESC LIMIT -1 OFFSET ${deliveriesMax - 1})`),
];

/** Stores the success of an event of which an attempt failed. An event without a failure has no row. */
export const storedSuccess = (
  ref: WebhookRef,
  sequence: number,
  attempt: WebhookAttempt,
  nowMs: number,
): Statement<void> =>
  nothing(sql`
    UPDATE webhook_deliveries SET delivered_at_ms = ${nowMs}, attempt_log = ${withAttempt(attempt)}
     WHERE ${isOf(ref)} AND sequence = ${sequence}`);

export const deletedDeliveries = (ref: WebhookRef): Statement<void> =>
  nothing(sql`DELETE FROM webhook_deliveries WHERE ${isOf(ref)}`);

/** Removes deliveries of events that the log no longer has. */
export const deletedExpired = (ref: WebhookRef, oldest: number): Statement<void> =>
  nothing(sql`DELETE FROM webhook_deliveries WHERE ${isOf(ref)} AND sequence < ${oldest}`);

/**
 * Whether an event is the one that a webhook fails to deliver: an attempt failed, and no event of its types is before it.
 *
 * @param rowsMax events that a run reads at once, within which the position of the webhook was when the attempt failed.
 */
export const isFailing = (ref: WebhookRef, sequence: number, rowsMax: number): Sql => sql`
  EXISTS (
    SELECT 1 FROM webhooks AS w
     CROSS JOIN webhook_deliveries AS d ON d.organization_id = w.organization_id AND d.webhook_id = w.id
     WHERE w.organization_id = ${ref.organizationId} AND w.id = ${ref.id}
       AND d.sequence = ${sequence} AND d.delivered_at_ms IS NULL
       AND w.position < ${sequence} AND w.position >= ${sequence - rowsMax}
       AND NOT EXISTS (
         SELECT 1 FROM events AS e
          WHERE e.organization_id = w.organization_id AND e.sequence > w.position AND e.sequence < ${sequence}
            AND (w.types IS NULL OR e.type IN (SELECT value FROM json_each(w.types)))))`;

/** Passes over an event, if it is failing, and ends a pause and the run that delivers now. */
export const skippedEvent = (ref: WebhookRef, sequence: number, isFailing: Sql): Statement<void> =>
  nothing(sql`
    UPDATE webhooks
       SET position = ${sequence}, paused_reason = NULL, attempts = 0, next_attempt_at_ms = NULL,
           failing_since_ms = NULL, lease_id = NULL, lease_until_ms = NULL
     WHERE ${isOne(ref)} AND ${isFailing}`);

export interface DeliveryRow {
  sequence: number;
  status: DeliveryStatus;
  next_attempt_at_ms: number | null;
  attempt_log: string;
}

/** Deliveries of events in the log. The position of their webhook says what becomes of one that was not delivered. */
const deliveriesWhere = (ref: WebhookRef, condition: Sql): Sql => sql`
  SELECT d.sequence, d.attempt_log,
         CASE WHEN d.delivered_at_ms IS NOT NULL THEN 'delivered'
              WHEN d.sequence > w.position THEN 'pending' ELSE 'skipped' END AS status,
         CASE WHEN d.delivered_at_ms IS NULL AND d.sequence > w.position THEN w.next_attempt_at_ms END
           AS next_attempt_at_ms
    FROM webhooks AS w
   CROSS JOIN webhook_deliveries AS d ON d.organization_id = w.organization_id AND d.webhook_id = w.id
   WHERE w.organization_id = ${ref.organizationId} AND w.id = ${ref.id} AND ${condition}
     AND d.sequence > ${beforeOldest(ref.organizationId)}`;

export const delivery = (ref: WebhookRef, sequence: number): Statement<DeliveryRow | null> =>
  row(deliveriesWhere(ref, sql`d.sequence = ${sequence}`), (found: DeliveryRow) => found);

/** Deliveries of a webhook, newest event first. */
export const selectDeliveries = (
  db: D1Database,
  ref: WebhookRef,
  input: { status: DeliveryStatus | null; before: number | null; limit: number },
): Promise<DeliveryRow[]> => {
  const [before = sql`TRUE`] = given(input.before, (sequence) => sql`d.sequence < ${sequence}`);
  const [status = sql`TRUE`] = given(input.status, (wanted) => sql`status = ${wanted}`);
  return run(
    db,
    rows(
      sql`SELECT * FROM (${deliveriesWhere(ref, before)}) WHERE ${status}
           ORDER BY sequence DESC LIMIT ${input.limit}`,
      (found: DeliveryRow) => found,
    ),
  );
};
