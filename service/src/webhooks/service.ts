import {
  type Delivery,
  type DeliveryStatus,
  type EventType,
  WEBHOOK_TESTS_MAX,
  WEBHOOKS_MAX,
  type Webhook,
  type WebhookTest,
  type WebhookWithSecret,
} from "@engram/spec";
import { auditEvent } from "../audit/service.ts";
import { ApiError, notFound } from "../errors.ts";
import { eventId } from "../events/service.ts";
import type { KeyCaller } from "../invocation.ts";
import { toTimestampOrNull } from "../platform/batch.ts";
import { type CursorScope, fromCursor, isWhole, PAGE_ITEMS_DEFAULT, toPage } from "../platform/cursors.ts";
import { refuseSecretAgain, runIdempotent } from "../platform/idempotency.ts";
import type { IdempotentRequest } from "../platform/idempotency-queries.ts";
import { createId } from "../platform/ids.ts";
import { batch, sql } from "../platform/sql.ts";
import * as deliveries from "./delivery-queries.ts";
import * as queries from "./queries.ts";
import { createWebhookSecret, encryptSecret } from "./secrets.ts";
import { sendEvent } from "./sending.ts";
import { refusalOf } from "./urls.ts";

/** Time for which a rotated secret also signs. */
const OVERLAP_MS = 24 * 3_600_000;

/**
 * @param input.ownHosts names of this service, to which nothing is sent.
 * @throws {ApiError} `validation_failed` for a URL that is not public, `too_many_webhooks`, `unavailable` without an
 *   admin token; `secret_already_shown` for a repeated request.
 */
export async function createWebhook(
  caller: KeyCaller,
  input: {
    url: string;
    types: EventType[] | null;
    isEnabled: boolean;
    after: number | "now";
    ownHosts: string[];
  },
  idempotency: IdempotentRequest | null,
): Promise<WebhookWithSecret> {
  const { db, principal, runtime } = caller;
  const { organizationId } = principal;
  refuseUrl(caller, input.url, input.ownHosts);
  const nowMs = runtime.nowMs();
  const ref = { organizationId, id: createId(runtime, "wh") };
  const secret = createWebhookSecret(runtime);
  const encrypted = await encryptSecret(runtime, adminTokenOf(caller), ref, secret);
  const { answer } = await runIdempotent(db, idempotency, {
    statements: {
      room: queries.assertRoomForWebhook(organizationId, WEBHOOKS_MAX),
      webhook: queries.insertedWebhook(ref, { ...input, secret: encrypted, nowMs }),
      audit: auditEvent(caller, principal, {
        organizationId,
        action: "webhook.created",
        targetId: ref.id,
        nowMs,
      }),
    },
    answer: sql`json_object('id', ${ref.id})`,
    read: (stored: { id: string }, results) =>
      results === null ? refuseSecretAgain(stored) : { ...results.webhook, secret },
  });
  caller.caches.withoutWebhooks.delete(organizationId);
  return answer;
}

export const listWebhooks = ({ db, principal }: KeyCaller): Promise<Webhook[]> =>
  queries.selectWebhooks(db, principal.organizationId);

/** @throws {ApiError} `not_found`. */
export async function getWebhook({ db, principal }: KeyCaller, id: string): Promise<Webhook> {
  return found(await queries.selectWebhook(db, { organizationId: principal.organizationId, id }));
}

/** @throws {ApiError} `not_found`, `validation_failed` for a URL that is not public. */
export async function updateWebhook(
  caller: KeyCaller,
  id: string,
  input: {
    url?: string | undefined;
    types?: EventType[] | null | undefined;
    isEnabled?: boolean | undefined;
    after?: number | "now" | undefined;
    ownHosts: string[];
  },
): Promise<Webhook> {
  if (input.url !== undefined) refuseUrl(caller, input.url, input.ownHosts);
  const webhook = await change(caller, id, "webhook.updated", (ref, nowMs) =>
    queries.updatedWebhook(ref, { ...input, nowMs }),
  );
  continueDeliveries(caller);
  return webhook;
}

/** @throws {ApiError} `not_found`. */
export async function deleteWebhook(caller: KeyCaller, id: string): Promise<Webhook> {
  return change(caller, id, "webhook.deleted", queries.deletedWebhook);
}

/** @throws {ApiError} `not_found`, `unavailable` without an admin token. */
export async function rotateWebhook(caller: KeyCaller, id: string): Promise<WebhookWithSecret> {
  const { principal, runtime } = caller;
  const ref = { organizationId: principal.organizationId, id };
  const secret = createWebhookSecret(runtime);
  const encrypted = await encryptSecret(runtime, adminTokenOf(caller), ref, secret);
  const webhook = await change(caller, id, "webhook.rotated", (_, nowMs) =>
    queries.rotatedWebhook(ref, { secret: encrypted, untilMs: nowMs + OVERLAP_MS, nowMs }),
  );
  return { ...webhook, secret };
}

/**
 * Sends a test event, which is not in the log, and waits for the response. Only counts the test.
 *
 * @throws {ApiError} `not_found`, `rate_limited`.
 */
export async function testWebhook(caller: KeyCaller, id: string): Promise<WebhookTest> {
  const { db, principal, runtime } = caller;
  const ref = { organizationId: principal.organizationId, id };
  const nowMs = runtime.nowMs();
  const { receiver, nextTestMs } = await batch(db, {
    receiver: queries.countedTest(ref, { testsMax: WEBHOOK_TESTS_MAX, nowMs }),
    nextTestMs: queries.nextTestMs(ref),
  });
  if (nextTestMs === null) throw notFound("webhook");
  if (receiver === null)
    throw new ApiError(
      "rate_limited",
      `A webhook can be tested ${WEBHOOK_TESTS_MAX} times in a minute. Nothing was sent.`,
      { retryAfterSeconds: Math.ceil((nextTestMs - nowMs) / 1_000) },
    );
  const event: WebhookTest["event"] = {
    id: createId(runtime, "evt"),
    sequence: 0,
    type: "webhook.test",
    ...{ conversation_id: null, memory_id: null, operation_id: null, key_id: null },
    ...{ agent_id: null, user_id: null, first_sequence: null, last_sequence: null },
    created_at: new Date(nowMs).toISOString(),
  };
  const { attempt } = await sendEvent(caller, ref, receiver, event);
  return { event, attempt };
}

/** @throws {ApiError} `not_found`, `invalid_cursor`. */
export async function listDeliveries(
  caller: KeyCaller,
  id: string,
  input: { status: DeliveryStatus | undefined; limit: number | undefined; cursor: string | undefined },
): Promise<{ items: Delivery[]; next_cursor: string | null }> {
  const { db, principal } = caller;
  const { organizationId } = principal;
  const ref = { organizationId, id };
  const { status = null, limit = PAGE_ITEMS_DEFAULT } = input;
  const scope: CursorScope = { list: "deliveries", owner: principal, parameters: { id, status } };
  const before = await fromCursor(scope, input.cursor, isWhole);
  await getWebhook(caller, id);
  const stored = await deliveries.selectDeliveries(db, ref, { status, before, limit: limit + 1 });
  const items = stored.map((row) => toDelivery(organizationId, row));
  return toPage(scope, items, { limit, positionOf: ({ sequence }) => sequence });
}

/** @throws {ApiError} `not_found`. */
export async function resumeWebhook(caller: KeyCaller, id: string): Promise<Webhook> {
  const webhook = await change(caller, id, "webhook.resumed", queries.resumedWebhook);
  continueDeliveries(caller);
  return webhook;
}

/** @throws {ApiError} `not_found`, also for an event that is not the next one. */
export async function skipDelivery(caller: KeyCaller, id: string, deliveryId: string): Promise<Delivery> {
  const { db, limits, principal, runtime } = caller;
  const { organizationId } = principal;
  const ref = { organizationId, id };
  const sequence = Number(/_(\d{1,15})$/.exec(deliveryId)?.[1]);
  if (deliveryId !== eventId(organizationId, sequence)) throw notFound("delivery");
  const isFailing = deliveries.isFailing(ref, sequence, limits.eventPageRows);
  const event = { organizationId, action: "delivery.skipped", targetId: id, nowMs: runtime.nowMs() } as const;
  const { delivery } = await batch(db, {
    audit: auditEvent(caller, principal, event, isFailing),
    skipped: deliveries.skippedEvent(ref, sequence, isFailing),
    delivery: deliveries.delivery(ref, sequence),
  });
  if (delivery === null || delivery.status === "pending") throw notFound("delivery to skip");
  continueDeliveries(caller);
  return toDelivery(organizationId, delivery);
}

/** Sends what a change of a webhook makes due, although no event was written. */
function continueDeliveries({ caches, principal, wakeListeners }: KeyCaller): void {
  caches.withoutWebhooks.delete(principal.organizationId);
  wakeListeners([principal.organizationId]);
}

const toDelivery = (organizationId: string, row: deliveries.DeliveryRow): Delivery => ({
  id: eventId(organizationId, row.sequence),
  sequence: row.sequence,
  status: row.status,
  next_attempt_at: toTimestampOrNull(row.next_attempt_at_ms),
  attempts: JSON.parse(row.attempt_log) as Delivery["attempts"],
});

/** Runs a change with its audit event. */
async function change(
  caller: KeyCaller,
  id: string,
  action: "webhook.updated" | "webhook.deleted" | "webhook.rotated" | "webhook.resumed",
  toStatement: (ref: queries.WebhookRef, nowMs: number) => ReturnType<typeof queries.deletedWebhook>,
): Promise<Webhook> {
  const { db, principal, runtime } = caller;
  const { organizationId } = principal;
  const ref = { organizationId, id };
  const nowMs = runtime.nowMs();
  const { webhook } = await batch(db, {
    audit: auditEvent(
      caller,
      principal,
      { organizationId, action, targetId: id, nowMs },
      queries.webhookExists(ref),
    ),
    webhook: toStatement(ref, nowMs),
    deliveries: action === "webhook.deleted" ? deliveries.deletedDeliveries(ref) : null,
  });
  return found(webhook);
}

function found(webhook: Webhook | null): Webhook {
  if (webhook === null) throw notFound("webhook");
  return webhook;
}

/** @throws {ApiError} `unavailable`. */
function adminTokenOf({ adminToken }: KeyCaller): string {
  if (adminToken === "")
    throw new ApiError("unavailable", "Webhooks need `ADMIN_TOKEN`, from which their secrets are encrypted.");
  return adminToken;
}

/** @throws {ApiError} `validation_failed`. */
function refuseUrl({ webhookHosts }: KeyCaller, url: string, ownHosts: string[]): void {
  const message = refusalOf(url, { own: ownHosts, allowed: webhookHosts });
  if (message !== null)
    throw new ApiError("validation_failed", "Events cannot be sent to this URL.", {
      errors: [{ path: "url", message }],
    });
}
