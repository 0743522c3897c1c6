import { createHmac, randomBytes } from "node:crypto";
import type { Event } from "@engram/sdk";
import { InvalidArgumentError } from "commander";

/** Time in which a receiver must respond. */
const TIMEOUT_MS = 10_000;
const PREFIX = "whsec_";
const SECRET_BYTES = 32;

/** How a receiver responded to an event. */
export interface Forwarded {
  /** Null if no response arrived. */
  status: number | null;
  duration_ms: number;
  /** Why no response arrived; null if one did. */
  error: string | null;
}

/** Converts an option to a URL of this machine. A deployed receiver gets events by a webhook. */
export function loopbackUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isLoopback =
    url !== null && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname.replace(/\.$/, ""));
  if (isLoopback && /^https?:$/.test(url.protocol)) return url;
  throw new InvalidArgumentError("It must be a URL of this machine, such as http://localhost:3000/hook.");
}

export const createWebhookSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString("base64");

/** Sends an event as the service does for a webhook: signed, with the same body, following no redirect. */
export async function forward(url: URL, secret: string, event: Event): Promise<Forwarded> {
  const body = JSON.stringify({ type: event.type, timestamp: event.created_at, data: event });
  const startedAtMs = performance.now();
  const since = () => Math.round(performance.now() - startedAtMs);
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        ...signedHeaders(secret, event.id, body),
        "content-type": "application/json",
        "user-agent": "Engram-Webhooks",
      },
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    return { status: response.status, duration_ms: since(), error: null };
  } catch (error) {
    const { cause, message } = error as Error;
    const reason = cause instanceof Error ? (cause as NodeJS.ErrnoException).code || cause.message : message;
    return { status: null, duration_ms: since(), error: reason };
  }
}

function signedHeaders(secret: string, id: string, body: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const key = Buffer.from(secret.slice(PREFIX.length), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature}`,
  };
}
