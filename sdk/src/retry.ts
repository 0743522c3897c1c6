/** Longest wait that a server may ask for; a longer one is left to the caller. */
const RETRY_AFTER_MAX_MS = 60_000;
const BACKOFF_FIRST_MS = 500;
const BACKOFF_MAX_MS = 8_000;
const NUMBER = /^\d+(\.\d+)?$/;

/** What the server cannot do at all: it will not do it the next time either. */
const NEVER_RETRIED_STATUSES = [501, 505];

/**
 * Milliseconds that an answer asks to wait: by `retry-after-ms`, which some gateways send, or else by `Retry-After`;
 * null when neither is there, or neither a number nor a date.
 *
 * A date is measured against the server's own clock where it tells it, because ours may be wrong.
 */
export function retryAfterMs(headers: Headers, nowMs: number): number | null {
  const exact = headers.get("retry-after-ms")?.trim() ?? "";
  if (NUMBER.test(exact)) return Number(exact);
  const text = headers.get("retry-after")?.trim() ?? "";
  if (NUMBER.test(text)) return Number(text) * 1_000;
  // `Date.parse` alone would take "-1" for the year 2001.
  const at = text.endsWith(" GMT") ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) return null;
  const serverNow = Date.parse(headers.get("date") ?? "");
  return Math.max(0, at - (Number.isNaN(serverNow) ? nowMs : serverNow));
}

/** Milliseconds to wait before a retry: up to 0.5 s, then 1 s, 2 s, 4 s, 8 s; `random` is 0 to 1. */
export function backoffMs(retries: number, random: number): number {
  return random * Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** retries);
}

/** Milliseconds to wait before an answer is asked for again; null when it is final. */
export function answerRetryMs(
  response: Pick<Response, "status" | "headers">,
  retries: number,
  { nowMs, random }: { nowMs: number; random: number },
): number | null {
  const asked = retryAfterMs(response.headers, nowMs);
  // A conflict that will pass says so: an earlier request under the same idempotency key is under way.
  const willPass = response.status === 409 && asked !== null;
  if (!willPass && !mayPass(response.status)) return null;
  if (asked === null) return backoffMs(retries, random);
  return asked <= RETRY_AFTER_MAX_MS ? asked : null;
}

/**
 * Whether a failure may be over when the request comes again.
 *
 * Not by a list of the 5xx: what stands in front of a service has codes of its own, as Cloudflare's edge has 520 to
 * 527 and 530, and overloaded ones 529.
 */
function mayPass(status: number): boolean {
  return status === 408 || status === 429 || (status >= 500 && !NEVER_RETRIED_STATUSES.includes(status));
}
