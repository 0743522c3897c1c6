import type { Event, WebhookAttempt, WebhookTestEvent } from "@engram/spec";
import type { Invocation } from "../invocation.ts";
import type { Delivered } from "../platform/webhook-sender.ts";
import type { Receiver, WebhookRef } from "./queries.ts";
import { decryptSecret, signedHeaders } from "./secrets.ts";
import { refusalOf } from "./urls.ts";

/** Signs and sends an event. Never throws. */
export async function sendEvent(
  invocation: Invocation,
  ref: WebhookRef,
  receiver: Receiver,
  event: Event | WebhookTestEvent,
): Promise<{ result: Delivered; attempt: WebhookAttempt }> {
  const startedAtMs = invocation.runtime.nowMs();
  const result = await post(invocation, ref, receiver, event);
  return {
    result,
    attempt: {
      started_at: new Date(startedAtMs).toISOString(),
      duration_ms: invocation.runtime.nowMs() - startedAtMs,
      status: result.status,
      error: result.error,
    },
  };
}

async function post(
  { adminToken, runtime, webhooks, webhookHosts }: Invocation,
  ref: WebhookRef,
  receiver: Receiver,
  event: Event | WebhookTestEvent,
): Promise<Delivered> {
  if (refusalOf(receiver.url, { allowed: webhookHosts }) !== null) return notSent("url_refused");
  const encrypted = [receiver.secret, ...(receiver.previousSecret === null ? [] : [receiver.previousSecret])];
  const [secret, ...previous] = await Promise.all(
    encrypted.map((text) => decryptSecret(adminToken, ref, text)),
  );
  // The admin token was replaced. A rotation makes a secret that can be read.
  if (secret === null || secret === undefined) return notSent("secret_unreadable");
  const secrets = [secret, ...previous.filter((old) => old !== null)];
  const body = JSON.stringify({ type: event.type, timestamp: event.created_at, data: event });
  const headers = await signedHeaders(secrets, { id: event.id, atMs: runtime.nowMs(), body });
  return webhooks.post(receiver.url, { headers, body });
}

const notSent = (error: NonNullable<WebhookAttempt["error"]>): Delivered => ({
  status: null,
  error,
  isGone: false,
  retryAfterMs: null,
});
