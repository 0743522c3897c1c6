import type { EventType, Webhook } from "@engram/spec";
import { isDraining, toTimestamp, toTimestampOrNull } from "../platform/batch.ts";
import { lastSequence } from "../platform/recorded-events.ts";
import {
  assertThat,
  nothing,
  onlyRow,
  row,
  rows,
  run,
  type Sql,
  type Statement,
  sql,
} from "../platform/sql.ts";

export interface WebhookRef {
  organizationId: string;
  id: string;
}

export type PausedReason = NonNullable<Webhook["paused_reason"]>;

interface WebhookRow {
  id: string;
  url: string;
  types: string | null;
  enabled: 0 | 1;
  paused_reason: PausedReason | null;
  position: number;
  failing_since_ms: number | null;
  missed_up_to: number | null;
  created_at_ms: number;
  updated_at_ms: number;
}

/** Events that are missing already, and over which the next run passes, count as missed. */
const COLUMNS = sql`
  id, url, types, enabled, paused_reason, position, failing_since_ms, created_at_ms, updated_at_ms,
  coalesce((SELECT first - 1
              FROM (SELECT min(e.sequence) AS first FROM events AS e
                     WHERE e.organization_id = webhooks.organization_id)
             WHERE first - 1 > webhooks.position), missed_up_to) AS missed_up_to`;

const toWebhook = (row: WebhookRow): Webhook => ({
  id: row.id,
  url: row.url,
  types: toTypes(row.types),
  enabled: row.enabled === 1,
  paused_reason: row.paused_reason,
  after: row.position,
  failing_since: toTimestampOrNull(row.failing_since_ms),
  missed_up_to: row.missed_up_to,
  created_at: toTimestamp(row.created_at_ms),
  updated_at: toTimestamp(row.updated_at_ms),
});

const toTypes = (json: string | null) => (json === null ? null : (JSON.parse(json) as EventType[]));
const fromTypes = (types: EventType[] | null) => (types === null ? null : JSON.stringify(types));

export const isOne = ({ organizationId, id }: WebhookRef): Sql =>
  sql`organization_id = ${organizationId} AND id = ${id}`;

/** `now` is the end of the log, and a later number counts as `now`. */
const positionAt = (organizationId: string, after: number | "now"): Sql =>
  after === "now"
    ? lastSequence(sql`${organizationId}`)
    : sql`min(${after}, ${lastSequence(sql`${organizationId}`)})`;

export const assertRoomForWebhook = (organizationId: string, webhooksMax: number): Statement<void> =>
  assertThat(
    "too_many_webhooks",
    sql`(SELECT count(*) FROM webhooks WHERE organization_id = ${organizationId}) < ${webhooksMax}`,
  );

export const insertedWebhook = (
  { organizationId, id }: WebhookRef,
  input: {
    url: string;
    types: EventType[] | null;
    isEnabled: boolean;
    after: number | "now";
    secret: string;
    nowMs: number;
  },
): Statement<Webhook> =>
  onlyRow(
    sql`INSERT INTO webhooks
          (organization_id, id, url, types, enabled, secret, position, created_at_ms, updated_at_ms)
        VALUES (${organizationId}, ${id}, ${input.url}, ${fromTypes(input.types)},
                ${input.isEnabled ? 1 : 0}, ${input.secret}, ${positionAt(organizationId, input.after)},
                ${input.nowMs}, ${input.nowMs})
        RETURNING ${COLUMNS}`,
    toWebhook,
  );

export const selectWebhooks = (db: D1Database, organizationId: string): Promise<Webhook[]> =>
  run(
    db,
    rows(
      sql`SELECT ${COLUMNS} FROM webhooks WHERE organization_id = ${organizationId} ORDER BY id`,
      toWebhook,
    ),
  );

export const selectWebhook = (db: D1Database, ref: WebhookRef): Promise<Webhook | null> =>
  run(db, row(sql`SELECT ${COLUMNS} FROM webhooks WHERE ${isOne(ref)}`, toWebhook));

/** Condition for the audit event of a change. */
export const webhookExists = (ref: WebhookRef): Sql =>
  sql`EXISTS (SELECT 1 FROM webhooks WHERE ${isOne(ref)})`;

/** Changes the fields that are given. Ends the run that delivers now, which has the old settings. */
export const updatedWebhook = (
  ref: WebhookRef,
  input: {
    url?: string | undefined;
    types?: EventType[] | null | undefined;
    isEnabled?: boolean | undefined;
    after?: number | "now" | undefined;
    nowMs: number;
  },
): Statement<Webhook | null> =>
  row(
    sql`UPDATE webhooks
           SET url = coalesce(${input.url ?? null}, url),
               types = ${input.types === undefined ? sql`types` : sql`${fromTypes(input.types)}`},
               position = ${input.after === undefined ? sql`position` : positionAt(ref.organizationId, input.after)},
               failing_since_ms = ${input.after === undefined ? sql`failing_since_ms` : null},
               missed_up_to = ${input.after === undefined ? sql`missed_up_to` : null},
               enabled = ${input.isEnabled === undefined ? sql`enabled` : Number(input.isEnabled)},
               attempts = 0, next_attempt_at_ms = NULL, lease_id = NULL, lease_until_ms = NULL,
               updated_at_ms = ${input.nowMs}
         WHERE ${isOne(ref)} RETURNING ${COLUMNS}`,
    toWebhook,
  );

/** Ends a pause, and the wait for the next attempt. A run that delivers now goes on. */
export const resumedWebhook = (ref: WebhookRef): Statement<Webhook | null> =>
  row(
    sql`UPDATE webhooks SET paused_reason = NULL, attempts = 0, next_attempt_at_ms = NULL
         WHERE ${isOne(ref)} RETURNING ${COLUMNS}`,
    toWebhook,
  );

export const deletedWebhook = (ref: WebhookRef): Statement<Webhook | null> =>
  row(sql`DELETE FROM webhooks WHERE ${isOne(ref)} RETURNING ${COLUMNS}`, toWebhook);

/** Replaces the secret. The old one also signs until `untilMs`. */
export const rotatedWebhook = (
  ref: WebhookRef,
  input: { secret: string; untilMs: number; nowMs: number },
): Statement<Webhook | null> =>
  row(
    sql`UPDATE webhooks SET previous_secret = secret, previous_until_ms = ${input.untilMs}, secret = ${input.secret},
               updated_at_ms = ${input.nowMs}
         WHERE ${isOne(ref)} RETURNING ${COLUMNS}`,
    toWebhook,
  );

/** Whether the service may send events of a webhook. */
const isOn = (w: Sql): Sql => sql`${w}enabled = 1 AND ${w}paused_reason IS NULL`;

/** Whether a run may begin: the webhook is on, no run has it, and an event is due. */
const isDue = (w: Sql, nowMs: number): Sql => sql`
  ${isOn(w)} AND (${w}lease_until_ms IS NULL OR ${w}lease_until_ms <= ${nowMs})
  AND (${w}next_attempt_at_ms IS NULL OR ${w}next_attempt_at_ms <= ${nowMs})
  AND NOT ${isDraining(sql`${w}organization_id`, nowMs)}
  AND ${w}position < ${lastSequence(sql`${w}organization_id`)}`;

const toRef = (row: { organization_id: string; id: string }): WebhookRef => ({
  organizationId: row.organization_id,
  id: row.id,
});

/**
 * The webhooks of organizations that are enabled and not paused, and whether a run may begin for each. None of deleted
 * organizations.
 */
export const selectEnabledOf = (
  db: D1Database,
  organizationIds: string[],
  nowMs: number,
): Promise<{ ref: WebhookRef; isDue: boolean }[]> =>
  run(
    db,
    rows(
      sql`SELECT w.organization_id, w.id, ${isDue(sql`w.`, nowMs)} AS is_due
            FROM json_each(${JSON.stringify(organizationIds)}) AS woken
           CROSS JOIN webhooks AS w ON w.organization_id = woken.value AND ${isOn(sql`w.`)}
            JOIN organizations AS o ON o.id = w.organization_id AND o.deleted_at_ms IS NULL`,
      (row: { organization_id: string; id: string; is_due: 0 | 1 }) => ({
        ref: toRef(row),
        isDue: row.is_due === 1,
      }),
    ),
  );

/** Webhooks that a run may begin for, of at most `webhooksMax` from a random one on. */
export const selectDue = (
  db: D1Database,
  {
    chance,
    nowMs,
    webhooksMax,
    limit,
  }: { chance: number; nowMs: number; webhooksMax: number; limit: number },
): Promise<WebhookRef[]> => {
  const start = sql`coalesce((SELECT id FROM organizations
    WHERE number >= CAST(${chance} * (SELECT max(number) FROM organizations) AS INTEGER) ORDER BY number LIMIT 1), '')`;
  const some = (from: Sql) => sql`
    SELECT * FROM (SELECT organization_id, id FROM webhooks WHERE organization_id ${from}
                    ORDER BY organization_id, id LIMIT ${webhooksMax})`;
  return run(
    db,
    rows(
      sql`WITH some AS MATERIALIZED (
            SELECT * FROM (${some(sql`>= ${start}`)} UNION ALL ${some(sql`< ${start}`)}) LIMIT ${webhooksMax})
          SELECT w.organization_id, w.id FROM some
           CROSS JOIN webhooks AS w ON w.organization_id = some.organization_id AND w.id = some.id
           WHERE ${isDue(sql`w.`, nowMs)} LIMIT ${limit}`,
      toRef,
    ),
  );
};

export interface Claim extends WebhookRef {
  leaseId: string;
  position: number;
  attempts: number;
  nextAttemptAtMs: number | null;
  types: EventType[] | null;
  failingSinceMs: number | null;
  missedUpTo: number | null;
}

/** Claims a webhook for one run. Null if it is not due any more. */
export const claimedWebhook = (
  ref: WebhookRef,
  lease: { id: string; untilMs: number; nowMs: number },
): Statement<Claim | null> =>
  row(
    sql`UPDATE webhooks SET lease_id = ${lease.id}, lease_until_ms = ${lease.untilMs}
         WHERE ${isOne(ref)} AND ${isDue(sql`webhooks.`, lease.nowMs)}
        RETURNING position, attempts, next_attempt_at_ms, types, failing_since_ms, missed_up_to`,
    (row: WebhookRow & { attempts: number; next_attempt_at_ms: number | null }) => ({
      ...ref,
      leaseId: lease.id,
      position: row.position,
      attempts: row.attempts,
      nextAttemptAtMs: row.next_attempt_at_ms,
      types: toTypes(row.types),
      failingSinceMs: row.failing_since_ms,
      missedUpTo: row.missed_up_to,
    }),
  );

export interface Receiver {
  url: string;
  secret: string;
  previousSecret: string | null;
}

const receiverColumns = (nowMs: number): Sql =>
  sql`url, secret, CASE WHEN previous_until_ms > ${nowMs} THEN previous_secret END AS previous_secret`;

const toReceiver = (row: { url: string; secret: string; previous_secret: string | null }): Receiver => ({
  url: row.url,
  secret: row.secret,
  previousSecret: row.previous_secret,
});

/** Whether the run still has its claim. */
export const isHeld = (claim: Claim): Sql => sql`${isOne(claim)} AND lease_id = ${claim.leaseId}`;

/** Time in which a webhook has a limited number of tests, from the first of them. */
const TESTS_MS = 60_000;

/** Counts a test. Null beyond `testsMax` in the minute that began with the first test, and for an unknown webhook. */
export const countedTest = (
  ref: WebhookRef,
  { testsMax, nowMs }: { testsMax: number; nowMs: number },
): Statement<Receiver | null> => {
  // A time in the future was set by a clock that was wrong.
  const isSame = sql`tests_from_ms > ${nowMs - TESTS_MS} AND tests_from_ms <= ${nowMs}`;
  return row(
    sql`UPDATE webhooks SET tests = CASE WHEN ${isSame} THEN tests + 1 ELSE 1 END,
               tests_from_ms = CASE WHEN ${isSame} THEN tests_from_ms ELSE ${nowMs} END
         WHERE ${isOne(ref)} AND (tests < ${testsMax} OR NOT (${isSame}))
        RETURNING ${receiverColumns(nowMs)}`,
    toReceiver,
  );
};

/** Time from which a webhook can be tested again. Null for an unknown webhook. */
export const nextTestMs = (ref: WebhookRef): Statement<number | null> =>
  row(
    sql`SELECT tests_from_ms FROM webhooks WHERE ${isOne(ref)}`,
    (row: { tests_from_ms: number }) => row.tests_from_ms + TESTS_MS,
  );

const progressOf = (claim: Claim): Sql => sql`
  position = ${claim.position}, attempts = ${claim.attempts}, next_attempt_at_ms = ${claim.nextAttemptAtMs},
  failing_since_ms = ${claim.failingSinceMs}, missed_up_to = ${claim.missedUpTo}`;

/** Stores the progress of a run. Does nothing if the run lost its claim. */
export const storedProgress = (claim: Claim): Statement<void> =>
  nothing(sql`UPDATE webhooks SET ${progressOf(claim)} WHERE ${isHeld(claim)}`);

/**
 * Stores the progress of a run and extends its lease. Null if the webhook was changed or deleted since it was claimed, if another run has claimed it, or if its organization was deleted: then nothing more may be sent.
 */
export const renewedReceiver = (
  claim: Claim,
  lease: { untilMs: number; nowMs: number },
): Statement<Receiver | null> =>
  row(
    sql`UPDATE webhooks SET ${progressOf(claim)}, lease_until_ms = ${lease.untilMs}
         WHERE ${isHeld(claim)} AND EXISTS (
           SELECT 1 FROM organizations WHERE id = ${claim.organizationId} AND deleted_at_ms IS NULL)
        RETURNING ${receiverColumns(lease.nowMs)}`,
    toReceiver,
  );

/** Extends the lease of a run, while a request waits for its response. */
export const renewedLease = (claim: Claim, untilMs: number): Statement<void> =>
  nothing(sql`UPDATE webhooks SET lease_until_ms = ${untilMs} WHERE ${isHeld(claim)}`);

/** Condition for the audit event of a webhook that is paused. */
export const isClaimHeld = (claim: Claim): Sql => sql`EXISTS (SELECT 1 FROM webhooks WHERE ${isHeld(claim)})`;

export const pausedWebhook = (claim: Claim, reason: PausedReason): Statement<void> =>
  nothing(sql`UPDATE webhooks SET paused_reason = ${reason} WHERE ${isHeld(claim)}`);

export const releasedWebhook = (claim: Claim): Statement<void> =>
  nothing(sql`UPDATE webhooks SET lease_id = NULL, lease_until_ms = NULL WHERE ${isHeld(claim)}`);
