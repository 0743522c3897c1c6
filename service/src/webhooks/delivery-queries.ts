import type { DeliveryStatus, WebhookAttempt } from "@engram/spec";
import { given, literal, nothing, row, rows, run, type Sql, type Statement, sql } from "../platform/sql.ts";
import { type Claim, isHeld, isOne, type WebhookRef } from "./queries.ts";

/** Attempts that a delivery keeps: as many as it has without a retry by a caller, and one more. */
const ATTEMPTS_KEPT = 12;

export interface Retry {
  sequence: number;
  attempts: number;
}

const isOf = ({ organizationId, id }: WebhookRef): Sql =>
  sql`organization_id = ${organizationId} AND webhook_id = ${id}`;

/** The oldest event that was set aside and is due. */
export const dueDelivery = (claim: Claim, nowMs: number): Statement<Retry | null> =>
  row(
    sql`SELECT sequence, attempts FROM webhook_deliveries
         WHERE ${isOf(claim)} AND next_attempt_at_ms <= ${nowMs} ORDER BY sequence LIMIT 1`,
    (retry: Retry) => retry,
  );

const withAttempt = (attempt: WebhookAttempt): Sql => sql`
  json_insert(CASE WHEN json_array_length(attempt_log) >= ${literal(ATTEMPTS_KEPT)}
                   THEN json_remove(attempt_log, '$[0]') ELSE attempt_log END,
              '$[#]', json(${JSON.stringify(attempt)}))`;

/**
 * Stores a failed attempt, and removes the oldest deliveries beyond `deliveriesMax`, those that have a next attempt
 * last. Does nothing if the run lost its claim.
 *
 * @param nextAttemptAtMs null for an event that fails in its turn, and after the last attempt.
 */
export const storedFailure = (
  claim: Claim,
  delivery: Retry & { nextAttemptAtMs: number | null },
  attempt: WebhookAttempt,
  deliveriesMax: number,
) => [
  nothing(sql`
    INSERT INTO webhook_deliveries
      (organization_id, webhook_id, sequence, attempts, next_attempt_at_ms, attempt_log)
    SELECT organization_id, id, ${delivery.sequence}, ${delivery.attempts}, ${delivery.nextAttemptAtMs},
           json_array(json(${JSON.stringify(attempt)}))
      FROM webhooks WHERE ${isHeld(claim)}
    ON CONFLICT DO UPDATE SET attempts = excluded.attempts, next_attempt_at_ms = excluded.next_attempt_at_ms,
           delivered_at_ms = NULL, attempt_log = ${withAttempt(attempt)}`),
  deletedExcess(claim, deliveriesMax),
];

const deletedExcess = (ref: WebhookRef, deliveriesMax: number): Statement<void> =>
  nothing(sql`
    DELETE FROM webhook_deliveries
     WHERE ${isOf(ref)} AND sequence IN (
       SELECT sequence FROM webhook_deliveries WHERE ${isOf(ref)}
        ORDER BY next_attempt_at_ms IS NULL, sequence DESC LIMIT -1 OFFSET ${deliveriesMax})`);

/** Stores the success of an event of which an attempt failed. An event without a failure has no row. */
export const storedSuccess = (
  ref: WebhookRef,
  sequence: number,
  attempt: WebhookAttempt,
  nowMs: number,
): Statement<void> =>
  nothing(sql`
    UPDATE webhook_deliveries SET next_attempt_at_ms = NULL, delivered_at_ms = ${nowMs},
           attempt_log = ${withAttempt(attempt)}
     WHERE ${isOf(ref)} AND sequence = ${sequence}`);

export const deletedDelivery = (ref: WebhookRef, sequence: number): Statement<void> =>
  nothing(sql`DELETE FROM webhook_deliveries WHERE ${isOf(ref)} AND sequence = ${sequence}`);

export const deletedDeliveries = (ref: WebhookRef): Statement<void> =>
  nothing(sql`DELETE FROM webhook_deliveries WHERE ${isOf(ref)}`);

/** Removes deliveries of events that the log no longer has. */
export const deletedExpired = (ref: WebhookRef, oldest: number): Statement<void> =>
  nothing(sql`DELETE FROM webhook_deliveries WHERE ${isOf(ref)} AND sequence < ${oldest}`);

/**
 * Has an event of the log sent again at once, unless the webhook does not get its type. An event that waits for its turn
 * keeps its place, but does not wait for its next attempt any more.
 *
 * @param attempts those that an event had before the one that sets it aside.
 */
export const queuedDelivery = (
  ref: WebhookRef,
  sequence: number,
  { attempts, nowMs, deliveriesMax }: { attempts: number; nowMs: number; deliveriesMax: number },
) => ({
  queued: nothing(sql`
    INSERT INTO webhook_deliveries (organization_id, webhook_id, sequence, attempts, next_attempt_at_ms)
    SELECT w.organization_id, w.id, e.sequence, ${attempts},
           CASE WHEN e.sequence <= w.position THEN ${nowMs} END
      FROM webhooks AS w
     CROSS JOIN events AS e ON e.organization_id = w.organization_id AND e.sequence = ${sequence}
     WHERE w.organization_id = ${ref.organizationId} AND w.id = ${ref.id}
       AND (w.types IS NULL OR e.type IN (SELECT value FROM json_each(w.types)))
    ON CONFLICT DO UPDATE SET attempts = excluded.attempts, next_attempt_at_ms = excluded.next_attempt_at_ms,
           delivered_at_ms = NULL`),
  inTurn: nothing(sql`
    UPDATE webhooks SET next_attempt_at_ms = ${nowMs}
     WHERE ${isOne(ref)} AND position < ${sequence} AND next_attempt_at_ms > ${nowMs}`),
  excess: deletedExcess(ref, deliveriesMax),
});

export interface DeliveryRow {
  sequence: number;
  status: DeliveryStatus;
  next_attempt_at_ms: number | null;
  attempt_log: string;
}

/** Deliveries with the place of their webhook, which says what becomes of an event that waits for its turn. */
const deliveriesWhere = (ref: WebhookRef, condition: Sql): Sql => sql`
  SELECT d.sequence, d.attempt_log,
         CASE WHEN d.delivered_at_ms IS NOT NULL THEN 'delivered'
              WHEN d.next_attempt_at_ms IS NOT NULL OR d.sequence > w.position THEN 'pending'
              ELSE 'failed' END AS status,
         coalesce(d.next_attempt_at_ms,
                  CASE WHEN d.sequence > w.position AND d.delivered_at_ms IS NULL
                       THEN w.next_attempt_at_ms END) AS next_attempt_at_ms
    FROM webhooks AS w
   CROSS JOIN webhook_deliveries AS d ON d.organization_id = w.organization_id AND d.webhook_id = w.id
   WHERE w.organization_id = ${ref.organizationId} AND w.id = ${ref.id} AND ${condition}`;

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
